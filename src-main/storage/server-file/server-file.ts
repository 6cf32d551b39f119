import { hash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { Clock } from '../../../src-shared/base/clock.ts'
import { Emitter } from '../../../src-shared/base/emitter.ts'
import { InTurn } from '../../../src-shared/base/in-turn.ts'
import type { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import { closeToOthers } from '../base/data-folder.ts'
import { followLinks, replaceFile, replaceFileIf } from '../base/json-file.ts'
import { type FileLaunch, type ServerFile, type ServerFileState, StorageError } from '../base/storage.ts'
import { isSystemError, storageError } from '../base/storage-errors.ts'
import { FileWatch } from './file-watch.ts'
import {
  type EntryPlace,
  findEntry,
  NO_SERVERS,
  readEntries,
  UnusableText,
  withEntry,
  withLaunch,
  withoutEntry,
  withServers,
} from './server-text.ts'

const MAX_BYTES = 4 * 1024 * 1024
/** The most tries of a write when another program keeps changing the file. */
const ATTEMPTS = 5

interface FileContent {
  /** Undefined when there is no file. */
  readonly text: string | undefined
  readonly hash: string
}

/** mcp.json on disk. Only changed keys are rewritten; every other byte stays as its author left it. */
export class McpFile implements ServerFile {
  readonly path: string
  readonly #copy: string
  readonly #lifetime: Lifetime
  readonly #changes = new Emitter<ServerFileState>()
  readonly #removed = new Map<string, EntryPlace>()
  #state: ServerFileState = { entries: [] }
  #hash: string | undefined
  readonly #turns = new InTurn()

  private constructor(path: string, lifetime: Lifetime) {
    this.path = path
    this.#lifetime = lifetime
    this.#copy = path.replace(/(\.json)?$/, '.last-good.json')
  }

  /** A file that does not parse does not throw: the state has its problem and the last good entries. */
  static async open(path: string, clock: Clock, lifetime: Lifetime): Promise<McpFile> {
    const file = new McpFile(path, lifetime)
    lifetime.onEnd(() => file.#turns.ended())
    const watch = new FileWatch(path, clock, () => void file.#turns.run(() => file.#look()))
    await watch.start(lifetime)
    await file.#turns.run(async () => {
      await file.#recall()
      await file.#look()
    })
    return file
  }

  current(): ServerFileState {
    return this.#state
  }

  onChange(listen: (state: ServerFileState) => void): () => void {
    return this.#changes.on(listen)
  }

  put(name: string, launch: FileLaunch): Promise<void> {
    return this.putAll(new Map([[name, launch]]))
  }

  putAll(launches: ReadonlyMap<string, FileLaunch>): Promise<void> {
    return this.#edit((text) => [...launches].reduce((now, [name, launch]) => withLaunch(now, name, launch), text))
  }

  async remove(...names: string[]): Promise<void> {
    const removed = new Map<string, EntryPlace>()
    await this.#edit((text) => {
      removed.clear()
      return names.reduce((now, name) => {
        const found = findEntry(now, name)
        if (found) removed.set(name, found)
        return withoutEntry(now, name)
      }, text)
    })
    for (const [name, place] of removed) this.#removed.set(name, place)
  }

  async restore(name: string): Promise<boolean> {
    const removed = this.#removed.get(name)
    if (!removed) return false
    await this.#edit((text) => {
      if (findEntry(text, name)) {
        throw new StorageError('conflict', `mcp.json has another entry "${name}" now. Rename or remove it first.`)
      }
      return withEntry(text, name, removed.value, removed.index)
    })
    this.#removed.delete(name)
    return true
  }

  /** Applies a change to the current file, again if another program wrote in between. */
  #edit(change: (text: string) => string): Promise<void> {
    return this.#turns.run(async () => {
      if (this.#lifetime.ended) throw new StorageError('io', 'The data folder is closed. Nothing was saved.')
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const before = await this.#read()
        this.#take(before)
        const text = before.text ?? NO_SERVERS
        let changed: string
        try {
          changed = withServers(text, change)
        } catch (error) {
          if (!(error instanceof UnusableText)) throw error
          const advice = 'Nothing was saved, so that what you wrote is not lost: repair the file and try again.'
          throw new StorageError('unparsable', `${this.path}: ${error.message}. ${advice}`)
        }
        if (changed === before.text) return
        const unchanged = async () => (await this.#read()).hash === before.hash
        if (!(await replaceFileIf(this.path, changed, unchanged))) continue
        this.#take({ text: changed, hash: hash('sha256', changed) })
        return this.#keepCopy()
      }
      throw new StorageError('conflict', `${this.path} keeps being changed by another program. Nothing was saved; try again.`)
    })
  }

  async #look(): Promise<void> {
    let content: FileContent
    try {
      // The file may hold plain secrets. One whose mode cannot be changed is read all the same.
      await closeToOthers(this.path, 0o600).catch(() => {})
      content = await this.#read()
    } catch (error) {
      const { message } = storageError(error, 'The file could not be read')
      this.#show({ entries: this.#state.entries, problem: fileProblem(this.path, message) })
      this.#hash = undefined
      return
    }
    if (this.#take(content)) await this.#keepCopy()
  }

  /** Makes content the current state. True when it is new and valid. */
  #take({ text, hash }: FileContent): boolean {
    if (hash === this.#hash) return false
    this.#hash = hash
    try {
      this.#show({ entries: text === undefined ? [] : readEntries(text) })
      return true
    } catch (error) {
      if (!(error instanceof UnusableText)) throw error
      this.#show({ entries: this.#state.entries, problem: fileProblem(this.path, error.message) })
      return false
    }
  }

  #show(state: ServerFileState): void {
    this.#state = state
    this.#changes.fire(state)
  }

  async #read(): Promise<FileContent> {
    try {
      const target = await followLinks(this.path)
      if ((await stat(target)).size > MAX_BYTES) throw new StorageError('io', `${this.path} is larger than 4 MiB.`)
      const bytes = await readFile(target)
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
      return { text, hash: hash('sha256', text) }
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return { text: undefined, hash: 'none' }
      throw storageError(error, `${this.path} could not be read`)
    }
  }

  /** Loads the last good version from before this start, for a file that does not parse now. */
  async #recall(): Promise<void> {
    try {
      this.#state = { entries: readEntries(await readFile(this.#copy, 'utf8')) }
    } catch {
      // Without a copy there are no entries to keep.
    }
  }

  async #keepCopy(): Promise<void> {
    const { text } = await this.#read()
    // The copy only helps after a bad edit, so a failure is ignored.
    if (text !== undefined && hash('sha256', text) === this.#hash) await replaceFile(this.#copy, text).catch(() => {})
  }
}

function fileProblem(path: string, said: string): Problem {
  return {
    code: 'unparsable',
    what: `${path} cannot be read, so its last good servers stay in use.`,
    said,
    todo: 'Repair the file; it is read again when you save it. The last good version is next to it: mcp.last-good.json.',
  }
}
