import { expect, it } from 'vitest'
import { chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { canonicalJson } from '../../../src-shared/base/json.ts'
import { CallEnded } from '../core/call-endings.ts'
import { TransientBlobs } from '../core/transient-blobs.ts'
import { RoundPermission } from './round-permission.ts'

it('sends no other arguments than those that were allowed, in whatever order they are written (SEC-26)', async () => {
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

it('asks about the calls of a round in the order of the model, however long it takes to learn what each needs', async () => {
  const calls = ['x'.repeat(30_000), 'two', 'three'].map((text) => ({ call: 'echo', args: { text } }))
  const chat = await chatHost({ replies: [calls] })
  const id = await chat.say('go')
  const { question } = await chat.question()
  const made = await Promise.all(calls.map(async (_, at) => (await chat.call(id, at)).id))
  expect(question.calls.map(({ toolCallId }) => toolCallId)).toEqual(made)
  await chat.answer('deny')
})
