import { type FSWatcher, watch } from 'node:fs'
import { basename } from 'node:path'

/** Watches folders, without those inside them. */
export class FolderWatch {
  readonly #onChange: (folder: string, name: string | null) => void
  readonly #watchers = new Map<string, FSWatcher>()

  /** `onChange` gets the name of the changed entry, or null where the system does not tell it. */
  constructor(onChange: (folder: string, name: string | null) => void) {
    this.#onChange = onChange
  }

  /** Watches exactly these folders. One that is missing, or whose watch failed, is tried again by the next call. */
  follow(folders: ReadonlySet<string>): void {
    for (const folder of this.#watchers.keys()) if (!folders.has(folder)) this.#close(folder)
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#open(folder)
  }

  end(): void {
    this.follow(new Set())
  }

  #open(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (event, name) => {
        // It may be the folder itself that is gone, or replaced by another one of its name.
        if (event === 'rename' && name === basename(folder)) {
          this.#close(folder)
          this.#open(folder)
        }
        this.#onChange(folder, name)
      })
      watcher.on('error', () => this.#close(folder))
      this.#watchers.set(folder, watcher)
    } catch {
      // The folder is missing, so nothing in it can change.
    }
  }

  #close(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
  }
}
