import { systemClock } from '../../src-shared/base/clock.ts'
import { heartbeat } from '../content/isolation/heartbeat.ts'
import type { AppSession } from './app-session.ts'
import { keepLive } from './live-views.ts'

/** Pings; a view is a program of its own and slow to answer only when it hangs. */
const MOST_UNANSWERED = 2
/** Milliseconds in which a frame that loaded again must answer. */
const LEFT_PAUSE = 2_000

/**
 * Passes a frame's messages to its session. Calls `end` with the reason when the frame hangs, leaves its page, or makes room for
 * another view. Returns a function that stops listening.
 */
export function runView(frame: HTMLIFrameElement, session: AppSession, end: (why: string) => void): () => void {
  const beat = heartbeat(
    systemClock,
    () => {
      if (session.started) session.ping()
      else beat.heard()
    },
    () => end('The view did not respond and was stopped.'),
    MOST_UNANSWERED,
  )
  let loads = 0
  let stays = () => {}
  const hear = (event: MessageEvent) => {
    if (event.source !== frame.contentWindow || event.origin !== 'null') return
    for (const port of event.ports) port.close()
    stays()
    beat.heard()
    session.hear(event.data)
  }
  // Another document than the page cannot speak, and would be a blank frame until the pings end it.
  const onLoad = () => {
    loads += 1
    // One that has not started cannot be pinged, and has its own limit of time.
    if (loads === 1 || !session.started) return
    stays = systemClock.after(LEFT_PAUSE, () => end('The view left its page and was stopped.'))
    session.ping()
  }
  addEventListener('message', hear)
  frame.addEventListener('load', onLoad)
  const notLive = keepLive(() => end('Another view was opened. Open this one again when you need it.'))
  return () => {
    notLive()
    beat.stop()
    stays()
    frame.removeEventListener('load', onLoad)
    removeEventListener('message', hear)
  }
}
