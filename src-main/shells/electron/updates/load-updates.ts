import type { UpdateState } from '../../../../src-shared/contract/events.ts'
import type { Updates } from '../../../host/core/platform.ts'
import { canUpdate, type FeedWords, readFeed } from './update-feed.ts'

declare const __PARLEY_UPDATES__: FeedWords | null

/** The feed of the build; for the sources, one from the environment to try out. */
function feedWords(packaged: boolean): FeedWords | undefined {
  if (packaged) return typeof __PARLEY_UPDATES__ === 'object' ? (__PARLEY_UPDATES__ ?? undefined) : undefined
  const { PARLEY_UPDATE_FEED: url, PARLEY_UPDATE_KEY: key = '' } = process.env
  return url ? { url, key } : undefined
}

interface LoadOptions {
  /** `process.platform`. */
  readonly os: string
  readonly packaged: boolean
  readonly onState: (state: UpdateState) => void
  readonly ready: (version: string) => Promise<boolean>
}

/** Loads the updater only if a feed is configured. */
export async function loadUpdates({ os, packaged, onState, ready }: LoadOptions): Promise<Updates | undefined> {
  try {
    const feed = canUpdate(os, process.env) ? readFeed(feedWords(packaged)) : undefined
    if (!feed) return undefined
    const { electronUpdates } = await import('./electron-updates.ts')
    return electronUpdates(os, { feed, onState, ready })
  } catch (error) {
    // Parley works without updates.
    console.error(`Parley does not check for updates: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}
