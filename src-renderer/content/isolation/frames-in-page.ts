import { useSyncExternalStore } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'

/** Milliseconds without a frame, after which the browser has ended their process. */
const REST = 300

let generation = 0
let resting = false
const listeners = new Set<() => void>()

/**
 * Takes all frames away and lets them come back: browsers give frames without an origin one process, and end it with the last of them.
 * One that is kept busy would hold up the others for good.
 */
export function renewFrames(): void {
  if (resting) return
  setResting(true)
  systemClock.after(REST, () => {
    generation += 1
    setResting(false)
  })
}

function setResting(now: boolean): void {
  resting = now
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A number for the frames of now; undefined while there may be none. */
export function useFrameGeneration(): number | undefined {
  return useSyncExternalStore(listen, () => (resting ? undefined : generation))
}
