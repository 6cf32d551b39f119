// Duties of a sign-in that 2026-07-28 adds to the older revisions.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { testAuthorization, testConnector } from '../../e2e/support/sign-in-http.ts'
import { WillingPerson } from '../../e2e/support/willing-person.ts'
import { guarded } from '../../e2e/test-hosts/sign-in-host.ts'
import type { AuthResponse } from './auth-http.ts'
import { authorizedFetch, type SessionRequest } from './authorized-fetch.ts'

const signal = new AbortController().signal
const letGo = ({ body }: AuthResponse) => body.on('error', () => {}).destroy()

interface More extends Pick<SessionRequest, 'aside' | 'waits' | 'bound'> {
  readonly headers?: Record<string, string>
}

/** A session with the server, as a transport would use it; `ask` resolves with the status. */
function session(url: string, made = testAuthorization(url)) {
  const fetch = authorizedFetch(testConnector().request, made.authorization)
  const ask = async (rpc: string, name?: string, more: More = {}) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: rpc, ...(name && { params: { name } }) })
    const response = await fetch({ method: 'POST', url, headers: {}, body, signal, ...more })
    letGo(response)
    return response.status
  }
  return { ...made, ask }
}

describe('The issuer of an answer', () => {
  it('is compared with the one recorded before the browser opened, not with newer metadata (V26-AUTH-1)', async () => {
    const { auth, server } = await guarded()
    const person = new WillingPerson()
    const go = person.confirm.bind(person)
    person.confirm = (...given) => {
      auth.behaviour.claims = { issuer: 'https://evil.example', token_endpoint: 'https://evil.example/token' }
      auth.behaviour.iss = () => ['https://evil.example']
      return go(...given)
    }
    const { ask } = session(server.url, testAuthorization(server.url, {}, person))
    await expect(ask('ping')).rejects.toMatchObject({ code: 'issuer-mismatch' })
    expect(auth.seen.filter(({ path }) => path.includes('/.well-known/'))).toHaveLength(1)
    expect(auth.at('/oauth2/token')).toEqual([])
  })

  it.each([
    ['its name', 'announced', 'right', true],
    ['its name', 'not announced', 'right', false],
    ['no name', 'not announced', 'missing', false],
  ] as const)('may be told with %s, %s (V26-AUTH-2)', async (_what, _how, iss, announcesIss) => {
    const { server } = await guarded({ iss, announcesIss })
    expect(await session(server.url).ask('ping')).toBe(200)
  })

  it.each([
    ['no name', 'missing', true],
    ['another name', 'wrong', true],
    ['another name, without having announced one', 'wrong', false],
    ['an empty name, without having announced one', () => [''], false],
    ['two names', (issuer: string) => [issuer, 'https://evil.example'], true],
  ] as const)(
    'is the wrong one when the answer says %s: the code is not redeemed (V26-AUTH-2)',
    async (_what, iss, announcesIss) => {
      const { auth, server } = await guarded({ iss, announcesIss })
      await expect(session(server.url).ask('ping')).rejects.toMatchObject({ code: 'issuer-mismatch' })
      expect(auth.at('/oauth2/token')).toEqual([])
    },
  )

  it.each([
    ['a slash at the end', (issuer: string) => [`${issuer}/`]],
    ['other case', (issuer: string) => [issuer.replace('http', 'HTTP')]],
    ['a letter encoded', (issuer: string) => [issuer.replace('tenant', '%74enant')]],
    ['a dot segment', (issuer: string) => [issuer.replace('/tenant', '/./tenant')]],
  ] as const)('is compared letter by letter: %s differs (V26-AUTH-3)', async (_what, iss) => {
    const { auth, server } = await guarded({ iss, path: '/tenant', announcesIss: false })
    await expect(session(server.url).ask('ping')).rejects.toMatchObject({ code: 'issuer-mismatch' })
    expect(auth.at('/tenant/oauth2/token')).toEqual([])
  })

  it.each(['error', 'deny'] as const)('is compared before a refusal is believed or shown: %s (V26-AUTH-4)', async (page) => {
    const { auth, server } = await guarded({ page, iss: 'wrong' })
    const failed = await session(server.url)
      .ask('ping')
      .catch((error: unknown) => error)
    expect(failed).toMatchObject({ code: 'issuer-mismatch', message: expect.not.stringMatching(/permission|refused|denied/i) })
    expect(auth.at('/oauth2/token')).toEqual([])
  })
})

describe('The token of a sign-in', () => {
  it('replaces a configured one (V26-HTTP-28)', async () => {
    const { server } = await guarded()
    const { ask } = session(server.url)
    expect(await ask('ping')).toBe(200)
    expect(await ask('ping', undefined, { headers: { authorization: 'Bearer configured' }, bound: true })).toBe(200)
  })
})

describe('After a server names another authorization server', () => {
  it('the client registers there, and nothing of the first one reaches it (V26-AUTH-6)', async () => {
    const { auth: first, server } = await guarded({ registration: 'with-secret' })
    const { auth: second } = await guarded({ registration: 'with-secret' })
    const { ask, store } = session(server.url)
    expect(await ask('ping')).toBe(200)
    first.revokeAll()
    Object.assign(server.protection, { claims: { authorization_servers: [second.issuer] } })
    // The server does not know the second one's token: only the number of requests counts here.
    await ask('ping')
    expect(second.registrations).toHaveLength(1)
    expect(second.grants('refresh_token')).toEqual([])
    const said = JSON.stringify(second.seen)
    for (const kept of [...first.clients.keys(), ...first.secrets]) expect(said).not.toContain(kept)
    expect(store.grants.map(({ issuer }) => issuer)).toEqual([second.issuer])
  })

  it('the client registers there even if both are tenants of one host (V26-AUTH-6)', async () => {
    const { auth, server } = await guarded({ registration: 'with-secret', path: '/one' })
    const { ask, store } = session(server.url)
    expect(await ask('ping')).toBe(200)
    const kept = [...auth.clients.keys(), ...auth.secrets]
    auth.revokeAll()
    auth.behaviour.path = '/two'
    Object.assign(server.protection, { claims: { authorization_servers: [auth.issuer] } })
    await ask('ping')
    expect(auth.registrations).toHaveLength(2)
    const said = JSON.stringify(auth.seen.filter(({ path }) => path.includes('/two')))
    expect(said).toContain('/two/oauth2/token')
    for (const secret of kept) expect(said).not.toContain(secret)
    expect(store.grants.map(({ issuer }) => issuer)).toEqual([auth.issuer])
  })

  it('a client ID entered for the first is reported, and not tried (V26-AUTH-7)', async () => {
    const { auth: first, server } = await guarded({ registration: 'closed' })
    const { auth: second } = await guarded({ registration: 'closed' })
    first.clients.set('typed', { redirectUris: ['*'], method: 'none' })
    const { ask, person } = session(server.url)
    person.client = { clientId: 'typed' }
    expect(await ask('ping')).toBe(200)
    first.revokeAll()
    person.client = undefined
    Object.assign(server.protection, { claims: { authorization_servers: [second.issuer] } })
    await expect(ask('ping')).rejects.toMatchObject({ code: 'denied' })
    expect(person.clientsAsked.map(({ issuer, former }) => [issuer, former])).toEqual([
      [first.issuer, undefined],
      [second.issuer, first.issuer],
    ])
    expect([...second.at('/oauth2/authorize'), ...second.at('/oauth2/token')]).toEqual([])
  })
})

describe('The identity of the client', () => {
  const metadataUrl = 'https://parley.example/client-metadata.json'

  it('is a document that matches what is used, at an https address with a path (V26-AUTH-8)', async () => {
    const document: unknown = JSON.parse(readFileSync(new URL('../../assets/client-metadata.json', import.meta.url), 'utf8'))
    expect(document).toMatchObject({ client_id: metadataUrl, client_name: 'Parley' })
    const { auth, server } = await guarded({ metadataDocuments: true })
    expect(await session(server.url, testAuthorization(server.url, { metadataUrl })).ask('ping')).toBe(200)
    const { redirect_uri: used = '' } = auth.at('/oauth2/authorize')[0]?.params ?? {}
    expect(document).toMatchObject({ redirect_uris: [used.replace(/:\d+/, '')] })
    for (const wrong of ['http://parley.example/client-metadata.json', 'https://parley.example/']) {
      const other = await guarded({ metadataDocuments: true })
      expect(await session(other.server.url, testAuthorization(other.server.url, { metadataUrl: wrong })).ask('ping')).toBe(200)
      expect(other.auth.at('/oauth2/authorize')[0]?.params.client_id).not.toBe(wrong)
    }
  })

  it('is a document before a registration, and a registration before a question (V26-AUTH-9)', async () => {
    const both = await guarded({ metadataDocuments: true, registration: 'open' })
    await session(both.server.url, testAuthorization(both.server.url, { metadataUrl })).ask('ping')
    expect(both.auth.registrations).toEqual([])
    const open = await guarded()
    const made = session(open.server.url, testAuthorization(open.server.url, { metadataUrl }))
    await made.ask('ping')
    expect([open.auth.registrations.length, made.person.clientsAsked]).toEqual([1, []])
    const closed = await guarded({ registration: 'closed' })
    const asking = session(closed.server.url, testAuthorization(closed.server.url, { metadataUrl }))
    await expect(asking.ask('ping')).rejects.toMatchObject({ code: 'denied' })
    expect(asking.person.clientsAsked).toHaveLength(1)
  })

  it('is registered as a native app with refresh tokens, and a refusal is told (V26-AUTH-10, V26-AUTH-13)', async () => {
    const { auth, server } = await guarded()
    await session(server.url).ask('ping')
    expect(auth.registrations).toMatchObject([
      { application_type: 'native', grant_types: expect.arrayContaining(['authorization_code', 'refresh_token']) },
    ])
    const refused = await guarded({ registration: 'refused' })
    await expect(session(refused.server.url).ask('ping')).rejects.toMatchObject({
      code: 'registration',
      message: expect.stringContaining('No new apps today'),
    })
  })
})

describe('A repeated sign-in', () => {
  it('asks for all scopes of before and the new ones, even after a sign-in has expired (V26-AUTH-12)', async () => {
    const { auth, server } = await guarded({}, { scopes: ['basic'], needs: { admin: 'admin' } })
    const { ask, person } = session(server.url)
    expect(await ask('tools/call', 'admin')).toBe(200)
    auth.revokeAll()
    Object.assign(server.protection, { scopes: ['more'] })
    expect(await ask('ping')).toBe(200)
    expect(person.asked.map(({ reason, scopes }) => [reason, scopes.join(' ')])).toEqual([
      ['first', 'basic'],
      ['more-scopes', 'basic admin'],
      ['expired', 'basic admin more'],
    ])
  })

  it('asks twice for a scope that is never granted; the refusal is then final until a sign-out (V26-AUTH-12)', async () => {
    const { server } = await guarded({ withholds: ['admin'] }, { scopes: ['basic'], needs: { admin: 'admin' } })
    const { ask, person, authorization } = session(server.url)
    for (let call = 1; call <= 4; call++) expect(await ask('tools/call', 'admin')).toBe(403)
    expect(person.asked.map(({ reason }) => reason)).toEqual(['first', 'more-scopes', 'more-scopes'])
    await authorization.forget(false)
    expect(await ask('tools/call', 'admin')).toBe(403)
    expect(person.asked.slice(3).map(({ scopes }) => scopes.join(' '))).toEqual(['basic', 'basic admin'])
  })

  it.each([
    [['a', 'offline_access'], { scopes: ['a'] }, 'a offline_access'],
    [['a'], { scopes: ['a'] }, 'a'],
    [['a'], { scopesSupported: ['a', 'offline_access'] }, 'a'],
    [undefined, { scopesSupported: ['a', 'offline_access'] }, 'a'],
  ])(
    'asks for offline access only where the authorization server lists it: %o, %o (V26-AUTH-13)',
    async (scopesSupported, protection, scope) => {
      const { auth, server } = await guarded({ scopesSupported }, protection)
      await session(server.url).ask('ping')
      expect(auth.at('/oauth2/authorize')[0]?.params.scope).toBe(scope)
    },
  )
})

describe('Each request', () => {
  it('carries the token in its header, a listening stream too, for the resource as published (V26-AUTH-14)', async () => {
    const { auth, server } = await guarded({}, { path: '/Team/mcp' })
    const { ask } = session(server.url)
    expect(await ask('tools/list')).toBe(200)
    expect(await ask('subscriptions/listen', undefined, { aside: true, waits: true })).toBe(200)
    expect(server.answered('subscriptions/listen', 200).map(({ token }) => token)).toEqual([expect.stringContaining('canary')])
    for (const { url } of server.seen) expect(url).not.toContain('canary')
    const asked = [...auth.at('/oauth2/authorize'), ...auth.at('/oauth2/token')]
    expect(asked.map(({ params }) => params.resource)).toEqual([server.url, server.url])
  })

  it.each(['tools/call', 'prompts/get', 'server/discover'])(
    'may be challenged, and is sent again after the sign-in: %s (V26-AUTH-17)',
    async (rpc) => {
      const { auth, server } = await guarded()
      const { ask, person } = session(server.url)
      await ask('ping')
      auth.revokeAll()
      expect(await ask(rpc, 'whoami')).toBe(200)
      expect([server.answered(rpc, 401).length, server.answered(rpc, 200).length]).toEqual([1, 1])
      expect(person.asked).toHaveLength(2)
    },
  )

  it('with the state of a round is not sent for the next person, but for a renewed token (V26-MRTR-18)', async () => {
    const { auth, server } = await guarded()
    const { ask, person } = session(server.url)
    await ask('ping')
    auth.expire()
    expect(await ask('tools/call', 'whoami', { bound: true })).toBe(200)
    auth.revokeAll()
    expect(await ask('tools/call', 'whoami', { bound: true })).toBe(401)
    expect(person.asked).toHaveLength(1)
  })

  it('opens no browser in the background; a stream continues once somebody has signed in (V26-AUTH-17)', async () => {
    const { server } = await guarded()
    const { ask, person } = session(server.url)
    const listening = ask('subscriptions/listen', undefined, { aside: true, waits: true })
    expect(await ask('notifications/cancelled', undefined, { aside: true })).toBe(401)
    expect(person.asked).toEqual([])
    expect(await ask('tools/list')).toBe(200)
    expect(await listening).toBe(200)
    expect(person.asked).toHaveLength(1)
  })
})
