import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { markWords, unmarkWords } from '../../find/mark-words.ts'
import type { SearchTarget } from '../../state/view-store.ts'

/** Pixels from the end that still count as being there. */
const NEAR = 48
/** Milliseconds. */
const HIGHLIGHT_TIME = 2000

/** The position of a message on the screen. */
export interface ScrollPlace {
  readonly element: Element
  readonly top: number
  /** The focus was inside the list. */
  readonly focused: boolean
}

export interface ReadingPlace {
  readonly atEnd: boolean
  toEnd(): void
  toStart(): void
  /** To a message that is rendered, or about to be. */
  toMessage(target: SearchTarget): void
  onScroll(): void
  /** While the pointer is pressed on the list, nothing moves below it. */
  onPointerDown(press: { readonly target: EventTarget; readonly button: number }): void
  /** Keeps an element in its place when other messages are rendered next, also at the end. */
  hold(element: Element): void
  /** The message in view, which keeps its place when others are rendered. */
  take(): ScrollPlace | undefined
  keep(place: ScrollPlace | undefined): void
}

/**
 * Follows the end while the person reads there; else keeps the same message in view when others are rendered before it. A `question`
 * takes room below. `wholeEnd`: the last message is rendered, so that the end of the list is the end of the conversation.
 */
export function useReadingPlace(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  wholeEnd: boolean,
  question: ReactNode,
): ReadingPlace {
  const [atEnd, setAtEnd] = useState(true)
  const following = useRef(true)
  const pressed = useRef(false)
  const lastTop = useRef(0)
  /** The place to scroll to once its messages are rendered. */
  const target = useRef<'start' | SearchTarget>(undefined)
  const held = useRef<Element>(undefined)
  const endRendered = useRef(wholeEnd)
  endRendered.current = wholeEnd

  const scrollTo = useCallback(
    (where: 'start' | 'end') => {
      const element = scroller.current
      if (!element) return
      element.scrollTop = where === 'end' ? element.scrollHeight : 0
      // The scroll event that follows must not count as the person's, even if the end has moved on by then.
      lastTop.current = element.scrollTop
    },
    [scroller],
  )

  const follow = useCallback(() => {
    if (following.current && !pressed.current) scrollTo('end')
  }, [scrollTo])

  const go = useCallback(
    (where: 'start' | 'end') => {
      following.current = where === 'end'
      target.current = where === 'start' ? where : undefined
      setAtEnd(following.current)
      scrollTo(where)
    },
    [scrollTo],
  )

  /** Brings a message, or the found words of a long one, to the top and focuses it; false while it is not rendered. */
  const arrive = useCallback(
    ({ message, words = [] }: SearchTarget) => {
      const [outer, found] = [scroller.current, document.getElementById(`message-${message}`)]
      if (!outer || !found) return false
      const [box, { top }] = [outer.getBoundingClientRect(), found.getBoundingClientRect()]
      const word = markWords(found, words)?.getBoundingClientRect()
      outer.scrollTop += (word && word.bottom - top > box.height ? word.top - box.height / 2 : top) - box.top
      lastTop.current = outer.scrollTop
      found.tabIndex = -1
      found.focus({ preventScroll: true })
      found.animate({ backgroundColor: ['var(--accent-wash)', 'transparent'] }, HIGHLIGHT_TIME)
      return true
    },
    [scroller],
  )

  const toMessage = useCallback(
    (message: SearchTarget) => {
      following.current = false
      setAtEnd(false)
      target.current = arrive(message) ? undefined : message
    },
    [arrive],
  )

  const look = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const left = element.scrollHeight - element.scrollTop - element.clientHeight
    // Growing content also moves the end away; only scrolling up means that the person wants to stay.
    if (left > 1 && element.scrollTop < lastTop.current) following.current = false
    else if (left < NEAR && endRendered.current) following.current = true
    else if (!endRendered.current) following.current = false
    lastTop.current = element.scrollTop
    if (element.scrollTop > 0 && target.current === 'start') target.current = undefined
  }, [scroller])

  const onScroll = useCallback(() => {
    look()
    setAtEnd(following.current)
  }, [look])

  const onPointerDown = useCallback(
    (press: { readonly target: EventTarget; readonly button: number }) => {
      // No pointerup may follow a press on the scroll bar, which is the list itself, or one that opens a menu of the system.
      pressed.current = press.button === 0 && press.target !== scroller.current
    },
    [scroller],
  )

  const hold = useCallback((element: Element) => {
    held.current = element
    following.current = false
    setAtEnd(false)
  }, [])

  const take = useCallback((): ScrollPlace | undefined => {
    const [outer, inner] = [scroller.current, content.current]
    if (!outer || !inner) return undefined
    // A scroll in this frame is reported only in the next.
    look()
    const { top, bottom } = outer.getBoundingClientRect()
    const focused = outer.contains(document.activeElement)
    const element = held.current
    held.current = undefined
    if (element?.isConnected) {
      following.current = false
      return { element, top: element.getBoundingClientRect().top, focused }
    }
    for (const element of inner.querySelectorAll(':scope > article')) {
      const box = element.getBoundingClientRect()
      if (box.bottom <= top) continue
      if (box.top >= bottom) return undefined
      // More of a long reply may be rendered above: the place is that of its part in view.
      const piece = [...element.querySelectorAll(':scope > .message-parts > *')].find(
        (part) => part.getBoundingClientRect().bottom > top,
      )
      const inView = piece ?? element
      return { element: inView, top: inView.getBoundingClientRect().top, focused }
    }
    return undefined
  }, [scroller, content, look])

  const keep = useCallback(
    (place: ScrollPlace | undefined) => {
      const element = scroller.current
      if (!element) return
      if (following.current) follow()
      else if (target.current === 'start') scrollTo('start')
      else if (target.current !== undefined && arrive(target.current)) target.current = undefined
      else if (place?.element.isConnected) {
        element.scrollTop += place.element.getBoundingClientRect().top - place.top
        lastTop.current = element.scrollTop
      }
      // The focused element was removed with its message.
      if (place?.focused && document.activeElement === document.body) element.focus({ preventScroll: true })
    },
    [scroller, scrollTo, follow, arrive],
  )

  useEffect(() => unmarkWords, [])
  useEffect(() => {
    // The click of the press comes first.
    const release = () =>
      setTimeout(() => {
        if (!pressed.current) return
        pressed.current = false
        follow()
      })
    const ends = ['pointerup', 'pointercancel', 'dragend', 'blur'] as const
    for (const end of ends) window.addEventListener(end, release)
    return () => {
      for (const end of ends) window.removeEventListener(end, release)
    }
  }, [follow])
  useEffect(() => {
    const [outer, inner] = [scroller.current, content.current]
    if (!outer || !inner) return
    const observer = new ResizeObserver(follow)
    observer.observe(inner)
    observer.observe(outer)
    return () => observer.disconnect()
  }, [scroller, content, follow])

  // A layout effect runs before the scroll event that the new height causes, which is not the person's.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the question changes
  useLayoutEffect(follow, [question, follow])

  const toEnd = useCallback(() => go('end'), [go])
  const toStart = useCallback(() => go('start'), [go])
  return { atEnd, toEnd, toStart, toMessage, onScroll, onPointerDown, hold, take, keep }
}
