import { basename, dirname } from 'node:path'
import type { Clock } from '../../../src-shared/base/clock.ts'
import { InTurn } from '../../../src-shared/base/in-turn.ts'
import { FolderWatch } from '../../storage/base/folder-watch.ts'
import { type CodeSource, type CodeState, changedFiles, isCode, readCode } from './code-files.ts'

/** Milliseconds without a change: editors write in several steps, and builds many files. */
const QUIET = 300

interface CodeWatchParts {
  readonly clock: Clock
  /** `since` is the time of the first change. */
  readonly onChange: (files: readonly string[], since: number) => Promise<void>
  readonly onTooMany: () => void
}

/** Follows the code below some sources until it is ended. */
export class CodeWatch {
  readonly #sources: readonly CodeSource[]
  readonly #parts: CodeWatchParts
  readonly #folders: FolderWatch
  readonly #looks = new InTurn()
  #state: CodeState | undefined
  #since: number | undefined
  #cancel = () => {}
  #ended = false

  constructor(sources: readonly CodeSource[], parts: CodeWatchParts) {
    this.#sources = sources
    this.#parts = parts
    const named = new Set(sources.map((source) => basename(source.path)))
    this.#folders = new FolderWatch((_folder, name) => {
      // A name without a dot may be a new folder, or a program.
      if (name === null || isCode(name) || !name.includes('.') || named.has(name)) this.#touched()
    })
    void this.#looks.run(() => this.#look())
  }

  end(): void {
    this.#ended = true
    this.#cancel()
    this.#folders.end()
  }

  #touched(): void {
    this.#since ??= this.#parts.clock.now()
    this.#cancel()
    this.#cancel = this.#parts.clock.after(QUIET, () => void this.#looks.run(() => this.#look()))
  }

  async #look(): Promise<void> {
    const since = this.#since
    this.#since = undefined
    const now = await readCode(this.#sources)
    if (this.#ended) return
    if (!now) {
      this.end()
      return this.#parts.onTooMany()
    }
    const before = this.#state
    this.#state = now
    // A build may remove a folder and make it again.
    const around = this.#sources.filter(({ whole }) => whole).map((source) => dirname(source.path))
    this.#folders.follow(new Set([...now.folders, ...around]))
    const changed = before ? changedFiles(before, now) : []
    if (changed.length > 0) await this.#parts.onChange(changed, since ?? this.#parts.clock.now())
  }
}
