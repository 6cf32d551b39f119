import type { UpdateState } from '../../../../src-shared/contract/events.ts'
import type { Updates } from '../../../host/core/platform.ts'
import { canUpdate, type FeedWords, readFeed } from './update-feed.ts'

declare const __PARLEY_UPDATES__: FeedWords | null

/** Of the build; the sources, which are never updated, may be told another to try one. */
function feedWords(packaged: boolean): FeedWords | undefined {
  if (packaged) return typeof __PARLEY_UPDATES__ === 'object' ? (__PARLEY_UPDATES__ ?? undefined) : undefined
  const { PARLEY_UPDATE_FEED: url, PARLEY_UPDATE_KEY: key = '' } = process.env
  return url ? { url, key } : undefined
}

interface LoadOptions {
  /** `process.platform`. */
  readonly os: string
  readonly packaged: boolean
  readonly told: (state: UpdateState) => void
  readonly ready: (version: string) => Promise<boolean>
}

/** The updater where a feed is configured, and not a line of it elsewhere. */
export async function loadUpdates({ os, packaged, told, ready }: LoadOptions): Promise<Updates | undefined> {
  try {
    const feed = canUpdate(os, process.env) ? readFeed(feedWords(packaged)) : undefined
    if (!feed) return undefined
    const { electronUpdates } = await import('./electron-updates.ts')
    return electronUpdates(os, { feed, told, ready })
  } catch (error) {
    // Parley is of use without.
    console.error(`Parley looks for no updates: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}
