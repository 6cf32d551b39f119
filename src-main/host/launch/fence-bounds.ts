import type { Clock } from '../../../src-shared/base/clock.ts'
import { type ProcessUsage, processUsages } from '../../transports/process-table.ts'

/** Milliseconds between two looks. */
const EVERY = 5000
const GIB = 1024 ** 3

/** Ends fenced servers that use more memory than they may: bubblewrap bounds each process, Seatbelt none, and neither all together. */
export class FenceBounds {
  readonly #clock: Clock
  readonly #memory: number
  readonly #watched = new Map<number, (said: string) => void>()
  #cancel = () => {}

  /** `memory` is the most that one server may use, in bytes. */
  constructor(clock: Clock, memory: number) {
    this.#clock = clock
    this.#memory = memory
  }

  /** `onExceeded` gets a sentence without its subject, once. Returns the undo. */
  watch(pid: number, onExceeded: (said: string) => void): () => void {
    if (this.#watched.size === 0) this.#wait()
    this.#watched.set(pid, onExceeded)
    return () => {
      this.#watched.delete(pid)
      if (this.#watched.size === 0) this.#cancel()
    }
  }

  #wait(): void {
    this.#cancel()
    this.#cancel = this.#clock.after(EVERY, () => {
      // A system that does not tell, or not now, is asked again.
      const looked = processUsages([...this.#watched.keys()]).catch(() => new Map<number, ProcessUsage>())
      void looked.then((usages) => {
        for (const [pid, { memory }] of usages) if (memory > this.#memory) this.#exceeded(pid, memory)
        if (this.#watched.size > 0) this.#wait()
      })
    })
  }

  #exceeded(pid: number, memory: number): void {
    const onExceeded = this.#watched.get(pid)
    this.#watched.delete(pid)
    onExceeded?.(`used ${gib(memory)} of memory. Its fence allows ${gib(this.#memory)}, half of this computer’s.`)
  }
}

const gib = (bytes: number): string => `${(bytes / GIB).toFixed(1)} GiB`
