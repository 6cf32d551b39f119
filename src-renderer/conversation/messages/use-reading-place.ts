import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useState } from 'react'
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

/** Follows the end while the person reads there; else keeps the same message in view when others are rendered before it. */
export class ReadingPlace {
  /** The last message is rendered, so that the end of the list is the end of the conversation. */
  wholeEnd = true
  readonly #onEnd: (atEnd: boolean) => void
  #scroller: HTMLElement | null = null
  #content: HTMLElement | null = null
  #following = true
  #pressed = false
  #lastTop = 0
  /** The place to scroll to once its messages are rendered. */
  #target: 'start' | SearchTarget | undefined
  #held: Element | undefined

  constructor(onEnd: (atEnd: boolean) => void) {
    this.#onEnd = onEnd
  }

  /** Returns the undo. */
  attach(scroller: HTMLElement | null, content: HTMLElement | null): () => void {
    this.#scroller = scroller
    this.#content = content
    const observer = new ResizeObserver(this.follow)
    for (const element of [scroller, content]) if (element) observer.observe(element)
    // The click of the press comes first.
    const release = () => setTimeout(() => this.#release())
    const ends = ['pointerup', 'pointercancel', 'dragend', 'blur'] as const
    for (const end of ends) window.addEventListener(end, release)
    return () => {
      observer.disconnect()
      for (const end of ends) window.removeEventListener(end, release)
    }
  }

  readonly follow = () => {
    if (this.#following && !this.#pressed) this.#scrollTo('end')
  }

  readonly toEnd = () => this.#go('end')

  readonly toStart = () => this.#go('start')

  /** To a message that is rendered, or about to be. */
  readonly toMessage = (message: SearchTarget) => {
    this.#leaveEnd()
    this.#target = this.#arrive(message) ? undefined : message
  }

  readonly onScroll = () => {
    this.#look()
    this.#onEnd(this.#following)
  }

  /** While the pointer is pressed on the list, nothing moves below it. */
  readonly onPointerDown = (press: { readonly target: EventTarget; readonly button: number }) => {
    // No pointerup may follow a press on the scroll bar, which is the list itself, or one that opens a menu of the system.
    this.#pressed = press.button === 0 && press.target !== this.#scroller
  }

  /** Keeps an element in its place when other messages are rendered next, also at the end. */
  readonly hold = (element: Element) => {
    this.#held = element
  }

  /** The message in view, which keeps its place when others are rendered. */
  readonly take = (): ScrollPlace | undefined => {
    const [outer, inner, held] = [this.#scroller, this.#content, this.#held]
    if (!outer || !inner) return undefined
    // A scroll in this frame is reported only in the next.
    this.#look()
    const { top, bottom } = outer.getBoundingClientRect()
    const focused = outer.contains(document.activeElement)
    const placeOf = (element: Element) => ({ element, top: element.getBoundingClientRect().top, focused })
    this.#held = undefined
    if (held?.isConnected) {
      this.#following = false
      return placeOf(held)
    }
    const ends = (element: Element) => element.getBoundingClientRect().bottom
    const message = [...inner.querySelectorAll(':scope > article')].find((element) => ends(element) > top)
    if (!message || message.getBoundingClientRect().top >= bottom) return undefined
    // More of a long reply may be rendered above: the place is that of its part in view.
    const parts = [...message.querySelectorAll(':scope > .message-parts > *')]
    return placeOf(parts.find((part) => ends(part) > top) ?? message)
  }

  readonly keep = (place: ScrollPlace | undefined) => {
    const element = this.#scroller
    if (!element) return
    if (this.#following) this.follow()
    else if (this.#target === 'start') this.#scrollTo('start')
    else if (this.#target !== undefined && this.#arrive(this.#target)) this.#target = undefined
    else if (place?.element.isConnected) {
      element.scrollTop += place.element.getBoundingClientRect().top - place.top
      this.#lastTop = element.scrollTop
      this.#following = this.wholeEnd && this.#left(element) <= 1
    }
    this.#onEnd(this.#following)
    // The focused element was removed with its message.
    if (place?.focused && document.activeElement === document.body) element.focus({ preventScroll: true })
  }

  #scrollTo(where: 'start' | 'end'): void {
    const element = this.#scroller
    if (!element) return
    element.scrollTop = where === 'end' ? element.scrollHeight : 0
    // The scroll event that follows must not count as the person's, even if the end has moved on by then.
    this.#lastTop = element.scrollTop
  }

  #go(where: 'start' | 'end'): void {
    this.#following = where === 'end'
    this.#target = where === 'start' ? where : undefined
    this.#onEnd(this.#following)
    this.#scrollTo(where)
  }

  #leaveEnd(): void {
    this.#following = false
    this.#onEnd(false)
  }

  #release(): void {
    if (!this.#pressed) return
    this.#pressed = false
    this.follow()
  }

  /** Brings a message, or the found words of a long one, to the top and focuses it; false while it is not rendered. */
  #arrive({ message, words = [] }: SearchTarget): boolean {
    const [outer, found] = [this.#scroller, document.getElementById(`message-${message}`)]
    if (!outer || !found) return false
    const [box, { top }] = [outer.getBoundingClientRect(), found.getBoundingClientRect()]
    const word = markWords(found, words)?.getBoundingClientRect()
    outer.scrollTop += (word && word.bottom - top > box.height ? word.top - box.height / 2 : top) - box.top
    this.#lastTop = outer.scrollTop
    found.tabIndex = -1
    found.focus({ preventScroll: true })
    found.animate({ backgroundColor: ['var(--accent-wash)', 'transparent'] }, HIGHLIGHT_TIME)
    return true
  }

  /** Pixels below the part in view. */
  #left({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
    return scrollHeight - scrollTop - clientHeight
  }

  #look(): void {
    const element = this.#scroller
    if (!element) return
    const left = this.#left(element)
    // Growing content also moves the end away; only scrolling up means that the person wants to stay.
    if (left > 1 && element.scrollTop < this.#lastTop) this.#following = false
    else if (left < NEAR && this.wholeEnd) this.#following = true
    else if (!this.wholeEnd) this.#following = false
    this.#lastTop = element.scrollTop
    if (element.scrollTop > 0 && this.#target === 'start') this.#target = undefined
  }
}

/** The reading place of a list, and whether the end is in view. A `question` takes room below. */
export function useReadingPlace(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  wholeEnd: boolean,
  question: ReactNode,
): readonly [ReadingPlace, atEnd: boolean] {
  const [atEnd, setAtEnd] = useState(true)
  const [place] = useState(() => new ReadingPlace(setAtEnd))
  place.wholeEnd = wholeEnd
  useEffect(() => unmarkWords, [])
  useLayoutEffect(() => place.attach(scroller.current, content.current), [place, scroller, content])
  // A layout effect runs before the scroll event that the new height causes, which is not the person's.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the question changes
  useLayoutEffect(place.follow, [question, place])
  return [place, atEnd]
}
