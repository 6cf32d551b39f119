import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** How near to the end still counts as reading along, in pixels. */
const NEAR = 48

/** Where a message was on the screen. */
export interface Place {
  readonly element: Element
  readonly top: number
  /** The focus was inside of the list. */
  readonly focused: boolean
}

export interface ReadingPlace {
  readonly atEnd: boolean
  toEnd(): void
  toStart(): void
  onScroll(): void
  /** What is looked at right now, to be kept over a change of what is built. */
  take(): Place | undefined
  keep(place: Place | undefined): void
}

/**
 * Keeps to the end while one reads along; keeps the same message in sight when others are put before it. A `question` takes room
 * below and gives it back. `wholeEnd`: the last message is built, so that the end of the list is the end.
 */
export function useReadingPlace(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  wholeEnd: boolean,
  question: ReactNode,
): ReadingPlace {
  const [atEnd, setAtEnd] = useState(true)
  const following = useRef(true)
  const lastTop = useRef(0)
  /** Someone went to the start, of which other messages are about to be built. */
  const toFirst = useRef(false)
  const endBuilt = useRef(wholeEnd)
  endBuilt.current = wholeEnd

  const scrollTo = useCallback(
    (where: 'start' | 'end') => {
      const element = scroller.current
      if (!element) return
      element.scrollTop = where === 'end' ? element.scrollHeight : 0
      // Where this puts it is not where someone scrolled to, even if the end has moved on when the event comes.
      lastTop.current = element.scrollTop
    },
    [scroller],
  )

  const go = useCallback(
    (where: 'start' | 'end') => {
      following.current = where === 'end'
      toFirst.current = where === 'start'
      setAtEnd(following.current)
      scrollTo(where)
    },
    [scrollTo],
  )

  const onScroll = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const nearEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR
    // What grows meanwhile also leaves the end behind; only going up means that someone wants to stay there.
    if (nearEnd && endBuilt.current) following.current = true
    else if (element.scrollTop < lastTop.current || !endBuilt.current) following.current = false
    lastTop.current = element.scrollTop
    if (element.scrollTop > 0) toFirst.current = false
    setAtEnd(following.current)
  }, [scroller])

  const take = useCallback((): Place | undefined => {
    const [outer, inner] = [scroller.current, content.current]
    if (!outer || !inner) return undefined
    const { top, bottom } = outer.getBoundingClientRect()
    const focused = outer.contains(document.activeElement)
    for (const element of inner.querySelectorAll(':scope > article')) {
      const box = element.getBoundingClientRect()
      if (box.bottom <= top) continue
      if (box.top >= bottom) return undefined
      // Of a long reply, the piece that is looked at: more of the same reply may be built above it.
      const piece = [...element.querySelectorAll(':scope > .message-parts > *')].find(
        (part) => part.getBoundingClientRect().bottom > top,
      )
      const looked = piece ?? element
      return { element: looked, top: looked.getBoundingClientRect().top, focused }
    }
    return undefined
  }, [scroller, content])

  const keep = useCallback(
    (place: Place | undefined) => {
      const element = scroller.current
      if (!element) return
      if (following.current) scrollTo('end')
      else if (toFirst.current) scrollTo('start')
      else if (place?.element.isConnected) {
        element.scrollTop += place.element.getBoundingClientRect().top - place.top
        lastTop.current = element.scrollTop
      }
      // What had the focus went with its message.
      if (place?.focused && document.activeElement === document.body) element.focus({ preventScroll: true })
    },
    [scroller, scrollTo],
  )

  useEffect(() => {
    const [outer, inner] = [scroller.current, content.current]
    if (!outer || !inner) return
    const observer = new ResizeObserver(() => {
      if (following.current) scrollTo('end')
    })
    observer.observe(inner)
    observer.observe(outer)
    return () => observer.disconnect()
  }, [scroller, content, scrollTo])

  // Before the browser tells of the scrolling that this causes: it is nobody's wish to stay there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the question is another
  useLayoutEffect(() => {
    if (following.current) scrollTo('end')
  }, [question, scrollTo])

  const toEnd = useCallback(() => go('end'), [go])
  const toStart = useCallback(() => go('start'), [go])
  return { atEnd, toEnd, toStart, onScroll, take, keep }
}
