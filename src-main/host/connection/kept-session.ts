import { hash } from 'node:crypto'
import { isObject } from '../../../src-shared/base/json.ts'
import { jsonIn } from '../../../src-shared/base/parse-json.ts'
import type { SecretStore } from '../../storage/base/storage.ts'
import type { HeldSession, SessionHold } from '../../transports/http/session-hold.ts'

interface SessionParts {
  readonly serverId: string
  readonly secrets: SecretStore
  readonly onError: (error: unknown) => void
}

/** Characters of a kept session; one that introduces itself at greater length is not kept. */
const MAX_LENGTH = 64 * 1024

/**
 * The session with one address, kept while its server runs tasks of ours: only their session finds them (TASK-20). Its id is a secret
 * (SEC-25), and it is for the launch that began it alone.
 */
export class KeptSession implements SessionHold {
  readonly #parts: SessionParts
  readonly #secret: string
  #identity = ''
  /** Of the present or the last connection. */
  #current: HeldSession | undefined
  #tasks = 0
  #kept = false
  #loaded = false

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.#secret = `session:${hash('sha256', parts.serverId).slice(0, 32)}`
  }

  get resumed(): HeldSession | undefined {
    return this.#kept ? this.#current : undefined
  }

  get held(): boolean {
    return this.#kept
  }

  /** Called before each connection. Never rejects. */
  async load(identity: string): Promise<void> {
    if (this.#loaded && identity === this.#identity) return
    const first = !this.#loaded
    this.#loaded = true
    this.#identity = identity
    const text = first ? await this.#parts.secrets.get(this.#secret).catch(this.#failed) : undefined
    this.#current = text === undefined ? undefined : sessionIn(text, identity)
    this.#kept = this.#current !== undefined
  }

  began(session: HeldSession): void {
    this.#current = session
  }

  lost(): void {
    this.#current = undefined
    void this.#drop()
  }

  /** A task begins, or is gone on with. Resolves when its session can be found after a crash. Never rejects. */
  async taskBegan(): Promise<void> {
    this.#tasks += 1
    if (this.#kept || !this.#current) return
    const text = JSON.stringify({ identity: this.#identity, ...this.#current })
    if (text.length > MAX_LENGTH) return
    this.#kept = true
    await this.#parts.secrets.set(this.#secret, text).catch(this.#failed)
  }

  /** A task ended, or we stopped waiting for one that goes on. */
  taskEnded({ goesOn }: { readonly goesOn: boolean }): void {
    this.#tasks -= 1
    if (this.#tasks === 0 && !goesOn) void this.#drop()
  }

  async #drop(): Promise<void> {
    if (!this.#kept) return
    this.#kept = false
    await this.#parts.secrets.remove(this.#secret).catch(this.#failed)
  }

  readonly #failed = (error: unknown): undefined => {
    this.#parts.onError(error)
  }
}

function sessionIn(text: string, identity: string): HeldSession | undefined {
  const value = jsonIn(text)
  if (!isObject(value) || value.identity !== identity) return undefined
  const { id, introduction } = value
  return typeof id === 'string' && isObject(introduction) ? { id, introduction } : undefined
}
