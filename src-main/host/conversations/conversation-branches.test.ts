import { describe, expect, it } from 'vitest'
import { type ChatHost, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { textOf } from '../../../e2e/test-hosts/scripted-provider.ts'
import type { Message } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { NO_PLACE } from '../../../src-shared/contract/projects.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import { editAndResend, forkAt, retryWith } from './conversation-branches.ts'

async function messages(chat: ChatHost, id: ConversationId): Promise<readonly Message[]> {
  return (await chat.storage.conversations.open(id, 200))?.messages ?? []
}

const imported = <T extends object>(record: T) => ({ ...record, imported: true })

const texts = (all: readonly Message[]) =>
  all.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('+'))

/** Three questions and answers, with a tool call in the first. */
async function talked(): Promise<{ chat: ChatHost; id: ConversationId }> {
  const chat = await chatHost({
    replies: [['Look: ', { call: 'echo', args: { text: 'hi' } }], ['It said hi.'], ['Second.'], ['Third.']],
  })
  const id = await chat.say('one')
  await chat.answer('once')
  await chat.idle(id)
  for (const text of ['two', 'three']) {
    await chat.host.conversations.open(id, (one) => one.send(text))
    await chat.idle(id)
  }
  return { chat, id }
}

describe('forks of a conversation', () => {
  it('keep the rules that ask and deny in the original, even after a restart, and none that allow', async () => {
    const replies = [[{ call: 'echo', args: { text: 'hi' } }], ['Done.']] as const
    const chat = await chatHost({ replies: [...replies, ['Third.']] })
    const id = await chat.say('one')
    await chat.answer('conversation')
    await chat.idle(id)
    const { rules } = chat.host.consent
    const held = { serverId: PLAYGROUND_ID, powers: [], limits: [], conversationId: id } as const
    await rules.add({ ...held, effect: 'deny' })
    await rules.add({ ...held, effect: 'ask', tool: 'echo' })
    const { messageId } = await chat.host.conversations.open(id, (one) => one.send('two'))
    await chat.idle(id)
    const fork = await chat.host.conversations.open(id, (one) => forkAt(one, messageId))
    const of = (conversation: ConversationId) =>
      rules.list().flatMap(({ effect, conversationId }) => (conversationId === conversation ? [effect] : []))
    expect(of(fork.id).sort()).toEqual(['ask', 'deny'])
    await chat.end()
    const again = await chatHost({ after: chat, replies: [...replies] })
    await again.host.conversations.open(fork.id, (one) => one.send('go'))
    await again.idle(fork.id)
    expect(again.calls).toEqual([])
  })

  it('have everything up to a reply, tool calls included, and continue separately', async () => {
    const { chat, id } = await talked()
    const before = await messages(chat, id)
    const fork = await chat.host.conversations.open(id, (one) => forkAt(one, before[2]!.id))
    expect(fork.text).toBeUndefined()
    expect(texts(await messages(chat, fork.id))).toEqual(['one', 'Look: +tool-call', 'It said hi.'])
    expect(await chat.call(fork.id)).toMatchObject({ status: 'finished', tool: 'echo' })
    chat.model.push(['Another way.'])
    await chat.host.conversations.open(fork.id, (one) => one.send('else'))
    await chat.idle(fork.id)
    expect(chat.model.request(-1).messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
    expect(await messages(chat, id)).toEqual(before)
    expect(chat.host.state.snapshot.conversations.find((head) => head.id === fork.id)).toMatchObject({ forkOf: id, turn: 'idle' })
  })

  it('can begin before a message of the person, whose text returns to the composer', async () => {
    const { chat, id } = await talked()
    const [, , , two] = await messages(chat, id)
    const fork = await chat.host.conversations.open(id, (one) => forkAt(one, two!.id))
    expect(fork.text).toBe('two')
    expect(texts(await messages(chat, fork.id))).toEqual(['one', 'Look: +tool-call', 'It said hi.'])
    expect((await chat.host.conversations.search('hi')).hits.map(({ head }) => head.id)).toContain(fork.id)
  })

  it('keep what was named for the conversation, even after a restart', async () => {
    const { chat, id } = await talked()
    const place = { ...NO_PLACE, hosts: ['example.org'], recipients: ['ana@example.org'] }
    await chat.host.conversations.open(id, (one) => one.setPlace(place))
    const [, reply] = await messages(chat, id)
    const fork = await chat.host.conversations.open(id, (one) => forkAt(one, reply!.id))
    await chat.host.conversations.open(id, (one) => one.setPlace(NO_PLACE))
    expect(await chat.host.conversations.open(fork.id, (one) => one.place)).toMatchObject(place)
    await chat.end()
    const again = await chatHost({ after: chat })
    expect(await again.host.conversations.open(id, (one) => one.place)).toMatchObject(NO_PLACE)
    expect(await again.host.conversations.open(fork.id, (one) => one.place)).toMatchObject(place)
  })
})

describe('labels', () => {
  it('pin and tag conversations, find them, and survive a restart', async () => {
    const chat = await chatHost()
    const [a, b] = [await chat.say('alpha'), await chat.say('beta')]
    await chat.idle(a)
    await chat.idle(b)
    await chat.host.conversations.open(a, (one) => one.pin(true))
    await chat.host.conversations.open(a, (one) => one.tag([' travel ', 'travel', 'rome  trip']))
    await chat.host.conversations.open(b, (one) => one.tag(['travel']))
    expect((await chat.host.conversations.page({ pinned: true })).items.map(({ id }) => id)).toEqual([a])
    expect(await chat.host.conversations.page({ tag: 'rome trip' })).toMatchObject({ items: [{ id: a }], total: 1 })
    expect((await chat.host.conversations.tags()).tags).toEqual([
      { tag: 'rome trip', count: 1 },
      { tag: 'travel', count: 2 },
    ])
    await chat.host.conversations.open(b, (one) => one.archive(true))
    expect((await chat.host.conversations.tags()).tags).toContainEqual({ tag: 'travel', count: 1 })
    await chat.host.conversations.open(b, (one) => one.archive(false))
    await expect(chat.host.conversations.open(a, (one) => one.tag(['x'.repeat(41)]))).rejects.toMatchObject({
      code: 'invalid-params',
    })
    await chat.end()
    const again = await chatHost({ after: chat })
    expect(again.host.state.snapshot.conversations.find(({ id }) => id === a)).toMatchObject({
      pinned: true,
      tags: ['travel', 'rome trip'],
    })
  })
})

describe('a conversation as a file', () => {
  const upload = async (chat: ChatHost, json: string) => {
    const half = Math.ceil(json.length / 2)
    const first = await chat.host.conversationFiles.import({ piece: json.slice(0, half), last: false })
    if (first.is !== 'more') throw new Error('It was taken too early.')
    return chat.host.conversationFiles.import({ piece: json.slice(half), upload: first.upload, last: true })
  }
  const exported = async (chat: ChatHost, format: 'markdown' | 'json', ...ids: ConversationId[]) => {
    const { url, name } = await chat.host.conversationFiles.export(ids, format)
    // The platform of these tests makes links that are names of blobs.
    return { name, text: Buffer.from(await chat.host.storage.blobs.read(url)).toString('utf8') }
  }

  it('comes back unchanged from one file with others', async () => {
    const chat = await chatHost()
    const ids = [await chat.say('alpha'), await chat.say('beta')]
    for (const id of ids) await chat.idle(id)
    const markdown = await exported(chat, 'markdown', ...ids)
    expect(markdown).toMatchObject({ name: '2 conversations.md', text: expect.stringMatching(/alpha.*---.*beta/s) })
    const { name, text } = await exported(chat, 'json', ...ids)
    expect(name).toBe('2 conversations.parley')
    const other = await chatHost()
    const taken = await upload(other, text)
    if (taken.is !== 'imported') throw new Error('They were not imported.')
    expect(taken).toMatchObject({ messages: 4, warnings: [] })
    for (const [at, id] of ids.entries()) {
      expect(await messages(other, taken.ids[at]!)).toEqual((await messages(chat, id)).map(imported))
    }
    await expect(upload(other, text.replaceAll('"role": "user"', '"role": "nobody"'))).rejects.toMatchObject({
      code: 'invalid-params',
    })
  })

  it('comes back unchanged from JSON in another data folder, with long texts and tool traces', async () => {
    const long = 'ä'.repeat(40_000)
    const chat = await chatHost({ replies: [[{ call: 'echo', args: { text: 'hi' } }], [long]] })
    const id = await chat.say('Look')
    await chat.answer('once')
    await chat.idle(id)
    const { name, text } = await exported(chat, 'json', id)
    expect(name).toBe('Look.parley')
    const other = await chatHost()
    const taken = await upload(other, text)
    if (taken.is !== 'imported') throw new Error('It was not imported.')
    expect(taken).toMatchObject({ messages: 3, warnings: [] })
    expect(await messages(other, taken.ids[0]!)).toEqual((await messages(chat, id)).map(imported))
    // A file cannot say who allowed a call here, and what it could do.
    const { allowedBy, powers: _powers, ...kept } = await chat.call(id)
    expect(allowedBy).toBe('person')
    expect(await other.call(taken.ids[0]!)).toEqual(imported(kept))
    expect((await other.host.conversations.search('Look')).hits).toHaveLength(2)
    await other.host.conversations.open(taken.ids[0]!, (one) => one.send('Go on'))
    await other.idle(taken.ids[0]!)
    expect(other.model.request(0).messages.map(textOf)).toContain(long)
  })

  it('has every version with its calls, and comes back with the same one shown', async () => {
    const call = (text: string) => [{ call: 'echo', args: { text } }] as const
    const chat = await chatHost({ replies: [call('a'), ['First.'], call('b'), ['Second.'], call('c'), ['Other.'], ['Last.']] })
    const inOne = <T>(run: Parameters<typeof chat.host.conversations.open<T>>[1]) => chat.host.conversations.open(id, run)
    const id = await chat.say('one')
    await chat.answer('conversation')
    await chat.idle(id)
    const [one] = await messages(chat, id)
    await inOne((open) => editAndResend(open, one!.id, 'one again'))
    await chat.answer('once')
    await chat.idle(id)
    await inOne((open) => retryWith(open))
    await chat.answer('once')
    await chat.idle(id)
    await inOne((open) => open.showVersion(one!.id))
    await inOne((open) => open.send('two'))
    await chat.idle(id)
    const { text } = await exported(chat, 'json', id)
    expect((await exported(chat, 'markdown', id)).text).not.toMatch(/Second|Other/)
    const other = await chatHost()
    const taken = await upload(other, text)
    if (taken.is !== 'imported') throw new Error('It was not imported.')
    const [brought] = taken.ids
    const placesOf = async (of: ChatHost, conversation: ConversationId) =>
      (await of.storage.messages.tree(conversation)).messages.map(({ message: _message, ...place }) => place)
    expect(await placesOf(other, brought!)).toEqual(await placesOf(chat, id))
    const callsShown = async (of: ChatHost, conversation: ConversationId) => {
      const { messages: shown, toolCalls } = await of.storage.messages.transcript(conversation)
      return shown.flatMap(({ message }) =>
        message.parts.flatMap((part) =>
          part.type === 'tool-call' ? toolCalls.get(part.toolCallId)?.toolCall.arguments.json : [],
        ),
      )
    }
    expect(texts(await messages(other, brought!))).toEqual(['one', 'tool-call', 'First.', 'two', 'Last.'])
    expect(await callsShown(other, brought!)).toEqual(['{"text":"a"}'])
    const { hits } = await other.host.conversations.search('other')
    expect(hits).toMatchObject([{ inOtherVersion: true }])
    await other.host.conversations.open(brought!, (open) => open.showVersion(hits[0]!.messageId!))
    expect(texts(await messages(other, brought!))).toEqual(['one again', 'tool-call', 'Other.'])
    expect(await callsShown(other, brought!)).toEqual(['{"text":"c"}'])
  })

  it.each([
    [
      'follows one that is not there',
      [
        { id: 'a', hidden: 0 },
        { id: 'b', parent: 'gone', hidden: 1 },
      ],
    ],
    [
      'follows a later one',
      [
        { id: 'a', hidden: 0 },
        { id: 'b', parent: 'c', hidden: 1 },
        { id: 'c', parent: 'b', hidden: 2 },
      ],
    ],
    [
      'is shown beside another',
      [
        { id: 'a', hidden: 0 },
        { id: 'b', hidden: 0 },
      ],
    ],
    [
      'is hidden together with one that it does not follow',
      [
        { id: 'a', hidden: 0 },
        { id: 'b', parent: 'a', hidden: 1 },
        { id: 'c', parent: 'a', hidden: 1 },
      ],
    ],
    ['has no place', [{ id: 'a', hidden: 0 }]],
    [
      'has the place of another',
      [
        { id: 'b', hidden: 0 },
        { id: 'a', parent: 'b', hidden: 1 },
      ],
    ],
    [
      'is shown below one that is not',
      [
        { id: 'a', hidden: 1 },
        { id: 'b', parent: 'a', hidden: 0 },
      ],
    ],
    [
      'is shown nowhere',
      [
        { id: 'a', hidden: 1 },
        { id: 'b', parent: 'a', hidden: 1 },
      ],
    ],
  ])('is refused when a message of it %s', async (_what, tree) => {
    const chat = await chatHost()
    const count = Math.max(2, tree.length)
    const file = {
      ...{ format: 'parley-conversation', version: 2, title: 'x', createdAt: 1, updatedAt: 1 },
      ...{ model: { provider: 'p', model: 'm' }, toolCalls: [], blobs: {}, tree },
      messages: ['a', 'b', 'c']
        .slice(0, count)
        .map((id) => ({ id, turnId: 't', role: 'user', at: 1, parts: [], status: 'done' })),
    }
    await expect(upload(chat, JSON.stringify(file))).rejects.toMatchObject({
      message: expect.stringContaining('contradict each other'),
    })
    expect(chat.host.state.snapshot.conversationCount).toBe(0)
  })

  it('keeps the mark of an import in every fork, where new messages have none', async () => {
    const chat = await chatHost({ replies: [[{ call: 'echo', args: { text: 'hi' } }], ['Done.']] })
    const id = await chat.say('Look')
    await chat.answer('once')
    await chat.idle(id)
    const taken = await upload(chat, (await exported(chat, 'json', id)).text)
    if (taken.is !== 'imported') throw new Error('It was not imported.')
    const [brought] = taken.ids
    const last = (await messages(chat, brought!)).at(-1)!
    const fork = await chat.host.conversations.open(brought!, (one) => forkAt(one, last.id))
    await chat.host.conversations.open(fork.id, (one) => one.send('Go on'))
    await chat.idle(fork.id)
    const marks = (await messages(chat, fork.id)).map((message) => message.imported ?? false)
    expect(marks).toEqual([true, true, true, false, false])
    expect((await chat.call(fork.id)).imported).toBe(true)
    expect((await messages(chat, id)).some((message) => message.imported)).toBe(false)
  })

  it('is readable as Markdown with its tool calls, from which foreign text cannot break out', async () => {
    const chat = await chatHost({
      replies: [[{ call: 'echo', args: { text: '```\n# Not a heading' } }], ['Done.']],
      onCall: () => ({ content: [{ type: 'text', text: '````\n## You\nI agree to everything.' }] }),
    })
    const id = await chat.say('Look')
    await chat.answer('once')
    await chat.idle(id)
    const { text } = await exported(chat, 'markdown', id)
    expect(text).toContain('### Tool call: Playground / echo — Finished')
    expect(text).toContain('\n`````\n````\n## You\nI agree to everything.\n`````\n')
  })

  it.each([
    ['no JSON', '{'],
    ['another file', '{"format":"other"}'],
    ['a message of the wrong shape', JSON.stringify({ format: 'parley-conversation', version: 1, messages: [{ id: 1 }] })],
    ['depth', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ])('is refused when it is %s, and nothing is kept', async (_what, json) => {
    const chat = await chatHost()
    await expect(upload(chat, json)).rejects.toMatchObject({ code: 'invalid-params' })
    expect(chat.host.state.snapshot.conversationCount).toBe(0)
  })

  it('is refused when its content does not match its name', async () => {
    const chat = await chatHost()
    const file = {
      ...{ format: 'parley-conversation', version: 1, title: 'x', createdAt: 1, updatedAt: 1 },
      ...{ model: { provider: 'p', model: 'm' }, messages: [], toolCalls: [] },
      blobs: { ['0'.repeat(64)]: { mimeType: 'text/plain', base64: 'AAAA' } },
    }
    await expect(upload(chat, JSON.stringify(file))).rejects.toMatchObject({ message: expect.stringContaining('damaged') })
    expect(chat.host.state.snapshot.conversationCount).toBe(0)
  })
})
