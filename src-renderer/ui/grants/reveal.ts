import type { Clock } from '../../../src-shared/base/clock.ts'

/** How long a control that grants something is in sight, at its place, before it can be taken. Milliseconds. */
export const SETTLING_TIME = 400
/** How far a pointer goes when it is meant to move, in pixels: a hand that only clicks trembles less. */
export const MOVED = 8

export interface Point {
  readonly x: number
  readonly y: number
}

/** How a control was taken: by a pointer, by a key that was pressed then, or by neither, as assistive programs do. */
export type Taken = { readonly by: 'pointer' } | { readonly by: 'key'; readonly pressedAt: number } | { readonly by: 'program' }

/**
 * One control that grants something, from when it came into sight. An act that was meant for what was there before is told from one
 * that is meant for it: a pointer has to come to it from elsewhere, and a key has to be pressed after it was there.
 */
export class Reveal {
  readonly #clock: Clock
  #shownAt = Number.POSITIVE_INFINITY
  #placedAt = Number.POSITIVE_INFINITY
  #place: string | undefined
  /** Where the pointer was when the control came to its place; undefined while that is not known. */
  #from: Point | undefined
  #moved = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** It came into sight, or grants something else than before. */
  show(pointer: Point | undefined): void {
    this.#shownAt = this.#clock.now()
    this.#set(pointer)
  }

  /** Where it is now, undefined when it is not in sight; a place it was not at before begins it again for pointers. */
  look(place: string | undefined, pointer: Point | undefined): void {
    if (place === this.#place) return
    const hidden = this.#place === undefined
    this.#place = place
    if (place === undefined) this.#shownAt = this.#placedAt = Number.POSITIVE_INFINITY
    else if (hidden) this.show(pointer)
    else this.#set(pointer)
  }

  /** The pointer is here now. `by` is how far it came with this step, for when nobody knows where it was before. */
  follow(to: Point, by: Point): void {
    this.#from ??= { x: to.x - by.x, y: to.y - by.y }
    if (Math.hypot(to.x - this.#from.x, to.y - this.#from.y) >= MOVED) this.#moved = true
  }

  /** It was in sight, and at its place, for long enough. */
  get settled(): boolean {
    return this.#since(this.#placedAt)
  }

  /** True if this act is meant for it. */
  accepts(taken: Taken): boolean {
    // Keys and programs find it wherever it is.
    if (taken.by === 'key') return this.#since(this.#shownAt) && taken.pressedAt - this.#shownAt >= SETTLING_TIME
    if (taken.by === 'program') return this.#since(this.#shownAt)
    return this.#moved && this.settled
  }

  #since(moment: number): boolean {
    return this.#clock.now() - moment >= SETTLING_TIME
  }

  #set(pointer: Point | undefined): void {
    this.#placedAt = this.#clock.now()
    this.#from = pointer
    this.#moved = false
  }
}
