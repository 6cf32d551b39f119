/** Views that run at once in one window; each is a program of a stranger. */
const MOST_LIVE = 3

const live: (() => void)[] = []

/** Notes a view that runs, and stops the oldest for one more. Returns the undo. */
export function keepLive(stop: () => void): () => void {
  live.push(stop)
  if (live.length > MOST_LIVE) live.shift()?.()
  return () => {
    const at = live.indexOf(stop)
    if (at >= 0) live.splice(at, 1)
  }
}
