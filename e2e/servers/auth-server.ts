import { createHash, type KeyObject, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The behaviour of an authorization server, right or wrong. Everything can be changed while it runs. */
export interface AuthBehaviour {
  /** The place of its metadata. */
  metadata: 'oauth' | 'openid' | 'openid-after-path' | 'none' | 'broken'
  /** Below its origin, as tenants have it: `/tenant`. */
  path: string
  registration: 'open' | 'closed' | 'with-secret' | 'refused'
  authMethods: readonly string[] | undefined
  pkce: readonly string[] | undefined
  scopesSupported: readonly string[] | undefined
  /** Takes the address of a document for a client id. */
  metadataDocuments: boolean
  /** Its answer when a person comes: sends them back, shows a page with a button, refuses, or sends them elsewhere. */
  page: 'back' | 'button' | 'deny' | 'foreign' | 'error'
  /** The account that the browser is signed in with; the server tells it in its answers. */
  user: string
  /** Another place that the browser is sent through first; it gets `continue`. */
  delegate: string | undefined
  state: 'right' | 'wrong' | 'missing'
  /** Anything else is a way to spell another name, from the right one. */
  iss: 'right' | 'wrong' | 'missing' | ((issuer: string) => readonly string[])
  announcesIss: boolean
  /** Seconds; undefined says nothing of it. Anything but a number is said as it is, and the token does not end. */
  tokenLife: unknown
  /** When a client's secret ends, in seconds since the epoch; 0 is never. */
  secretLife: number
  /** The granted part of the requested scopes; all of them when absent. */
  grants: readonly string[] | undefined
  /** A refresh token is good once, and gives another. */
  rotates: boolean
  refreshTokens: boolean
  revocation: boolean
  /** The token endpoint answers 400 with this error. */
  tokenError: string | undefined
  /** The token endpoint sends elsewhere. */
  tokenRedirect: string | undefined
  /** Permissions that it never gives. */
  withholds: readonly string[]
  /** Clients may sign in as themselves; they get no refresh token then. */
  ownClients: boolean
  /** Overrides members of its metadata. */
  claims: Readonly<Record<string, unknown>>
  /** The default paths of 2025-03-26 in place of its own. */
  defaultPaths: boolean
}

interface Whom {
  readonly resource: string | undefined
  readonly scopes: readonly string[]
  readonly clientId: string
  readonly user: string
}

export interface IssuedToken extends Whom {
  expiresAt: number
  alive: boolean
}

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
}

interface Code extends Whom {
  readonly redirectUri: string
  readonly challenge: string
  used: boolean
}

interface Registered {
  /** `*` for any. */
  readonly redirectUris: readonly string[]
  readonly secret?: string
  /** Ed25519, of a client that signs who it is. */
  readonly publicKey?: KeyObject
  readonly method: string
}

const EVIL = 'https://evil.example'

const DEFAULTS: AuthBehaviour = {
  metadata: 'oauth',
  path: '',
  registration: 'open',
  authMethods: ['none', 'client_secret_basic', 'client_secret_post'],
  pkce: ['S256'],
  scopesSupported: undefined,
  metadataDocuments: false,
  page: 'back',
  user: 'you',
  delegate: undefined,
  state: 'right',
  iss: 'right',
  announcesIss: true,
  tokenLife: 3600,
  secretLife: 0,
  grants: undefined,
  rotates: true,
  refreshTokens: true,
  revocation: true,
  tokenError: undefined,
  tokenRedirect: undefined,
  withholds: [],
  ownClients: true,
  claims: {},
  defaultPaths: false,
}

/** A real authorization server on loopback that remembers all it saw and gave. */
export class AuthServer {
  readonly behaviour: AuthBehaviour
  readonly seen: SeenRequest[] = []
  readonly clients = new Map<string, Registered>()
  /** The registrations of apps, in order. */
  readonly registrations: Readonly<Record<string, unknown>>[] = []
  readonly tokens = new Map<string, IssuedToken>()
  readonly refreshTokens = new Map<string, IssuedToken>()
  /** Everything that must stay secret: codes, tokens, verifiers, client secrets. */
  readonly secrets = new Set<string>()
  readonly #codes = new Map<string, Code>()
  readonly #server: Server
  readonly #own: boolean

  private constructor(server: Server, behaviour: Partial<AuthBehaviour>, own: boolean) {
    this.#server = server
    this.#own = own
    this.behaviour = { ...DEFAULTS, ...behaviour }
  }

  static async start(behaviour: Partial<AuthBehaviour> = {}): Promise<AuthServer> {
    const server = createServer((request, response) => void auth.handle(request, response))
    const auth = new AuthServer(server, behaviour, true)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return auth
  }

  /** One that shares the origin of another server, as by the rules of 2025-03-26. */
  static within(server: Server, behaviour: Partial<AuthBehaviour>): AuthServer {
    return new AuthServer(server, behaviour, false)
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get issuer(): string {
    return `${this.origin}${this.behaviour.path}`
  }

  async stop(): Promise<void> {
    if (!this.#own) return
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Requests to a path, oldest first. */
  at(path: string): readonly SeenRequest[] {
    return this.seen.filter((one) => one.path === path)
  }

  /** Token requests of one kind. */
  grants(type: string): readonly SeenRequest[] {
    return this.seen.filter(({ params }) => params.grant_type === type)
  }

  /** Access tokens end now; refresh tokens stay. */
  expire(): void {
    for (const token of this.tokens.values()) token.expiresAt = 0
  }

  /** Nothing that was given is good any more. */
  revokeAll(): void {
    for (const token of [...this.tokens.values(), ...this.refreshTokens.values()]) token.alive = false
  }

  /** The scopes of a token for a resource, if it is valid there. */
  check(token: string | undefined): IssuedToken | undefined {
    const found = token === undefined ? undefined : this.tokens.get(token)
    return found?.alive && found.expiresAt > Date.now() ? found : undefined
  }

  /** True when the request was one for an authorization server. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const url = new URL(request.url ?? '/', this.origin)
    const body = request.method === 'POST' ? await read(request) : ''
    const json = request.headers['content-type'] === 'application/json'
    const params = Object.fromEntries(request.method === 'POST' && !json ? new URLSearchParams(body) : url.searchParams)
    const path = url.pathname
    this.seen.push({ method: request.method ?? '', path, params, headers: request.headers })
    if (params.code_verifier) this.secrets.add(params.code_verifier)
    const { path: base, defaultPaths } = this.behaviour
    const own = defaultPaths ? '' : `${base}/oauth2`
    if (this.#metadataPaths().includes(path)) send(response, 200, this.#metadata(own))
    else if (path === `${own}/register` && this.behaviour.registration !== 'closed') this.#register(JSON.parse(body), response)
    else if (path === `${own}/authorize`) this.#authorize(url.searchParams, response)
    else if (path === `${own}/consented`) this.#sendBack(url.searchParams, response)
    else if (path === `${own}/token`) this.#token(params, request, response)
    else if (path === `${own}/revoke` && this.behaviour.revocation) this.#revoke(params, response)
    else if (this.#own) send(response, 404, { error: 'not_found' })
    else return false
    return true
  }

  #metadataPaths(): readonly string[] {
    const { metadata, path } = this.behaviour
    switch (metadata) {
      case 'oauth':
      case 'broken':
        return [`/.well-known/oauth-authorization-server${path}`]
      case 'openid':
        return [`/.well-known/openid-configuration${path}`]
      case 'openid-after-path':
        return [`${path}/.well-known/openid-configuration`]
      case 'none':
        return []
    }
  }

  #metadata(own: string): Record<string, unknown> {
    const { registration, authMethods, pkce, scopesSupported, metadataDocuments, revocation, announcesIss, metadata } =
      this.behaviour
    if (metadata === 'broken') return { hello: 'world' }
    const at = (name: string) => `${this.origin}${own}/${name}`
    return {
      issuer: this.issuer,
      authorization_endpoint: at('authorize'),
      token_endpoint: at('token'),
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      ...(registration !== 'closed' && { registration_endpoint: at('register') }),
      ...(revocation && { revocation_endpoint: at('revoke') }),
      ...(authMethods && { token_endpoint_auth_methods_supported: authMethods }),
      ...(pkce && { code_challenge_methods_supported: pkce }),
      ...(scopesSupported && { scopes_supported: scopesSupported }),
      ...(announcesIss && { authorization_response_iss_parameter_supported: true }),
      ...(metadataDocuments && { client_id_metadata_document_supported: true }),
      ...this.behaviour.claims,
    }
  }

  #register(wanted: { redirect_uris?: string[]; token_endpoint_auth_method?: string }, response: ServerResponse): unknown {
    this.registrations.push(wanted)
    if (this.behaviour.registration === 'refused') {
      return send(response, 400, { error: 'invalid_client_metadata', error_description: 'No new apps today' })
    }
    const id = `client-${randomBytes(6).toString('hex')}`
    const withSecret = this.behaviour.registration === 'with-secret'
    const secret = withSecret ? this.#secret('client-secret') : undefined
    const method = withSecret ? (this.behaviour.authMethods?.find((one) => one !== 'none') ?? 'client_secret_basic') : 'none'
    this.clients.set(id, { redirectUris: wanted.redirect_uris ?? [], method, ...(secret && { secret }) })
    send(response, 201, {
      ...wanted,
      client_id: id,
      token_endpoint_auth_method: method,
      ...(secret && { client_secret: secret, client_secret_expires_at: this.behaviour.secretLife }),
    })
  }

  #authorize(params: URLSearchParams, response: ServerResponse): unknown {
    const clientId = params.get('client_id') ?? ''
    const redirectUri = params.get('redirect_uri') ?? ''
    const client = this.clients.get(clientId)
    const known =
      client?.redirectUris.some((uri) => uri === redirectUri || uri === '*') ||
      (this.behaviour.metadataDocuments && clientId.startsWith('https://'))
    if (!known) return page(response, 400, 'This app is not known here')
    if (params.get('code_challenge_method') !== 'S256' || !params.get('code_challenge')) return page(response, 400, 'No PKCE')
    if (this.behaviour.page !== 'button' && this.behaviour.delegate === undefined) {
      this.#sendBack(params, response)
      return
    }
    const onward = new URL(`${this.behaviour.defaultPaths ? '' : `${this.behaviour.path}/oauth2`}/consented`, this.origin)
    onward.search = params.toString()
    if (this.behaviour.delegate !== undefined) {
      response.writeHead(302, { location: `${this.behaviour.delegate}?continue=${encodeURIComponent(onward.href)}` }).end()
      return
    }
    page(response, 200, `<a href="${onward.href.replaceAll('&', '&amp;')}">Sign in as Ada</a>`)
  }

  #sendBack(params: URLSearchParams, response: ServerResponse): void {
    const back = new URL(params.get('redirect_uri') ?? '')
    const { page: how, state, iss, grants } = this.behaviour
    if (how === 'foreign') {
      // A hijacked server would send the answer to somebody else.
      back.host = 'localhost:9'
    }
    if (how === 'deny') back.searchParams.set('error', 'access_denied')
    else if (how === 'error') {
      back.searchParams.set('error', 'invalid_scope')
      back.searchParams.set('error_description', 'No such permission')
    } else {
      const code = this.#secret('code')
      this.#codes.set(code, {
        clientId: params.get('client_id') ?? '',
        redirectUri: params.get('redirect_uri') ?? '',
        challenge: params.get('code_challenge') ?? '',
        scopes: (params.get('scope') ?? '').split(' ').filter((scope) => scope !== '' && (grants?.includes(scope) ?? true)),
        resource: params.get('resource') ?? undefined,
        user: this.behaviour.user,
        used: false,
      })
      back.searchParams.set('code', code)
    }
    const sent = params.get('state')
    if (state !== 'missing' && sent) back.searchParams.set('state', state === 'right' ? sent : `${sent}x`)
    const named = typeof iss === 'function' ? iss(this.issuer) : iss === 'missing' ? [] : [iss === 'right' ? this.issuer : EVIL]
    for (const issuer of named) back.searchParams.append('iss', issuer)
    response.writeHead(302, { location: back.href }).end()
  }

  #token(params: Readonly<Record<string, string>>, request: IncomingMessage, response: ServerResponse): unknown {
    const { tokenRedirect, refreshTokens } = this.behaviour
    if (tokenRedirect) {
      response.writeHead(307, { location: tokenRedirect }).end()
      return
    }
    const { tokenError } = this.behaviour
    if (tokenError) return send(response, 400, { error: tokenError, error_description: 'Something is missing' })
    const client = this.#clientOf(params, request)
    if (!client) return send(response, 401, { error: 'invalid_client' })
    if (params.grant_type === 'authorization_code') {
      const code = this.#codes.get(params.code ?? '')
      const verified =
        createHash('sha256')
          .update(params.code_verifier ?? '')
          .digest('base64url') === code?.challenge
      if (!code || code.used || !verified || code.redirectUri !== params.redirect_uri || code.clientId !== client) {
        return send(response, 400, { error: 'invalid_grant' })
      }
      code.used = true
      this.#give({ ...code, resource: params.resource ?? code.resource }, response)
      return
    }
    if (params.grant_type === 'client_credentials' && this.behaviour.ownClients) {
      const scopes = (params.scope ?? '').split(' ').filter((scope) => scope !== '')
      this.#give({ clientId: client, user: this.behaviour.user, scopes, resource: params.resource }, response)
      return
    }
    const old = this.refreshTokens.get(params.refresh_token ?? '')
    if (params.grant_type !== 'refresh_token') return send(response, 400, { error: 'unsupported_grant_type' })
    if (!refreshTokens || !old?.alive || old.clientId !== client) return send(response, 400, { error: 'invalid_grant' })
    if (this.behaviour.rotates) old.alive = false
    this.#give(old, response, this.behaviour.rotates ? undefined : params.refresh_token)
  }

  #give({ clientId, user, resource, scopes: asked }: Whom, response: ServerResponse, keep?: string): void {
    const { tokenLife, refreshTokens, withholds } = this.behaviour
    const scopes = asked.filter((scope) => !withholds.includes(scope))
    const expiresAt = typeof tokenLife === 'number' && tokenLife > 0 ? Date.now() + tokenLife * 1000 : Number.POSITIVE_INFINITY
    const access = this.#secret('access')
    this.tokens.set(access, { resource, scopes, clientId, user, expiresAt, alive: true })
    const refresh = keep ?? this.#secret('refresh')
    this.refreshTokens.set(refresh, { resource, scopes, clientId, user, expiresAt: Number.POSITIVE_INFINITY, alive: true })
    send(response, 200, {
      access_token: access,
      token_type: 'Bearer',
      ...(tokenLife !== undefined && { expires_in: tokenLife }),
      ...(refreshTokens && keep === undefined && { refresh_token: refresh }),
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    })
  }

  #revoke({ token = '' }: Readonly<Record<string, string>>, response: ServerResponse): void {
    for (const known of [this.tokens.get(token), this.refreshTokens.get(token)]) if (known) known.alive = false
    response.writeHead(200).end()
  }

  /** The client, authenticated the way it was registered. */
  #clientOf(params: Readonly<Record<string, string>>, request: IncomingMessage): string | undefined {
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const [user, pass] = basic === undefined ? [] : Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent)
    const id = user ?? params.client_id ?? ''
    const client = this.clients.get(id)
    if (client?.publicKey) return this.#signed(client.publicKey, params.client_assertion ?? '', id) ? id : undefined
    if (!client) return this.behaviour.metadataDocuments && id.startsWith('https://') ? id : undefined
    if (client.secret === undefined) return id
    const given = client.method === 'client_secret_basic' ? pass : params.client_secret
    return given === client.secret ? id : undefined
  }

  /** An assertion about this client for this issuer, signed with its key, with EdDSA (RFC 7523, 3). */
  #signed(publicKey: KeyObject, assertion: string, id: string): boolean {
    const [head = '', body = '', signature = ''] = assertion.split('.')
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}')
    const { aud, iss, sub, exp } = read(body)
    const fits = read(head).alg === 'EdDSA' && [aud].flat().includes(this.issuer) && iss === id && sub === id
    return (
      fits &&
      exp * 1000 > Date.now() &&
      verify(null, Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url'))
    )
  }

  #secret(kind: string): string {
    const secret = `canary-${kind}-${randomBytes(12).toString('hex')}`
    this.secrets.add(secret)
    return secret
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body))
}

function page(response: ServerResponse, status: number, body: string): void {
  response
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><html lang="en"><title>Sign in</title><body>${body}</body></html>`)
}
