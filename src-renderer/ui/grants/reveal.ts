import type { Clock } from '../../../src-shared/base/clock.ts'

/** Milliseconds that a granting control must be visible and in place before it can be used. */
export const SETTLING_TIME = 400
/** Pixels that count as an intended movement: a hand that only clicks trembles less. */
export const MIN_MOVE = 8

export interface Point {
  readonly x: number
  readonly y: number
}

/** By a pointer, by a key and when it was pressed, or by neither: assistive programs do that. */
export type Activation =
  | { readonly by: 'pointer' }
  | { readonly by: 'key'; readonly pressedAt: number }
  | { readonly by: 'program' }

/**
 * Tells activations that were meant for a granting control from those that were meant for earlier content: a pointer must come from
 * elsewhere, a key must be pressed after the control appeared.
 */
export class Reveal {
  readonly #clock: Clock
  #shownAt = Number.POSITIVE_INFINITY
  #placedAt = Number.POSITIVE_INFINITY
  #place: string | undefined
  /** The pointer when the control came to its place; undefined if unknown. */
  #from: Point | undefined
  #moved = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The control became visible, or grants something else. */
  show(pointer: Point | undefined): void {
    this.#shownAt = this.#clock.now()
    this.#set(pointer)
  }

  /** Its present place, undefined when hidden. A new place restarts the check of pointers. */
  look(place: string | undefined, pointer: Point | undefined): void {
    if (place === this.#place) return
    const hidden = this.#place === undefined
    this.#place = place
    if (place === undefined) this.#shownAt = this.#placedAt = Number.POSITIVE_INFINITY
    else if (hidden) this.show(pointer)
    else this.#set(pointer)
  }

  /** The pointer moved to `to`, by `by` if its earlier position is unknown. */
  follow(to: Point, by: Point): void {
    this.#from ??= { x: to.x - by.x, y: to.y - by.y }
    if (Math.hypot(to.x - this.#from.x, to.y - this.#from.y) >= MIN_MOVE) this.#moved = true
  }

  /** True if the control was visible and in place for long enough. */
  get settled(): boolean {
    return this.#since(this.#placedAt)
  }

  /** True if the activation was meant for this control. */
  accepts(activation: Activation): boolean {
    // Keys and programs find a control wherever it is.
    if (activation.by === 'key') return this.#since(this.#shownAt) && activation.pressedAt - this.#shownAt >= SETTLING_TIME
    if (activation.by === 'program') return this.#since(this.#shownAt)
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
