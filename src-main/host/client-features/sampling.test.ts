import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, type ChatOptions, chatHost, ECHO } from '../../../e2e/test-hosts/chat-host.ts'
import { answer, openQuestions, question, reply, returnOn, sendOn } from '../../../e2e/test-hosts/open-question.ts'
import { textOf } from '../../../e2e/test-hosts/scripted-provider.ts'
import type { ProviderId } from '../../../src-shared/contract/ids.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import { DEMO_MODEL } from '../../../src-shared/contract/settings.ts'
import { ModelError } from '../../models/model-provider.ts'
import { OPEN_LIMIT } from '../core/interactions.ts'

const text = (said: string) => ({ type: 'text', text: said })
const PLAIN = { messages: [{ role: 'user', content: text('What is six times seven?') }], maxTokens: 100 }
const _PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const forever = new Promise<never>(() => {})

async function sampled(options: ChatOptions = {}, params: Record<string, unknown> = PLAIN) {
  const chat = await chatHost(options)
  chat.server.send({ jsonrpc: '2.0', id: 's1', method: 'sampling/createMessage', params })
  return { chat, asked: () => chat.server.answerTo('s1'), host: chat.host }
}

const setOptions = (chat: ChatHost, options: Parameters<ChatHost['host']['servers']['controls']['setOptions']>[1]) =>
  chat.host.servers.controls.setOptions(PLAYGROUND_ID, options)

describe('a sampling request', () => {
  it('is declared where it is served, and nothing is sent before the person agrees (SAMP-01, SEC-11, SAMP-07)', async () => {
    const { chat, asked, host } = await sampled({ replies: [['42']] })
    expect(chat.server.got('initialize')[0]?.params.capabilities.sampling).toEqual({ tools: {}, context: {} })
    const { question: shown, about } = await question(host, 'sampling-request')
    expect(about).toMatchObject({ serverId: PLAYGROUND_ID, origin: 'server' })
    expect(about.cause).toContain('Not caused by')
    expect(shown).toMatchObject({
      messages: [{ role: 'user', blocks: [{ n: 0, type: 'text', text: 'What is six times seven?' }] }],
    })
    expect(shown).toMatchObject({ maxTokens: 100, tokenCap: 100, reason: 'Your own choice of model.' })
    expect(chat.model.requests).toEqual([])
    await sendOn(host)
    await reply(host)
    expect(chat.server.received.some(({ id, method }) => id === 's1' && !method)).toBe(false)
    await returnOn(host)
    expect((await asked()).result).toEqual({ role: 'assistant', content: text('42'), model: 'scripted', stopReason: 'endTurn' })
    expect(chat.model.request(0).messages.map(textOf)).toEqual(['What is six times seven?'])
  })

  it('goes to the model as the person edited it, and its reply to the server likewise (SAMP-05, SEC-13, SAMP-35)', async () => {
    const { chat, asked, host } = await sampled({ replies: [['secret reply']] }, { ...PLAIN, systemPrompt: 'Be rude.' })
    const messages = [{ role: 'user' as const, blocks: [{ text: 'What is two times two?' }] }]
    await sendOn(host, { messages, systemPrompt: 'Be kind.', maxTokens: 7 })
    expect((await reply(host)).question.blocks).toMatchObject([{ type: 'text', text: 'secret reply' }])
    expect(chat.model.request(0)).toMatchObject({ system: 'Be kind.', maxTokens: 7, purpose: 'sampling', tools: [] })
    expect(chat.model.request(0).messages.map(textOf)).toEqual(['What is two times two?'])
    await answer(host, 'sampling-result', { decision: 'return', blocks: [{ text: 'four' }] })
    expect((await asked()).result).toMatchObject({ content: text('four') })
    expect(JSON.stringify(chat.server.received)).not.toMatch(/secret reply|two times two|Be kind/)
  })

  it('proposes the person’s model for such requests, unless the server’s hint fits another (SAMP-20)', async () => {
    const chat = await chatHost()
    await chat.host.settings.change({ samplingModel: DEMO_MODEL })
    const proposed = async (id: string, params: Record<string, unknown>) => {
      chat.server.send({ jsonrpc: '2.0', id, method: 'sampling/createMessage', params })
      const { model, models } = (await question(chat.host, 'sampling-request')).question
      await answer(chat.host, 'sampling-request', { decision: 'decline' })
      await chat.server.answerTo(id)
      return [model.model, models[0]?.model.model]
    }
    expect(await proposed('s1', PLAIN)).toEqual(['demo', 'demo'])
    expect(await proposed('s2', { ...PLAIN, modelPreferences: { hints: [{ name: 'scripted' }] } })).toEqual([
      'scripted',
      'scripted',
    ])
    await chat.host.settings.change({ samplingModel: null })
    expect(await proposed('s3', PLAIN)).toEqual(['scripted', 'scripted'])
  })

  it('may lose its system prompt (SAMP-21)', async () => {
    const { chat, host } = await sampled({}, { ...PLAIN, systemPrompt: 'Obey the server.' })
    await sendOn(host, { systemPrompt: null })
    await returnOn(host)
    expect(chat.model.request(0).system).toBe('')
  })

  it('can be declined on both pages, and the server gets -1 alone (SAMP-03, SAMP-08, SEC-14)', async () => {
    const { chat, asked, host } = await sampled({ replies: [['hidden']] })
    await answer(host, 'sampling-request', { decision: 'decline' })
    expect(await asked()).toEqual({ jsonrpc: '2.0', id: 's1', error: { code: -1, message: 'User rejected sampling request' } })
    expect(chat.model.requests).toEqual([])
    const second = chat.server.ask('sampling/createMessage', PLAIN, 's2')
    await sendOn(host)
    await reply(host)
    await answer(host, 'sampling-result', { decision: 'decline' })
    expect(await second).toEqual({ jsonrpc: '2.0', id: 's2', error: { code: -1, message: 'User rejected the sampled reply' } })
    expect(JSON.stringify(chat.server.received)).not.toContain('hidden')
  })

  it('is written again on demand, and only the returned reply is sent (SAMP-06)', async () => {
    const { chat, asked, host } = await sampled({ replies: [['first try'], ['second try']] })
    await sendOn(host)
    const first = await reply(host)
    await answer(host, 'sampling-result', { decision: 'again' })
    await until(() => openQuestions(host, 'sampling-result')[0]?.id !== first.id, 'another reply')
    await returnOn(host)
    expect((await asked()).result?.content).toEqual(text('second try'))
    expect(JSON.stringify(chat.server.received)).not.toContain('first try')
  })

  it('streams its reply into the open question, which can be answered once it is complete', async () => {
    const gate = Promise.withResolvers<void>()
    const { chat, host } = await sampled({ replies: [['One ', 'two ', { wait: gate.promise }, 'three']] })
    await sendOn(host)
    const grown = await until(() => {
      const [open] = openQuestions(host, 'sampling-result')
      return open?.question.blocks.length ? open : undefined
    }, 'text in the question')
    expect(grown.question).toMatchObject({ state: 'writing', blocks: [{ n: 0, type: 'text', text: 'One two ' }] })
    const early = { id: grown.id, kind: 'sampling-result', answer: { decision: 'return', blocks: [{ keep: 0 }] } } as const
    expect(() => host.interactions.answer(early)).toThrow('no complete reply')
    expect(() => host.interactions.answer({ ...early, answer: { decision: 'again' } })).toThrow('still being written')
    gate.resolve()
    expect((await reply(host)).question).toMatchObject({
      state: 'done',
      blocks: [{ text: 'One two three' }],
      stopReason: 'endTurn',
    })
    await returnOn(host)
    expect(chat.events.filter(({ type }) => type === 'interaction.grew').length).toBeGreaterThan(0)
  })

  it('shows a failure of the model to the person, who may try again, and then gives the server -32603 (SAMP-09)', async () => {
    const fail = new ModelError('overloaded', 'The model is overloaded.', { todo: 'Wait.' })
    const { asked, host } = await sampled({ replies: [['half', { fail }]] })
    await sendOn(host)
    expect((await reply(host)).question).toMatchObject({
      state: 'failed',
      problem: { code: 'overloaded' },
      blocks: [{ text: 'half' }],
    })
    await answer(host, 'sampling-result', { decision: 'decline' })
    expect((await asked()).error).toMatchObject({ code: -32603 })
  })

  it.each([
    ['max-tokens', 'maxTokens'],
    ['refused', 'refusal'],
    ['end', 'endTurn'],
  ] as const)('says in the protocol’s words why the model stopped: %s (SAMP-12)', async (stopReason, said) => {
    const { asked, host } = await sampled({ replies: [['x', { done: { stopReason } }]] })
    await sendOn(host)
    await returnOn(host)
    expect((await asked()).result).toMatchObject({ stopReason: said })
  })

  it('names the model that answered by the person’s choice, whatever the hint (SAMP-11, SAMP-13, SAMP-20)', async () => {
    const params = { ...PLAIN, modelPreferences: { hints: [{ name: 'scripted' }] } }
    const { asked, host } = await sampled({}, params)
    const { question: shown } = await question(host, 'sampling-request')
    expect(shown.model.model).toBe('scripted')
    expect(shown.reason).toBe('Hint “scripted” → Scripted (Scripted).')
    expect(shown.models.map(({ model }) => model.model)).toEqual(['scripted', 'demo'])
    await sendOn(host, { model: { provider: 'demo' as ProviderId, model: 'demo' } })
    await returnOn(host)
    expect((await asked()).result).toMatchObject({ model: 'demo', content: { text: expect.stringContaining('six times seven') } })
  })

  it('gets no more tokens than it asks for (SAMP-24, V26-SAMP-1)', async () => {
    const { host } = await sampled()
    expect((await question(host, 'sampling-request')).question).toMatchObject({ maxTokens: 100, tokenCap: 100 })
    await expect(sendOn(host, { maxTokens: 101 })).rejects.toMatchObject({ code: 'invalid-answer' })
  })

  it('is capped, and refuses more than the cap (SAMP-24)', async () => {
    const { host } = await sampled({}, { ...PLAIN, maxTokens: 1_000_000 })
    const { id, question: shown } = await question(host, 'sampling-request')
    expect(shown).toMatchObject({ maxTokens: 1_000_000, tokenCap: 32_000 })
    await expect(sendOn(host, { maxTokens: 32_001 })).rejects.toMatchObject({ code: 'invalid-answer' })
    expect(openQuestions(host, 'sampling-request')[0]?.id).toBe(id)
  })

  it.each([
    ['what the server asks for', { maxTokens: 100 }, {}, 100],
    ['the cap of this host', { maxTokens: 1_000_000 }, {}, 32_000],
    ['less, when the person says so', { maxTokens: 100 }, { maxTokens: 7 }, 7],
  ])('lets the model write at most %s (SAMP-24)', async (_what, wanted, said, sent) => {
    const { chat, host } = await sampled({}, { ...PLAIN, ...wanted })
    const { question: shown } = await question(host, 'sampling-request')
    await sendOn(host, { maxTokens: shown.tokenCap, ...said })
    await reply(host)
    expect(chat.model.request(0).maxTokens).toBe(sent)
  })

  it('passes temperature, stop sequences and known metadata to the model, and drops the rest (SAMP-25)', async () => {
    const params = {
      ...PLAIN,
      temperature: 0.2,
      stopSequences: ['END'],
      metadata: { user_id: 'u-1', token: 'x', deep: { a: 1 } },
    }
    const { chat, host } = await sampled({}, params)
    expect((await question(host, 'sampling-request')).question.metadata).toEqual({ user_id: 'u-1' })
    await sendOn(host)
    await returnOn(host)
    expect(chat.model.request(0)).toMatchObject({ temperature: 0.2, stopSequences: ['END'], userId: 'u-1' })
    expect(JSON.stringify(chat.model.request(0))).not.toContain('deep')
  })

  it('with audio says that no model can hear it, and fails with our own error (SAMP-34)', async () => {
    const audio = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }
    const { asked, host } = await sampled({}, { messages: [{ role: 'user', content: audio }], maxTokens: 10 })
    expect((await question(host, 'sampling-request')).question.models[0]).toMatchObject({ unsuitable: 'It cannot hear audio.' })
    await expect(sendOn(host)).rejects.toMatchObject({ code: 'invalid-answer' })
    await answer(host, 'sampling-request', { decision: 'decline' })
    expect((await asked()).error).toMatchObject({ code: -32603, message: expect.stringContaining('audio') })
  })

  it.each([
    ['no messages', { maxTokens: 10 }],
    ['an empty list of messages', { messages: [], maxTokens: 10 }],
    ['no maxTokens', { messages: PLAIN.messages }],
    [
      'broken base64',
      { messages: [{ role: 'user', content: { type: 'image', data: '%%', mimeType: 'image/png' } }], maxTokens: 1 },
    ],
    [
      'a resource',
      { messages: [{ role: 'user', content: { type: 'resource', resource: { uri: 'x:y', text: '' } } }], maxTokens: 1 },
    ],
    ['more than anybody reads', { messages: Array.from({ length: 65 }, () => PLAIN.messages[0]), maxTokens: 1 }],
  ])('with %s is refused and opens no question (SAMP-28, SAMP-33)', async (_what, params) => {
    const { asked, host } = await sampled({}, params)
    expect((await asked()).error?.code).toBe(-32602)
    expect(host.state.snapshot.interactions).toEqual([])
  })

  it('passes its tools on and returns their use without running them (V11-20, V11-21)', async () => {
    const tools = [{ name: 'my.tool', description: 'Mine', inputSchema: { type: 'object' } }]
    const params = { ...PLAIN, tools, toolChoice: { mode: 'required' } }
    const { chat, asked, host } = await sampled(
      { replies: [['Let me see.', { call: 'my_tool', args: { a: 1 }, id: 'u1' }]] },
      params,
    )
    expect((await question(host, 'sampling-request')).question).toMatchObject({
      tools: [{ name: 'my.tool' }],
      toolChoice: 'required',
    })
    await sendOn(host)
    await returnOn(host)
    expect(chat.model.request(0)).toMatchObject({ tools: [{ name: 'my_tool' }], toolChoice: 'required' })
    expect((await asked()).result).toEqual({
      role: 'assistant',
      content: [text('Let me see.'), { type: 'tool_use', id: 'u1', name: 'my.tool', input: { a: 1 } }],
      model: 'scripted',
      stopReason: 'toolUse',
    })
    expect(chat.calls).toEqual([])
    const followUp = chat.server.ask(
      'sampling/createMessage',
      {
        ...params,
        messages: [
          ...PLAIN.messages,
          { role: 'assistant', content: { type: 'tool_use', id: 'u1', name: 'my.tool', input: { a: 1 } } },
          { role: 'user', content: { type: 'tool_result', toolUseId: 'u1', content: [text('seven')] } },
        ],
      },
      's2',
    )
    await sendOn(host)
    await returnOn(host)
    await followUp
    expect(chat.model.request(1).messages.slice(1)).toMatchObject([
      { role: 'assistant', toolCalls: [{ id: 'u1', name: 'my_tool', arguments: { a: 1 } }] },
      { role: 'tool', callId: 'u1', toolName: 'my_tool', content: [{ text: 'seven' }], isError: false },
    ])
  })

  it('fits into a record, however many are asked at once', async () => {
    const long = 'ä'.repeat(9_000)
    const tools = Array.from({ length: 32 }, (_, n) => ({
      name: `${n}${'t'.repeat(120)}`,
      description: long,
      inputSchema: { type: 'object', title: long },
    }))
    const messages = Array.from({ length: 64 }, () => ({ role: 'user', content: text(long) }))
    const stopSequences = Array.from({ length: 50 }, () => long)
    const { chat, host } = await sampled({}, { messages, tools, stopSequences, systemPrompt: long, maxTokens: 10 })
    const open = await question(host, 'sampling-request')
    expect(Buffer.byteLength(JSON.stringify(open))).toBeLessThan(32 * 1024)
    await sendOn(host)
    await returnOn(host)
    expect(chat.model.request(0).messages.map(textOf)).toEqual(messages.map(() => long))
  })

  it('accepts the first of two answers given at once', async () => {
    const { asked, host } = await sampled()
    const { id } = await question(host, 'sampling-request')
    const decline = { id, kind: 'sampling-request', answer: { decision: 'decline' } } as const
    expect([host.interactions.answer(decline), host.interactions.answer(decline)]).toEqual([true, false])
    await asked()
  })
})

describe('the permission to sample', () => {
  it('is the person’s switch: off refuses at once and is not declared after the next start (SEC-12, LIFE-21, SAMP-02)', async () => {
    const chat = await chatHost()
    await setOptions(chat, { sampling: 'off' })
    const refused = await chat.server.ask('sampling/createMessage', PLAIN, 1)
    expect(refused.error).toEqual({ code: -1, message: 'Sampling is turned off for this server' })
    await chat.host.servers.controls.stop(PLAYGROUND_ID)
    await chat.host.servers.controls.start(PLAYGROUND_ID)
    await until(() => chat.servers.length === 2 && chat.host.servers.tools.all().length > 0, 'the new link')
    expect(chat.server.got('initialize')[0]?.params.capabilities).not.toHaveProperty('sampling')
    expect((await chat.server.ask('sampling/createMessage', PLAIN, 1)).error).toMatchObject({ code: -32601 })
    expect(chat.host.state.snapshot.interactions).toEqual([])
  })

  it('can have a budget, within which each request is still asked about, and which outlives the host (SAMP-27)', async () => {
    const chat = await chatHost({ replies: [['one', { done: { usage: { input: 30, output: 12 } } }]] })
    await setOptions(chat, { sampling: 'budget', samplingBudget: { requests: 2, tokens: 1000 } })
    const first = chat.server.ask('sampling/createMessage', PLAIN, 1)
    expect((await question(chat.host, 'sampling-request')).question.budget).toEqual({ requests: 2, tokens: 1000 })
    await sendOn(chat.host)
    await returnOn(chat.host)
    await first
    expect(chat.host.servers.configured.find(PLAYGROUND_ID)?.record.sampled).toEqual({ requests: 1, tokens: 42 })
    await chat.end()
    const again = await chatHost({ after: chat, replies: [['two']] })
    expect(again.host.servers.configured.find(PLAYGROUND_ID)?.record.sampled).toEqual({ requests: 1, tokens: 42 })
    const second = again.server.ask('sampling/createMessage', PLAIN, 1)
    await sendOn(again.host)
    expect((await reply(again.host)).question.noAgain).toContain('used up')
    await expect(answer(again.host, 'sampling-result', { decision: 'again' })).rejects.toThrow('used up')
    await returnOn(again.host)
    await second
    expect((await again.server.ask('sampling/createMessage', PLAIN, 2)).error).toMatchObject({ code: -1 })
    await again.host.features.samplingPolicy.reset(PLAYGROUND_ID)
    const third = again.server.ask('sampling/createMessage', PLAIN, 3)
    await answer(again.host, 'sampling-request', { decision: 'decline' })
    await third
  })

  it('is refused when another request used up the budget during the review', async () => {
    const chat = await chatHost({ replies: [['one']] })
    await setOptions(chat, { sampling: 'budget', samplingBudget: { requests: 1, tokens: 10_000 } })
    const first = chat.server.ask('sampling/createMessage', PLAIN, 1)
    await question(chat.host, 'sampling-request')
    const second = chat.server.ask('sampling/createMessage', PLAIN, 2)
    await question(chat.host, 'sampling-request', 1)
    await sendOn(chat.host)
    await sendOn(chat.host)
    expect((await second).error).toMatchObject({ code: -1, message: 'The sampling budget of this server is used up' })
    await returnOn(chat.host)
    expect((await first).result).toMatchObject({ content: text('one') })
    expect(chat.model.requests.length).toBe(1)
  })

  it('covers no more tokens than the budget has left', async () => {
    const chat = await chatHost()
    await setOptions(chat, { sampling: 'budget', samplingBudget: { requests: 5, tokens: 40 } })
    const asked = chat.server.ask('sampling/createMessage', PLAIN, 1)
    const { question: shown } = await question(chat.host, 'sampling-request')
    expect(shown.tokenCap).toBe(40 - shown.inputTokens)
    await answer(chat.host, 'sampling-request', { decision: 'decline' })
    await asked
  })

  it('refuses with an error, never a person’s no, a server that asks too much or is muted (SAMP-29, SEC-24)', async () => {
    const clock = new ManualClock(1_000)
    const chat = await chatHost({ clock })
    for (let n = 0; n < 50; n++) chat.server.send({ jsonrpc: '2.0', id: n, method: 'sampling/createMessage', params: PLAIN })
    await until(() => openQuestions(chat.host, 'sampling-request').length === OPEN_LIMIT, 'the open questions')
    const refused = await until(() => chat.server.received.filter(({ error }) => error), 'refusals')
    expect(refused.map(({ error }) => error?.code)).toEqual(refused.map(() => -32603))
    expect(refused.every(({ error }) => /Too many/.test(error?.message ?? ''))).toBe(true)
    expect(chat.host.interactions.declineAll(PLAYGROUND_ID)).toBe(OPEN_LIMIT)
    await until(() => chat.server.received.filter(({ error }) => error).length === 50, 'an answer to each')
    expect((await chat.server.ask('sampling/createMessage', PLAIN, 100)).error).toMatchObject({
      message: 'Too many questions within a minute: 32 at most',
    })
    clock.advance(60_000)
    await setOptions(chat, { muted: true })
    expect((await chat.server.ask('sampling/createMessage', PLAIN, 101)).error).toEqual({
      code: -32603,
      message: 'This server is muted',
    })
    expect(chat.host.state.snapshot.interactions).toEqual([])
  })
})

describe('a sampling question ends', () => {
  it('when the server cancels on either page, and the model is stopped (SAMP-32)', async () => {
    const chat = await chatHost({ replies: [['never', { wait: forever }]] })
    chat.server.send({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: PLAIN })
    await question(chat.host, 'sampling-request')
    chat.server.notify('notifications/cancelled', { requestId: 1 })
    await until(() => chat.host.state.snapshot.interactions.length === 0, 'no question')
    chat.server.send({ jsonrpc: '2.0', id: 2, method: 'sampling/createMessage', params: PLAIN })
    await sendOn(chat.host)
    await until(() => openQuestions(chat.host, 'sampling-result')[0]?.question.blocks.length, 'a growing reply')
    chat.server.notify('notifications/cancelled', { requestId: 2 })
    await until(() => chat.host.state.snapshot.interactions.length === 0, 'no question')
    expect(chat.server.received.filter(({ id, method }) => !method && (id === 1 || id === 2))).toEqual([])
    const closed = chat.events.filter((event) => event.type === 'interaction.closed')
    expect(closed.map((event) => event.type === 'interaction.closed' && event.outcome)).toEqual([
      'withdrawn',
      'answered',
      'withdrawn',
    ])
  })

  it('when the server dies', async () => {
    const { chat, host } = await sampled()
    await question(host, 'sampling-request')
    await chat.server.close()
    await until(() => host.state.snapshot.interactions.length === 0, 'no question')
  })

  it('when nobody answers, and the server gets -1', async () => {
    const clock = new ManualClock(1_000)
    const { asked, host } = await sampled({ clock })
    await question(host, 'sampling-request')
    clock.advance(30 * 60_000)
    expect((await asked()).error).toEqual({ code: -1, message: 'Nobody answered the sampling request' })
  })
})

describe('sampling within a call of a conversation', () => {
  /** A turn whose tool call samples before it answers. */
  async function nested(clock?: ManualClock, params: Record<string, unknown> = PLAIN) {
    const answered = Promise.withResolvers<unknown>()
    const chat = await chatHost({
      ...(clock && { clock }),
      replies: [[{ call: 'echo', args: { text: 'canary-argument' } }], ['sampled text'], ['All done.']],
      onCall: () => answered.promise,
    })
    const id = await chat.say('canary-message of the conversation')
    await chat.answer('once')
    await until(() => chat.calls.length === 1, 'the call')
    chat.server.send({ jsonrpc: '2.0', id: 's1', method: 'sampling/createMessage', params })
    return {
      chat,
      id,
      asked: () => chat.server.answerTo('s1'),
      finish: (said: string) => answered.resolve({ content: [text(said)] }),
    }
  }

  it('names the call and the conversation, and the call continues with the result (SAMP-31, SAMP-04, TRAN-76)', async () => {
    const { chat, id, asked, finish } = await nested()
    const { about } = await question(chat.host, 'sampling-request')
    expect(about).toMatchObject({
      conversationId: id,
      cause: 'Because of the call to “echo” in “canary-message of the conversation”.',
    })
    await sendOn(chat.host)
    await returnOn(chat.host)
    finish((await asked()).result?.content.text)
    await chat.idle(id)
    expect((await chat.call(id)).result?.content[0]).toMatchObject({ text: 'sampled text' })
  })

  it('stops every deadline while the person reads and the model writes', async () => {
    const clock = new ManualClock(1_000)
    const { chat, id, asked, finish } = await nested(clock)
    await question(chat.host, 'sampling-request')
    clock.advance(20 * 60_000)
    await sendOn(chat.host)
    await reply(chat.host)
    clock.advance(20 * 60_000)
    await returnOn(chat.host)
    await asked()
    finish('in time')
    await chat.idle(id)
    expect((await chat.call(id)).status).toBe('finished')
  })

  it('ends when its turn is stopped, and a waiting server gets -1', async () => {
    const { chat, id, asked } = await nested()
    await question(chat.host, 'sampling-request')
    await chat.host.conversations.open(id, (one) => one.cancel())
    await until(() => chat.host.state.snapshot.interactions.length === 0, 'no question')
    expect((await asked()).error?.code).toBe(-1)
    expect((await chat.call(id)).status).toBe('cancelled')
  })

  it('shares nothing of the conversation unless the person ticks exactly that (SAMP-22, SAMP-23, SEC-04)', async () => {
    const { chat, asked, finish } = await nested(undefined, { ...PLAIN, includeContext: 'allServers' })
    const { question: shown } = await question(chat.host, 'sampling-request')
    expect(shown.context).toMatchObject({ asked: 'allServers', offers: [{ id: 'messages' }] })
    expect(shown.context.offers[0]?.preview.text).toContain('canary-message')
    await sendOn(chat.host)
    await returnOn(chat.host)
    await asked()
    expect(JSON.stringify(chat.model.request(1))).not.toContain('canary')
    const ticked = chat.server.ask('sampling/createMessage', { ...PLAIN, includeContext: 'allServers' }, 's2')
    chat.model.push(['with context'])
    await sendOn(chat.host, { context: ['messages'] })
    await returnOn(chat.host)
    await ticked
    expect(chat.model.request(2).system).toContain('canary-message')
    const wire = chat.server.received.filter(({ method }) => method !== 'tools/call')
    expect(JSON.stringify(wire)).not.toContain('canary')
    finish('done')
  })

  it('offers no context outside a call, and its own answers alone when it asked for those', async () => {
    const { host } = await sampled({ tools: [ECHO] }, { ...PLAIN, includeContext: 'allServers' })
    expect((await question(host, 'sampling-request')).question.context.offers).toEqual([])
  })
})
