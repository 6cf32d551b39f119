import { describe, expect, it, onTestFinished } from 'vitest'
import { ProtectedServer } from '../../e2e/servers/protected-server.ts'
import { browse } from '../../e2e/support/browse.ts'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { testAuthorization, testConnector } from '../../e2e/support/sign-in-http.ts'
import { WillingPerson } from '../../e2e/support/willing-person.ts'
import { guarded } from '../../e2e/test-hosts/sign-in-host.ts'
import type { AuthResponse } from './auth-http.ts'
import type { AuthorizationState } from './authorization.ts'
import { authorizedFetch } from './authorized-fetch.ts'
import type { AuthorizationRequest } from './person.ts'
import { TokenStore } from './token-store.ts'

const signal = new AbortController().signal
const PING = { method: 'POST' as const, headers: {}, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}', signal }

const letGo = ({ body }: AuthResponse) => body.on('error', () => {}).destroy()

/** A session with the server, as a transport would use it. */
function session(url: string, made = testAuthorization(url)) {
  const fetch = authorizedFetch(testConnector().request, made.authorization)
  return { ...made, fetch, ping: async () => (await fetch({ ...PING, url })).status }
}

describe('The authorization request', () => {
  it('carries PKCE with S256, a state, and the addresses of the redirect and the server (AUTH-09, AUTH-12, AUTH-51)', async () => {
    const { auth, server } = await guarded()
    const { ping } = session(server.url)
    expect(await ping()).toBe(200)
    const [asked] = auth.at('/oauth2/authorize')
    expect(asked?.params).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      resource: server.url,
    })
    const [client] = [...auth.clients.values()]
    expect(client?.redirectUris).toEqual([asked?.params.redirect_uri])
  })

  it('names the server even where that is ignored, and so does every token request (AUTH-52, AUTH-53, AUTH-56)', async () => {
    const { auth, server } = await guarded({ path: '/t' }, { path: '/Team/mcp' })
    const { ping } = session(server.url)
    await ping()
    auth.expire()
    expect(await ping()).toBe(200)
    expect(server.url).toMatch(/\/Team\/mcp$/)
    expect(auth.seen.filter(({ path }) => path === '/t/oauth2/token').map(({ params }) => params.resource)).toEqual([
      server.url,
      server.url,
    ])
  })

  it('names no resource under the rules of 2025-03-26, and still has PKCE (AUTH-38, AUTH-42)', async () => {
    const server = await ProtectedServer.start({ metadata: 'none', defaultPaths: true })
    onTestFinished(() => server.stop())
    expect(await session(server.url).ping()).toBe(200)
    const requests = [...server.auth.at('/authorize'), ...server.auth.at('/token')]
    expect(requests).toHaveLength(2)
    for (const { params } of requests) expect(params).not.toHaveProperty('resource')
    expect(requests[0]?.params.code_challenge_method).toBe('S256')
    expect(requests[1]?.params.code_verifier).toBeDefined()
  })

  it.each([
    [{ scopes: ['a', 'b'], scopesSupported: ['c'] }, 'a b'],
    [{ scopes: undefined, scopesSupported: ['c', 'd'] }, 'c d'],
    [{ scopes: undefined, scopesSupported: undefined }, undefined],
  ])(
    'asks for the scopes of the challenge, else those of the metadata, else none: %o → %s (V11-41, V26-AUTH-11)',
    async (protection, scope) => {
      const { auth, server } = await guarded({}, protection)
      await session(server.url).ping()
      expect(auth.at('/oauth2/authorize')[0]?.params.scope).toBe(scope)
    },
  )

  it('asks for offline access where the authorization server lists it', async () => {
    const { auth, server } = await guarded({ scopesSupported: ['a', 'offline_access'] }, { scopes: ['a'] })
    await session(server.url).ping()
    expect(auth.at('/oauth2/authorize')[0]?.params).toMatchObject({ scope: 'a offline_access', prompt: 'consent' })
  })
})

describe('Registration', () => {
  it('happens without the person, as a native public client (AUTH-14, AUTH-39, AUTH-40)', async () => {
    const { auth, server } = await guarded()
    const { ping, person } = session(server.url)
    expect(await ping()).toBe(200)
    expect(auth.at('/oauth2/register')).toHaveLength(1)
    expect(person.clientsAsked).toEqual([])
    const [token] = auth.at('/oauth2/token')
    expect(token?.params).not.toHaveProperty('client_secret')
    expect(token?.headers).not.toHaveProperty('authorization')
  })

  it.each([['client_secret_basic'], ['client_secret_post']])(
    'with a secret makes a confidential client: %s (AUTH-59)',
    async (method) => {
      const { auth, server } = await guarded({ registration: 'with-secret', authMethods: [method] })
      expect(await session(server.url).ping()).toBe(200)
      const [token] = auth.at('/oauth2/token')
      expect(token?.headers.authorization !== undefined).toBe(method === 'client_secret_basic')
      expect(token?.params.client_secret !== undefined).toBe(method === 'client_secret_post')
    },
  )

  it('asks the person where apps cannot register themselves, and says what to register (AUTH-15, TRAP-43)', async () => {
    const { auth, server } = await guarded({ registration: 'closed' })
    const made = session(server.url)
    made.person.client = { clientId: 'typed', clientSecret: 'canary-typed-secret' }
    auth.clients.set('typed', { redirectUris: ['*'], secret: 'canary-typed-secret', method: 'client_secret_basic' })
    expect(await made.ping()).toBe(200)
    const [asked] = auth.at('/oauth2/authorize')
    const tokenHost = new URL(auth.issuer).host
    expect(made.person.clientsAsked).toEqual([{ issuer: auth.issuer, tokenHost, redirectUri: asked?.params.redirect_uri }])
  })

  it('is over when the person has no client, or the server wants none (AUTH-15, AUTH-31)', async () => {
    const closed = await guarded({ registration: 'closed' })
    await expect(session(closed.server.url).ping()).rejects.toMatchObject({ code: 'denied' })
    const refused = await guarded({ registration: 'refused' })
    await expect(session(refused.server.url).ping()).rejects.toMatchObject({
      code: 'registration',
      message: expect.stringContaining('No new apps today'),
    })
  })

  it('by hand holds for the issuer and the address it was entered for, and is asked for again elsewhere (AUTH-15)', async () => {
    const { auth, server } = await guarded({ registration: 'closed' })
    const { auth: other } = await guarded({ registration: 'closed' })
    const made = session(server.url)
    const client = { clientId: 'typed', clientSecret: 'canary-typed-secret' }
    for (const one of [auth, other]) {
      one.clients.set('typed', { redirectUris: ['*'], secret: client.clientSecret, method: 'client_secret_basic' })
    }
    made.person.client = client
    await made.ping()
    auth.revokeAll()
    await made.ping()
    expect(made.person.clientsAsked).toHaveLength(1)
    made.person.client = undefined
    auth.revokeAll()
    auth.behaviour.claims = { token_endpoint: `${auth.origin.replace('127.0.0.1', 'localhost')}/oauth2/token` }
    await expect(made.ping()).rejects.toMatchObject({ code: 'denied' })
    auth.behaviour.claims = {}
    Object.assign(server.protection, { claims: { authorization_servers: [other.issuer] } })
    await expect(made.ping()).rejects.toMatchObject({ code: 'denied' })
    expect(made.person.clientsAsked.map(({ issuer }) => issuer)).toEqual([auth.issuer, auth.issuer, other.issuer])
    expect(other.at('/oauth2/token')).toEqual([])
  })

  it('uses a document on the web only where one is configured and the server reads it (V11-44)', async () => {
    const { auth, server } = await guarded({ metadataDocuments: true })
    const metadataUrl = 'https://parley.example/client-metadata.json'
    expect(await session(server.url, testAuthorization(server.url, { metadataUrl })).ping()).toBe(200)
    expect(auth.at('/oauth2/register')).toEqual([])
    expect(auth.at('/oauth2/authorize')[0]?.params.client_id).toBe(metadataUrl)
    const other = await guarded()
    expect(await session(other.server.url, testAuthorization(other.server.url, { metadataUrl })).ping()).toBe(200)
    expect(other.auth.at('/oauth2/register')).toHaveLength(1)
  })
})

describe('The token', () => {
  it('goes into the header of every request, never into an address (AUTH-16, AUTH-17, AUTH-18)', async () => {
    const { server } = await guarded()
    const { fetch, ping } = session(server.url)
    await ping()
    for (const method of ['GET', 'DELETE'] as const) letGo(await fetch({ method, url: server.url, headers: {}, signal }))
    const good = server.seen.filter(({ status }) => status === 200)
    expect(good.map(({ method }) => method)).toEqual(['POST', 'GET', 'DELETE'])
    for (const { url } of server.seen) expect(url).not.toContain('canary')
  })

  it('goes to its own server and nowhere else (AUTH-25, AUTH-57)', async () => {
    const one = await guarded()
    const other = await guarded()
    const { fetch, ping } = session(one.server.url)
    await ping()
    const response = await fetch({ ...PING, url: other.server.url })
    expect(response.status).toBe(401)
    expect(other.server.seen.map(({ token }) => token)).toEqual([undefined])
  })

  it('is renewed once, however many requests find it expired, and the newest refresh token counts (AUTH-23, AUTH-58)', async () => {
    const { auth, server } = await guarded()
    const { ping, person } = session(server.url)
    await ping()
    for (let round = 1; round <= 3; round++) {
      auth.expire()
      expect(await Promise.all(Array.from({ length: 10 }, ping))).toEqual(Array.from({ length: 10 }, () => 200))
      expect(auth.grants('refresh_token')).toHaveLength(round)
    }
    const used = auth.grants('refresh_token').map(({ params }) => params.refresh_token)
    expect(new Set(used).size).toBe(3)
    expect(person.asked).toHaveLength(1)
  })

  it('is renewed ahead of its end (AUTH-58)', async () => {
    const clock = new ManualClock(Date.now())
    const { auth, server } = await guarded({ tokenLife: 3600 })
    const { ping } = session(server.url, testAuthorization(server.url, { clock }))
    await ping()
    clock.advance(3_500_000)
    await ping()
    expect(auth.grants('refresh_token')).toHaveLength(0)
    clock.advance(80_000)
    expect(await ping()).toBe(200)
    expect(auth.grants('refresh_token')).toHaveLength(1)
    expect(server.seen.filter(({ status }) => status === 401)).toHaveLength(1)
  })

  it('is obtained by a new sign-in when its renewal is refused, and that reason is told (AUTH-20)', async () => {
    const { auth, server } = await guarded()
    const { ping, person } = session(server.url)
    await ping()
    auth.revokeAll()
    expect(await ping()).toBe(200)
    expect(person.asked.map(({ reason }) => reason)).toEqual(['first', 'expired'])
  })

  it('ends the attempts when it is refused although it is new (AUTH-20)', async () => {
    const { auth, server } = await guarded({}, { refuses: 401 })
    const { ping, person, authorization } = session(server.url)
    expect(await ping()).toBe(401)
    expect(person.asked).toHaveLength(1)
    expect(server.seen.length).toBeLessThanOrEqual(4)
    expect(auth.grants('authorization_code')).toHaveLength(1)
    expect(authorization.state).toMatchObject({ is: 'needed', problem: { code: 'refused' } })
  })

  it('is not asked for again when a 403 names no scope that would help (AUTH-21)', async () => {
    const { server } = await guarded()
    const { ping, person } = session(server.url)
    await ping()
    Object.assign(server.protection, { refuses: 403 })
    expect(await ping()).toBe(403)
    expect(person.asked).toHaveLength(1)
  })

  it('for more permissions keeps the earlier ones, and is asked for once (V11-40)', async () => {
    const { auth, server } = await guarded({}, { scopes: ['basic'], needs: { admin: 'admin' } })
    const { fetch, person } = session(server.url)
    const call = async () =>
      (
        await fetch({
          ...PING,
          url: server.url,
          body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"admin"}}',
        })
      ).status
    expect(await call()).toBe(200)
    expect(person.asked.map(({ reason, scopes }) => [reason, scopes.join(' ')])).toEqual([
      ['first', 'basic'],
      ['more-scopes', 'basic admin'],
    ])
    Object.assign(server.protection, { refuses: undefined, needs: { admin: 'never-granted' } })
    auth.behaviour.page = 'deny'
    await expect(call()).rejects.toMatchObject({ code: 'denied' })
    expect(person.asked).toHaveLength(3)
  })

  it('for permissions that nobody grants is asked for once, and the refusal stands (V11-40)', async () => {
    const { server } = await guarded({ withholds: ['admin'] }, { scopes: ['basic'], needs: { admin: 'admin' } })
    const { fetch, person } = session(server.url)
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"admin"}}'
    expect((await fetch({ ...PING, url: server.url, body })).status).toBe(403)
    expect(person.asked.map(({ reason }) => reason)).toEqual(['first', 'more-scopes'])
  })
})

describe('A sign-in for more permissions', () => {
  it('asks for all that was asked for before, granted or not, and for what is needed now (V11-40)', async () => {
    const { auth, server } = await guarded(
      { grants: ['basic', 'admin'] },
      { scopes: ['basic', 'extra'], needs: { admin: 'admin' } },
    )
    const { fetch, person } = session(server.url)
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"admin"}}'
    expect((await fetch({ ...PING, url: server.url, body })).status).toBe(200)
    expect(person.asked.map(({ scopes }) => scopes.join(' '))).toEqual(['basic extra', 'basic extra admin'])
    expect([...auth.tokens.values()].at(-1)?.scopes).toEqual(['basic', 'admin'])
  })
})

describe('The lifetime of a token', () => {
  const YEAR = 365 * 24 * 3600

  it.each([
    ['a number that no date can hold', 1e300, 10 * YEAR],
    ['a number that JSON cannot hold', '1e999', 10 * YEAR],
    ['a text', '3600', 3600],
    ['less than nothing', -5, undefined],
    ['no number', 'soon', undefined],
    ['null', null, undefined],
  ])('is bounded where it is read: %s', async (_what, tokenLife, seconds) => {
    const clock = new ManualClock(1_000_000)
    const { server } = await guarded({ tokenLife })
    const { ping, store } = session(server.url, testAuthorization(server.url, { clock }))
    expect(await ping()).toBe(200)
    const [grant] = store.grants
    expect(grant?.tokens?.expiresAt).toBe(seconds === undefined ? undefined : 1_000_000 + seconds * 1000)
  })

  it('is bounded again where it is stored, and so is that of a client’s secret', async () => {
    const { auth, server } = await guarded({ registration: 'with-secret', secretLife: 1e306 })
    const made = session(server.url)
    await made.ping()
    const kept = [...made.box.texts].map(([id, text]) => [id, text.replace(/"expiresAt":\d+/, '"expiresAt":1e300')] as const)
    expect(kept.join()).toContain('1e300')
    for (const [id, text] of kept) made.box.texts.set(id, text)
    const again = new TokenStore({ secrets: made.box, owner: 'test' })
    await again.load()
    expect(again.grants[0]?.client.clientSecret).toBeDefined()
    expect(() => new Date(again.grants[0]?.tokens?.expiresAt ?? Number.NaN).toISOString()).not.toThrow()
    expect(() => new Date(again.grants[0]?.client.secretEndsAt ?? Number.NaN).toISOString()).not.toThrow()
    expect(auth.seen.length).toBeGreaterThan(0)
  })
})

describe('An open server', () => {
  it('is used without authorization (AUTH-03)', async () => {
    const { auth, server } = await guarded()
    const { fetch, person } = session(server.url)
    const response = await fetch({
      method: 'GET',
      url: `${server.origin}/.well-known/oauth-protected-resource/mcp`,
      headers: {},
      signal,
    })
    expect(response.status).toBe(200)
    letGo(response)
    expect(person.asked).toEqual([])
    expect(auth.seen).toEqual([])
  })
})

describe('A sign-in that goes wrong', () => {
  it.each([
    [{ page: 'deny' }, 'denied'],
    [{ page: 'error' }, 'refused'],
    [{ iss: 'wrong' }, 'issuer-mismatch'],
    [{ iss: 'missing' }, 'issuer-mismatch'],
  ] as const)('ends with one clear error and without a retry: %o (AUTH-31)', async (behaviour, code) => {
    const { auth, server } = await guarded(behaviour)
    const { ping, person } = session(server.url)
    await expect(ping()).rejects.toMatchObject({ name: 'AuthorizationError', code })
    expect(person.asked).toHaveLength(1)
    expect(auth.at('/oauth2/token')).toEqual([])
  })

  it('reports a wrong answer even when the browser is back before the person has agreed', async () => {
    const { auth, server } = await guarded({ state: 'wrong' })
    /** Their browser is quicker than their answer; then they give up. */
    class Quick extends WillingPerson {
      override async confirm({ url }: AuthorizationRequest): Promise<boolean> {
        expect((await browse(url)).text).toContain('This is not the expected answer')
        return true
      }
      override async wait(): Promise<void> {}
    }
    const seen: unknown[] = []
    const onChange = (state: AuthorizationState) => seen.push(state.is === 'under-way' ? state.step?.foreign : undefined)
    const { ping } = session(server.url, testAuthorization(server.url, { onChange }, new Quick()))
    await expect(ping()).rejects.toMatchObject({ code: 'denied' })
    expect(seen).toContain(true)
    expect(auth.at('/oauth2/token')).toEqual([])
  })

  it.each(['right', 'missing'] as const)(
    'gives no code to an issuer that sends people to another one’s page: its answer is %s (AUTH-08)',
    async (iss) => {
      const { auth: honest } = await guarded({ iss })
      const { auth: evil, server } = await guarded({
        claims: {
          authorization_endpoint: `${honest.origin}/oauth2/authorize`,
          registration_endpoint: `${honest.origin}/oauth2/register`,
        },
      })
      await expect(session(server.url).ping()).rejects.toMatchObject({ code: 'issuer-mismatch' })
      expect(honest.at('/oauth2/authorize')).toHaveLength(1)
      expect([...evil.at('/oauth2/token'), ...honest.at('/oauth2/token')]).toEqual([])
    },
  )

  it('names the host that gets the answer, even when the page is on another host (AUTH-24)', async () => {
    const { auth, server } = await guarded()
    const elsewhere = auth.origin.replace('127.0.0.1', 'localhost')
    auth.behaviour.claims = { token_endpoint: `${elsewhere}/oauth2/token` }
    const { ping, person } = session(server.url)
    expect(await ping()).toBe(200)
    expect(person.asked).toMatchObject([{ host: new URL(auth.origin).host, tokenHost: new URL(elsewhere).host }])
  })

  it('reports a request that the authorization server calls malformed (AUTH-22)', async () => {
    const { auth, server } = await guarded()
    auth.behaviour.tokenError = 'invalid_request'
    await expect(session(server.url).ping()).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/calls the request invalid .*HTTP 400.*Something is missing/),
    })
  })

  it('follows no redirect of the token endpoint, which would send the code elsewhere (AUTH-08, AUTH-28)', async () => {
    const { auth: thief } = await guarded()
    const { auth, server } = await guarded({ tokenRedirect: `${thief.origin}/oauth2/token` })
    await expect(session(server.url).ping()).rejects.toMatchObject({ code: 'unreachable' })
    expect(auth.at('/oauth2/token')).toHaveLength(1)
    expect(thief.seen).toEqual([])
  })

  it('stops at “sign-in needed” for a caller that may not ask the person (AUTH-07)', async () => {
    const { auth, server } = await guarded()
    const made = session(server.url, testAuthorization(server.url, { person: () => undefined }))
    await expect(made.ping()).rejects.toMatchObject({ code: 'required' })
    expect(made.authorization.state).toEqual({ is: 'needed', reason: 'first' })
    expect(auth.seen).toEqual([])
  })

  it('is given up when nobody waits for it any longer (AUTH-31)', async () => {
    const { server } = await guarded()
    const { promise, resolve } = Promise.withResolvers<AbortSignal>()
    const person = new WillingPerson()
    person.confirm = (_question, _take, until) => {
      resolve(until)
      return new Promise((_resolve, reject) => until.addEventListener('abort', () => reject(until.reason)))
    }
    const { authorization } = testAuthorization(server.url, {}, person)
    const [one, two] = [new AbortController(), new AbortController()]
    const fetch = authorizedFetch(testConnector().request, authorization)
    const waits = [one, two].map((controller) => fetch({ ...PING, url: server.url, signal: controller.signal }))
    const asked = await promise
    one.abort(new Error('first'))
    await expect(waits[0]).rejects.toThrow('first')
    expect(asked.aborted).toBe(false)
    two.abort(new Error('second'))
    await expect(waits[1]).rejects.toThrow('second')
    expect(asked.aborted).toBe(true)
  })
})

describe('Signing out', () => {
  it('tells the authorization server and forgets, so that the next 401 starts a new sign-in (AUTH-27)', async () => {
    const { auth, server } = await guarded()
    const { ping, person, authorization, box } = session(server.url)
    await ping()
    const kept = () => [...box.texts.values()].join()
    expect(kept()).toContain('canary-access')
    await authorization.forget(false)
    expect(kept()).not.toContain('canary-')
    expect(kept()).toContain('client-')
    expect([...auth.tokens.values(), ...auth.refreshTokens.values()].some(({ alive }) => alive)).toBe(false)
    expect(await ping()).toBe(200)
    expect(person.asked).toHaveLength(2)
    expect(auth.at('/oauth2/register')).toHaveLength(1)
    await authorization.forget(true)
    expect(box.texts.size).toBe(0)
  })
})
