import { ErrorCode, ProtocolError } from '../protocol/shapes/json-rpc.ts'
import type { Limits } from '../protocol/shapes/limits.ts'
import type { ListedPage } from '../protocol/shapes/result-shapes.ts'

/** Takes the entries of one load page by page, so that a long list is not checked all at once. */
export interface Collector {
  add(entry: unknown): void
}

interface Listing<Taken extends Collector> {
  readonly taken: Taken
  /** The reason why the list is incomplete, for the person. */
  readonly cut?: string
}

/**
 * Loads all pages of a list, each attempt into a collector of its own. Cursors are opaque and only used within this call (PAGE-02,
 * PAGE-03). An invalid cursor restarts once (PAGE-08); a repeated one, too many pages or too many entries end the list early
 * (PAGE-09). Returns undefined when `stale`, since the pages so far belong to a list that has changed.
 */
export async function readPages<Taken extends Collector>(
  fetchPage: (cursor: string | undefined) => Promise<ListedPage>,
  limits: Pick<Limits, 'maxPages' | 'maxItems'>,
  stale: () => boolean,
  collector: () => Taken,
): Promise<Listing<Taken> | undefined> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await readOnce(fetchPage, limits, stale, collector())
    } catch (error) {
      const badCursor = error instanceof InvalidCursor
      if (badCursor && attempt === 0) continue
      throw badCursor ? error.cause : error
    }
  }
}

class InvalidCursor extends Error {}

async function readOnce<Taken extends Collector>(
  fetchPage: (cursor: string | undefined) => Promise<ListedPage>,
  limits: Pick<Limits, 'maxPages' | 'maxItems'>,
  stale: () => boolean,
  taken: Taken,
): Promise<Listing<Taken> | undefined> {
  let size = 0
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let pages = 0; ; pages++) {
    if (pages >= limits.maxPages) return { taken, cut: `only its first ${limits.maxPages} pages were read` }
    const page = await fetchPage(cursor).catch((error: unknown) => {
      const invalid = cursor !== undefined && error instanceof ProtocolError && error.code === ErrorCode.invalidParams
      throw invalid ? new InvalidCursor('The cursor is no longer valid.', { cause: error }) : error
    })
    if (stale()) return undefined
    for (const entry of page.entries) {
      if (size >= limits.maxItems) return { taken, cut: `only its first ${limits.maxItems} entries were read` }
      size++
      taken.add(entry)
    }
    if (page.nextCursor === undefined) return { taken }
    if (seen.has(page.nextCursor)) return { taken, cut: 'the server gave the same cursor twice' }
    seen.add(page.nextCursor)
    cursor = page.nextCursor
  }
}
