import { type Clock, every, systemClock } from '../../../src-shared/base/clock.ts'
import type { Point, Reveal, Taken } from './reveal.ts'

/** How often places are looked at while nothing happens. A control that moved between two looks only waits that much longer. */
const LOOK_EVERY = 100
const KEYS = ['Enter', ' ']
const NO_WAY: Point = { x: 0, y: 0 }

interface Watched {
  readonly element: Element
  readonly reveal: Reveal
  readonly told: (moved: boolean) => void
}

/** Follows the pointer and the keys of a page, for its controls that grant something. */
export class Acts {
  readonly #watched = new Set<Watched>()
  readonly #clock: Clock
  #stopLooking = () => {}
  #pointer: Point | undefined
  #pressedAt = Number.NEGATIVE_INFINITY
  #pressed = false

  constructor(page: Window, clock: Clock) {
    this.#clock = clock
    const listen = { capture: true, passive: true } as const
    page.addEventListener('pointermove', (event) => this.#follow(event), listen)
    page.addEventListener('pointerdown', (event) => this.#follow(event), listen)
    page.addEventListener('pointerout', (event) => this.#lose(event), listen)
    page.addEventListener('scroll', () => this.#look(), listen)
    page.addEventListener('keydown', (event) => this.#press(event), listen)
    page.addEventListener('keyup', (event) => this.#release(event), listen)
    page.document.addEventListener('visibilitychange', () => this.#look())
  }

  get pointer(): Point | undefined {
    return this.#pointer
  }

  /** Looks after a control until the returned undo is called; `told` is called whenever it was looked at, and says whether the pointer moved. */
  watch(element: Element, reveal: Reveal, told: Watched['told']): () => void {
    const one = { element, reveal, told }
    if (this.#watched.size === 0) this.#stopLooking = every(this.#clock, LOOK_EVERY, () => this.#look())
    this.#watched.add(one)
    reveal.look(placeOf(element), this.#pointer)
    return () => {
      this.#watched.delete(one)
      if (this.#watched.size === 0) this.#stopLooking()
    }
  }

  /** How a click came about. */
  taken(click: MouseEvent): Taken {
    if (click.detail > 0) return { by: 'pointer' }
    return this.#pressed ? { by: 'key', pressedAt: this.#pressedAt } : { by: 'program' }
  }

  #look(): void {
    for (const { element, reveal, told } of this.#watched) {
      reveal.look(placeOf(element), this.#pointer)
      told(false)
    }
  }

  #follow(event: PointerEvent): void {
    // Places come first: what has moved under a pointer that rests is told by where the pointer was until now.
    this.#look()
    const touch = event.pointerType === 'touch'
    // In a frame it goes on unseen.
    if (event.target instanceof HTMLIFrameElement) {
      this.#pointer = undefined
      return
    }
    const at = { x: event.clientX, y: event.clientY }
    const { x, y } = this.#pointer ?? at
    // A finger comes from above; only where it was before says what it may have meant.
    const by = this.#pointer ? { x: at.x - x, y: at.y - y } : touch ? at : movement(event)
    this.#pointer = at
    for (const { reveal, told } of this.#watched) {
      reveal.follow(at, by)
      told(event.type === 'pointermove')
    }
  }

  /** Out of the page, or into a frame, a mouse goes on unseen. */
  #lose(event: PointerEvent): void {
    const { relatedTarget: to, pointerType } = event
    if (pointerType !== 'touch' && (to === null || to instanceof HTMLIFrameElement)) this.#pointer = undefined
  }

  #press(event: KeyboardEvent): void {
    if (!KEYS.includes(event.key) || event.repeat) return
    this.#pressed = true
    this.#pressedAt = this.#clock.now()
  }

  /** The click of a key that is let go comes with that very event. */
  #release(event: KeyboardEvent): void {
    if (KEYS.includes(event.key)) this.#clock.after(0, () => (this.#pressed = false))
  }
}

function movement({ type, movementX, movementY }: PointerEvent): Point {
  return type === 'pointermove' ? { x: movementX, y: movementY } : NO_WAY
}

/** Its place in the window; undefined when it is not in sight. What is folded away has a box of its own all the same. */
function placeOf(element: Element): string | undefined {
  const { left, top, width, height } = element.getBoundingClientRect()
  if (width === 0 || height === 0 || element.ownerDocument.hidden || !element.checkVisibility()) return undefined
  return [left, top, width, height].map(Math.round).join(' ')
}

/** Those of this page, from its first line on. */
export const acts = typeof window === 'undefined' ? undefined : new Acts(window, systemClock)
