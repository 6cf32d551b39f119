import { createPrivateKey, type KeyObject, type webcrypto } from 'node:crypto'
import * as oauth from 'oauth4webapi'
import type { SigningAlgorithm } from '../../src-shared/base/signing-algorithms.ts'
import { AuthorizationError } from './authorization-error.ts'
import type { BearerChallenge } from './challenge.ts'
import { discover } from './discovery.ts'
import type { FlowContext } from './flow-context.ts'
import type { TokenGrant } from './grants.ts'
import { canonicalResource } from './resource-uri.ts'
import { clientTokens, keptMetadata } from './token-endpoint.ts'

/** A registered client that signs in with its own credentials, without a person (XAUTH-1). */
export interface OwnClient {
  readonly clientId: string
  readonly secret?: string
  /** PEM of the private key, which only signs and is never sent. */
  readonly key?: { readonly pem: string; readonly algorithm?: SigningAlgorithm }
  /** Requested in place of the scopes that the server names. */
  readonly scopes: readonly string[]
  /** The only authorization server for it; the first one when absent (XAUTH-3). */
  readonly issuer?: string
}

interface ClientGrantOptions extends Omit<FlowContext, 'metadataUrl'> {
  readonly client: OwnClient
  readonly challenge: BearerChallenge
  /** The earlier grant, whose scopes are requested again. */
  readonly before?: TokenGrant
}

/** A grant by `client_credentials` (RFC 6749, 4.4). Throws AuthorizationError for the person who entered the client. */
export async function clientGrant(options: ClientGrantOptions): Promise<TokenGrant> {
  const { serverUrl, client, challenge, before } = options
  const preferredIssuer = client.issuer ?? before?.issuer
  const found = await discover({ ...options, alone: true, ...(preferredIssuer !== undefined && { preferredIssuer }) })
  const { server, resource, scopesSupported = [] } = found
  if (client.issuer !== undefined && server.issuer !== client.issuer) {
    throw new AuthorizationError(
      'issuer-mismatch',
      `The server sends Parley to ${host(server.issuer)}, but client “${client.clientId}” is for ${host(client.issuer)}. Nothing was sent there. Check the client in “Edit server”.`,
    )
  }
  const asked = client.scopes.length > 0 ? client.scopes : (challenge.scopes ?? before?.asked ?? scopesSupported)
  const scopes = [...new Set([...asked, ...(challenge.scopes ?? [])])].filter((scope) => scope !== 'offline_access')
  const proof = client.key ? await signedBy(client, client.key, server) : client.secret
  const identity = { clientId: client.clientId, how: 'configured' as const }
  const parts = { ...options, server, client: identity, ...(resource !== undefined && { resource }) }
  const tokens = await clientTokens(parts, proof ?? '', scopes)
  return {
    issuer: server.issuer,
    resource: resource ?? '',
    serverUrl: canonicalResource(serverUrl),
    server: keptMetadata(server),
    client: identity,
    asked: scopes,
    tokens,
  }
}

/** The problem of a key, for the person; undefined when it can sign. */
export function keyProblem(pem: string, algorithm?: SigningAlgorithm): string | undefined {
  try {
    const fits = fitting(readKey(pem))
    if (fits.length === 0) return 'This kind of key cannot sign. RSA, EC (P-256, P-384) and Ed25519 keys can.'
    if (algorithm && !fits.includes(algorithm)) return `This key cannot sign with ${algorithm}. It can with ${fits.join(', ')}.`
    return undefined
  } catch (error) {
    const locked = error instanceof Error && /passphrase|encrypted|bad decrypt|interrupted/i.test(error.message)
    return locked ? 'The key is locked with a passphrase. Use one without.' : 'This is not a private key in PEM form.'
  }
}

/** Signs with the chosen algorithm, else the first that key and authorization server both support (XAUTH-2). */
async function signedBy(
  { clientId }: OwnClient,
  { pem, algorithm: chosen }: NonNullable<OwnClient['key']>,
  server: oauth.AuthorizationServer,
): Promise<oauth.ClientAuth> {
  const wrong = keyProblem(pem, chosen)
  if (wrong !== undefined) throw new AuthorizationError('registration', `The private key of client “${clientId}”: ${wrong}`)
  const key = readKey(pem)
  const listed: unknown = server.token_endpoint_auth_signing_alg_values_supported
  const named = Array.isArray(listed) ? listed : undefined
  const fits = fitting(key)
  const algorithm = chosen ?? fits.find((one) => named?.includes(one)) ?? fits[0]
  if (algorithm === undefined || (named && !named.includes(algorithm))) {
    const takes = named?.filter((one) => typeof one === 'string').slice(0, 10)
    throw new AuthorizationError(
      'refused',
      `${host(server.issuer)} does not accept the algorithms of the key of client “${clientId}”${takes ? `; it accepts ${takes.join(', ').slice(0, 200)}` : ''}.`,
    )
  }
  const der = key.export({ type: 'pkcs8', format: 'der' })
  const signing = await crypto.subtle.importKey('pkcs8', new Uint8Array(der), WEB[algorithm], false, ['sign'])
  return oauth.PrivateKeyJwt(signing, {
    [oauth.modifyAssertion]: (header) => {
      // The library writes Ed25519, a name that few servers know yet.
      header.alg = algorithm
    },
  })
}

const readKey = (pem: string): KeyObject => createPrivateKey({ key: pem, format: 'pem' })

function fitting({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): readonly SigningAlgorithm[] {
  if (type === 'rsa') return ['RS256', 'PS256']
  if (type === 'ed25519') return ['EdDSA']
  if (type !== 'ec') return []
  return details?.namedCurve === 'prime256v1' ? ['ES256'] : details?.namedCurve === 'secp384r1' ? ['ES384'] : []
}

const WEB: Readonly<
  Record<SigningAlgorithm, webcrypto.RsaHashedImportParams | webcrypto.EcKeyImportParams | webcrypto.Algorithm>
> = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  ES384: { name: 'ECDSA', namedCurve: 'P-384' },
  EdDSA: { name: 'Ed25519' },
}

const host = (issuer: string) => URL.parse(issuer)?.host ?? issuer.slice(0, 200)
