import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AuthBehaviour, AuthServer } from './auth-server.ts'

/** An MCP server's way of letting people in. Everything can be changed while it runs. */
export interface Protection {
  /** Below its origin. */
  path: string
  /** The place of its resource metadata; `none` is 2025-03-26. */
  metadata: 'at-path' | 'at-root' | 'elsewhere' | 'none'
  /** The rest of the 401; `bare` says nothing at all. */
  challenge: 'full' | 'without-metadata' | 'bare'
  scopes: readonly string[] | undefined
  scopesSupported: readonly string[] | undefined
  /** Overrides what its metadata says. */
  claims: Readonly<Record<string, unknown>>
  /** Which permission a tool needs beside being signed in. */
  needs: Readonly<Record<string, string>>
  /** Answered with any token. */
  refuses: 401 | 403 | undefined
  /** Fails calls, and says what it was given. */
  leaks: boolean
  /** The pair of endpoints of 2024-11-05 in place of one. */
  legacy: boolean
  /** Results by method, in place of the usual ones. */
  results: Readonly<Record<string, () => unknown>>
}

export interface SeenCall {
  readonly method: string
  readonly url: string
  readonly token: string | undefined
  readonly status: number
  readonly rpc: string | undefined
}

const TOOLS = ['whoami', 'admin'].map((name) => ({
  name,
  description: `The tool ${name}`,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
}))

/** A real MCP server on loopback that lets in only those who bring a token of its authorization server, meant for it. */
export class ProtectedServer {
  readonly protection: Protection
  readonly seen: SeenCall[] = []
  /** Holds back the answers to calls until it resolves. */
  gate: Promise<void> | undefined
  readonly #server: Server
  readonly #auth: AuthServer
  readonly #streams = new Set<ServerResponse>()

  private constructor(server: Server, auth: AuthServer, protection: Protection) {
    this.#server = server
    this.#auth = auth
    this.protection = protection
  }

  /** `auth` is its own unless given, as by the rules of 2025-03-26. */
  static async start(auth: AuthServer | Partial<AuthBehaviour>, protection: Partial<Protection> = {}): Promise<ProtectedServer> {
    const server = createServer((request, response) => void own.#handle(request, response))
    const its = auth instanceof AuthServer ? auth : AuthServer.within(server, auth)
    const own = new ProtectedServer(server, its, {
      path: '/mcp',
      metadata: auth instanceof AuthServer ? 'at-path' : 'none',
      challenge: auth instanceof AuthServer ? 'full' : 'bare',
      scopes: undefined,
      scopesSupported: undefined,
      claims: {},
      needs: {},
      refuses: undefined,
      leaks: false,
      legacy: false,
      results: {},
      ...protection,
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return own
  }

  get auth(): AuthServer {
    return this.#auth
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get url(): string {
    return `${this.origin}${this.protection.path}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Requests for a method of the protocol that got this status. */
  answered(rpc: string, status: number): readonly SeenCall[] {
    return this.seen.filter((one) => one.rpc === rpc && one.status === status)
  }

  get #metadataPath(): string {
    const root = '/.well-known/oauth-protected-resource'
    return { 'at-path': `${root}${this.protection.path}`, 'at-root': root, elsewhere: '/about/me.json', none: '' }[
      this.protection.metadata
    ]
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin)
    const { path, metadata, claims, scopesSupported, legacy } = this.protection
    if (metadata !== 'none' && url.pathname === this.#metadataPath) {
      return send(response, 200, {
        resource: this.url,
        authorization_servers: [this.#auth.issuer],
        ...(scopesSupported && { scopes_supported: scopesSupported }),
        ...claims,
      })
    }
    const mine = url.pathname === path || (legacy && url.pathname === '/messages')
    if (!mine) {
      if (metadata === 'none' && (await this.#auth.handle(request, response))) return
      return send(response, 404, { error: 'not_found' })
    }
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const message = body === '' ? undefined : (JSON.parse(body) as { id?: number; method?: string; params?: { name?: string } })
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const log = (status: number) =>
      this.seen.push({ method: request.method ?? '', url: request.url ?? '', token, status, rpc: message?.method })
    const refused = this.#refusal(token, message?.params?.name)
    if (refused) {
      log(refused.status)
      response.writeHead(refused.status, refused.header === undefined ? {} : { 'www-authenticate': refused.header }).end()
      return
    }
    if (legacy && request.method === 'POST' && url.pathname === path) {
      log(405)
      response.writeHead(405).end()
      return
    }
    if (message?.method === 'tools/call') await this.gate
    if (this.protection.leaks && message?.id !== undefined) {
      log(500)
      const error = { code: -32000, message: `You are ${token}, I am confused` }
      response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', error }))
      return
    }
    log(200)
    this.#answer(request, response, message, token)
  }

  #refusal(token: string | undefined, tool: string | undefined): { status: number; header?: string } | undefined {
    const { refuses, needs, challenge, scopes } = this.protection
    const named =
      challenge === 'full' && this.#metadataPath !== '' ? `, resource_metadata="${this.origin}${this.#metadataPath}"` : ''
    const wanted = scopes ? `, scope="${scopes.join(' ')}"` : ''
    const found = this.#auth.check(token)
    const meant =
      found && (found.resource === undefined ? this.protection.metadata === 'none' : this.url.startsWith(found.resource))
    if (refuses === 401 || !meant) {
      return challenge === 'bare' ? { status: 401 } : { status: 401, header: `Bearer realm="mcp"${named}${wanted}` }
    }
    if (refuses === 403) return { status: 403 }
    const need = tool === undefined ? undefined : needs[tool]
    if (need === undefined || found.scopes.includes(need)) return undefined
    return { status: 403, header: `Bearer error="insufficient_scope", scope="${need}"${named}` }
  }

  #answer(
    request: IncomingMessage,
    response: ServerResponse,
    message: { id?: number; method?: string; params?: { name?: string } } | undefined,
    token: string | undefined,
  ): void {
    const { legacy } = this.protection
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(legacy ? 'event: endpoint\ndata: /messages\n\n' : ': open\n\n')
      this.#streams.add(response)
      response.on('close', () => this.#streams.delete(response))
      return
    }
    if (request.method === 'DELETE' || message?.id === undefined) {
      response.writeHead(202).end()
      return
    }
    const reply = {
      jsonrpc: '2.0',
      id: message.id,
      result: this.protection.results[message.method ?? '']?.() ?? resultOf(message, this.#auth.check(token)?.user),
    }
    if (legacy) {
      for (const stream of this.#streams) stream.write(`event: message\ndata: ${JSON.stringify(reply)}\n\n`)
      response.writeHead(202).end()
      return
    }
    const session = message.method === 'initialize' ? { 'mcp-session-id': 'session-1' } : {}
    response.writeHead(200, { 'content-type': 'application/json', ...session }).end(JSON.stringify(reply))
  }
}

function resultOf({ method, params }: { method?: string; params?: { name?: string } }, user = 'you'): unknown {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
        serverInfo: { name: 'protected', version: '1.0.0' },
      }
    case 'tools/list':
      return { tools: TOOLS }
    case 'tools/call':
      return { content: [{ type: 'text', text: `${params?.name} knows ${user}` }] }
    case 'resources/list':
      return { resources: [{ uri: 'note://mine', name: 'mine' }] }
    case 'resources/templates/list':
      return { resourceTemplates: [] }
    case 'resources/read':
      return { contents: [{ uri: 'note://mine', text: 'a note for those who are known' }] }
    case 'prompts/list':
      return { prompts: [{ name: 'greet', arguments: [{ name: 'who' }] }] }
    case 'prompts/get':
      return { messages: [{ role: 'user', content: { type: 'text', text: 'Greet whom you know.' } }] }
    case 'completion/complete':
      return { completion: { values: ['Ada'] } }
    default:
      return {}
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
