import { createHash } from 'node:crypto'
import { isConfidential } from '../../../src-shared/base/hosts.ts'
import { isObject } from '../../../src-shared/base/json.ts'
import { objectIn } from '../../../src-shared/base/parse-json.ts'
import { SIGNING_ALGORITHMS } from '../../../src-shared/base/signing-algorithms.ts'
import type { SignInClient, SignInConfig } from '../../../src-shared/contract/authorization.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { keyProblem, type OwnClient } from '../../auth/client-credentials.ts'
import type { SecretStore } from '../../storage/base/storage.ts'

export interface StoredClient extends OwnClient {
  /** Origin of the server that it was entered for; it is used for no other. */
  readonly origin: string
}

/** Clients that sign in to servers without a person, kept only in the secret store (decision 0034). */
export class SignInClients {
  readonly #secrets: SecretStore

  constructor(secrets: SecretStore) {
    this.#secrets = secrets
  }

  async read(id: ServerId): Promise<StoredClient | undefined> {
    const text = await this.#secrets.get(SignInClients.secretId(id))
    return text === undefined ? undefined : storedFrom(text)
  }

  async write(id: ServerId, client: StoredClient | undefined): Promise<void> {
    if (client) await this.#secrets.set(SignInClients.secretId(id), JSON.stringify(client))
    else await this.#secrets.remove(SignInClients.secretId(id))
  }

  /** The client to store; `before` is the present one. Throws HostError `invalid-params`. */
  static of(wanted: SignInConfig, url: string, before: StoredClient | undefined): StoredClient | undefined {
    if (wanted.by === 'browser') return undefined
    const { clientId, proof, scopes, issuer } = wanted
    const wrong = (what: string) => new HostError('invalid-params', what)
    if (clientId.trim() === '') throw wrong('Client credentials need a client ID.')
    if (issuer !== undefined && !isConfidential(URL.parse(issuer))) {
      throw wrong('The address of the issuer must begin with https://.')
    }
    const origin = new URL(url).origin
    // A saved client is never sent to another authorization server (XAUTH-3).
    const only = issuer ?? ('kept' in proof ? before?.issuer : undefined)
    const own = { origin, clientId: clientId.trim(), scopes: [...scopes], ...(only && { issuer: only }) }
    if ('secret' in proof) {
      if (proof.secret === '') throw wrong('Client credentials need a secret or a private key.')
      return { ...own, secret: proof.secret }
    }
    const pem = 'key' in proof ? proof.key : before?.key?.pem
    if ('kept' in proof) {
      const kept = proof.kept === 'secret' ? before?.secret : pem
      if (kept === undefined || before?.origin !== origin || (before.issuer !== undefined && before.issuer !== only)) {
        throw wrong('The saved secret of the client was entered for another address. Enter it again.')
      }
      if (proof.kept === 'secret') return { ...own, secret: kept }
    }
    const { algorithm } = proof
    const problem = keyProblem(pem ?? '', algorithm)
    if (problem !== undefined || pem === undefined) throw wrong(problem ?? 'Client credentials need a private key.')
    return { ...own, key: { pem, ...(algorithm && { algorithm }) } }
  }

  static secretId(id: ServerId): string {
    return `sign-in-client:${createHash('sha256').update(id).digest('hex').slice(0, 32)}`
  }
}

/** Undefined for a record of another shape, so that the client is entered again. */
function storedFrom(text: string): StoredClient | undefined {
  const kept = objectIn(text)
  if (!kept) return undefined
  const { origin, clientId, secret, key, scopes, issuer } = kept
  if (typeof origin !== 'string' || typeof clientId !== 'string' || !Array.isArray(scopes)) return undefined
  const algorithm = isObject(key) ? SIGNING_ALGORITHMS.find((one) => one === key.algorithm) : undefined
  return {
    origin,
    clientId,
    scopes: scopes.filter((scope) => typeof scope === 'string'),
    ...(typeof secret === 'string' && { secret }),
    ...(isObject(key) && typeof key.pem === 'string' && { key: { pem: key.pem, ...(algorithm && { algorithm }) } }),
    ...(typeof issuer === 'string' && { issuer }),
  }
}

export function shownClient({ clientId, key, scopes, issuer }: StoredClient): SignInClient {
  return {
    clientId,
    proof: key ? 'key' : 'secret',
    ...(key?.algorithm && { algorithm: key.algorithm }),
    scopes,
    ...(issuer !== undefined && { issuer }),
  }
}
