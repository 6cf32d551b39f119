import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { Clock } from '../../src-shared/base/clock.ts'
import { Emitter } from '../../src-shared/base/emitter.ts'
import { isObject, type JsonObject, type JsonValue } from '../../src-shared/base/json.ts'
import type { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { Problem } from '../../src-shared/contract/errors.ts'
import { closeToOthers } from './data-folder.ts'
import { FileWatch } from './file-watch.ts'
import { removeProperty, setProperty } from './json-edit.ts'
import { followLinks, replaceFile, replaceFileIf } from './json-file.ts'
import { findProperty, JsonTextError, type ObjectNode, parseJsonText, plainValue } from './json-text.ts'
import { entryChanges, entryProblem, readEntry } from './server-entry.ts'
import { type ServerFile, type ServerFileEntry, type ServerFileState, StorageError } from './storage.ts'
import { isSystemError, storageError } from './storage-errors.ts'

type FileLaunch = Parameters<ServerFile['put']>[1]

const SERVERS = 'mcpServers'
const EMPTY = `{\n  "${SERVERS}": {}\n}\n`
const MAX_BYTES = 4 * 1024 * 1024
/** How often a write starts over because the file changed underneath it. */
const ATTEMPTS = 5

interface FileContent {
  /** Undefined when there is no file. */
  readonly text: string | undefined
  readonly hash: string
}

interface RemovedEntry {
  readonly value: JsonValue
  /** Its place among the others. */
  readonly index: number
}

/** The file as a whole cannot be read as servers. */
class UnusableFile extends Error {}

/** mcp.json on disk. Only the keys that change are rewritten; every other byte stays as its author left it. */
export class McpFile implements ServerFile {
  readonly path: string
  readonly #copy: string
  readonly #changes = new Emitter<ServerFileState>()
  readonly #removed = new Map<string, RemovedEntry>()
  #state: ServerFileState = { entries: [] }
  #hash: string | undefined
  /** Reads and writes one after another. */
  #last: Promise<unknown> = Promise.resolve()

  private constructor(path: string) {
    this.path = path
    this.#copy = path.replace(/(\.json)?$/, '.last-good.json')
  }

  /** A file that does not parse is no failure: it is in the state, beside the entries that were last good. */
  static async open(path: string, clock: Clock, lifetime: Lifetime): Promise<McpFile> {
    const file = new McpFile(path)
    lifetime.onEnd(() => file.#last.then(() => {}))
    const watch = new FileWatch(path, clock, () => void file.#inTurn(() => file.#look()))
    await watch.start(lifetime)
    await file.#inTurn(async () => {
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
    return this.#edit((text) => {
      const existing = findProperty(serversOf(parse(text)), name)
      const known = existing && plainValue(existing.value)
      const entry: JsonObject = isObject(known) ? (known as JsonObject) : {}
      let changed = isObject(known) ? text : withEntry(text, name, {})
      for (const [key, value] of entryChanges(launch, entry)) changed = withKey(changed, name, key, value)
      return changed
    })
  }

  async remove(name: string): Promise<void> {
    let removed: RemovedEntry | undefined
    await this.#edit((text) => {
      const { properties } = serversOf(parse(text))
      const property = properties.find(({ key }) => key === name)
      removed = property && { value: plainValue(property.value), index: properties.indexOf(property) }
      return withoutEntry(text, name)
    })
    if (removed) this.#removed.set(name, removed)
  }

  async restore(name: string): Promise<boolean> {
    const removed = this.#removed.get(name)
    if (!removed) return false
    await this.#edit((text) => {
      if (findProperty(serversOf(parse(text)), name)) {
        throw new StorageError('conflict', `mcp.json has another entry "${name}" by now. Rename or remove that one first.`)
      }
      return withEntry(text, name, removed.value, removed.index)
    })
    this.#removed.delete(name)
    return true
  }

  /** Applies a change to what the file says at this moment, again if somebody else wrote in between. */
  #edit(change: (text: string) => string): Promise<void> {
    return this.#inTurn(async () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const before = await this.#read()
        this.#take(before)
        const text = before.text ?? EMPTY
        let changed: string
        try {
          changed = withServers(text, change)
        } catch (error) {
          if (!(error instanceof UnusableFile)) throw error
          const advice = 'Nothing was saved, so that what you wrote is not lost: repair the file and try again.'
          throw new StorageError('unparsable', `${this.path}: ${error.message}. ${advice}`)
        }
        if (changed === before.text) return
        const unchanged = async () => (await this.#read()).hash === before.hash
        if (!(await replaceFileIf(this.path, changed, unchanged))) continue
        this.#take({ text: changed, hash: hashOf(changed) })
        return this.#keepCopy()
      }
      throw new StorageError('conflict', `${this.path} keeps being changed by another program. Nothing was saved; try again.`)
    })
  }

  async #look(): Promise<void> {
    let content: FileContent
    try {
      // It may hold values in the clear. Where that is not ours to change, reading still is.
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

  /** Makes content the present state. True when it is new and good. */
  #take({ text, hash }: FileContent): boolean {
    if (hash === this.#hash) return false
    this.#hash = hash
    try {
      this.#show({ entries: text === undefined ? [] : readEntries(text) })
      return true
    } catch (error) {
      if (!(error instanceof UnusableFile)) throw error
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
      return { text, hash: hashOf(text) }
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return { text: undefined, hash: 'none' }
      throw storageError(error, `${this.path} could not be read`)
    }
  }

  /** What was last good before this start, to go on with when the file does not parse now. */
  async #recall(): Promise<void> {
    try {
      this.#state = { entries: readEntries(await readFile(this.#copy, 'utf8')) }
    } catch {
      // Without a copy there are no entries to go on with.
    }
  }

  async #keepCopy(): Promise<void> {
    const { text } = await this.#read()
    // The copy only helps after a bad edit: failing to make it fails nothing.
    if (text !== undefined && hashOf(text) === this.#hash) await replaceFile(this.#copy, text).catch(() => {})
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => {})
    return turn
  }
}

function readEntries(text: string): ServerFileEntry[] {
  const { properties } = serversOf(parse(text))
  const entries = new Map<string, ServerFileEntry>()
  for (const { key, value } of properties) {
    const twice = entries.has(key)
    entries.set(
      key,
      twice ? { name: key, problem: entryProblem(key, 'its name stands there twice') } : readEntry(key, plainValue(value)),
    )
  }
  return [...entries.values()]
}

function parse(text: string): ObjectNode {
  if (text.trim() === '') throw new UnusableFile('the file is empty')
  try {
    const root = parseJsonText(text)
    if (root.type === 'object') return root
  } catch (error) {
    if (error instanceof JsonTextError) throw new UnusableFile(error.message)
    throw error
  }
  throw new UnusableFile('the file must hold an object')
}

const NO_SERVERS: ObjectNode = { type: 'object', start: 0, end: 0, properties: [] }

function serversOf(root: ObjectNode): ObjectNode {
  const servers = findProperty(root, SERVERS)?.value
  if (!servers) return NO_SERVERS
  if (servers.type !== 'object') throw new UnusableFile(`"${SERVERS}" must be an object`)
  return servers
}

/** Runs a change on a text that has the key, and leaves the text alone when nothing came of it. */
function withServers(text: string, change: (text: string) => string): string {
  const root = parse(text)
  const prepared = findProperty(root, SERVERS) ? text : setProperty(text, root, SERVERS, {})
  const changed = change(prepared)
  return changed === prepared ? text : changed
}

function withEntry(text: string, name: string, value: JsonValue, index?: number): string {
  return setProperty(text, serversOf(parse(text)), name, value, index)
}

/** Takes out every entry of that name. */
function withoutEntry(text: string, name: string): string {
  const servers = serversOf(parse(text))
  const property = findProperty(servers, name)
  return property ? withoutEntry(removeProperty(text, servers, property), name) : text
}

function withKey(text: string, name: string, key: string, value: JsonValue | undefined): string {
  const entry = findProperty(serversOf(parse(text)), name)?.value
  if (entry?.type !== 'object') return text
  const existing = findProperty(entry, key)
  if (value === undefined) return existing ? removeProperty(text, entry, existing) : text
  if (existing && JSON.stringify(plainValue(existing.value)) === JSON.stringify(value)) return text
  return setProperty(text, entry, key, value)
}

function fileProblem(path: string, said: string): Problem {
  return {
    code: 'unparsable',
    what: `${path} cannot be read, so its last good servers stay in use.`,
    said,
    todo: 'Repair the file; it is read again as soon as you save it.',
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
