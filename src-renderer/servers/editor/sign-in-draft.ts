import type { SigningAlgorithm } from '../../../src-shared/base/signing-algorithms.ts'
import type { SignInClient, SignInConfig } from '../../../src-shared/contract/authorization.ts'

/** The sign-in fields as typed, for both ways, so that switching loses nothing. */
export interface SignInDraft {
  readonly by: SignInConfig['by']
  readonly clientId: string
  readonly proof: SignInClient['proof']
  readonly secret: string
  /** PEM. */
  readonly key: string
  /** Empty: chosen by the key. */
  readonly algorithm: SigningAlgorithm | ''
  /** Separated by spaces. */
  readonly scopes: string
  readonly issuer: string
  /** The kind of the stored secret, which typing replaces. */
  readonly saved?: SignInClient['proof']
}

export type SignInField = 'clientId' | 'clientSecret' | 'clientKey' | 'issuer'

export const NO_CLIENT: SignInDraft = {
  by: 'browser',
  clientId: '',
  proof: 'secret',
  secret: '',
  key: '',
  algorithm: '',
  scopes: '',
  issuer: '',
}

export function signInDraftOf(client: SignInClient | undefined): SignInDraft {
  if (!client) return NO_CLIENT
  const { clientId, proof, algorithm = '', scopes, issuer = '' } = client
  return { ...NO_CLIENT, by: 'client', clientId, proof, algorithm, scopes: scopes.join(' '), issuer, saved: proof }
}

/** The configuration of a draft; undefined when no client was or is chosen. */
export function signInOf(draft: SignInDraft, onProblem: (field: SignInField, why: string) => void): SignInConfig | undefined {
  const { by, proof, secret, key, algorithm, saved } = draft
  if (by === 'browser') return saved && { by }
  const clientId = draft.clientId.trim()
  if (clientId === '') onProblem('clientId', 'Enter the ID that the client was registered with')
  const issuer = draft.issuer.trim()
  if (issuer !== '' && !/^https?:$/.test(URL.parse(issuer)?.protocol ?? ''))
    onProblem('issuer', 'Enter an address, like https://example.org')
  const scopes = draft.scopes.split(/\s+/).filter((scope) => scope !== '')
  const signs = algorithm === '' ? {} : { algorithm }
  const client = { by, clientId, scopes, ...(issuer !== '' && { issuer }) }
  if (proof === 'secret') {
    if (secret !== '') return { ...client, proof: { secret } }
    if (saved !== 'secret') onProblem('clientSecret', 'Enter the client’s secret')
    return { ...client, proof: { kept: 'secret' } }
  }
  if (key.trim() !== '') {
    if (!key.includes('PRIVATE KEY-----')) onProblem('clientKey', 'A private key begins with -----BEGIN PRIVATE KEY-----')
    return { ...client, proof: { key: key.trim(), ...signs } }
  }
  if (saved !== 'key') onProblem('clientKey', 'Paste the private key or choose its file')
  return { ...client, proof: { kept: 'key', ...signs } }
}
