import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, type ChatOptions, chatHost, type Follower } from '../../../e2e/test-hosts/chat-host.ts'
import { answer, openQuestions, question, returnOn, sendOn } from '../../../e2e/test-hosts/open-question.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import { resourceTopic } from '../../../src-shared/contract/topics.ts'
import { OPEN_LIMIT } from '../core/interactions.ts'

const requestedSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'number' }, password: { type: 'string' } },
}
const FORM = { method: 'elicitation/create', params: { message: 'To book a table', requestedSchema } }
const VISIT = { method: 'elicitation/create', params: { mode: 'url', message: 'Sign in', url: 'https://a.example/' } }
const THINK = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hm?' } }], maxTokens: 10 },
}
const ROOTS = { method: 'roots/list' }
const DONE = { content: [{ type: 'text', text: 'done' }] }
const more = (inputRequests: unknown, requestState?: string) => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState !== undefined && { requestState }),
})

/** A conversation whose first call is answered with these, one after another, by a server of 2026-07-28. */
async function called(answers: readonly unknown[], options: ChatOptions = {}) {
  const left = [...answers]
  const chat = await chatHost({
    modern: true,
    replies: [[{ call: 'echo', args: { text: 'hi' } }], ['Done.']],
    onCall: () => left.shift() ?? DONE,
    ...options,
  })
  const id = await chat.say('Book it')
  await chat.answer('once')
  return { chat, host: chat.host, id }
}

const openCall = (shown: Follower) => shown.calls.find(({ status }) => status === 'running')
const legs = (chat: ChatHost) => chat.servers.flatMap((server) => server.got('tools/call').map(({ params }) => params))

describe('a request in the middle of a call', () => {
  it('opens the same question as in older revisions, with the call as its cause, and its answer continues the call (V26-MRTR-13, V26-ELIC-3)', async () => {
    const { chat, host, id } = await called([more({ who: FORM }, 's')])
    const { about, question: shown } = await question(host, 'elicitation-form')
    const call = await chat.call(id)
    expect(about).toMatchObject({ serverId: PLAYGROUND_ID, origin: 'server', conversationId: id, toolCallId: call.id })
    expect(about.cause).toContain('“echo”')
    expect(shown).toMatchObject({ message: 'To book a table', schema: requestedSchema })
    expect(legs(chat)).toHaveLength(1)
    await answer(host, 'elicitation-form', { action: 'accept', content: { name: 'Ada' } })
    await chat.idle(id)
    expect(legs(chat)[1]).toMatchObject({
      arguments: { text: 'hi' },
      requestState: 's',
      inputResponses: { who: { action: 'accept', content: { name: 'Ada' } } },
    })
    expect(await chat.call(id)).toMatchObject({ status: 'finished', result: { content: [{ text: 'done' }] } })
  })

  it('with several entries asks all of them at once, and sampling is reviewed twice (V26-MRTR-2, V26-SAMP-2, V26-ROOT-1)', async () => {
    const { chat, host, id } = await called([more({ who: FORM, what: THINK, where: ROOTS })])
    await question(host, 'elicitation-form')
    await question(host, 'sampling-request')
    await question(host, 'roots-request')
    await answer(host, 'roots-request', { decision: 'decline' })
    await answer(host, 'elicitation-form', { action: 'decline' })
    expect(legs(chat)).toHaveLength(1)
    await sendOn(host)
    await returnOn(host)
    await chat.idle(id)
    expect(legs(chat)[1].inputResponses).toMatchObject({
      who: { action: 'decline' },
      where: { roots: [] },
      what: { role: 'assistant', content: { type: 'text' } },
    })
  })

  it('is reviewed again in each round of a tool loop (V26-SAMP-5)', async () => {
    const { chat, host, id } = await called([more({ a: THINK }, '1'), more({ b: THINK }, '2')])
    for (const round of [1, 2]) {
      expect((await sendOn(host)).about).toMatchObject({ conversationId: id })
      await returnOn(host)
      await until(() => legs(chat).length === round + 1, 'the next round')
    }
    await chat.idle(id)
    expect(legs(chat).map(({ requestState }) => requestState)).toEqual([undefined, '1', '2'])
  })

  it('ends the call when sampling is declined: no retry, the form is withdrawn, the model is told (V26-MRTR-12)', async () => {
    const { chat, host, id } = await called([more({ who: FORM, what: THINK })])
    await question(host, 'elicitation-form')
    await answer(host, 'sampling-request', { decision: 'decline' })
    await chat.idle(id)
    expect(await chat.call(id)).toMatchObject({ status: 'declined', problem: { code: 'round-declined' } })
    expect(host.state.snapshot.interactions).toEqual([])
    expect(legs(chat)).toHaveLength(1)
    expect(JSON.stringify(chat.model.requests.at(-1))).toContain('declined what this call asked for')
  })

  it('ends the call as failed when it meets a limit of ours (V26-MRTR-12, V26-MRTR-13)', async () => {
    const forms = (count: number) => more(Object.fromEntries(Array.from({ length: count }, (_, n) => [`q${n}`, FORM])))
    const { chat, host, id } = await called([forms(1), forms(OPEN_LIMIT)])
    await answer(host, 'elicitation-form', { action: 'decline' })
    await chat.idle(id)
    expect(await chat.call(id)).toMatchObject({ status: 'failed', problem: { code: 'round-limit' } })
    expect(host.state.snapshot.interactions).toEqual([])
    expect(legs(chat)).toHaveLength(2)
  })

  it('asks twelve things in one answer, and all are answered (ELIC-31)', async () => {
    const forms = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`q${n}`, FORM]))
    const { chat, host, id } = await called([more(forms)])
    await until(() => openQuestions(host, 'elicitation-form').length === 12, 'twelve questions')
    for (let n = 0; n < 12; n++) await answer(host, 'elicitation-form', { action: 'accept', content: { age: n } })
    await chat.idle(id)
    const given = Object.entries(legs(chat)[1].inputResponses)
    expect(given).toEqual(Array.from({ length: 12 }, (_, n) => [`q${n}`, { action: 'accept', content: { age: n } }]))
  })

  it('counts against the questions allowed each minute (V26-MRTR-13)', async () => {
    const { chat, host, id } = await called(Array(40).fill(more({ who: FORM })), { clock: new ManualClock(1_000) })
    for (let round = 1; round <= OPEN_LIMIT; round++) {
      await answer(host, 'elicitation-form', { action: 'decline' })
      await until(() => legs(chat).length === round + 1, 'the next round')
    }
    await until(async () => (await chat.call(id)).status === 'failed', 'the end')
    expect(await chat.call(id)).toMatchObject({ problem: { code: 'round-limit' } })
    expect(legs(chat)).toHaveLength(OPEN_LIMIT + 1)
  })

  it.each([
    [
      'a form that no person could read',
      { ...FORM, params: { message: 'x', requestedSchema: { type: 'object', properties: {}, required: ['a'] } } },
    ],
    ['no messages to sample from', { ...THINK, params: { messages: [], maxTokens: 5 } }],
    ['an address of another kind', { ...VISIT, params: { ...VISIT.params, url: 'https://[' } }],
  ])('with %s opens no dialog at all (V26-MRTR-10)', async (_what, wrong) => {
    const { chat, id } = await called([more({ fine: VISIT, wrong })])
    await chat.idle(id)
    expect(await chat.call(id)).toMatchObject({ status: 'failed', problem: { code: 'round-wrong' } })
    const asked = chat.events.filter((event) => event.type === 'interaction.opened').map(({ interaction }) => interaction.kind)
    expect(asked.filter((kind) => kind !== 'tool-consent')).toEqual([])
    expect(legs(chat)).toHaveLength(1)
  })

  it('is withdrawn when its call is stopped, and nothing is sent (V26-MRTR-16)', async () => {
    const { chat, host, id } = await called([more({ who: FORM }, 's')])
    await question(host, 'elicitation-form')
    const before = chat.server.received.length
    await host.conversations.open(id, (one) => one.cancel())
    await chat.idle(id)
    expect(host.state.snapshot.interactions).toEqual([])
    expect(chat.server.received).toHaveLength(before)
    expect((await chat.call(id)).status).toBe('cancelled')
  })

  it('leaves neither state nor answers on disk or with the model (V26-MRTR-19)', async () => {
    const state = 'STATE-of-the-server'
    const { chat, host, id } = await called([more({ who: FORM }, state)])
    await answer(host, 'elicitation-form', { action: 'accept', content: { name: 'Ada-of-the-person' } })
    await chat.idle(id)
    expect(legs(chat)[1]).toMatchObject({ requestState: state })
    const told = [JSON.stringify(await chat.storage.messages.transcript(id)), JSON.stringify(chat.model.requests)]
    for (const text of [...told, JSON.stringify(host.state.snapshot)]) {
      expect(text).not.toContain(state)
      expect(text).not.toContain('Ada-of-the-person')
    }
  })

  it('reopens with the typed values when the same form returns at once, without secrets (V26-MRTR-21)', async () => {
    const { chat, host, id } = await called([more({ who: FORM }), more({ who: FORM }), more({ who: FORM })])
    const first = await question(host, 'elicitation-form')
    expect(first.question.again).toBeUndefined()
    await answer(host, 'elicitation-form', { action: 'accept', content: { name: 'Ada', age: 36, password: 'hidden!!' } })
    const second = await until(() => openQuestions(host, 'elicitation-form').find((open) => open.id !== first.id), 'the second')
    expect(second.question.again).toBe(true)
    expect(second.draft).toEqual({ name: 'Ada', age: '36' })
    await answer(host, 'elicitation-form', { action: 'decline' })
    const third = await until(() => openQuestions(host, 'elicitation-form').find((open) => open.id !== second.id), 'the third')
    expect(third.question.again).toBeUndefined()
    expect(third.draft).toBeUndefined()
    await answer(host, 'elicitation-form', { action: 'cancel' })
    await chat.idle(id)
  })

  it('continues over the next connection when its own was lost during the question (V26-MRTR-17)', async () => {
    const { chat, host, id } = await called([more({ who: FORM }, 's')])
    const { id: asked } = await question(host, 'elicitation-form')
    await host.servers.controls.stop(PLAYGROUND_ID)
    await host.servers.controls.start(PLAYGROUND_ID)
    await until(() => chat.servers.length === 2 && host.servers.tools.find(PLAYGROUND_ID, 'echo'), 'the next connection')
    expect(openQuestions(host, 'elicitation-form').map((open) => open.id)).toEqual([asked])
    await answer(host, 'elicitation-form', { action: 'accept', content: { name: 'Ada' } })
    await chat.idle(id)
    expect(chat.servers[0]?.got('tools/call')).toHaveLength(1)
    expect(chat.servers[1]?.got('tools/call')[0]?.params).toMatchObject({ requestState: 's', arguments: { text: 'hi' } })
    expect((await chat.call(id)).status).toBe('finished')
  })

  it('fails with its call when the server does not come back (V26-MRTR-17)', async () => {
    const { chat, host, id } = await called([more({ who: FORM }, 's')])
    await question(host, 'elicitation-form')
    await host.servers.controls.stop(PLAYGROUND_ID)
    await answer(host, 'elicitation-form', { action: 'accept', content: { name: 'Ada' } })
    await chat.idle(id)
    expect(await chat.call(id)).toMatchObject({ status: 'failed', problem: { code: 'unavailable' } })
  })

  it('is repeated without earlier state after consent when the host had gone (V26-MRTR-19)', async () => {
    const first = await called([more({ who: FORM }, 'old')])
    await question(first.host, 'elicitation-form')
    // Nothing may be told any more: that the call waits was kept before the question was shown.
    expect(await first.chat.call(first.id)).toMatchObject({ status: 'running', paused: true })
    await first.chat.end()
    const left = [more({ who: FORM }, 'new')]
    const chat = await chatHost({ after: first.chat, modern: true, replies: [['Done.']], onCall: () => left.shift() ?? DONE })
    expect(chat.host.state.snapshot.interactions).toEqual([])
    expect(await chat.call(first.id)).toMatchObject({ status: 'interrupted', paused: true })
    await chat.host.conversations.open(first.id, (one) => one.retry())
    await chat.answer('once')
    await answer(chat.host, 'elicitation-form', { action: 'accept', content: { name: 'Ada' } })
    await chat.idle(first.id)
    expect(legs(chat).map(({ requestState }) => requestState)).toEqual([undefined, 'new'])
    const call = await chat.call(first.id)
    expect(call).toMatchObject({ status: 'finished' })
    expect(call.paused).toBeUndefined()
  })

  it('never continues under another account (V26-MRTR-18)', async () => {
    const { chat, host, id } = await called([more({ who: FORM }, 's')])
    await question(host, 'elicitation-form')
    await host.servers.configured.get(PLAYGROUND_ID).authorization.forget(false)
    await answer(host, 'elicitation-form', { action: 'accept', content: { name: 'Ada' } })
    await chat.idle(id)
    expect(await chat.call(id)).toMatchObject({ status: 'failed', problem: { code: 'conflict' } })
    expect(legs(chat)).toHaveLength(1)
  })

  it.each(['once', 'deny'] as const)(
    'needs consent again when the tool changed since, and follows the answer: %s (V26-MRTR-18)',
    async (said) => {
      const { chat, host, id } = await called([more({ who: FORM }, 's')])
      await question(host, 'elicitation-form')
      chat.tools.list = chat.tools.list.map((tool) => ({ ...tool, annotations: { destructiveHint: true } }))
      const before = host.servers.tools.find(PLAYGROUND_ID, 'echo')?.fingerprint
      await host.servers.catalogs.refresh(PLAYGROUND_ID, new AbortController().signal)
      await until(() => host.servers.tools.find(PLAYGROUND_ID, 'echo')?.fingerprint !== before, 'the other tool')
      await answer(host, 'elicitation-form', { action: 'accept', content: { name: 'Ada' } })
      expect((await chat.question()).question.calls[0]).toHaveProperty('changed')
      expect(legs(chat)).toHaveLength(1)
      await chat.answer(said)
      await chat.idle(id)
      expect(legs(chat)).toHaveLength(said === 'once' ? 2 : 1)
      expect((await chat.call(id)).status).toBe(said === 'once' ? 'finished' : 'declined')
    },
  )

  it('may be an address: opened, retried at once, and not asked about again (V26-ELIC-8, V26-ELIC-9)', async () => {
    const opened: string[] = []
    const openExternal = async (address: string) => void opened.push(address)
    const { chat, host, id } = await called(Array(4).fill(more({ go: VISIT })), { platform: { shell: 'electron', openExternal } })
    expect((await question(host, 'elicitation-url')).question.again).toBeUndefined()
    expect(opened).toEqual([])
    for (const [action, visits, count] of [
      ['accept', 1, 2],
      ['again', 1, 3],
      ['accept', 2, 4],
    ] as const) {
      await answer(host, 'elicitation-url', { action })
      await until(() => legs(chat).length === count, 'the retry')
      expect(opened).toEqual(Array(visits).fill('https://a.example/'))
      expect(legs(chat).at(-1).inputResponses).toEqual({ go: { action: 'accept' } })
      expect((await question(host, 'elicitation-url')).question.again).toBe(true)
    }
    await answer(host, 'elicitation-url', { action: 'cancel' })
    await chat.idle(id)
    expect(legs(chat).at(-1).inputResponses).toEqual({ go: { action: 'cancel' } })
  })

  it('lasts after an address as long as the person lets it (V26-ELIC-10)', async () => {
    const clock = new ManualClock(1_000)
    let calls = 0
    const { chat, host, id } = await called([], { clock, onCall: () => (++calls === 1 ? more({ go: VISIT }) : undefined) })
    await answer(host, 'elicitation-url', { action: 'accept' })
    await until(() => legs(chat).length === 2, 'the retry')
    const shown = await chat.follow(id)
    clock.advance(host.settings.current.serverTimeouts.requestTimeout + 1)
    // Updates of the window are paced by the same clock.
    const overdue = () => {
      clock.advance(50)
      return shown.calls[0]?.overdue
    }
    await until(overdue, 'the question whether to wait on')
    expect(shown.calls[0]?.status).toBe('running')
    const cancelled = host.conversations.open(id, (one) => one.cancel())
    await until(() => {
      clock.advance(50)
      return openCall(shown) === undefined
    }, 'the end')
    await cancelled
  })
})

describe('a request before a read or a prompt', () => {
  const options = { capabilities: { resources: {}, prompts: {} } }

  it('names the read as its cause, and is answered before the preview (V26-MRTR-13)', async () => {
    const left: unknown[] = [more({ who: FORM })]
    const read = () => left.shift() ?? { contents: [{ uri: 'a:b', text: 'the text' }] }
    const chat = await chatHost({ modern: true, ...options, answers: { 'resources/read': read } })
    const { signal } = new AbortController()
    const reading = chat.host.offerings.resources.read(PLAYGROUND_ID, 'a:b', signal)
    expect((await question(chat.host, 'elicitation-form')).about).toMatchObject({ cause: 'Because you read “a:b”.' })
    await answer(chat.host, 'elicitation-form', { action: 'accept', content: { name: 'Ada' } })
    expect(await reading).toMatchObject({ is: 'read', resource: { items: [{ content: { text: 'the text' } }] } })
  })

  it('names the prompt as its cause, and nothing of it is kept (V26-PROMPT-1)', async () => {
    let got = 0
    const prompt = ({ inputResponses }: Record<string, unknown>) =>
      inputResponses ? { messages: [{ role: 'user', content: { type: 'text', text: `got ${++got}` } }] } : more({ who: FORM })
    const list = () => ({ prompts: [{ name: 'p' }] })
    const chat = await chatHost({ modern: true, ...options, answers: { 'prompts/get': prompt, 'prompts/list': list } })
    const { signal } = new AbortController()
    for (const said of ['got 1', 'got 2']) {
      const preview = chat.host.offerings.prompts.get(PLAYGROUND_ID, 'p', {}, signal)
      expect((await question(chat.host, 'elicitation-form')).about).toMatchObject({ cause: 'Because you chose the prompt “p”.' })
      await answer(chat.host, 'elicitation-form', { action: 'accept', content: { name: 'Ada' } })
      expect(JSON.stringify((await preview).messages)).toContain(said)
    }
  })

  it('is refused with its reason when sampling is declined', async () => {
    const chat = await chatHost({ modern: true, ...options, answers: { 'resources/read': () => more({ what: THINK }) } })
    const reading = chat.host.offerings.resources.read(PLAYGROUND_ID, 'a:b', new AbortController().signal)
    reading.catch(() => {})
    await answer(chat.host, 'sampling-request', { decision: 'decline' })
    await expect(reading).rejects.toMatchObject({ code: 'refused' })
  })

  it('is not caused by an attached resource that changed: it is marked, not read (V26-RES-5)', async () => {
    let chat: ChatHost | undefined
    const KEY = 'io.modelcontextprotocol/subscriptionId'
    const listens: unknown[] = []
    const listen = ({ notifications }: Record<string, unknown>, { id }: { id?: unknown }) => {
      listens.push(id)
      setImmediate(() => chat?.server.notify('notifications/subscriptions/acknowledged', { notifications, _meta: { [KEY]: id } }))
      return undefined
    }
    const left: unknown[] = [{ contents: [{ uri: 'a:b', text: 'one' }] }]
    const answers = {
      'resources/list': () => ({ resources: [{ uri: 'a:b', name: 'b' }] }),
      'resources/read': () => left.shift() ?? more({ who: FORM }),
      'subscriptions/listen': listen,
    }
    chat = await chatHost({ modern: true, capabilities: { resources: { subscribe: true } }, answers })
    const { host, server } = chat
    const id = await chat.newConversation()
    const window = await chat.follow(id)
    await host.conversations.open(id, (one) => one.attachments.attach(PLAYGROUND_ID, 'a:b', new AbortController().signal))
    for (const listened of listens) {
      server.notify('notifications/resources/updated', { uri: 'a:b', _meta: { [KEY]: listened } })
    }
    const marked = () => window.value.attachments?.some((one) => 'changedSince' in one && one.changedSince !== undefined)
    await until(marked, 'the mark')
    expect(server.got('resources/read')).toHaveLength(1)
    expect(host.state.snapshot.interactions).toEqual([])
  })

  it('is not caused by a changed resource on screen: the change is told, not read (V26-RES-5)', async () => {
    let chat: ChatHost | undefined
    const KEY = 'io.modelcontextprotocol/subscriptionId'
    const listens: unknown[] = []
    const listen = ({ notifications }: Record<string, unknown>, { id }: { id?: unknown }) => {
      listens.push(id)
      setImmediate(() => chat?.server.notify('notifications/subscriptions/acknowledged', { notifications, _meta: { [KEY]: id } }))
      return undefined
    }
    const answers = { 'resources/read': () => more({ who: FORM }), 'subscriptions/listen': listen }
    chat = await chatHost({ modern: true, capabilities: { resources: { subscribe: true } }, answers })
    const { host, server } = chat
    const news: unknown[] = []
    await host.topics.follow(resourceTopic(PLAYGROUND_ID, 'a:b'), (_seq, event) => news.push(event))
    for (const listened of listens) {
      server.notify('notifications/resources/updated', { uri: 'a:b', _meta: { [KEY]: listened } })
    }
    const told = { type: 'resource.changed', updatedAt: expect.any(Number) }
    await until(() => news.length > 0, 'the news')
    expect(news).toContainEqual(expect.objectContaining(told))
    expect(server.got('resources/read')).toEqual([])
    expect(host.state.snapshot.interactions).toEqual([])
  })

  it('comes after the prompt’s arguments were checked; its answers are checked, too (V26-PROMPT-2)', async () => {
    const bad = { messages: [{ role: 'system', content: { type: 'text', text: 'x' } }] }
    const list = () => ({ prompts: [{ name: 'p', arguments: [{ name: 'a', required: true }] }] })
    const chat = await chatHost({ modern: true, ...options, answers: { 'prompts/get': () => bad, 'prompts/list': list } })
    const { signal } = new AbortController()
    const get = (given: Record<string, string>) => chat.host.offerings.prompts.get(PLAYGROUND_ID, 'p', given, signal)
    await expect(get({})).rejects.toMatchObject({ code: 'invalid-params' })
    await expect(get({ a: '1', b: '2' })).rejects.toMatchObject({ code: 'invalid-params' })
    expect(chat.server.got('prompts/get')).toEqual([])
    await expect(get({ a: '1' })).rejects.toMatchObject({ code: 'unavailable' })
    expect(chat.server.got('prompts/get').map(({ params }) => params.arguments)).toEqual([{ a: '1' }])
  })
})

describe('a question in a round', () => {
  it('checks the answer against its form before sending, and can be declined at any time (V26-ELIC-4)', async () => {
    const { chat, host, id } = await called([more({ who: FORM })])
    const wrong = answer(host, 'elicitation-form', { action: 'accept', content: { age: 'old' } })
    await expect(wrong).rejects.toMatchObject({ code: 'invalid-answer' })
    expect(legs(chat)).toHaveLength(1)
    await answer(host, 'elicitation-form', { action: 'decline' })
    await chat.idle(id)
    expect(legs(chat)[1].inputResponses).toEqual({ who: { action: 'decline' } })
  })

  it('shows the whole address with its host and anything unusual; nothing opens it without a yes (V26-ELIC-5, V26-ELIC-6, V26-ELIC-7)', async () => {
    const opened: string[] = []
    const openExternal = async (address: string) => void opened.push(address)
    const url = 'https://xn--80ak6aa92e.com/in?a=b'
    const entry = { method: 'elicitation/create', params: { mode: 'url', message: 'See https://b.example/', url } }
    const { chat, host, id } = await called([more({ entry })], { platform: { shell: 'electron', openExternal } })
    const { question: shown } = await question(host, 'elicitation-url')
    expect(shown).toMatchObject({ url, host: 'xn--80ak6aa92e.com', message: 'See https://b.example/' })
    expect(shown.warnings.length).toBeGreaterThan(0)
    await answer(host, 'elicitation-url', { action: 'decline' })
    await chat.idle(id)
    expect(opened).toEqual([])
    expect(legs(chat)[1].inputResponses).toEqual({ entry: { action: 'decline' } })
  })
})
