import { useSyncExternalStore } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'

/** Milliseconds after which the browser has ended the process of removed frames. */
const PAUSE = 300

let generation = 0
let paused = false
const listeners = new Set<() => void>()

/**
 * Removes all frames for a moment. Browsers run frames without an origin in one process and end it with the last of them. A busy
 * frame would otherwise block the others for good.
 */
export function renewFrames(): void {
  if (paused) return
  setPaused(true)
  systemClock.after(PAUSE, () => {
    generation += 1
    setPaused(false)
  })
}

function setPaused(now: boolean): void {
  paused = now
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The number of the present generation of frames; undefined while frames are removed. */
export function useFrameGeneration(): number | undefined {
  return useSyncExternalStore(listen, () => (paused ? undefined : generation))
}
