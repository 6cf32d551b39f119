import type { Clock } from '../../../src-shared/base/clock.ts'
import type { HostCore } from './host-core.ts'
import type { BlobHold } from './transient-blobs.ts'

/** Milliseconds for which a preview can be viewed. */
const KEPT = 10 * 60_000
const MAX_COUNT = 16

/** Keeps the content of previews in memory for a while and drops the oldest first. */
export class ExpiringHolds {
  readonly #clock: Clock
  readonly #held = new Map<BlobHold, () => void>()

  constructor({ clock, lifetime }: Pick<HostCore, 'clock' | 'lifetime'>) {
    this.#clock = clock
    lifetime.onEnd(() => {
      for (const hold of [...this.#held.keys()]) this.#drop(hold)
    })
  }

  add(hold: BlobHold): void {
    this.#held.set(
      hold,
      this.#clock.after(KEPT, () => this.#drop(hold)),
    )
    if (this.#held.size <= MAX_COUNT) return
    const [oldest] = this.#held.keys()
    if (oldest) this.#drop(oldest)
  }

  #drop(hold: BlobHold): void {
    this.#held.get(hold)?.()
    this.#held.delete(hold)
    hold.release()
  }
}
