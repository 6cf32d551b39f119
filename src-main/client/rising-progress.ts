import type { Progress } from '../../src-shared/mcp/primitives.ts'

/** The progress of a call that may take several requests: each starts again, and the shown progress never goes back (V26-PROG-2). */
export class RisingProgress {
  readonly #show: (progress: Progress) => void
  #shown: Progress | undefined
  /** The progress shown when the present request began. */
  #floor: Progress | undefined

  constructor(show: (progress: Progress) => void) {
    this.#show = show
  }

  /** Another request begins. */
  begin(): void {
    this.#floor = this.#shown
  }

  /** Within one request values rise already; what is below the one before tells nothing but its words. */
  reached(progress: Progress): void {
    const floor = this.#floor
    if (floor && isBelow(progress, floor)) {
      const { message } = progress
      if (message !== undefined) this.#show({ ...floor, message })
      return
    }
    this.#shown = progress
    this.#show(progress)
  }
}

function isBelow(progress: Progress, floor: Progress): boolean {
  const [share, before] = [shareOf(progress), shareOf(floor)]
  return share !== undefined && before !== undefined ? share < before : progress.progress < floor.progress
}

function shareOf({ progress, total }: Progress): number | undefined {
  return total !== undefined && total > 0 ? progress / total : undefined
}
