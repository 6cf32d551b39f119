import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Clock } from '../../../src-shared/base/clock.ts'
import type { Lifetime } from '../../../src-shared/base/lifetime.ts'
import { followLinks } from '../base/json-file.ts'

/** Milliseconds without a change before the file is read: editors write in several steps. */
const QUIET = 100

/** Watches the folder of a file, and that of the target of a link, since the file itself may be replaced. */
export class FileWatch {
  readonly #path: string
  readonly #clock: Clock
  readonly #onChange: () => void
  #watchers = new Map<string, FSWatcher>()
  #cancel = () => {}
  #ended = false

  constructor(path: string, clock: Clock, onChange: () => void) {
    this.#path = path
    this.#clock = clock
    this.#onChange = onChange
  }

  async start(lifetime: Lifetime): Promise<void> {
    lifetime.onEnd(() => this.#end())
    await this.#watchFolders()
  }

  async #watchFolders(): Promise<void> {
    const target = await followLinks(this.#path).catch(() => this.#path)
    if (this.#ended) return
    const wanted = new Set([this.#path, target])
    for (const [file, watcher] of this.#watchers) {
      if (wanted.has(file)) continue
      watcher.close()
      this.#watchers.delete(file)
    }
    for (const file of wanted) if (!this.#watchers.has(file)) this.#watchFolder(file)
  }

  #watchFolder(file: string): void {
    const name = basename(file)
    try {
      const watcher = watch(dirname(file), { persistent: false }, (_event, changed) => {
        if (changed === null || changed === name) this.#touched()
      })
      watcher.on('error', () => {
        watcher.close()
        this.#watchers.delete(file)
      })
      this.#watchers.set(file, watcher)
    } catch {
      // The folder is missing, so nothing in it can change. The next change elsewhere tries again.
    }
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
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers = new Map()
  }
}
