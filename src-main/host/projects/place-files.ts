import { dirname, relative } from 'node:path'
import { within } from '../../../src-shared/base/clock.ts'
import type { NamedPlace } from '../../../src-shared/contract/consent.ts'
import type { ResultOf } from '../../../src-shared/contract/requests.ts'
import { findFiles, readFoundFile } from '../../storage/folder-files.ts'
import type { ServerRoots } from '../client-features/server-roots.ts'
import type { HostCore } from '../core/host-core.ts'
import { folderAbove, rankPaths } from './rank-paths.ts'

/** Files in one list of results. */
const MAX_RESULTS = 30
/** Files and folders that a search visits. */
const MAX_COUNT = 20_000
/** Milliseconds that a search may take. */
const SEARCH_LIMIT = 2_000
/** Milliseconds for which its paths are reused as the person types. */
const REUSE = 10_000

interface Found {
  readonly key: string
  readonly at: number
  readonly files: Promise<{ readonly paths: readonly string[]; readonly all: boolean }>
}

interface PlaceFilesParts extends Pick<HostCore, 'storage' | 'clock'> {
  readonly roots: Pick<ServerRoots, 'given'>
}

/** Finds files in the folders of a place and in those that servers were given, and in no others. */
export class PlaceFiles {
  readonly #parts: PlaceFilesParts
  #last: Found | undefined

  constructor(parts: PlaceFilesParts) {
    this.#parts = parts
  }

  async find(place: NamedPlace, query: string): Promise<ResultOf<'place.files'>> {
    const folders = await this.#foldersOf(place)
    if (folders.length === 0) return { folders: 0, files: [], cut: false }
    const { paths, all } = await this.#found(folders)
    const files = rankPaths(paths, folders, query, MAX_RESULTS).map((path) => ({
      path,
      within: dirname(relative(dirname(folderAbove(path, folders)), path)),
    }))
    return { folders: folders.length, files, cut: !all }
  }

  /** Throws HostError for a file that is in none of the folders, or too large. */
  async read(place: NamedPlace, path: string, limit: { readonly bytes: number; readonly tooLarge: string }): Promise<Buffer> {
    return readFoundFile(path, { folders: await this.#foldersOf(place), except: [this.#parts.storage.folder] }, limit)
  }

  async #foldersOf({ folders }: NamedPlace): Promise<readonly string[]> {
    return [...new Set([...folders, ...(await this.#parts.roots.given())])]
  }

  #found(folders: readonly string[]): Found['files'] {
    const key = folders.join('\n')
    const now = this.#parts.clock.now()
    if (this.#last?.key !== key || now - this.#last.at > REUSE) this.#last = { key, at: now, files: this.#search(folders) }
    return this.#last.files
  }

  async #search(folders: readonly string[]): Found['files'] {
    const { clock, storage } = this.#parts
    const paths: string[] = []
    const limit = new AbortController()
    let all = false
    const search = { folders, except: [storage.folder], most: MAX_COUNT, signal: limit.signal }
    const searching = findFiles(search, paths).then((whole) => {
      all = whole
    })
    await within(clock, SEARCH_LIMIT, searching)
    limit.abort()
    return { paths: [...paths], all }
  }
}
