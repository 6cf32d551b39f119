import { dirname, join, resolve } from 'node:path'
import type { Clock } from '../../../src-shared/base/clock.ts'
import type { Lifetime } from '../../../src-shared/base/lifetime.ts'
import { FolderWatch } from '../base/folder-watch.ts'
import { followLinks } from '../base/json-file.ts'

/** Milliseconds without a change before the file is read: editors write in several steps. */
const QUIET = 100

/** Watches the folder of a file, and that of the target of a link, since the file itself may be replaced. */
export class FileWatch {
  readonly #path: string
  readonly #clock: Clock
  readonly #onChange: () => void
  readonly #folders: FolderWatch
  #files: ReadonlySet<string> = new Set()
  #cancel = () => {}
  #ended = false

  constructor(path: string, clock: Clock, onChange: () => void) {
    this.#path = resolve(path)
    this.#clock = clock
    this.#onChange = onChange
    this.#folders = new FolderWatch((folder, name) => {
      if (name === null || this.#files.has(join(folder, name))) this.#touched()
    })
  }

  async start(lifetime: Lifetime): Promise<void> {
    lifetime.onEnd(() => this.#end())
    await this.#watchFolders()
  }

  async #watchFolders(): Promise<void> {
    const target = await followLinks(this.#path).catch(() => this.#path)
    if (this.#ended) return
    this.#files = new Set([this.#path, target])
    this.#folders.follow(new Set([dirname(this.#path), dirname(target)]))
  }

  #touched(): void {
    this.#cancel()
    this.#cancel = this.#clock.after(QUIET, () => {
      // The target of a link may have changed.
      void this.#watchFolders().then(() => {
        if (!this.#ended) this.#onChange()
      })
    })
  }

  #end(): void {
    this.#ended = true
    this.#cancel()
    this.#folders.end()
  }
}
