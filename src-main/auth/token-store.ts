import { createHash } from 'node:crypto'
import { jsonIn } from '../../src-shared/base/parse-json.ts'
import { GRANTS, sameGrant, secretsOf, type TokenGrant, type Tokens } from './grants.ts'
import { canonicalResource } from './resource-uri.ts'

/** Keeps texts that must not leak. */
export interface SecretBox {
  get(id: string): Promise<string | undefined>
  set(id: string, value: string): Promise<void>
  remove(id: string): Promise<void>
}

interface TokenStoreParts {
  readonly secrets: SecretBox
  /** The owner of these grants; two of one name would share them. */
  readonly owner: string
  /** Hears every secret that is kept or was just obtained, so that nothing else may show it. */
  readonly onSecrets?: (secrets: readonly string[]) => void
  /** It could not be read or written; until the end it is kept in memory. */
  readonly onTrouble?: (error: unknown) => void
}

/** One server's grants, in the secret store and nowhere else (AUTH-19). Read once, then followed in memory. */
export class TokenStore {
  readonly #parts: TokenStoreParts
  readonly #id: string
  #grants: readonly TokenGrant[] = []
  #loaded: Promise<void> | undefined
  #saving: Promise<void> = Promise.resolve()
  /** Every secret of this run: one that was replaced may still stand somewhere. */
  readonly #known = new Set<string>()

  constructor(parts: TokenStoreParts) {
    this.#parts = parts
    this.#id = `authorization:${createHash('sha256').update(parts.owner).digest('hex').slice(0, 32)}`
  }

  /** Never rejects: a grant that cannot be read, say because another shell keeps it, is obtained again. */
  load(): Promise<void> {
    this.#loaded ??= this.#load().catch((error: unknown) => this.#parts.onTrouble?.(error))
    return this.#loaded
  }

  /** The newest last. */
  get grants(): readonly TokenGrant[] {
    return this.#grants
  }

  /** The grant for a server at this address, and for no other (AUTH-57). */
  grantFor(serverUrl: string): TokenGrant | undefined {
    const canonical = canonicalResource(serverUrl)
    return this.#grants.findLast((grant) => grant.serverUrl === canonical)
  }

  /** Adds it, or puts it in place of the one with the same issuer and resource. Another issuer for the same server replaces, too. */
  put(grant: TokenGrant): Promise<void> {
    return this.#change([...this.#grants.filter((other) => other.serverUrl !== grant.serverUrl), grant])
  }

  /** New tokens, or none, for a grant that is still there. */
  setTokens(grant: TokenGrant, tokens: Tokens | undefined): Promise<void> {
    if (!this.#grants.some((other) => sameGrant(other, grant))) return Promise.resolve()
    const { tokens: _before, ...rest } = grant
    return this.put(tokens ? { ...rest, tokens } : rest)
  }

  /** Forgets all of it. */
  clear(): Promise<void> {
    return this.#change([])
  }

  /** Also says that a text is secret that is not kept: a code, a verifier. */
  protect(secrets: readonly string[]): void {
    const before = this.#known.size
    for (const secret of secrets) this.#known.add(secret)
    if (this.#known.size > before) this.#parts.onSecrets?.([...this.#known])
  }

  async #load(): Promise<void> {
    const text = await this.#parts.secrets.get(this.#id)
    if (text === undefined) return
    const parsed = GRANTS.safeParse(jsonIn(text))
    // A record of another shape is of no use; the next sign-in replaces it.
    if (!parsed.success) return
    this.#grants = parsed.data.grants
    this.protect(this.#grants.flatMap(secretsOf))
  }

  #change(grants: readonly TokenGrant[]): Promise<void> {
    this.#grants = grants
    this.protect(grants.flatMap(secretsOf))
    const { secrets, onTrouble } = this.#parts
    this.#saving = this.#saving.then(async () => {
      try {
        if (this.#grants.length === 0) await secrets.remove(this.#id)
        else await secrets.set(this.#id, JSON.stringify({ version: 1, grants: this.#grants }))
      } catch (error) {
        onTrouble?.(error)
      }
    })
    return this.#saving
  }
}
