import { describe, expect, it } from 'vitest'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, type ChatOptions, chatHost, type Follower } from '../../../e2e/test-hosts/chat-host.ts'
import { textOf } from '../../../e2e/test-hosts/scripted-provider.ts'
import type { ConversationId, MessageId } from '../../../src-shared/contract/ids.ts'
import { QUEUE_LIMIT } from '../../../src-shared/contract/queue.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import { forkAt } from './conversation-branches.ts'
import type { MessageQueue } from './message-queue.ts'

const { signal } = new AbortController()
const forever = new Promise<never>(() => {})
const echo = { call: 'echo', args: {} }

interface Running {
  readonly chat: ChatHost
  readonly id: ConversationId
  readonly window: Follower
  /** Ends the reply that runs. */
  readonly release: () => void
  readonly send: (text: string, now?: boolean) => Promise<MessageId>
  readonly inQueue: <T>(run: (queue: MessageQueue) => T | Promise<T>) => Promise<T>
  readonly queued: () => readonly string[]
  /** Texts of the person, oldest first. */
  readonly said: () => readonly string[]
}

/** A conversation whose first reply goes on until `release`, before the replies of `options`. */
async function running(options: ChatOptions = {}): Promise<Running> {
  const gate = Promise.withResolvers<void>()
  const { replies = [], ...others } = options
  const chat = await chatHost({ ...others, replies: [['One ', { wait: gate.promise }, 'ends.'], ...replies] })
  const id = await chat.newConversation()
  const window = await chat.follow(id)
  const send = async (text: string, now?: boolean) =>
    (await chat.host.conversations.open(id, (one) => one.send(text, now))).messageId
  await send('first')
  await until(() => window.text.includes('One'), 'the first words')
  const words = ({ parts }: { readonly parts: readonly object[] }) =>
    parts.map((part) => ('text' in part ? String(part.text) : '')).join('')
  return {
    chat,
    id,
    window,
    release: gate.resolve,
    send,
    inQueue: (run) => chat.host.conversations.open(id, (one) => run(one.queue)),
    queued: () => (window.value.queue ?? []).map(words),
    said: () => window.value.messages.filter(({ role }) => role === 'user').map(words),
  }
}

describe('messages sent during a reply', () => {
  it('wait, and are sent in order, each after the reply before it', async () => {
    const { chat, id, release, send, queued, said } = await running()
    await send('second')
    await send('third')
    expect(queued()).toEqual(['second', 'third'])
    expect(said()).toEqual(['first'])
    expect((await chat.storage.states.of(id)).queue).toHaveLength(2)
    release()
    await chat.idle(id)
    expect(said()).toEqual(['first', 'second', 'third'])
    expect(queued()).toEqual([])
    expect(chat.model.requests.map(({ messages }) => textOf(messages.at(-1)!))).toEqual(['first', 'second', 'third'])
    expect((await chat.storage.states.of(id)).queue).toBeUndefined()
  })

  it('take their attachments along, whose changes are still reported', async () => {
    const { chat, id, window, release, send } = await running({
      capabilities: { resources: { subscribe: true } },
      answers: {
        'resources/list': () => ({ resources: [{ uri: 'note://1', name: 'one' }] }),
        'resources/templates/list': () => ({ resourceTemplates: [] }),
        'resources/subscribe': () => ({}),
        'resources/unsubscribe': () => ({}),
        'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'Buy milk' }] }),
      },
    })
    await chat.host.conversations.open(id, (one) => one.attachments.attach(PLAYGROUND_ID, 'note://1', signal))
    await send('what is in it?')
    expect(window.value.attachments).toBeUndefined()
    chat.server.send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'note://1' } })
    await until(() => JSON.stringify(window.value.queue).includes('changedSince'), 'the mark')
    release()
    await chat.idle(id)
    expect(window.value.messages.at(-2)?.parts).toMatchObject([
      { type: 'text', text: 'what is in it?' },
      { type: 'resource', uri: 'note://1', changedSince: expect.any(Number) },
    ])
    expect(textOf(chat.model.request(-1).messages.at(-1)!)).toContain('Buy milk')
  })

  it.each<[string, ChatOptions, (chat: ChatHost, id: ConversationId) => Promise<unknown>]>([
    ['failed', { replies: [[{ fail: new Error('broken') }]] }, async () => {}],
    ['was stopped', { replies: [[{ wait: forever }]] }, (chat, id) => chat.host.conversations.open(id, (one) => one.cancel())],
    ['had a call that was denied', { replies: [[echo], ['All right.']] }, (chat) => chat.answer('deny')],
  ])('wait after a reply that %s, until they are sent by hand or a reply ends well', async (_how, options, end) => {
    const { chat, id, window, release, send, queued, said } = await running(options)
    await send('second')
    await send('third')
    await send('fourth')
    release()
    await until(() => said().length === 2, 'the second message')
    await until(() => chat.model.requests.length >= 2, 'the second request')
    await end(chat, id)
    await chat.idle(id)
    expect(queued()).toEqual(['third', 'fourth'])
    const waiting = window.value.queue![1]!.id
    await chat.host.conversations.open(id, (one) => one.sendQueued(waiting))
    await chat.idle(id)
    expect(said()).toEqual(['first', 'second', 'fourth', 'third'])
  })

  it('stay with the original when their conversation is copied', async () => {
    const { chat, id, window, send, queued } = await running()
    await send('second')
    const fork = await chat.host.conversations.open(id, (one) => forkAt(one, window.value.messages[0]!.id))
    expect(await chat.storage.states.of(fork.id)).toEqual({})
    expect(queued()).toEqual(['second'])
  })

  it('can be taken back with text and attachments, removed, and returned to their place', async () => {
    const { chat, id, window, release, send, inQueue, queued, said } = await running({
      capabilities: { resources: {} },
      answers: {
        'resources/list': () => ({ resources: [{ uri: 'note://1', name: 'one' }] }),
        'resources/templates/list': () => ({ resourceTemplates: [] }),
        'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'Buy milk' }] }),
      },
    })
    const long = 'ä'.repeat(40_000)
    await chat.host.conversations.open(id, (one) => one.attachments.attach(PLAYGROUND_ID, 'note://1', signal))
    const edited = await send(long)
    const removed = await send('third')
    await send('fourth')
    expect(await inQueue((queue) => queue.take(edited))).toEqual({ text: long })
    expect(window.value.attachments).toMatchObject([{ uri: 'note://1' }])
    await inQueue((queue) => queue.remove(removed))
    expect(queued()).toEqual(['fourth'])
    await inQueue((queue) => queue.restore(removed))
    expect(queued()).toEqual(['third', 'fourth'])
    await expect(inQueue((queue) => queue.restore(removed))).rejects.toMatchObject({ code: 'not-found' })
    await expect(inQueue((queue) => queue.take(edited))).rejects.toMatchObject({ code: 'not-found' })
    release()
    await chat.idle(id)
    expect(said()).toEqual(['first', 'third', 'fourth'])
  })

  it(`are limited to ${QUEUE_LIMIT}, and none is empty`, async () => {
    const { send, queued } = await running()
    for (let n = 0; n < QUEUE_LIMIT; n++) await send(`${n}`)
    await expect(send('one more')).rejects.toMatchObject({ code: 'refused' })
    await expect(send(' ')).rejects.toMatchObject({ code: 'invalid-params' })
    expect(queued()).toHaveLength(QUEUE_LIMIT)
  })

  it('wait after the host was closed, and are not sent by its next start', async () => {
    const first = await running()
    await first.send('second')
    await first.chat.end()
    const again = await chatHost({ after: first.chat })
    const window = await again.follow(first.id)
    await again.idle(first.id)
    expect(window.value).toMatchObject({ turn: { status: 'interrupted' }, queue: [{ parts: [{ text: 'second' }] }] })
    expect(again.model.requests).toEqual([])
    await again.host.conversations.open(first.id, (one) => one.retry())
    await until(() => window.value.queue === undefined, 'the message to be sent')
    await again.idle(first.id)
    expect(again.model.requests.map(({ messages }) => textOf(messages.at(-1)!))).toEqual([expect.any(String), 'second'])
  })
})

describe('a message sent now', () => {
  it('ends a reply that is being written, and precedes those that wait', async () => {
    const { chat, id, window, send, said } = await running()
    await send('later')
    await send('now', true)
    await chat.idle(id)
    expect(said()).toEqual(['first', 'now', 'later'])
    expect(window.value.messages[1]).toMatchObject({ status: 'stopped', parts: [{ text: 'One ' }] })
  })

  it('lets the running call end, whose result the model gets, and drops a call that waits for an answer', async () => {
    const call = Promise.withResolvers<object>()
    const { chat, id, release, send } = await running({ replies: [[echo], [echo]], onCall: () => call.promise })
    await send('call it')
    release()
    await chat.answer('conversation')
    await until(() => chat.calls.length === 1, 'the call')
    await send('never mind', true)
    expect(chat.host.state.snapshot.conversations[0]?.turn).toBe('running')
    call.resolve({ content: [{ type: 'text', text: 'the result' }] })
    // The reply to it calls the tool again, and may have done so by now.
    await until(() => chat.model.requests.length >= 3, 'the next request')
    expect(await chat.call(id)).toMatchObject({ status: 'finished' })
    const { messages } = chat.model.request(2)
    expect(JSON.stringify(messages)).toContain('the result')
    expect(textOf(messages.at(-1)!)).toContain('never mind')
  })

  it('withdraws the question about a call', async () => {
    const { chat, id, release, send, said } = await running({ replies: [[echo]] })
    await send('call it')
    release()
    await chat.question()
    await send('never mind', true)
    await chat.idle(id)
    expect(chat.host.state.snapshot.interactions).toEqual([])
    expect(chat.calls).toEqual([])
    expect(await chat.call(id)).toMatchObject({ status: 'cancelled' })
    expect(said()).toEqual(['first', 'call it', 'never mind'])
  })

  it('waits after all when the person stops the reply before its call has ended', async () => {
    const { chat, id, release, send, queued } = await running({ replies: [[echo]], onCall: () => forever })
    await send('call it')
    release()
    await chat.answer('once')
    await until(() => chat.calls.length === 1, 'the call')
    await send('never mind', true)
    await chat.host.conversations.open(id, (one) => one.cancel())
    await chat.idle(id)
    expect(queued()).toEqual(['never mind'])
  })
})
