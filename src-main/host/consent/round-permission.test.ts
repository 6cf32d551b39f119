import { describe, expect, it } from 'vitest'
import { until } from '../../../e2e/support/until.ts'
import { chatHost, ECHO } from '../../../e2e/test-hosts/chat-host.ts'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { canonicalJson, type JsonObject } from '../../../src-shared/base/json.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import { CallEnded } from '../core/call-endings.ts'
import { TransientBlobs } from '../core/transient-blobs.ts'
import { RoundPermission } from './round-permission.ts'

/** A tool whose hints say that it only reads, and only here. */
const READER = { ...ECHO, annotations: { readOnlyHint: true, openWorldHint: false } }

it('a call sends only the arguments that were allowed, in whatever order they are written (SEC-26)', async () => {
  const chat = await chatHost({ replies: [[{ call: 'echo', args: { text: 'hi', loud: true } }]] })
  const id = await chat.say('go')
  await chat.answer('once')
  await chat.idle(id)
  const call = await chat.call(id)
  const { host, storage } = chat
  const tool = call?.serverId && host.servers.tools.find(call.serverId, call.tool)
  if (!call || !tool) throw new Error('Nothing was called.')
  const origin = { conversationId: id, turnId: call.turnId, title: 'A turn', signal: new AbortController().signal }
  const parts = {
    storage: { ...storage, blobs: new TransientBlobs(storage.blobs) },
    interactions: host.interactions,
    state: host.state,
    clock: systemClock,
    servers: host.servers,
    consent: host.consent,
    checkValue: () => Promise.resolve({ is: 'valid' as const }),
  }
  const round = new RoundPermission(parts, origin)
  const args = { text: 'hi', to: ['a', 'b'], inner: { x: 1 } }
  const allowed = { tool, by: 'person' as const, why: '', powers: [], args: canonicalJson(args) }
  expect(() => round.confirm(call, allowed, { inner: { x: 1 }, to: ['a', 'b'], text: 'hi' })).not.toThrow()
  for (const other of [
    { ...args, text: 'ho' },
    { ...args, more: null },
    { ...args, to: ['b', 'a'] },
    { ...args, inner: { x: '1' } },
    { text: 'hi' },
    {},
  ])
    expect(() => round.confirm(call, allowed, other)).toThrow(CallEnded)
  for (const changed of [{ fingerprint: 'other' }, { launchIdentity: 'other' }])
    expect(() => round.confirm(call, { ...allowed, tool: { ...tool, ...changed } }, args)).toThrow(CallEnded)
})

it('a question lists the calls of a round in the model’s order, however long each takes to judge', async () => {
  const calls = ['x'.repeat(30_000), 'two', 'three'].map((text) => ({ call: 'echo', args: { text } }))
  const chat = await chatHost({ replies: [calls] })
  const id = await chat.say('go')
  const { question } = await chat.question()
  const made = await Promise.all(calls.map(async (_, at) => (await chat.call(id, at)).id))
  expect(question.calls.map(({ toolCallId }) => toolCallId)).toEqual(made)
  await chat.answer('deny')
})

it('a call is marked as grave where its name says a door, an oven or a permission, unless it only looks', async () => {
  const names = ['unlock_door', 'ofen_einschalten', 'set_permissions', 'publish_page', 'rename_page', 'get_door_status']
  const tools = names.map((name) => ({ ...ECHO, name }))
  const chat = await chatHost({ replies: [names.map((call) => ({ call, args: { text: 'hi' } }))], tools })
  await chat.say('go')
  const { question } = await chat.question()
  expect(question.calls.map(({ grave }) => grave)).toEqual([true, true, true, true, undefined, undefined])
  await chat.answer('deny')
})

it('an open question is judged again once the person says what its server’s tools do', async () => {
  const named = (name: string) => ({
    name,
    inputSchema: { type: 'object' as const, properties: { zone: { type: 'string' as const } } },
  })
  const args = { zone: 'Z7' }
  const chat = await chatHost({
    tools: [named('boiler'), named('valve')],
    replies: [
      [
        { call: 'boiler', args },
        { call: 'valve', args },
      ],
    ],
  })
  const id = await chat.say('How is Z7?')
  const { id: first } = await chat.question()
  const { judged } = chat.host.consent
  const tell = (tool: string) => {
    const { fingerprint = '' } = judged.list(PLAYGROUND_ID).tools.find((one) => one.tool === tool) ?? {}
    return judged.tellPowers(PLAYGROUND_ID, { [tool]: { fingerprint, powers: ['reads', 'brings-in'] } })
  }
  await tell('boiler')
  const open = await until(
    () => chat.host.state.snapshot.interactions.find((one) => one.id !== first),
    'the question about the rest',
  )
  expect(open).toMatchObject({ kind: 'tool-consent', question: { calls: [{ tool: 'valve' }] } })
  await tell('valve')
  await chat.idle(id)
  expect(chat.calls.map(({ name }) => name)).toEqual(['boiler', 'valve'])
  expect(chat.host.state.snapshot.interactions).toEqual([])
  expect(judged.said.size).toBe(0)
})

describe('arguments that the person edits before allowing', () => {
  const call = { call: 'echo', args: { text: 'hi' } }
  const change = async (chat: Awaited<ReturnType<typeof chatHost>>, args: JsonObject) => {
    const { id, kind, question } = await chat.question()
    const [asked] = question.calls
    if (!asked) throw new Error('Nothing is asked.')
    return chat.host.interactions.answer({ id, kind, answer: { decision: 'edit', call: asked.toolCallId, arguments: args } })
  }

  it('are asked about again, sent as last shown, told to the model, and kept in the ledger with the model’s', async () => {
    const chat = await chatHost({ replies: [[call]] })
    const id = await chat.say('go')
    await change(chat, { text: 'hello' })
    const asked = await until(async () => {
      const { question } = await chat.question()
      return question.calls[0]?.proposed && question.calls[0]
    }, 'the changed call')
    expect(chat.calls).toEqual([])
    expect(JSON.parse(asked.arguments.json)).toEqual({ text: 'hello' })
    expect(JSON.parse(asked.proposed?.json ?? '')).toEqual({ text: 'hi' })
    await chat.answer('once')
    await chat.idle(id)
    expect(chat.calls).toEqual([{ name: 'echo', arguments: { text: 'hello' } }])
    expect(await chat.call(id)).toMatchObject({ arguments: { json: '{"text":"hello"}' }, proposed: { json: '{"text":"hi"}' } })
    const {
      items: [entry],
    } = await chat.storage.ledger.page({ limit: 1 })
    expect(entry).toMatchObject({ arguments: '{"text":"hello"}', proposed: '{"text":"hi"}', decision: 'allowed-by-person' })
    const told = JSON.stringify(chat.model.requests.at(-1)?.messages)
    expect(told).toContain('The person changed the arguments before allowing this call.')
    expect(told).toContain('hello')
  })

  it('are offered for editing where the tool takes some, and not where nothing can be changed', async () => {
    const none = { ...ECHO, inputSchema: { type: 'object' as const } }
    for (const [tool, args, editable] of [
      [ECHO, { text: 'hi' }, true],
      [none, { text: 'hi' }, true],
      [none, {}, undefined],
    ] as const) {
      const chat = await chatHost({ replies: [[{ call: 'echo', args }]], tools: [tool] })
      await chat.say('go')
      expect((await chat.question()).question.calls[0]?.editable).toBe(editable)
      await chat.answer('deny')
    }
  })

  it('are refused with the reason when they do not fit the tool, and the question stays', async () => {
    const chat = await chatHost({ replies: [[call]] })
    const id = await chat.say('go')
    await change(chat, { text: 7 })
    const asked = await until(async () => (await chat.question()).question.calls.find(({ rejected }) => rejected), 'the reason')
    expect(asked.rejected?.why).toContain('text')
    expect(JSON.parse(asked.arguments.json)).toEqual({ text: 'hi' })
    await chat.answer('deny')
    await chat.idle(id)
    expect(chat.calls).toEqual([])
  })

  it('are reviewed again even where no question is needed, and count as the person’s decision', async () => {
    const chat = await chatHost({ replies: [[call]], tools: [READER] })
    const id = await chat.say('go')
    await chat.question()
    await chat.host.consent.judged.trustHints(PLAYGROUND_ID, true)
    await change(chat, { text: 'hello' })
    const asked = await until(
      async () => chat.calls[0] ?? (await chat.question()).question.calls.find(({ proposed }) => proposed),
      'the changed call',
    )
    expect(chat.calls).toEqual([])
    expect(asked).toMatchObject({ why: 'You changed the arguments.', guards: [] })
    await chat.answer('once')
    await chat.idle(id)
    expect(chat.calls).toEqual([{ name: 'echo', arguments: { text: 'hello' } }])
    expect(await chat.call(id)).toMatchObject({ allowedBy: 'person' })
  })

  it('do not pass a guard: they are judged as they are now', async () => {
    const chat = await chatHost({ replies: [[call]] })
    const id = await chat.say('go')
    const before = await chat.question()
    expect(before.question.calls[0]?.guards.map(({ guard }) => guard)).not.toContain('secrets')
    await change(chat, { text: `ghp_${'a1B2'.repeat(9)}` })
    const asked = await until(
      async () => (await chat.question()).question.calls.find(({ proposed }) => proposed),
      'the changed call',
    )
    expect(asked.guards.map(({ guard }) => guard)).toContain('secrets')
    await chat.answer('deny')
    await chat.idle(id)
    expect(chat.calls).toEqual([])
  })
})
