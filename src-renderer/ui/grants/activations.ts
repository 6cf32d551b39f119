import { type Clock, every, systemClock } from '../../../src-shared/base/clock.ts'
import type { Activation, Point, Reveal } from './reveal.ts'

/**
 * Milliseconds between two checks of places while nothing happens. A control that moved in between only waits that much longer.
 */
const LOOK_EVERY = 100
const KEYS = ['Enter', ' ']
const STILL: Point = { x: 0, y: 0 }

interface Watched {
  readonly element: Element
  readonly reveal: Reveal
  readonly onCheck: (moved: boolean) => void
}

/** Follows pointer and keys of a page for its granting controls. */
class Activations {
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

  /** Watches a control until the undo is called. `onCheck` is called after each check, with true if the pointer moved. */
  watch(element: Element, reveal: Reveal, onCheck: Watched['onCheck']): () => void {
    const one = { element, reveal, onCheck }
    if (this.#watched.size === 0) this.#stopLooking = every(this.#clock, LOOK_EVERY, () => this.#look())
    this.#watched.add(one)
    reveal.look(placeOf(element), this.#pointer)
    return () => {
      this.#watched.delete(one)
      if (this.#watched.size === 0) this.#stopLooking()
    }
  }

  of(click: MouseEvent): Activation {
    if (click.detail > 0) return { by: 'pointer' }
    return this.#pressed ? { by: 'key', pressedAt: this.#pressedAt } : { by: 'program' }
  }

  #look(): void {
    for (const { element, reveal, onCheck } of this.#watched) {
      reveal.look(placeOf(element), this.#pointer)
      onCheck(false)
    }
  }

  #follow(event: PointerEvent): void {
    // Places are checked first: a control that moved under a resting pointer is judged by the earlier position.
    this.#look()
    const touch = event.pointerType === 'touch'
    // Inside a frame the pointer is not seen.
    if (event.target instanceof HTMLIFrameElement) {
      this.#pointer = undefined
      return
    }
    const at = { x: event.clientX, y: event.clientY }
    const { x, y } = this.#pointer ?? at
    // A finger appears from nowhere; only its earlier position shows intent.
    const by = this.#pointer ? { x: at.x - x, y: at.y - y } : touch ? at : movement(event)
    this.#pointer = at
    for (const { reveal, onCheck } of this.#watched) {
      reveal.follow(at, by)
      onCheck(event.type === 'pointermove')
    }
  }

  /** A mouse outside the page or in a frame is not seen. */
  #lose(event: PointerEvent): void {
    const { relatedTarget: to, pointerType } = event
    if (pointerType !== 'touch' && (to === null || to instanceof HTMLIFrameElement)) this.#pointer = undefined
  }

  #press(event: KeyboardEvent): void {
    if (!KEYS.includes(event.key) || event.repeat) return
    this.#pressed = true
    this.#pressedAt = this.#clock.now()
  }

  /** The click of a released key comes with this event, so the key counts as pressed until afterwards. */
  #release(event: KeyboardEvent): void {
    if (KEYS.includes(event.key)) this.#clock.after(0, () => (this.#pressed = false))
  }
}

function movement({ type, movementX, movementY }: PointerEvent): Point {
  return type === 'pointermove' ? { x: movementX, y: movementY } : STILL
}

/** The position in the window; undefined when it is not visible. Folded content has a box, too. */
function placeOf(element: Element): string | undefined {
  const { left, top, width, height } = element.getBoundingClientRect()
  if (width === 0 || height === 0 || element.ownerDocument.hidden || !element.checkVisibility()) return undefined
  return [left, top, width, height].map(Math.round).join(' ')
}

export const activations = typeof window === 'undefined' ? undefined : new Activations(window, systemClock)
