import type { Progress } from '../../src-shared/mcp/primitives.ts'

/** The progress of a call over several requests. Each starts at zero, but the shown progress never decreases (V26-PROG-2). */
export class RisingProgress {
  readonly #show: (progress: Progress) => void
  #shown: Progress | undefined
  /** The shown progress at the beginning of the current request. */
  #floor: Progress | undefined

  constructor(show: (progress: Progress) => void) {
    this.#show = show
  }

  begin(): void {
    this.#floor = this.#shown
  }

  /** Of a value below the earlier request's, only the message is shown. */
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
