import { hash } from 'node:crypto'
import { jsonIn } from '../../src-shared/base/parse-json.ts'
import { GRANTS, sameGrant, secretsOf, type TokenGrant, type Tokens } from './grants.ts'
import { canonicalResource } from './resource-uri.ts'

export interface SecretBox {
  get(id: string): Promise<string | undefined>
  set(id: string, value: string): Promise<void>
  remove(id: string): Promise<void>
}

interface TokenStoreParts {
  readonly secrets: SecretBox
  readonly owner: string
  /** Gets every secret, so that nothing else shows it. */
  readonly onSecrets?: (secrets: readonly string[]) => void
  /** Called when grants cannot be read or written; then they are in memory only. */
  readonly onError?: (error: unknown) => void
}

/** One server's grants, kept in the secret store alone (AUTH-19). Read once, then held in memory. */
export class TokenStore {
  readonly #parts: TokenStoreParts
  readonly #id: string
  #grants: readonly TokenGrant[] = []
  #loaded: Promise<void> | undefined
  #saving: Promise<void> = Promise.resolve()
  /** Every secret of this run, since a replaced one may still be shown somewhere. */
  readonly #known = new Set<string>()

  constructor(parts: TokenStoreParts) {
    this.#parts = parts
    this.#id = `authorization:${hash('sha256', parts.owner).slice(0, 32)}`
  }

  /** Never rejects: a grant that cannot be read, such as another shell's, is obtained again. */
  load(): Promise<void> {
    this.#loaded ??= this.#load().catch((error: unknown) => this.#parts.onError?.(error))
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

  /** Adds a grant, or replaces the one of the same server. */
  put(grant: TokenGrant): Promise<void> {
    return this.#change([...this.#grants.filter((other) => other.serverUrl !== grant.serverUrl), grant])
  }

  /** Sets or removes the tokens of a grant that still exists. */
  setTokens(grant: TokenGrant, tokens: Tokens | undefined): Promise<void> {
    if (!this.#grants.some((other) => sameGrant(other, grant))) return Promise.resolve()
    const { tokens: _before, ...rest } = grant
    return this.put(tokens ? { ...rest, tokens } : rest)
  }

  clear(): Promise<void> {
    return this.#change([])
  }

  /** Marks further texts as secret: a code, a verifier. */
  protect(secrets: readonly string[]): void {
    const before = this.#known.size
    for (const secret of secrets) this.#known.add(secret)
    if (this.#known.size > before) this.#parts.onSecrets?.([...this.#known])
  }

  async #load(): Promise<void> {
    const text = await this.#parts.secrets.get(this.#id)
    if (text === undefined) return
    const parsed = GRANTS.safeParse(jsonIn(text))
    // An invalid record is replaced by the next sign-in.
    if (!parsed.success) return
    this.#grants = parsed.data.grants
    this.protect(this.#grants.flatMap(secretsOf))
  }

  #change(grants: readonly TokenGrant[]): Promise<void> {
    this.#grants = grants
    this.protect(grants.flatMap(secretsOf))
    const { secrets, onError } = this.#parts
    this.#saving = this.#saving.then(async () => {
      try {
        if (this.#grants.length === 0) await secrets.remove(this.#id)
        else await secrets.set(this.#id, JSON.stringify({ version: 1, grants: this.#grants }))
      } catch (error) {
        onError?.(error)
      }
    })
    return this.#saving
  }
}
