import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** How near to the end still counts as reading along, in pixels. */
const NEAR = 48

export interface ReadingPlace {
  readonly atEnd: boolean
  toEnd(): void
  onScroll(): void
}

/**
 * Keeps to the end while one reads along; keeps the same message in sight when others are put before it. A `question` takes room
 * below and gives it back.
 */
export function useReadingPlace(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  firstShown: string | undefined,
  question: ReactNode,
): ReadingPlace {
  const [atEnd, setAtEnd] = useState(true)
  const following = useRef(true)
  const lastTop = useRef(0)
  const anchor = useRef<{ element: Element; top: number } | undefined>(undefined)

  const scrollToEnd = useCallback(() => {
    const element = scroller.current
    if (!element) return
    element.scrollTop = element.scrollHeight
    // Where this puts it is not where someone scrolled to, even if the end has moved on when the event comes.
    lastTop.current = element.scrollTop
  }, [scroller])

  const toEnd = useCallback(() => {
    following.current = true
    setAtEnd(true)
    scrollToEnd()
  }, [scrollToEnd])

  const remember = useCallback(() => {
    const first = content.current?.querySelector('article')
    anchor.current = first ? { element: first, top: first.getBoundingClientRect().top } : undefined
  }, [content])

  const onScroll = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const nearEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR
    // What grows meanwhile also leaves the end behind; only going up means that someone wants to stay there.
    if (nearEnd) following.current = true
    else if (element.scrollTop < lastTop.current) following.current = false
    lastTop.current = element.scrollTop
    setAtEnd(following.current)
    remember()
  }, [scroller, remember])

  useEffect(() => {
    const [outer, inner] = [scroller.current, content.current]
    if (!outer || !inner) return
    const observer = new ResizeObserver(() => {
      if (following.current) scrollToEnd()
    })
    observer.observe(inner)
    observer.observe(outer)
    return () => observer.disconnect()
  }, [scroller, content, scrollToEnd])

  // Before the browser tells of the scrolling that this causes: it is nobody's wish to stay there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the question is another
  useLayoutEffect(() => {
    if (following.current) scrollToEnd()
  }, [question, scrollToEnd])

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the first message shown is another
  useLayoutEffect(() => {
    const [element, before] = [scroller.current, anchor.current]
    if (element && before?.element.isConnected && !following.current) {
      element.scrollTop += before.element.getBoundingClientRect().top - before.top
    }
    remember()
  }, [firstShown])

  return { atEnd, toEnd, onScroll }
}
