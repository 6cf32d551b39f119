import type * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { AuthorizationError } from './authorization-error.ts'
import type { FlowContext } from './flow-context.ts'
import { type ClientIdentity, timeOf } from './grants.ts'
import type { TypedClient } from './person.ts'

interface RegistrationOptions extends Omit<FlowContext, 'serverUrl'> {
  readonly server: oauth.AuthorizationServer
  readonly redirectUri: string
  readonly scopes: readonly string[]
  /** Our client from an earlier sign-in at this issuer. */
  readonly known?: ClientIdentity
  /** Asks the person for a registered id; undefined when they decline. */
  readonly askPerson: () => Promise<TypedClient | undefined>
}

/**
 * Our client at this authorization server: the earlier one, our metadata document, a new registration, or one that the person
 * enters (AUTH-14, AUTH-15). Throws AuthorizationError `registration` or `denied`.
 */
export async function identify(options: RegistrationOptions): Promise<ClientIdentity> {
  const { known, metadataUrl, server } = options
  if (known && usable(known, options)) return known
  if (metadataUrl !== undefined && server.client_id_metadata_document_supported === true && isDocument(metadataUrl)) {
    return { clientId: metadataUrl, authMethod: 'none', how: 'metadata-document' }
  }
  if (server.registration_endpoint) return register(options)
  const typed = await options.askPerson()
  if (!typed) throw new AuthorizationError('denied', `Sign-in at ${new URL(server.issuer).host} needs a client ID.`)
  return { ...typed, how: 'typed' }
}

/** A client id that is an address must use https and have a path (V26-AUTH-8). */
function isDocument(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' && url.pathname !== '/'
}

function usable(known: ClientIdentity, { redirectUri, clock, metadataUrl }: RegistrationOptions): boolean {
  if (known.how === 'typed') return true
  if (known.how !== 'dynamic') return known.how === 'metadata-document' && known.clientId === metadataUrl
  return known.redirectUri === redirectUri && (known.secretEndsAt ?? Number.POSITIVE_INFINITY) > clock.now()
}

async function register({ server, redirectUri, scopes, http, signal }: RegistrationOptions): Promise<ClientIdentity> {
  const metadata = {
    client_name: 'Parley',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'native',
    token_endpoint_auth_method: wantedMethod(server.token_endpoint_auth_methods_supported),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  }
  const host = new URL(server.issuer).host
  const response = await http.fetch(server.registration_endpoint ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(metadata),
    signal,
  })
  const body: unknown = await response.json().catch(() => undefined) // Refused below.
  const registered = REGISTERED.safeParse(body)
  // RFC 7591 requires 201, but some servers send 200.
  if ((response.status !== 201 && response.status !== 200) || !registered.success) {
    const { error, error_description: said } = REFUSED.parse(body)
    const code = error === undefined ? `HTTP ${response.status}` : error.slice(0, 60)
    throw new AuthorizationError(
      'registration',
      `${host} did not register this app (${code}).${said ? ` It said: ${said.slice(0, 200)}` : ''}`,
    )
  }
  const { client_id, client_secret, client_secret_expires_at: ends = 0, token_endpoint_auth_method: method } = registered.data
  return {
    clientId: client_id,
    ...(client_secret && { clientSecret: client_secret }),
    ...(method && { authMethod: method }),
    how: 'dynamic',
    redirectUri,
    ...(ends > 0 && { secretEndsAt: timeOf(ends * 1000) }),
  }
}

const text = z.string().max(16 * 1024)
const REGISTERED = z.looseObject({
  client_id: text.min(1),
  client_secret: text.nullish(),
  client_secret_expires_at: z.number().optional().catch(undefined),
  token_endpoint_auth_method: text.nullish().catch(undefined),
})
const REFUSED = z.looseObject({ error: text.optional(), error_description: text.optional() }).catch({})

/** A public client if possible, since a secret on a person's computer is not secret (AUTH-39). */
function wantedMethod(offered: readonly string[] | undefined): string {
  return ['none', 'client_secret_basic', 'client_secret_post'].find((method) => offered?.includes(method)) ?? 'none'
}
