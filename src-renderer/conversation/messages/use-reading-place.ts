import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { markWords, unmarkWords } from '../../find/mark-words.ts'
import type { SearchTarget } from '../../state/view-store.ts'

/** Pixels from the end that still count as reading along. */
const NEAR = 48
/** Milliseconds for which the target of a link is highlighted. */
const FOUND_TIME = 2000

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
  /** To a message that is built, or about to be. */
  toMessage(target: SearchTarget): void
  onScroll(): void
  /** Someone presses on the list: nothing moves below the pointer until it is let go. */
  onPointerDown(press: { readonly target: EventTarget; readonly button: number }): void
  /** The message in view, to be kept in place when others are built. */
  take(): ScrollPlace | undefined
  keep(place: ScrollPlace | undefined): void
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
  const pressed = useRef(false)
  const lastTop = useRef(0)
  /** Where someone went, of which other messages are about to be built. */
  const towards = useRef<'start' | SearchTarget>(undefined)
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

  const follow = useCallback(() => {
    if (following.current && !pressed.current) scrollTo('end')
  }, [scrollTo])

  const go = useCallback(
    (where: 'start' | 'end') => {
      following.current = where === 'end'
      towards.current = where === 'start' ? where : undefined
      setAtEnd(following.current)
      scrollTo(where)
    },
    [scrollTo],
  )

  /** Brings a message to the top, or what is wanted of a long one, with the focus; false while it is not built. */
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
      found.animate({ backgroundColor: ['var(--accent-wash)', 'transparent'] }, FOUND_TIME)
      return true
    },
    [scroller],
  )

  const toMessage = useCallback(
    (target: SearchTarget) => {
      following.current = false
      setAtEnd(false)
      towards.current = arrive(target) ? undefined : target
    },
    [arrive],
  )

  const look = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const left = element.scrollHeight - element.scrollTop - element.clientHeight
    // Growing content also moves the end away; only scrolling up, however little, means that the person wants to stay.
    if (left > 1 && element.scrollTop < lastTop.current) following.current = false
    else if (left < NEAR && endBuilt.current) following.current = true
    else if (!endBuilt.current) following.current = false
    lastTop.current = element.scrollTop
    if (element.scrollTop > 0 && towards.current === 'start') towards.current = undefined
  }, [scroller])

  const onScroll = useCallback(() => {
    look()
    setAtEnd(following.current)
  }, [look])

  const onPointerDown = useCallback(
    ({ target, button }: { readonly target: EventTarget; readonly button: number }) => {
      // The end of others may go unheard: that on the scroll bar, which is the list itself, and one that opens a menu of the system.
      pressed.current = button === 0 && target !== scroller.current
    },
    [scroller],
  )

  const take = useCallback((): ScrollPlace | undefined => {
    const [outer, inner] = [scroller.current, content.current]
    if (!outer || !inner) return undefined
    // A scroll in this frame is reported only in the next.
    look()
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
  }, [scroller, content, look])

  const keep = useCallback(
    (place: ScrollPlace | undefined) => {
      const element = scroller.current
      if (!element) return
      if (following.current) follow()
      else if (towards.current === 'start') scrollTo('start')
      else if (towards.current !== undefined && arrive(towards.current)) towards.current = undefined
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
    // After the click that may come of it.
    const letGo = () =>
      setTimeout(() => {
        if (!pressed.current) return
        pressed.current = false
        follow()
      })
    const ends = ['pointerup', 'pointercancel', 'dragend', 'blur'] as const
    for (const end of ends) window.addEventListener(end, letGo)
    return () => {
      for (const end of ends) window.removeEventListener(end, letGo)
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

  // Before the browser tells of the scrolling that this causes: it is nobody's wish to stay there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the question changes
  useLayoutEffect(follow, [question, follow])

  const toEnd = useCallback(() => go('end'), [go])
  const toStart = useCallback(() => go('start'), [go])
  return { atEnd, toEnd, toStart, toMessage, onScroll, onPointerDown, take, keep }
}
