import { type Clock, delay } from '../../src-shared/base/clock.ts'
import { StorageError } from '../storage/base/storage.ts'

/** Milliseconds between two checks for the end of the run. */
const NEXT_LOOK = 500

interface AfterRunsOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Milliseconds; without it a run is waited for as long as it takes. */
  readonly limit?: number
  /** Called once, before the first wait. */
  readonly onWait?: () => void
}

/** Opens a data folder, after the prompts of the command line that have it open. Rejects as `open` does, and with the signal's reason. */
export async function afterRuns<T>(
  open: () => Promise<T>,
  { clock, signal, limit = Number.POSITIVE_INFINITY, onWait }: AfterRunsOptions,
): Promise<T> {
  const began = clock.now()
  for (let waited = false; ; waited = true) {
    try {
      return await open()
    } catch (error) {
      const isRun = error instanceof StorageError && error.code === 'locked' && error.holder?.shell === 'run'
      if (!isRun || clock.now() - began >= limit) throw error
      if (!waited) onWait?.()
    }
    await delay(clock, NEXT_LOOK, signal)
  }
}
