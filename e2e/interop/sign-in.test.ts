import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { ProtectedServer } from '../servers/protected-server.ts'
import { browse } from '../support/browse.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { until } from '../support/until.ts'
import { small } from '../test-hosts/server-host.ts'
import { guarded, SignInHost } from '../test-hosts/sign-in-host.ts'

const START = '2026-11-22T08:00:00Z'
const TASK_SERVER = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } }, cancel: {} } },
    serverInfo: { name: 'protected', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [{ name: 'whoami', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }] }),
  'tasks/result': () => ({ content: [{ type: 'text', text: 'the report' }] }),
}

describe('signing in to a server', () => {
  it('begins with its 401, asks, opens nothing before the answer, and repeats the refused request (AUTH-07, AUTH-24, AUTH-60)', async () => {
    const signing = await SignInHost.open()
    await signing.add()
    const { question, about } = await signing.question()
    expect(question).toMatchObject({ reason: 'first', host: new URL(signing.auth.origin).host, opens: 'page' })
    expect(about).toMatchObject({ serverId: signing.name, origin: 'user' })
    expect(signing.auth.at('/oauth2/authorize')).toEqual([])
    const ended = await signing.signInOnce()
    expect(ended.text).toContain('You can close this tab')
    await signing.host.until(signing.name, 'ready')
    expect(signing.signIn).toMatchObject({ is: 'signed-in' })
    expect(signing.server.answered('server/discover', 401)).toHaveLength(1)
    expect(signing.server.answered('initialize', 200)).toHaveLength(1)
    expect(await signing.call()).toBe('whoami knows you')
  })

  it('opens the system’s browser where the host has one, never before the answer (AUTH-24)', async () => {
    const opened: string[] = []
    const openExternal = async (url: string) => void opened.push(url)
    const signing = await SignInHost.open({}, {}, { platform: { shell: 'electron', openExternal } })
    await signing.add()
    const question = await signing.question()
    expect(question.question.opens).toBe('host')
    expect(opened).toEqual([])
    signing.answer(question, 'continue')
    await until(() => opened[0], 'the browser')
    expect(opened).toEqual([question.question.url])
    await browse(question.question.url)
    await signing.host.until(signing.name, 'ready')
  })

  it('at a server of 2025-03-26 gets the server’s own token, wherever it sends the browser in between (AUTH-04, AUTH-41)', async () => {
    const third = createServer((request, response) => {
      const onward = new URL(request.url ?? '', 'http://third').searchParams.get('continue') ?? ''
      response.writeHead(302, { location: onward, 'set-cookie': 'third=party' }).end()
    })
    await new Promise<void>((resolve) => third.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void third.close())
    const delegate = `http://127.0.0.1:${(third.address() as AddressInfo).port}/login`
    const server = await ProtectedServer.start({ defaultPaths: true, metadata: 'none', delegate })
    onTestFinished(() => server.stop())
    const signing = await SignInHost.of(server)
    await signing.ready()
    const [token] = [...server.auth.tokens.keys()]
    expect(server.answered('initialize', 200).map((one) => one.token)).toEqual([token])
  })

  it('waits while a person takes their time: no deadline of the server runs out', async () => {
    const clock = new ManualClock(Date.now())
    const signing = await SignInHost.open({}, {}, { clock })
    await signing.add()
    const question = await signing.question()
    clock.advance(5 * 60_000)
    signing.answer(question, 'continue')
    await signing.question('waiting')
    clock.advance(5 * 60_000)
    await browse(question.question.url)
    await signing.host.until(signing.name, 'ready')
  })

  it('is each account’s own at two servers of one address: signing out of one leaves the other, over a restart too', async () => {
    const first = await SignInHost.open({ user: 'Ada' })
    await first.ready()
    first.auth.behaviour.user = 'Grace'
    const another = 'guarded 2' as ServerId
    await first.add({}, another)
    expect((await first.question()).about).toMatchObject({ serverId: another })
    await first.signInOnce()
    await first.host.until(another, 'ready')
    expect(await first.call()).toBe('whoami knows Ada')
    expect(await first.host.call(another, 'whoami')).toBe('whoami knows Grace')
    await first.host.host.servers.configured.get(first.name).authorization.forget(true)
    const alive = () => [...first.auth.tokens.values()].filter((token) => token.alive).map(({ user }) => user)
    expect(alive()).toEqual(['Grace'])
    expect(await first.host.call(another, 'whoami')).toBe('whoami knows Grace')
    const again = await first.restarted()
    await again.host.until(again.name, 'needs-sign-in')
    await again.host.until(another, 'ready')
    expect(await again.host.call(another, 'whoami')).toBe('whoami knows Grace')
  })

  it('is silent after a restart, since it is stored with the secrets (AUTH-19)', async () => {
    const first = await SignInHost.open()
    await first.ready()
    const again = await first.restarted()
    await again.host.until(again.name, 'ready')
    expect(again.host.host.state.snapshot.interactions).toEqual([])
    expect(again.auth.grants('authorization_code')).toHaveLength(1)
    expect(again.server.answered('server/discover', 401)).toHaveLength(1)
    expect(again.signIn).toMatchObject({ is: 'signed-in' })
  })

  it('does not begin with an automatic start: the card says what is missing (AUTH-07)', async () => {
    const first = await SignInHost.open()
    await first.ready()
    first.auth.revokeAll()
    const again = await first.restarted()
    const state = await again.host.until(again.name, 'needs-sign-in')
    expect(state.problem).toMatchObject({ code: 'sign-in', todo: 'Sign in.' })
    expect(again.signIn).toMatchObject({ is: 'needed', reason: 'expired' })
    expect(again.host.host.state.snapshot.interactions).toEqual([])
    await again.host.host.servers.controls.authorize(again.name)
    expect((await again.question()).question.reason).toBe('expired')
    await again.signInOnce()
    await again.host.until(again.name, 'ready')
  })

  it.each(['ask', 'waiting'] as const)('can be cancelled at each step: %s (AUTH-31)', async (step) => {
    const signing = await SignInHost.open()
    await signing.add()
    if (step === 'waiting') signing.answer(await signing.question(), 'continue')
    signing.answer(await signing.question(step), 'cancel')
    await signing.host.until(signing.name, 'needs-sign-in')
    expect(signing.signIn).toMatchObject({ is: 'needed', problem: { code: 'sign-in-denied' } })
    expect(signing.host.host.state.snapshot.interactions).toEqual([])
    expect(signing.auth.at('/oauth2/token')).toEqual([])
    expect(signing.server.answered('server/discover', 401)).toHaveLength(1)
  })

  it('can be cancelled from the server’s card, and ends by itself when nobody comes back (AUTH-31)', async () => {
    const clock = new ManualClock(Date.now())
    const signing = await SignInHost.open({}, {}, { clock })
    await signing.add()
    signing.answer(await signing.question(), 'continue')
    await signing.question('waiting')
    expect(signing.signIn).toMatchObject({ is: 'waiting', foreign: false })
    signing.host.host.servers.configured.get(signing.name).authorization.cancel()
    await signing.host.until(signing.name, 'needs-sign-in')
    await signing.host.host.servers.controls.authorize(signing.name)
    signing.answer(await signing.question(), 'continue')
    await signing.question('waiting')
    clock.advance(10 * 60_000)
    await signing.host.until(signing.name, 'needs-sign-in')
    expect(signing.signIn).toMatchObject({ problem: { code: 'sign-in-expired' } })
  })

  it('accepts the pasted address where the browser ended, and refuses any other', async () => {
    const signing = await SignInHost.open()
    await signing.add()
    const question = await signing.question()
    signing.answer(question, 'continue')
    const waiting = await signing.question('waiting')
    const paste = (address: string) => signing.host.host.servers.configured.get(signing.name).authorization.paste(address)
    expect(() => paste('https://evil.example/callback?code=x')).toThrow(/Does it begin with/)
    expect(() => paste(`${waiting.question.redirectUri}?code=x&state=y`)).toThrow(/another sign-in/)
    expect(signing.host.host.state.snapshot.interactions).toHaveLength(1)
    const response = await fetch(waiting.question.url, { redirect: 'manual' })
    paste(response.headers.get('location') ?? '')
    await signing.host.until(signing.name, 'ready')
  })

  it('says on the card that a forged answer was ignored (AUTH-10)', async () => {
    const signing = await SignInHost.open({ state: 'wrong' })
    await signing.add()
    const ended = await signing.signInOnce()
    expect(ended.status).toBe(400)
    await until(() => signing.signIn?.is === 'waiting' && signing.signIn.foreign, 'the remark')
    signing.auth.behaviour.state = 'right'
    await browse((await signing.question('waiting')).question.url)
    await signing.host.until(signing.name, 'ready')
  })
})

describe('a running server', () => {
  it('has an expired token renewed once for ten open calls, and nobody is asked (AUTH-58)', async () => {
    const signing = await SignInHost.open()
    await signing.ready()
    signing.auth.expire()
    const answers = await Promise.all(Array.from({ length: 10 }, () => signing.call()))
    expect(answers).toEqual(Array.from({ length: 10 }, () => 'whoami knows you'))
    expect(signing.auth.grants('refresh_token')).toHaveLength(1)
  })

  it('has an expired sign-in asked for in place, and the call continues after it (AUTH-20, AUTH-60)', async () => {
    const signing = await SignInHost.open()
    await signing.ready()
    signing.auth.revokeAll()
    const call = signing.call()
    const { about, question } = await signing.question()
    expect(question.reason).toBe('expired')
    expect(about.cause).toContain('whoami')
    expect(signing.host.record(signing.name).state.is).toBe('ready')
    await signing.signInOnce()
    expect(await call).toBe('whoami knows you')
  })

  it('has it asked for by a read, an attachment and a prompt, each of which continues; by a suggestion never (AUTH-20, AUTH-60)', async () => {
    const signing = await SignInHost.open()
    await signing.ready()
    const { offerings, conversations, state } = signing.host.host
    const { signal } = new AbortController()
    const { id } = await conversations.create()
    const wanted = {
      'note://mine': () => offerings.resources.read(signing.name, 'note://mine', signal),
      attached: () => conversations.open(id, (one) => one.attachments.attach(signing.name, 'note://mine', signal)),
      greet: () => offerings.prompts.get(signing.name, 'greet', {}, signal),
    }
    for (const [name, want] of Object.entries(wanted)) {
      signing.auth.revokeAll()
      const given = want()
      const { about, question } = await signing.question()
      expect(question.reason).toBe('expired')
      expect(about).toMatchObject({ origin: 'user', cause: expect.stringContaining(name === 'greet' ? 'greet' : 'note://mine') })
      await signing.signInOnce()
      expect(JSON.stringify(await given)).toMatch(/known|Greet/)
    }
    signing.auth.revokeAll()
    const none = await offerings.completion.complete(
      { serverId: signing.name, of: { type: 'prompt', name: 'greet' }, argument: { name: 'who', value: 'A' } },
      signal,
    )
    expect(none).toMatchObject({ values: [], problem: expect.anything() })
    expect(state.snapshot.interactions).toEqual([])
    const refused = offerings.resources.read(signing.name, 'note://mine', signal)
    signing.answer(await signing.question(), 'cancel')
    await expect(refused).rejects.toThrow(/did not sign in/)
    expect(signing.host.record(signing.name).state.is).toBe('ready')
  })

  it('has more permissions asked for in the middle of a call, with the earlier ones (V11-40)', async () => {
    const signing = await SignInHost.open({}, { scopes: ['basic'], needs: { admin: 'admin' } })
    await signing.ready()
    const call = signing.call('admin')
    const { question } = await signing.question()
    expect(question).toMatchObject({ reason: 'more-scopes', scopes: ['basic', 'admin'] })
    await signing.signInOnce()
    expect(await call).toBe('admin knows you')
    expect(signing.signIn).toMatchObject({ is: 'signed-in', scopes: ['basic', 'admin'] })
  })

  it('reports a 403 that no sign-in helps, with at most one question (AUTH-21)', async () => {
    const signing = await SignInHost.open()
    await signing.ready()
    Object.assign(signing.server.protection, { refuses: 403 })
    await expect(signing.call()).rejects.toThrow(/403/)
    expect(signing.host.host.state.snapshot.interactions).toEqual([])
  })

  it('fails a call alone when its question is refused, with the reason (AUTH-31)', async () => {
    const signing = await SignInHost.open()
    await signing.ready()
    signing.auth.revokeAll()
    const call = signing.call()
    signing.answer(await signing.question(), 'cancel')
    await expect(call).rejects.toThrow(/did not sign in/)
    expect(signing.host.record(signing.name).state.is).toBe('ready')
    expect(signing.signIn).toMatchObject({ is: 'needed', reason: 'expired' })
  })
})

describe('a stored sign-in', () => {
  it('is listed per server, and after its deletion the next 401 starts a new one (AUTH-27)', async () => {
    const signing = await SignInHost.open({}, { scopes: ['read'] })
    await signing.ready()
    const listed = () => signing.host.record(signing.name).credentials
    expect(listed()).toEqual([
      {
        issuer: signing.auth.issuer,
        serverUrl: signing.server.url,
        client: 'dynamic',
        signedIn: { at: expect.any(Number), scopes: ['read'], expiresAt: expect.any(Number), renews: true },
      },
    ])
    await signing.host.host.servers.configured.get(signing.name).authorization.forget(true)
    expect(listed()).toEqual([])
    expect([...signing.auth.tokens.values()].some(({ alive }) => alive)).toBe(false)
    const call = signing.call()
    await signing.signInOnce()
    expect(await call).toBe('whoami knows you')
  })

  it('is separate for two servers under one issuer (AUTH-25, AUTH-57, TRAP-44)', async () => {
    const signing = await SignInHost.open()
    await signing.ready()
    const other = await ProtectedServer.start(signing.auth)
    onTestFinished(() => other.stop())
    await signing.host.host.servers.edits.add({ name: 'other', launch: { type: 'remote', url: other.url, headers: {} } })
    await signing.host.answer('other', 'allow')
    expect(new URL((await signing.question()).question.url).searchParams.get('resource')).toBe(other.url)
    await signing.signInOnce()
    await signing.host.until('other', 'ready')
    const tokensOf = (seen: readonly { token: string | undefined }[]) => new Set(seen.flatMap(({ token }) => token ?? []))
    const mine = tokensOf(signing.server.seen)
    expect([...tokensOf(other.seen)].filter((token) => mine.has(token))).toEqual([])
    expect(signing.auth.grants('authorization_code')).toHaveLength(2)
  })

  it('does not follow a changed address (AUTH-57)', async () => {
    const signing = await SignInHost.open()
    await signing.ready()
    const { server: other } = await guarded()
    await signing.host.host.servers.edits.change(signing.name, {
      name: signing.name,
      launch: { type: 'remote', url: other.url, headers: {} },
    })
    await signing.host.answer(signing.name, 'allow')
    await signing.question()
    expect(other.seen.map(({ token }) => token)).toEqual([undefined])
  })
})

describe('A task at a server that requires sign-in', () => {
  it('waits when the sign-in ends and the person declines another, and goes on after a later one, asked for once (TASK-20)', async () => {
    let status = 'working'
    const task = () => ({ taskId: 't', status, createdAt: START, lastUpdatedAt: START, ttl: null, pollInterval: 1000 })
    const signing = await SignInHost.open(
      {},
      { results: { ...TASK_SERVER, 'tasks/get': task, 'tools/call': () => ({ task: task() }) } },
    )
    await signing.ready()
    const call = signing.call()
    await until(() => signing.server.answered('tasks/get', 200)[0], 'the first look')
    signing.auth.revokeAll()
    const question = await signing.question()
    expect(question.about).toMatchObject({ cause: expect.stringContaining('whoami') })
    signing.answer(question, 'cancel')
    await until(() => signing.signIn?.is === 'needed', 'the sign-in to be needed')
    status = 'completed'
    await signing.host.host.servers.controls.authorize(signing.name)
    await signing.signInOnce()
    expect(await call).toBe('the report')
    expect(signing.server.answered('tools/call', 200)).toHaveLength(1)
    expect(signing.host.host.state.snapshot.interactions).toEqual([])
  })
})

describe('authentication in other ways', () => {
  it('uses the person’s own header, and tries no sign-in with it (AUTH-01, AUTH-02)', async () => {
    const signing = await SignInHost.open()
    await signing.ready()
    const token = [...signing.auth.tokens.keys()].at(-1) ?? ''
    const headers = { Authorization: { text: `Bearer ${token}` } }
    const launch = { type: 'remote' as const, url: signing.server.url, headers }
    await signing.host.ready('by-header', launch)
    expect(await signing.host.call('by-header' as ServerId, 'whoami')).toBe('whoami knows you')
    signing.auth.revokeAll()
    await expect(signing.host.call('by-header' as ServerId, 'whoami')).rejects.toThrow(/401/)
    expect(signing.host.host.state.snapshot.interactions).toEqual([])
  })

  it('gives a local program its keys from its environment, no others, and no sign-in (AUTH-05)', async () => {
    const environment = { ...process.env, OTHER_TOKEN: 'canary-of-somebody-else' }
    const signing = await SignInHost.open({}, {}, { environment })
    const local = await signing.host.ready('local', small('ok.mjs', [], { API_TOKEN: { text: 'canary-environment' } }))
    const given = await signing.host.call(local, 'env')
    expect(given).toContain('canary-environment')
    expect(given).not.toContain('canary-of-somebody-else')
    await expect(signing.host.host.servers.controls.authorize(local)).rejects.toThrow(/environment/)
    expect(signing.host.record(local)).not.toHaveProperty('signIn')
  })

  it('signs in to the two endpoints of 2024-11-05 the same way, on GET and POST (AUTH-29, TRAP-40)', async () => {
    const signing = await SignInHost.open({}, { legacy: true, path: '/sse' })
    await signing.ready()
    expect(await signing.call()).toBe('whoami knows you')
    const good = signing.server.seen.filter(({ status }) => status === 200)
    expect(new Set(good.map(({ method, url }) => `${method} ${url}`))).toEqual(new Set(['GET /sse', 'POST /messages']))
    expect(good.every(({ token }) => token !== undefined)).toBe(true)
  })
})
