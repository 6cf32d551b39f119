import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { AuthBehaviour } from '../../e2e/servers/auth-server.ts'
import { ProtectedServer, type Protection } from '../../e2e/servers/protected-server.ts'
import { signInHttp } from '../../e2e/support/sign-in-http.ts'
import { guarded } from '../../e2e/test-hosts/sign-in-host.ts'
import type { BearerChallenge } from './challenge.ts'
import { discover, resourceMetadataUrls, serverMetadataUrls } from './discovery.ts'

const signal = new AbortController().signal

const find = (server: ProtectedServer, challenge: BearerChallenge = {}, preferredIssuer?: string) =>
  discover({
    serverUrl: server.url,
    challenge,
    http: signInHttp(server.url),
    signal,
    ...(preferredIssuer && { preferredIssuer }),
  })

async function alone(behaviour: Partial<AuthBehaviour> = {}): Promise<ProtectedServer> {
  const server = await ProtectedServer.start(behaviour)
  onTestFinished(() => server.stop())
  return server
}

const failure = (code: string, message?: RegExp) =>
  expect.objectContaining({ name: 'AuthorizationError', code, ...(message && { message: expect.stringMatching(message) }) })

describe('The order of discovery', () => {
  it('takes the metadata that the challenge names, not an authorization server by that address (AUTH-45, TRAP-36, TRAP-38)', async () => {
    const { auth, server } = await guarded({}, { metadata: 'elsewhere' })
    const found = await find(server, { resourceMetadata: `${server.origin}/about/me.json` })
    expect(found).toMatchObject({ rules: '2025-06-18', resource: server.url, server: { issuer: auth.issuer } })
  })

  it.each<Partial<Protection>>([{ metadata: 'at-path' }, { metadata: 'at-root' }])(
    'tries the well-known addresses when the challenge names none: %o (AUTH-30, AUTH-43, AUTH-46)',
    async (protection) => {
      const { auth, server } = await guarded({}, protection)
      expect((await find(server)).server.issuer).toBe(auth.issuer)
    },
  )

  it('tries those in vain before it falls back to older rules (AUTH-30, V11-45)', async () => {
    const server = await alone()
    expect((await find(server)).rules).toBe('2025-03-26')
    expect(server.auth.seen.map(({ path }) => path).slice(0, 2)).toEqual([
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-protected-resource',
    ])
  })

  it('asks the authorization server for metadata as RFC 8414 says (AUTH-49)', async () => {
    const { auth, server } = await guarded({ path: '/tenant' })
    expect((await find(server)).server.issuer).toBe(`${auth.origin}/tenant`)
    expect(auth.seen.map(({ path }) => path)).toEqual(['/.well-known/oauth-authorization-server/tenant'])
  })

  it.each(['openid', 'openid-after-path'] as const)(
    'finds the metadata by OpenID discovery, too: %s (V11-42)',
    async (metadata) => {
      const { auth, server } = await guarded({ path: '/tenant', metadata })
      expect((await find(server)).server.token_endpoint).toBe(`${auth.origin}/tenant/oauth2/token`)
    },
  )

  it('has every address, best first (V26-AUTH-16)', () => {
    expect(resourceMetadataUrls('https://a.example/x/mcp')).toEqual([
      'https://a.example/.well-known/oauth-protected-resource/x/mcp',
      'https://a.example/.well-known/oauth-protected-resource',
    ])
    expect(resourceMetadataUrls('https://a.example')).toEqual(['https://a.example/.well-known/oauth-protected-resource'])
    expect(serverMetadataUrls('https://a.example/t')).toEqual([
      'https://a.example/.well-known/oauth-authorization-server/t',
      'https://a.example/.well-known/openid-configuration/t',
      'https://a.example/t/.well-known/openid-configuration',
    ])
  })
})

describe('The rules of 2025-03-26', () => {
  it('apply without resource metadata: the metadata is at the root, requested with our newest revision (AUTH-32, AUTH-34, AUTH-35)', async () => {
    const server = await alone()
    const found = await find(server)
    expect(found.rules).toBe('2025-03-26')
    expect(found.resource).toBeUndefined()
    expect(server.auth.seen.map(({ path }) => path)).toContain('/.well-known/oauth-authorization-server')
    for (const { headers } of server.auth.seen) expect(headers['mcp-protocol-version']).toBe('2025-11-25')
  })

  it('use the paths of the metadata, never the default ones (AUTH-36)', async () => {
    const server = await alone()
    const { server: found } = await find(server)
    const own = (name: string) => expect.stringMatching(new RegExp(`^${server.origin}/.+/${name}$`))
    expect(found).toMatchObject({ authorization_endpoint: own('authorize'), token_endpoint: own('token') })
  })

  it('fall back to the default paths only after looking for metadata (AUTH-36, AUTH-37, TRAP-41)', async () => {
    const server = await alone({ metadata: 'none', defaultPaths: true })
    const found = await find(server)
    expect(server.auth.seen.at(-1)?.path).toBe('/.well-known/oauth-authorization-server')
    expect(found.server).toMatchObject({
      authorization_endpoint: `${server.origin}/authorize`,
      token_endpoint: `${server.origin}/token`,
      registration_endpoint: `${server.origin}/register`,
    })
  })

  it('accept no other authorization server than the server’s own origin', async () => {
    const server = await alone({ claims: { issuer: 'https://elsewhere.example' } })
    await expect(find(server)).rejects.toEqual(failure('discovery', /sends you to/))
  })
})

describe('Discovery fails and says why', () => {
  it('when the authorization server has no metadata, since the default paths are not for it (AUTH-50, TRAP-39)', async () => {
    const { auth, server } = await guarded({ metadata: 'none' })
    await expect(find(server)).rejects.toEqual(failure('discovery', /no metadata/))
    expect(auth.seen.every(({ path }) => path.startsWith('/.well-known/'))).toBe(true)
  })

  it.each([
    { resource: 'https://another.example/mcp' },
    { authorization_servers: [] },
    { authorization_servers: ['http://10.0.0.1/'] },
    { authorization_servers: ['file:///etc/passwd'] },
  ])('when the metadata of the server points elsewhere: %o (AUTH-48)', async (claims) => {
    const { server } = await guarded({}, { claims })
    await expect(find(server)).rejects.toEqual(failure('discovery'))
  })

  it.each([
    { issuer: 'https://another.example' },
    { authorization_endpoint: 'http://10.0.0.1/authorize' },
    { token_endpoint: 'http://example.com/token' },
    { token_endpoint: undefined },
    { authorization_endpoint: undefined },
    { code_challenge_methods_supported: ['plain'] },
    { code_challenge_methods_supported: undefined },
  ])('when the authorization server is the wrong one, or not safe: %o (AUTH-13, AUTH-48, V11-43)', async (claims) => {
    const { server } = await guarded({ claims })
    await expect(find(server)).rejects.toEqual(failure('discovery'))
  })

  it.each(['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'])(
    'when %s is on another host than an issuer whose answers do not name it',
    async (endpoint) => {
      const { auth: other } = await guarded()
      const { auth, server } = await guarded({ claims: { [endpoint]: `${other.origin}/oauth2/x` }, announcesIss: false })
      await expect(find(server)).rejects.toEqual(failure('discovery', /on another host/))
      auth.behaviour.announcesIss = true
      expect((await find(server)).server.issuer).toBe(auth.issuer)
    },
  )

  it('when the authorization server’s name differs by one letter (AUTH-48, V26-AUTH-5)', async () => {
    const { auth, server } = await guarded()
    for (const [named, own] of [
      [`${auth.origin}/`, auth.origin],
      [auth.origin, `${auth.origin}/`],
    ]) {
      Object.assign(server.protection, { claims: { authorization_servers: [named] } })
      Object.assign(auth.behaviour, { claims: { issuer: own } })
      await expect(find(server)).rejects.toEqual(failure('discovery', new RegExp(`at ${named} says that it is ${own}\\.$`)))
    }
  })

  it.each(['oauth', 'openid'] as const)(
    'when the metadata does not promise PKCE with S256: %s metadata (V26-AUTH-15)',
    async (metadata) => {
      const { server } = await guarded({ metadata, pkce: undefined })
      await expect(find(server)).rejects.toEqual(failure('discovery', /PKCE/))
    },
  )

  it('when the authorization server’s own name is not an address', async () => {
    const server = await alone({ claims: { issuer: 'me' } })
    await expect(find(server)).rejects.toEqual(failure('discovery', /sends you to/))
  })

  it('when the challenge names an address without metadata (AUTH-44)', async () => {
    const { auth, server } = await guarded({ metadata: 'broken' })
    const named = { resourceMetadata: `${auth.origin}/.well-known/oauth-authorization-server` }
    await expect(find(server, named)).rejects.toEqual(failure('discovery', /has no metadata/))
  })
})

describe('The choice among several authorization servers', () => {
  it('is stable: the one used before, else the first that may be used (AUTH-47)', async () => {
    const { auth: first } = await guarded()
    const { auth: second, server } = await guarded()
    Object.assign(server.protection, {
      claims: { authorization_servers: ['http://insecure.example', first.issuer, second.issuer] },
    })
    expect((await find(server)).server.issuer).toBe(first.issuer)
    expect((await find(server, {}, second.issuer)).server.issuer).toBe(second.issuer)
    expect((await find(server, {}, 'https://gone.example')).server.issuer).toBe(first.issuer)
  })
})

describe('A hostile metadata address', () => {
  async function hostile(answer: (path: string) => { status: number; location?: string; body?: string }) {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      const { status, location, body } = answer(request.url ?? '')
      response.writeHead(status, location === undefined ? {} : { location }).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    return { asked, run: () => discover({ serverUrl: url, challenge: {}, http: signInHttp(url), signal }) }
  }

  it('may redirect within its origin and a few times, never to another place (AUTH-28)', async () => {
    const { auth } = await guarded()
    const away = await hostile(() => ({ status: 302, location: auth.issuer }))
    await expect(away.run()).rejects.toEqual(failure('unreachable', /another address/))
    expect(auth.seen).toEqual([])
    const circle = await hostile((path) => ({ status: 302, location: `${path}x` }))
    await expect(circle.run()).rejects.toEqual(failure('unreachable', /without end/))
    expect(circle.asked.length).toBeLessThan(10)
  })

  it('may not answer endlessly (AUTH-28)', async () => {
    const large = await hostile(() => ({ status: 200, body: 'x'.repeat(300 * 1024) }))
    await expect(large.run()).rejects.toEqual(failure('discovery', /too large/))
  })
})
