import { describe, expect, it } from 'vitest'
import { type ChatHost, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { textOf } from '../../../e2e/test-hosts/scripted-provider.ts'
import { type Message, VERSION_LIMIT } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, MessageId } from '../../../src-shared/contract/ids.ts'
import { editAndResend, forkAt, retryWith } from './conversation-branches.ts'

const shown = async (chat: ChatHost, id: ConversationId): Promise<readonly Message[]> =>
  (await chat.storage.conversations.open(id, 200))?.messages ?? []

const texts = (all: readonly Message[]) =>
  all.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('+'))

const said = async (chat: ChatHost, id: ConversationId) => texts(await shown(chat, id))

async function say(chat: ChatHost, id: ConversationId, text: string): Promise<void> {
  await chat.host.conversations.open(id, (one) => one.send(text))
  await chat.idle(id)
}

async function edit(chat: ChatHost, id: ConversationId, message: MessageId, text: string): Promise<void> {
  await chat.host.conversations.open(id, (one) => editAndResend(one, message, text))
}

async function retry(chat: ChatHost, id: ConversationId, model?: string): Promise<void> {
  const { provider } = chat.host.state.snapshot.settings.defaultModel
  await chat.host.conversations.open(id, (one) => retryWith(one, model === undefined ? undefined : { provider, model }))
}

const show = (chat: ChatHost, id: ConversationId, message: MessageId) =>
  chat.host.conversations.open(id, (one) => one.showVersion(message))

/** The versions of the message at a place, by their ids. */
async function versionsAt(chat: ChatHost, id: ConversationId, at: number): Promise<readonly MessageId[]> {
  const topic = await chat.storage.conversations.open(id, 200)
  const message = topic?.messages.at(at)?.id
  return topic?.versions?.find(({ ids }) => message !== undefined && ids.includes(message))?.ids ?? []
}

/** Two questions; the second was edited, its reply retried by another model. The last version of each is shown. */
async function branched(chat: ChatHost): Promise<ConversationId> {
  chat.model.push(['First.'], ['Second.'], ['Better.'], ['From another.'])
  const id = await chat.say('one')
  await chat.idle(id)
  await say(chat, id, 'two')
  await edit(chat, id, (await shown(chat, id)).at(-2)!.id, 'two, but better')
  await chat.idle(id)
  await retry(chat, id, 'other')
  await chat.idle(id)
  return id
}

describe('versions of messages', () => {
  it('are made by edit and retry, shown again and continued, and a window sees what is stored', async () => {
    const chat = await chatHost()
    const id = await chat.newConversation()
    const window = await chat.follow(id)
    const sees = async () => expect(window.value).toEqual(await chat.storage.conversations.open(id, 200))
    chat.model.push(['First.'], ['Second.'], ['Better.'], ['From another.'])
    for (const text of ['one', 'two']) await say(chat, id, text)
    const [, , two, second] = await shown(chat, id)
    await edit(chat, id, two!.id, 'two, but better')
    await chat.idle(id)
    await sees()
    expect(await said(chat, id)).toEqual(['one', 'First.', 'two, but better', 'Better.'])
    await retry(chat, id, 'other')
    await chat.idle(id)
    await sees()
    expect(await said(chat, id)).toEqual(['one', 'First.', 'two, but better', 'From another.'])
    expect(chat.model.request(-1)).toMatchObject({ model: 'other' })
    const [better, another] = await versionsAt(chat, id, -1)
    expect((await shown(chat, id)).at(-1)).toMatchObject({ id: another, model: { model: 'other' } })
    expect(chat.host.state.snapshot.conversationCount).toBe(1)

    await show(chat, id, two!.id)
    await sees()
    expect(await shown(chat, id)).toMatchObject([{}, {}, two!, second!])
    chat.model.push(['Third.'])
    await say(chat, id, 'three')
    await sees()
    expect(await said(chat, id)).toEqual(['one', 'First.', 'two', 'Second.', 'three', 'Third.'])
    expect(chat.model.request(-1).messages.map(textOf)).toEqual(['one', 'First.', 'two', 'Second.', 'three'])
    expect(await versionsAt(chat, id, 2)).toHaveLength(2)

    await show(chat, id, better!)
    await sees()
    expect(await said(chat, id)).toEqual(['one', 'First.', 'two, but better', 'Better.'])
  })

  it('come back unchanged after a restart', async () => {
    const chat = await chatHost()
    const id = await branched(chat)
    const [two] = await versionsAt(chat, id, 2)
    await show(chat, id, two!)
    const before = await chat.storage.conversations.open(id, 200)
    await chat.end()
    const again = await chatHost({ after: chat, replies: [['Third.']] })
    expect(await again.storage.conversations.open(id, 200)).toEqual(before)
    await say(again, id, 'three')
    expect(again.model.request(-1).messages.map(textOf)).toEqual(['one', 'First.', 'two', 'Second.', 'three'])
  })

  it('have their own calls and results, which other versions do not know', async () => {
    const chat = await chatHost({ replies: [[{ call: 'echo', args: { text: 'hi' } }], ['It said hi.'], ['No call.']] })
    const id = await chat.say('one')
    await chat.answer('once')
    await chat.idle(id)
    const [one, first] = await shown(chat, id)
    await edit(chat, id, one!.id, 'without')
    await chat.idle(id)
    const { toolCalls } = await chat.storage.messages.transcript(id)
    expect(toolCalls.size).toBe(0)
    expect((await chat.storage.conversations.open(id, 9))?.toolCalls).toEqual({})
    const [entry] = (await chat.storage.ledger.page({ limit: 1 })).items
    const found = await chat.host.conversations.open(entry!.conversationId!, (open) => open.showCall(entry!.toolCallId!))
    expect(found).toEqual({ messageId: first!.id })
    expect(await chat.call(id)).toMatchObject({ status: 'finished', tool: 'echo' })
  })

  it('follow rules given in this conversation only where the reply with the rule is shown (SEC-08)', async () => {
    const call = [{ call: 'echo', args: { text: 'hi' } }] as const
    const chat = await chatHost({ replies: [['First.'], call, ['Done.'], call, ['Done.'], call, ['Done.'], call, ['Done.']] })
    const id = await chat.say('one')
    await chat.idle(id)
    await chat.host.conversations.open(id, (one) => one.send('two'))
    await chat.answer('conversation')
    await chat.idle(id)
    const two = (await shown(chat, id))[2]!
    // Another version of what came before the rule: it was not given there.
    await edit(chat, id, two.id, 'two again')
    await chat.answer('once')
    await chat.idle(id)
    expect((await chat.call(id)).allowedBy).toBe('person')
    // The version in which it was given, gone on from and retried after it.
    await show(chat, id, two.id)
    await say(chat, id, 'three')
    expect((await chat.call(id, 1)).allowedBy).toBe('conversation-rule')
    await retry(chat, id)
    await chat.idle(id)
    expect((await chat.call(id, 1)).allowedBy).toBe('conversation-rule')
  })

  it('are kept with a resumable turn, and another version’s turn leaves it alone', async () => {
    const chat = await chatHost({ replies: [['Half', { wait: new Promise(() => {}) }], ['Whole.'], ['The other half.']] })
    const id = await chat.say('one')
    const window = await chat.follow(id)
    await expect.poll(() => window.text).toContain('Half')
    await chat.host.conversations.open(id, (one) => one.cancel())
    const half = window.value.messages.at(-1)!
    await retry(chat, id)
    await chat.idle(id)
    expect((await chat.storage.messages.latestTurn(id))?.status).toBe('finished')
    await show(chat, id, half.id)
    expect(window.value.turn?.status).toBe('stopped')
    await chat.host.conversations.open(id, (one) => one.retry())
    await chat.idle(id)
    expect(await said(chat, id)).toEqual(['one', 'Half', 'The other half.'])
  })

  it('keep nothing of a reply that failed without text', async () => {
    const chat = await chatHost({ replies: [[{ fail: new Error('No network') }], ['Here.']] })
    const id = await chat.say('one')
    await chat.idle(id)
    await retry(chat, id)
    await chat.idle(id)
    expect(await said(chat, id)).toEqual(['one', 'Here.'])
    expect(await versionsAt(chat, id, -1)).toEqual([])
  })

  it('are found by the search, which says that they are not shown', async () => {
    const chat = await chatHost()
    const id = await branched(chat)
    const { hits } = await chat.host.conversations.search('second')
    expect(hits).toMatchObject([{ inOtherVersion: true, head: { id } }])
    await show(chat, id, hits[0]!.messageId!)
    expect(await said(chat, id)).toEqual(['one', 'First.', 'two', 'Second.'])
    const [now] = (await chat.host.conversations.search('second')).hits
    expect(now).not.toHaveProperty('inOtherVersion')
  })

  it('are left out of a fork unless they are shown', async () => {
    const chat = await chatHost()
    const id = await branched(chat)
    const fork = await chat.host.conversations.open(id, async (one) => forkAt(one, (await shown(chat, id)).at(-1)!.id))
    expect(await said(chat, fork.id)).toEqual(['one', 'First.', 'two, but better', 'From another.'])
    const topic = await chat.storage.conversations.open(fork.id, 200)
    expect(topic).not.toHaveProperty('versions')
    expect((await chat.storage.messages.tree(fork.id)).messages).toHaveLength(4)
  })

  it('are refused while the model works, for unknown ones, and beyond their limit', async () => {
    const chat = await chatHost({ replies: [['First.'], ['Again.'], [{ wait: new Promise(() => {}) }]] })
    const id = await chat.say('go')
    await chat.idle(id)
    await retry(chat, id)
    await chat.idle(id)
    const [go, first] = await shown(chat, id)
    const [other] = await versionsAt(chat, id, 1)
    await chat.host.conversations.open(id, (one) => one.send('on'))
    await expect.poll(() => chat.model.requests.length).toBe(3)
    for (const refused of [() => edit(chat, id, go!.id, 'x'), () => show(chat, id, other!), () => retry(chat, id)]) {
      await expect(refused()).rejects.toMatchObject({ code: 'conflict' })
    }
    await show(chat, id, first!.id)
    await chat.host.conversations.open(id, (one) => one.cancel())
    await expect(show(chat, id, 'unknown' as MessageId)).rejects.toMatchObject({ code: 'not-found' })
    await expect(edit(chat, id, first!.id, 'x')).rejects.toMatchObject({ code: 'invalid-params' })
    for (let n = 1; n < VERSION_LIMIT; n += 1) {
      const message = { ...go!, id: `version ${n}` as MessageId }
      const [{ id: hideFrom }] = (await shown(chat, id)) as [Message]
      await chat.storage.conversations.change({ id, hideFrom, events: [{ type: 'message.added', message }] })
    }
    const [last] = await shown(chat, id)
    await expect(edit(chat, id, last!.id, 'one more')).rejects.toMatchObject({ code: 'refused' })
    expect(await versionsAt(chat, id, 0)).toHaveLength(VERSION_LIMIT)
  })
})
