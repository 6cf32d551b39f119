import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../../src-shared/base/clock.ts'
import { dropOldest } from '../../../src-shared/base/drop-oldest.ts'

const TOKEN_LIFE = 10 * 60_000
const MAX_TOKENS = 8
const MAX_SESSIONS = 64
/** 32 random bytes as base64url. */
const SECRET = /^[\w-]{43}$/

/** One-time tokens for links, and sessions of pages. In memory, and only as hashes. */
export class Sessions {
  readonly #clock: Clock
  /** Hash of the token → its end. */
  readonly #tokens = new Map<string, number>()
  readonly #sessions = new Set<string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Makes a token for one link, valid for ten minutes. */
  issue(): string {
    const token = randomBytes(32).toString('base64url')
    this.#tokens.set(hash(token), this.#clock.now() + TOKEN_LIFE)
    dropOldest(this.#tokens, MAX_TOKENS)
    return token
  }

  /**
   * Makes a session of a secret that the page chose. False when the token is unknown, used or too old. A page that was reloaded before
   * the answer may ask again with the same secret.
   */
  exchange(token: string, session: string): boolean {
    if (!SECRET.test(session)) return false
    if (this.has(session)) return true
    const key = hash(token)
    const endsAt = this.#tokens.get(key)
    this.#tokens.delete(key)
    if (endsAt === undefined || endsAt <= this.#clock.now()) return false
    this.#sessions.add(hash(session))
    dropOldest(this.#sessions, MAX_SESSIONS)
    return true
  }

  has(session: string): boolean {
    return this.#sessions.has(hash(session))
  }
}

/** Hashing makes lookups safe against timing attacks. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
