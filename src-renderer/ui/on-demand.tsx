import { type FunctionComponent, type ReactNode, startTransition, useEffect, useState } from 'react'

/** A file of the page did not come: the app behind it was replaced, or is gone. */
export class PartMissing extends Error {}

const parts: (() => Promise<void>)[] = []

/** Loads whatever `onDemand` names, one part after another while the page is idle, so that it opens at once when it is asked for. */
export function loadWhenIdle(): void {
  requestIdleCallback(() => {
    const load = parts.shift()
    // A part that does not come is asked for again where it is shown, and says there why it failed.
    if (load) void load().then(loadWhenIdle, loadWhenIdle)
  })
}

/**
 * A component whose code comes when it is first built; `meanwhile`, or nothing, takes its place. It is shown the moment it is there, which
 * React's own lazy and Suspense put off: what replaces a placeholder waits until 300 ms after that appeared.
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
      if (loaded) return
      let current = true
      preload().then(
        // Piece by piece between other work: many may have waited for the same code.
        () => current && startTransition(() => setThere(true)),
        // An error boundary of the page shows this error like its own.
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
