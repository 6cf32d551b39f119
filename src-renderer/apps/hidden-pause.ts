import type { Clock } from '../../src-shared/base/clock.ts'

/** Milliseconds for which a view runs where nobody sees it. */
const HIDDEN_LIMIT = 5 * 60_000

/** The page, as far as it says whether anybody sees it. */
type Seen = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>

/** Calls `stop` once the page was hidden for five minutes, and `again` when it is shown after that (APP-27). Returns the undo. */
export function watchHidden(page: Seen, clock: Clock, stop: () => void, again: () => void): () => void {
  let stopped = false
  let cancel = () => {}
  const onChange = () => {
    cancel()
    if (page.hidden) {
      if (stopped) return
      cancel = clock.after(HIDDEN_LIMIT, () => {
        stopped = true
        stop()
      })
    } else if (stopped) {
      stopped = false
      again()
    }
  }
  page.addEventListener('visibilitychange', onChange)
  onChange()
  return () => {
    cancel()
    page.removeEventListener('visibilitychange', onChange)
  }
}
