import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { until } from '../../../e2e/support/until.ts'
import { type ChatOptions, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { answer, openQuestions, question, sendOn } from '../../../e2e/test-hosts/open-question.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import type { ElicitResult } from '../../../src-shared/mcp/client-requests.ts'
import { OPEN_LIMIT } from '../core/interactions.ts'

const requestedSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Your full name', minLength: 2, maxLength: 20 },
    email: { type: 'string', format: 'email' },
    code: { type: 'string', pattern: '^(a+)+$' },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    news: { type: 'boolean' },
    colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
    days: { type: 'array', items: { type: 'string', enum: ['Mon', 'Tue'] }, maxItems: 1 },
  },
  required: ['name'],
}
const FORM = { message: 'To book a table', requestedSchema }
const VISIT = { mode: 'url', message: 'Sign in', url: 'https://login.example.org/a?b=c', elicitationId: 'e1' }

async function elicited(params: unknown = FORM, options: ChatOptions = {}) {
  const chat = await chatHost(options)
  chat.server.send({ jsonrpc: '2.0', id: 'e', method: 'elicitation/create', params })
  return { chat, host: chat.host, wire: () => chat.server.answerTo('e') }
}

describe('a form of a server', () => {
  it('says who asks and why, and sends nothing by itself (ELIC-03, ELIC-07, ELIC-08)', async () => {
    const { chat, host, wire } = await elicited()
    const { about, question: shown } = await question(host, 'elicitation-form')
    expect(about).toMatchObject({ serverId: PLAYGROUND_ID, serverName: 'Playground', origin: 'server' })
    expect(shown).toEqual({
      message: 'To book a table',
      schema: requestedSchema,
      multiSelect: true,
      secrets: [],
      asksForSecret: false,
    })
    expect(chat.server.received.some(({ id, method }) => id === 'e' && !method)).toBe(false)
    await answer(host, 'elicitation-form', { action: 'accept', content: { name: 'Ada', age: 36, days: ['Mon'] } })
    expect((await wire()).result).toEqual({ action: 'accept', content: { name: 'Ada', age: 36, days: ['Mon'] } })
  })

  it.each<[ElicitResult]>([[{ action: 'decline' }], [{ action: 'cancel' }]])(
    'can be refused at any time, exactly and without content: %j (ELIC-06, ELIC-14, ELIC-15)',
    async (given) => {
      const { host, wire } = await elicited()
      const { id } = await question(host, 'elicitation-form')
      host.interactions.draft(id, { name: 'half a na' })
      await answer(host, 'elicitation-form', given)
      expect(await wire()).toEqual({ jsonrpc: '2.0', id: 'e', result: given })
    },
  )

  it.each([
    ['a missing name', {}],
    ['a short name', { name: 'A' }],
    ['no address', { name: 'Ada', email: 'nobody' }],
    ['what does not fit a pattern, however evil', { name: 'Ada', code: `${'a'.repeat(40)}b` }],
    ['a fraction', { name: 'Ada', age: 1.5 }],
    ['an unknown choice', { name: 'Ada', colour: 'blue' }],
    ['too many choices', { name: 'Ada', days: ['Mon', 'Tue'] }],
    ['a key beyond the form', { name: 'Ada', admin: true }],
    ['a text in place of a boolean', { name: 'Ada', news: 'yes' }],
  ])(
    'is checked again in the host: %s is not sent, and the question stays (ELIC-25, ELIC-26, ELIC-27)',
    async (_what, content) => {
      const { chat, host, wire } = await elicited()
      await expect(answer(host, 'elicitation-form', { action: 'accept', content })).rejects.toMatchObject({
        code: 'invalid-answer',
      })
      expect(openQuestions(host, 'elicitation-form').length).toBe(1)
      expect(chat.server.received.some(({ id, method }) => id === 'e' && !method)).toBe(false)
      await answer(host, 'elicitation-form', { action: 'decline' })
      await wire()
    },
  )

  it.each([
    ['a nested object', { type: 'object', properties: { a: { type: 'object', properties: {} } } }],
    ['an array of anything', { type: 'object', properties: { a: { type: 'array', items: { type: 'number' } } } }],
    ['an unknown type', { type: 'object', properties: { a: { type: 'date' } } }],
    ['a required field that is not there', { type: 'object', properties: {}, required: ['a'] }],
    [
      'a hundred and one fields',
      { type: 'object', properties: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, { type: 'string' }])) },
    ],
    ['descriptions without end', { type: 'object', properties: { a: { type: 'string', description: 'x'.repeat(30_000) } } }],
  ])('with %s opens no question (ELIC-17, ELIC-18)', async (_what, schema) => {
    const { host, wire } = await elicited({ message: 'x', requestedSchema: schema })
    expect((await wire()).error?.code).toBe(-32602)
    expect(host.state.snapshot.interactions).toEqual([])
  })

  it('is a plain confirmation without fields (ELIC-33)', async () => {
    const { host, wire } = await elicited({ message: 'Go on?', requestedSchema: { type: 'object', properties: {} } })
    await answer(host, 'elicitation-form', { action: 'accept', content: {} })
    expect((await wire()).result).toEqual({ action: 'accept', content: {} })
  })

  it('is prefilled from nothing that is stored (ELIC-35)', async () => {
    const { chat, host, wire } = await elicited()
    await answer(host, 'elicitation-form', { action: 'accept', content: { name: 'Ada' } })
    await wire()
    const before = chat.server.received.length
    chat.server.send({ jsonrpc: '2.0', id: 'e2', method: 'elicitation/create', params: FORM })
    const again = await question(host, 'elicitation-form')
    expect(again.draft).toBeUndefined()
    expect(JSON.stringify(again)).not.toContain('Ada')
    expect(chat.server.received.length).toBe(before)
    await answer(host, 'elicitation-form', { action: 'cancel' })
    await chat.server.answerTo('e2')
  })

  it('ends when the server cancels it, without an answer (ELIC-30)', async () => {
    const { chat, host } = await elicited()
    await question(host, 'elicitation-form')
    chat.server.notify('notifications/cancelled', { requestId: 'e' })
    await until(() => host.state.snapshot.interactions.length === 0, 'no question')
    expect(chat.server.received.some(({ id, method }) => id === 'e' && !method)).toBe(false)
  })

  it('is cancelled, not declined, when nobody answers', async () => {
    const clock = new ManualClock(1_000)
    const { host, wire } = await elicited(FORM, { clock })
    await question(host, 'elicitation-form')
    clock.advance(30 * 60_000)
    expect((await wire()).result).toEqual({ action: 'cancel' })
  })

  it('opens a question of its own for each of twelve requests at once (ELIC-31)', async () => {
    const { chat, host, wire } = await elicited({ ...FORM, message: 'Guest 0' })
    for (let n = 1; n < 12; n++) {
      const params = { ...FORM, message: `Guest ${n}` }
      chat.server.send({ jsonrpc: '2.0', id: n, method: 'elicitation/create', params })
    }
    await until(() => openQuestions(host, 'elicitation-form').length === 12, 'twelve questions')
    for (const { id, question: shown } of openQuestions(host, 'elicitation-form')) {
      const given = { action: 'accept' as const, content: { name: shown.message } }
      host.interactions.answer({ id, kind: 'elicitation-form', answer: given })
    }
    expect((await wire()).result).toMatchObject({ content: { name: 'Guest 0' } })
    for (let n = 1; n < 12; n++) {
      expect((await chat.server.answerTo(n)).result).toEqual({ action: 'accept', content: { name: `Guest ${n}` } })
    }
    expect(chat.server.received.filter(({ error }) => error)).toEqual([])
  })

  it('opens no more questions than allowed for two hundred requests, and declines the rest alike (ELIC-09, ELIC-31, SEC-24)', async () => {
    const { chat, host } = await elicited()
    await question(host, 'elicitation-form')
    for (let n = 1; n < 200; n++) chat.server.send({ jsonrpc: '2.0', id: n, method: 'elicitation/create', params: FORM })
    const refused = () => chat.server.received.flatMap(({ error }) => (error ? [error] : []))
    await until(() => refused().length === 200 - OPEN_LIMIT, 'refusals')
    expect(openQuestions(host, 'elicitation-form').length).toBe(OPEN_LIMIT)
    expect(new Set(refused().map(({ code }) => code))).toEqual(new Set([-32603]))
    expect(new Set(refused().map(({ message }) => message))).toEqual(new Set(['Too many requests are open: 32 at most']))
    expect(host.interactions.declineAll(PLAYGROUND_ID)).toBe(OPEN_LIMIT)
    const declined = () => chat.server.received.filter(({ result }) => result?.action === 'decline')
    await until(() => declined().length === OPEN_LIMIT, 'the declines')
  })

  it('within a call names the call, and is cancelled when its turn is stopped (ELIC-32)', async () => {
    const chat = await chatHost({ replies: [[{ call: 'echo', args: { text: 'hi' } }]], onCall: () => new Promise(() => {}) })
    const id = await chat.say('Book it')
    await chat.answer('once')
    await until(() => chat.calls.length === 1, 'the call')
    chat.server.send({ jsonrpc: '2.0', id: 'e', method: 'elicitation/create', params: FORM })
    const { about } = await question(chat.host, 'elicitation-form')
    expect(about).toMatchObject({ conversationId: id, cause: 'Because of the call to “echo” in “Book it”.' })
    await chat.host.conversations.open(id, (one) => one.cancel())
    expect((await chat.server.answerTo('e')).result).toEqual({ action: 'cancel' })
    expect(chat.host.state.snapshot.interactions).toEqual([])
  })

  it('names no call while two are running and nothing tells them apart (ELIC-32, TRAN-76)', async () => {
    const calls = [
      { call: 'echo', args: { text: 'a' } },
      { call: 'echo', args: { text: 'b' } },
    ]
    const chat = await chatHost({ replies: [calls], onCall: () => new Promise(() => {}) })
    const id = await chat.say('Both')
    await chat.answer('once')
    await until(() => chat.calls.length === 2, 'both calls')
    chat.server.send({ jsonrpc: '2.0', id: 'e', method: 'elicitation/create', params: FORM })
    const { about } = await question(chat.host, 'elicitation-form')
    expect(about).not.toHaveProperty('conversationId')
    expect(about.cause).toBe('Because of one of these calls: “echo”.')
    await answer(chat.host, 'elicitation-form', { action: 'decline' })
    await chat.server.answerTo('e')
    await chat.host.conversations.open(id, (one) => one.cancel())
  })
})

describe('an unanswered question within a call', () => {
  const LATE = { content: [{ type: 'text', text: 'MCP error -32001: Request timed out' }], isError: true }
  const ASK = { method: 'elicitation/create', params: FORM }
  const SAMPLE = {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hm?' } }], maxTokens: 10 },
  }
  const STOPPED = 'You were asked for information and the server stopped waiting.'

  /** A call whose server has asked `ask`; `end` ends the call. */
  async function asking(ask: { method: string; params: unknown } = ASK, options: ChatOptions = {}) {
    const { promise, resolve: end } = Promise.withResolvers<unknown>()
    const replies = [[{ call: 'echo', args: { text: 'hi' } }], ['Yes?'], ['Done.']] as const
    const chat = await chatHost({ replies, onCall: () => promise, ...options })
    const id = await chat.say('Book it')
    await chat.answer('once')
    await until(() => chat.calls.length === 1, 'the call')
    chat.server.send({ jsonrpc: '2.0', id: 'e', ...ask })
    const ended = async (result: unknown) => {
      end(result)
      await chat.idle(id)
      return chat.call(id)
    }
    const cancel = async () => {
      chat.server.notify('notifications/cancelled', { requestId: 'e', reason: 'McpError: timed out' })
      await until(() => chat.host.state.snapshot.interactions.length === 0, 'no question')
    }
    return { chat, id, cancel, ended }
  }

  it('is reported at the call and to the model when the server stopped waiting', async () => {
    const { chat, cancel, ended } = await asking()
    await question(chat.host, 'elicitation-form')
    await cancel()
    const call = await ended(LATE)
    expect(call).toMatchObject({ status: 'finished', result: { isError: true }, unanswered: STOPPED })
    expect(JSON.stringify(chat.model.requests.at(-1))).toContain('did not answer what this call asked')
  })

  it('is reported when the server went on in silence', async () => {
    const { chat, ended } = await asking()
    await question(chat.host, 'elicitation-form')
    expect(await ended(LATE)).toMatchObject({ unanswered: STOPPED })
    await until(() => chat.host.state.snapshot.interactions.length === 0, 'no question')
  })

  it('is reported when its time was over', async () => {
    const clock = new ManualClock(1_000)
    const { chat, ended } = await asking(ASK, { clock })
    await question(chat.host, 'elicitation-form')
    clock.advance(30 * 60_000)
    await chat.server.answerTo('e')
    expect(await ended(LATE)).toMatchObject({ unanswered: 'You were asked for information and did not answer in time.' })
  })

  it('is reported for sampling, on either page', async () => {
    const request = await asking(SAMPLE)
    await question(request.chat.host, 'sampling-request')
    await request.cancel()
    expect(await request.ended(LATE)).toMatchObject({
      unanswered: 'You were asked to let the server use your model and the server stopped waiting.',
    })
    const reply = await asking(SAMPLE)
    await sendOn(reply.chat.host)
    await question(reply.chat.host, 'sampling-result')
    await reply.cancel()
    expect(await reply.ended(LATE)).toMatchObject({
      unanswered: 'You were asked to review a reply of your model and the server stopped waiting.',
    })
  })

  it('is not reported when it was answered, or when the person stopped the call', async () => {
    const declined = await asking()
    await answer(declined.chat.host, 'elicitation-form', { action: 'decline' })
    expect(await declined.ended(LATE)).not.toHaveProperty('unanswered')
    const stopped = await asking()
    await question(stopped.chat.host, 'elicitation-form')
    await stopped.chat.host.conversations.open(stopped.id, (one) => one.cancel())
    expect(await stopped.chat.call(stopped.id)).not.toHaveProperty('unanswered')
  })
})

describe('an address from a server', () => {
  it('is shown whole with its host, and accepted by opening it (V11-07)', async () => {
    const { host, wire } = await elicited(VISIT)
    const { question: shown } = await question(host, 'elicitation-url')
    expect(shown).toEqual({ message: 'Sign in', url: VISIT.url, host: 'login.example.org', warnings: [], opens: 'page' })
    await answer(host, 'elicitation-url', { action: 'accept' })
    expect((await wire()).result).toEqual({ action: 'accept' })
  })

  it('comes with a warning of anything unusual about it', async () => {
    const { host, wire } = await elicited({ ...VISIT, url: 'http://user@xn--80ak6aa92e.com:81/' })
    expect((await question(host, 'elicitation-url')).question.warnings).toEqual(['http', 'punycode', 'user', 'port'])
    await answer(host, 'elicitation-url', { action: 'decline' })
    expect((await wire()).result).toEqual({ action: 'decline' })
  })

  it.each([
    ['no id', { ...VISIT, elicitationId: undefined }],
    ['a script', { ...VISIT, url: 'javascript:alert(1)' }],
    ['a file', { ...VISIT, url: 'file:///etc/passwd' }],
  ])('with %s opens no question (V11-04)', async (_what, params) => {
    const { host, wire } = await elicited(params)
    expect((await wire()).error?.code).toBe(-32602)
    expect(host.state.snapshot.interactions).toEqual([])
  })

  it('is opened by the host on the desktop, after the click and never before (SEC-04)', async () => {
    const opened: string[] = []
    const openExternal = async (url: string) => {
      opened.push(url)
      if (url.includes('broken')) throw new Error('No browser.')
    }
    const { chat, host, wire } = await elicited(VISIT, { platform: { shell: 'electron', openExternal } })
    expect((await question(host, 'elicitation-url')).question.opens).toBe('host')
    expect(opened).toEqual([])
    await answer(host, 'elicitation-url', { action: 'accept' })
    expect((await wire()).result).toEqual({ action: 'accept' })
    expect(opened).toEqual([VISIT.url])
    chat.server.send({
      jsonrpc: '2.0',
      id: 'b',
      method: 'elicitation/create',
      params: { ...VISIT, url: 'https://broken.example/' },
    })
    await answer(host, 'elicitation-url', { action: 'accept' })
    expect((await chat.server.answerTo('b')).result).toEqual({ action: 'cancel' })
    expect(host.state.snapshot.notices).toMatchObject([{ problem: { code: 'address-not-opened', said: 'No browser.' } }])
  })

  it.each([
    ['https://evil.example\\@bank.example/', 'https://evil.example/@bank.example/', 'evil.example'],
    ['https://bank.exam\nple.evil.example/\t', 'https://bank.example.evil.example/', 'bank.example.evil.example'],
    ['https://bank.example@аррӏе.com', 'https://bank.example@xn--80ak6aa92e.com/', 'xn--80ak6aa92e.com'],
  ])('written as %j is opened exactly as it was shown (SEC-04, SEC-21)', async (url, href, host) => {
    const opened: string[] = []
    const openExternal = async (address: string) => void opened.push(address)
    const elicitation = await elicited({ ...VISIT, url }, { platform: { shell: 'electron', openExternal } })
    expect((await question(elicitation.host, 'elicitation-url')).question).toMatchObject({ url: href, host })
    await answer(elicitation.host, 'elicitation-url', { action: 'accept' })
    await elicitation.wire()
    expect(opened).toEqual([href])
  })

  it('closes its question when the server says that it is done (V11-08)', async () => {
    const { chat, host, wire } = await elicited(VISIT)
    await question(host, 'elicitation-url')
    chat.server.notify('notifications/elicitation/complete', { elicitationId: 'e1' })
    expect((await wire()).result).toEqual({ action: 'cancel' })
    expect(host.state.snapshot.interactions).toEqual([])
  })

  it('stays open when the server reports an unknown one as done, or a finished one again (V11-09)', async () => {
    const { chat, host, wire } = await elicited(VISIT)
    await question(host, 'elicitation-url')
    for (const elicitationId of ['unknown', '', 5, undefined, null]) {
      chat.server.notify('notifications/elicitation/complete', { elicitationId })
    }
    await chat.server.ask('ping', undefined, 'p1')
    expect(openQuestions(host, 'elicitation-url')).toHaveLength(1)
    chat.server.notify('notifications/elicitation/complete', { elicitationId: 'e1' })
    await wire()
    const params = { ...VISIT, elicitationId: 'e2' }
    chat.server.send({ jsonrpc: '2.0', id: 'second', method: 'elicitation/create', params })
    await question(host, 'elicitation-url')
    chat.server.notify('notifications/elicitation/complete', { elicitationId: 'e1' })
    await chat.server.ask('ping', undefined, 'p2')
    expect(openQuestions(host, 'elicitation-url')).toHaveLength(1)
    expect(chat.server.received.filter(({ id, method }) => (id === 'e' || id === 'second') && !method)).toHaveLength(1)
  })

  it('required by a refused call is asked for, and the call repeated only at the person’s word (V11-10)', async () => {
    const elicitations = [{ mode: 'url', message: 'Connect', url: 'https://a.example/', elicitationId: 'x1' }]
    let calls = 0
    const chat = await chatHost({
      replies: [[{ call: 'echo', args: { text: 'hi' } }], ['Done.']],
      onCall: () => {
        calls += 1
        if (calls === 1) throw { code: -32042, message: 'Visit first', data: { elicitations } }
        return { content: [{ type: 'text', text: 'welcome' }] }
      },
    })
    const id = await chat.say('Go')
    await chat.answer('once')
    expect((await question(chat.host, 'elicitation-url')).about).toMatchObject({ conversationId: id })
    await answer(chat.host, 'elicitation-url', { action: 'accept' })
    const again = await question(chat.host, 'call-again')
    expect(again.question).toEqual({ tool: 'echo', visited: [{ host: 'a.example', message: 'Connect', completed: false }] })
    chat.server.notify('notifications/elicitation/complete', { elicitationId: 'x1' })
    await until(() => openQuestions(chat.host, 'call-again')[0]?.question.visited[0]?.completed, 'the completion')
    expect(calls).toBe(1)
    await answer(chat.host, 'call-again', { decision: 'again' })
    await chat.idle(id)
    expect((await chat.call(id)).result?.content[0]).toMatchObject({ text: 'welcome' })
  })

  it('required by a refused call leads to a new question once the tool changed, and no call after a denial (SEC-26)', async () => {
    const elicitations = [{ mode: 'url', message: 'Connect', url: 'https://a.example/', elicitationId: 'x1' }]
    const refuse = () => {
      throw { code: -32042, message: 'Visit first', data: { elicitations } }
    }
    const chat = await chatHost({ replies: [[{ call: 'echo', args: {} }], ['Pity.']], onCall: refuse })
    const id = await chat.say('Go')
    await chat.answer('once')
    await answer(chat.host, 'elicitation-url', { action: 'accept' })
    await question(chat.host, 'call-again')
    const before = chat.host.servers.tools.find(PLAYGROUND_ID, 'echo')?.fingerprint
    chat.tools.list = chat.tools.list.map((tool) => ({ ...tool, annotations: { destructiveHint: true } }))
    chat.server.notify('notifications/tools/list_changed')
    await until(() => chat.host.servers.tools.find(PLAYGROUND_ID, 'echo')?.fingerprint !== before, 'the other tool')
    await answer(chat.host, 'call-again', { decision: 'again' })
    expect((await chat.question()).question.calls[0]).toHaveProperty('changed')
    await chat.answer('deny')
    await chat.idle(id)
    expect(chat.calls.length).toBe(1)
    expect(await chat.call(id)).toMatchObject({ status: 'declined', problem: { code: 'denied' } })
  })

  it('required by a refused call can be declined, and the refusal stands', async () => {
    const elicitations = [{ mode: 'url', message: 'Connect', url: 'https://a.example/', elicitationId: 'x1' }]
    const refuse = () => {
      throw { code: -32042, message: 'Visit first', data: { elicitations } }
    }
    const chat = await chatHost({ replies: [[{ call: 'echo', args: {} }], ['Pity.']], onCall: refuse })
    const id = await chat.say('Go')
    await chat.answer('once')
    await answer(chat.host, 'elicitation-url', { action: 'decline' })
    await chat.idle(id)
    expect(await chat.call(id)).toMatchObject({ status: 'failed', problem: { said: 'Visit first' } })
    expect(chat.calls.length).toBe(1)
  })
})
