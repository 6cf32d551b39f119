import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { InTurn } from '../../src-shared/base/in-turn.ts'
import { isObject } from '../../src-shared/base/json.ts'
import { closeToOthers } from './base/data-folder.ts'
import { readJsonFile, writeJsonFile } from './base/json-file.ts'
import { type SecretStore, StorageError } from './base/storage.ts'
import { isSystemError, storageError } from './base/storage-errors.ts'

/** The shell's encryption, applied before anything is written. */
export interface SecretCipher {
  /** Recorded with each secret, so that another shell can tell where it was saved. */
  readonly name: string
  encrypt(text: string): Promise<Uint8Array>
  /** `stale`: encrypted with an older key, so it should be encrypted again. */
  decrypt(bytes: Uint8Array): Promise<{ readonly text: string; readonly stale: boolean }>
}

/** The store of values without encryption. */
const PLAIN = 'file'

interface Entry {
  /** A cipher's name, or 'file'. */
  readonly store: string
  /** Base64 of the encrypted bytes, or of the text. */
  readonly value: string
}

interface Content {
  /** Base64. */
  readonly folderKey?: string
  /** At most one entry of each store, newest last. */
  readonly secrets: ReadonlyMap<string, readonly Entry[]>
}

/** secrets.json, readable by its owner only; each value encrypted by the shell's cipher. */
export class SecretsFile implements SecretStore {
  readonly #path: string
  readonly #cipher: SecretCipher | undefined
  #content: Content
  readonly #changes = new InTurn()
  #closed = false

  private constructor(path: string, cipher: SecretCipher | undefined, content: Content) {
    this.#path = path
    this.#cipher = cipher
    this.#content = content
  }

  /** Throws StorageError `unparsable`, so that the secrets are not overwritten. */
  static async open(path: string, cipher: SecretCipher | undefined): Promise<SecretsFile> {
    await checkOwner(path)
    const value = await readJsonFile(path)
    return new SecretsFile(path, cipher, value === undefined ? { secrets: new Map() } : parseContent(value, path))
  }

  async get(id: string): Promise<string | undefined> {
    const entries = this.#content.secrets.get(id) ?? []
    const entry = entries.findLast(({ store }) => this.#opens(store))
    if (entry) {
      const { text, stale } = await this.#open(entry)
      if (stale) await this.#sealAgain(id, entry, text)
      return text
    }
    const elsewhere = entries.at(-1)
    if (!elsewhere) return undefined
    throw new StorageError(
      'secret-elsewhere',
      `Only the desktop app can open this value (${elsewhere.store}). Enter it here too.`,
    )
  }

  set(id: string, value: string): Promise<void> {
    return this.setAll(new Map([[id, value]]))
  }

  async remove(id: string): Promise<void> {
    await this.#changes.ended()
    if (!this.#content.secrets.has(id)) return
    return this.#change(async ({ secrets, ...rest }) => ({
      ...rest,
      secrets: new Map([...secrets].filter(([key]) => key !== id)),
    }))
  }

  async state(id: string): Promise<'saved' | 'missing' | 'saved-elsewhere'> {
    const entries = this.#content.secrets.get(id) ?? []
    if (entries.length === 0) return 'missing'
    return entries.some(({ store }) => this.#opens(store)) ? 'saved' : 'saved-elsewhere'
  }

  async folderKey(): Promise<Uint8Array> {
    if (!this.#content.folderKey) {
      await this.#change(async (content) => ({ folderKey: randomBytes(32).toString('base64'), ...content }))
    }
    return new Uint8Array(Buffer.from(this.#content.folderKey ?? '', 'base64'))
  }

  /** Every value that this shell can decrypt, and the number of the others. */
  async all(): Promise<{ values: ReadonlyMap<string, string>; elsewhere: number }> {
    await this.#changes.ended()
    const values = new Map<string, string>()
    const ids = [...this.#content.secrets.keys()]
    for (const id of ids) {
      const value = await this.get(id).catch(() => undefined) // Counted in `elsewhere`.
      if (value !== undefined) values.set(id, value)
    }
    return { values, elsewhere: ids.length - values.size }
  }

  /** Several in one write. */
  async setAll(values: ReadonlyMap<string, string>): Promise<void> {
    return this.#change(async ({ secrets, ...rest }) => {
      const changed = new Map(secrets)
      for (const [id, value] of values) {
        const entry = await this.#seal(value)
        const others = (secrets.get(id) ?? []).filter(({ store }) => store !== entry.store)
        changed.set(id, [...others, entry])
      }
      return { ...rest, secrets: changed }
    })
  }

  /** Finishes pending writes and refuses later ones. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#changes.ended()
  }

  #opens(store: string): boolean {
    return store === PLAIN || store === this.#cipher?.name
  }

  async #open({ store, value }: Entry): Promise<{ text: string; stale: boolean }> {
    const bytes = Buffer.from(value, 'base64')
    if (store === PLAIN || !this.#cipher) return { text: bytes.toString('utf8'), stale: false }
    try {
      return await this.#cipher.decrypt(bytes)
    } catch {
      // The message of the cipher is left out, since it may quote the value.
      throw new StorageError('secret-elsewhere', `A saved value could not be opened by ${store}. Enter it again.`)
    }
  }

  /** Replaces a stale entry unless it has changed since. A failure waits for the next read: the entry stays readable. */
  async #sealAgain(id: string, stale: Entry, text: string): Promise<void> {
    const seal = async ({ secrets, ...rest }: Content): Promise<Content> => {
      const entries = secrets.get(id) ?? []
      if (!entries.includes(stale)) return { ...rest, secrets }
      const sealed = await this.#seal(text)
      return {
        ...rest,
        secrets: new Map(secrets).set(
          id,
          entries.map((entry) => (entry === stale ? sealed : entry)),
        ),
      }
    }
    await this.#change(seal).catch((error: unknown) => console.error(`A secret was not sealed again: ${String(error)}`))
  }

  async #seal(value: string): Promise<Entry> {
    if (!this.#cipher) return { store: PLAIN, value: Buffer.from(value).toString('base64') }
    try {
      return { store: this.#cipher.name, value: Buffer.from(await this.#cipher.encrypt(value)).toString('base64') }
    } catch {
      throw new StorageError('io', `${this.#cipher.name} could not keep this value. Unlock it and try again.`)
    }
  }

  async #change(make: (content: Content) => Promise<Content>): Promise<void> {
    if (this.#closed) throw new StorageError('io', 'The data folder is closed. Nothing was saved.')
    return this.#changes.run(async () => {
      const content = await make(this.#content)
      const { folderKey, secrets } = content
      await writeJsonFile(this.#path, { version: 1, ...(folderKey && { folderKey }), secrets: Object.fromEntries(secrets) })
      this.#content = content
    })
  }
}

/** Repairs the mode of the file; refuses one that another account owns and could read. */
async function checkOwner(path: string): Promise<void> {
  try {
    await closeToOthers(path, 0o600)
    const { uid } = await stat(path)
    const self = process.getuid?.()
    if (self !== undefined && self !== 0 && uid !== self) {
      throw new StorageError('io', `${path} belongs to another account of this computer, which could read it. Move it away.`)
    }
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw storageError(error, `${path} could not be checked`)
  }
}

function parseContent(value: unknown, path: string): Content {
  const bad = () => new StorageError('unparsable', `${path} does not have the expected shape. Repair it, or move it away.`)
  if (!isObject(value) || !isObject(value.secrets)) throw bad()
  if (value.version !== 1) {
    throw new StorageError(
      'newer-version',
      `${path} was written by a newer Parley. Start that one, or choose another data folder.`,
    )
  }
  const secrets = new Map<string, readonly Entry[]>()
  for (const [id, entries] of Object.entries(value.secrets)) {
    if (!Array.isArray(entries)) throw bad()
    secrets.set(
      id,
      entries.map((entry: unknown): Entry => {
        if (!isObject(entry) || typeof entry.store !== 'string' || typeof entry.value !== 'string') throw bad()
        return { store: entry.store, value: entry.value }
      }),
    )
  }
  return { secrets, ...(typeof value.folderKey === 'string' && { folderKey: value.folderKey }) }
}
