import { dirname, relative, sep } from 'node:path'
import { within } from '../../../src-shared/base/clock.ts'
import type { NamedPlace } from '../../../src-shared/contract/consent.ts'
import type { ResultOf } from '../../../src-shared/contract/requests.ts'
import { findFiles, readFoundFile } from '../../storage/folder-files.ts'
import type { HostCore } from '../core/host-core.ts'
import { rankPaths } from './rank-paths.ts'

/** Files that one list shows. */
const SHOWN = 30
/** Files and folders that are looked at. */
const MAX_COUNT = 20_000
/** Milliseconds that looking may take, and in which what was found is good for the next letter. */
const LIMIT = 2_000
const GOOD_FOR = 10_000

interface Found {
  readonly key: string
  readonly at: number
  readonly files: Promise<{ readonly paths: readonly string[]; readonly all: boolean }>
}

/** Files in the folders that a person named for a conversation or its project; of no others is anything told. */
export class NamedFiles {
  readonly #parts: Pick<HostCore, 'storage' | 'clock'>
  #last: Found | undefined

  constructor(parts: Pick<HostCore, 'storage' | 'clock'>) {
    this.#parts = parts
  }

  async find({ folders }: NamedPlace, query: string): Promise<ResultOf<'place.files'>> {
    if (folders.length === 0) return { folders: 0, files: [], cut: false }
    const { paths, all } = await this.#found(folders)
    const files = rankPaths(paths, query, SHOWN).map((path) => {
      const folder = folders.find((one) => path.startsWith(one + sep)) ?? ''
      return { path, within: dirname(relative(dirname(folder), path)) }
    })
    return { folders: folders.length, files, cut: !all }
  }

  /** Throws HostError for a file that is in none of the folders, or too large. */
  read({ folders }: NamedPlace, path: string, limit: { readonly bytes: number; readonly tooLarge: string }): Promise<Buffer> {
    return readFoundFile(path, { folders, except: [this.#parts.storage.folder] }, limit)
  }

  #found(folders: readonly string[]): Found['files'] {
    const key = folders.join('\n')
    const now = this.#parts.clock.now()
    if (this.#last?.key !== key || now - this.#last.at > GOOD_FOR) this.#last = { key, at: now, files: this.#look(folders) }
    return this.#last.files
  }

  async #look(folders: readonly string[]): Found['files'] {
    const { clock, storage } = this.#parts
    const paths: string[] = []
    const giveUp = new AbortController()
    let all = false
    const search = { folders, except: [storage.folder], most: MAX_COUNT, signal: giveUp.signal }
    const looking = findFiles(search, paths).then((whole) => {
      all = whole
    })
    await within(clock, LIMIT, looking)
    giveUp.abort()
    return { paths: [...paths], all }
  }
}
