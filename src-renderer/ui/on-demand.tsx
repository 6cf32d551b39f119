import { type FunctionComponent, type ReactNode, startTransition, useEffect, useState } from 'react'
import type { Clock } from '../../src-shared/base/clock.ts'

/** A chunk of the page failed to load: the app was replaced, or has closed. */
export class PartMissing extends Error {}

const parts: (() => Promise<void>)[] = []

/** Milliseconds in which the first screen, the person and the servers that start have the processor to themselves. */
const QUIET_START = 20_000

/** Loads all parts of `onDemand` some time after the start, so that they open at once. Returns the undo. */
export function loadLater(clock: Clock): () => void {
  return clock.after(QUIET_START, loadWhenIdle)
}

/** One after another while the page is idle. */
function loadWhenIdle(): void {
  requestIdleCallback(() => {
    const load = parts.shift()
    // A part that fails is requested again where it is shown, and says there why it failed.
    if (load) void load().then(loadWhenIdle, loadWhenIdle)
  })
}

/**
 * A component whose code loads when it is first rendered; until then `meanwhile` stands for it. It appears as soon as it is
 * loaded, which React's lazy and Suspense delay: what replaces a placeholder waits for 300 ms.
 */
export function onDemand<P extends object>(
  load: () => Promise<FunctionComponent<P>>,
  meanwhile: (props: P) => ReactNode = () => null,
): FunctionComponent<P> & { preload(): Promise<void> } {
  let loaded: FunctionComponent<P> | undefined
  let loading: Promise<void> | undefined
  const preload = () => {
    loading ??= load().then(
      (component) => {
        loaded = component
      },
      (error: unknown) => {
        // A retry requests the chunk again.
        loading = undefined
        throw new PartMissing('A part of the page could not be loaded.', { cause: error })
      },
    )
    return loading
  }
  parts.push(preload)
  function OnDemand(props: P) {
    const [, setThere] = useState(loaded !== undefined)
    useEffect(() => {
      let current = true
      preload().then(
        // As a transition, since many components may have waited for the same code.
        () => current && startTransition(() => setThere(true)),
        // Throwing inside a state update hands the error to the error boundary.
        (error: unknown) =>
          setThere(() => {
            throw error
          }),
      )
      return () => {
        current = false
      }
    }, [])
    const Loaded = loaded
    return Loaded ? <Loaded {...props} /> : meanwhile(props)
  }
  return Object.assign(OnDemand, { preload })
}
