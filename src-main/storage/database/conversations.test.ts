import { describe, expect, it } from 'vitest'
import { MemoryFolder, memoryStorage } from '../../../e2e/support/storage/memory-storage.ts'
import { conversationId, headOf, id, messageOf, toolCallOf, turnOf } from '../../../e2e/support/storage/temporary-storage.ts'
import type { Message } from '../../../src-shared/contract/conversations.ts'
import { applyTopicEvent, type ConversationEvent, type ConversationTopic } from '../../../src-shared/contract/topics.ts'
import type { ConversationStore, Storage } from '../base/storage.ts'

const c = conversationId('c')

async function withConversation(): Promise<Storage & { memory: MemoryFolder }> {
  const memory = new MemoryFolder()
  const storage = memoryStorage(memory)
  await storage.conversations.create(headOf('c', { title: 'First' }))
  return { ...storage, memory }
}

const added = (message: Message): ConversationEvent => ({ type: 'message.added', message })
const grew = (name: string, part: 'text' | 'thinking', text: string): ConversationEvent => ({
  type: 'message.grew',
  id: id(name),
  part,
  text,
})

async function write(conversations: ConversationStore, ...events: ConversationEvent[]): Promise<void> {
  await conversations.write(events.map((event) => ({ conversationId: c, event })))
}

describe('conversations', () => {
  it('come back page by page, newest first, each once', async () => {
    const { conversations } = memoryStorage()
    const made = Array.from({ length: 25 }, (_, n) => headOf(`c${n}`))
    await Promise.all(made.map((head) => conversations.create(head)))
    const seen: string[] = []
    let before: string | undefined
    do {
      const page = await conversations.heads({ limit: 7, ...(before && { before }) })
      expect(page.total).toBe(25)
      seen.push(...page.items.map((head) => head.id))
      before = page.next
    } while (before)
    expect(seen).toEqual(made.map((head) => head.id).reverse())
    await expect(conversations.heads({ limit: 7, before: 'no cursor' })).rejects.toMatchObject({ code: 'io' })
  })

  it('are ordered by their last message, whatever the clock said', async () => {
    const { conversations, search } = memoryStorage()
    const [now, future] = [1_800_000_000_000, 2_100_000_000_000]
    for (const name of ['a', 'b', 'c']) await conversations.create(headOf(name, { title: `Talk ${name}`, updatedAt: future }))
    const order = async () => (await conversations.heads({ limit: 9 })).items.map((head) => head.id)
    const said = { type: 'message.added', message: messageOf('m', 'words') } as const
    const placed = await conversations.change({
      id: conversationId('a'),
      head: headOf('a', { title: 'Talk a', updatedAt: now }),
      events: [said],
    })
    expect(placed).toEqual({ ...(await conversations.head(conversationId('a'))), sequence: 4 })
    await conversations.fork(conversationId('c'), headOf('d', { title: 'Talk d', updatedAt: 1 }), {
      at: id('none'),
      including: true,
    })
    // A change of its head alone leaves it in its place.
    await conversations.change({
      id: conversationId('b'),
      head: headOf('b', { title: 'Talk b', updatedAt: future, pinned: true }),
    })
    expect(await order()).toEqual(['d', 'a', 'c', 'b'])
    expect((await search.find('talk', 9)).map(({ head }) => head.id)).toEqual(['d', 'a', 'c', 'b'])
    const first = await conversations.heads({ limit: 2 })
    expect((await conversations.heads({ limit: 2, before: first.next ?? '' })).items.map((head) => head.id)).toEqual(['c', 'b'])
  })

  it('may be ten thousand', async () => {
    const folder = new MemoryFolder()
    const { sqlite } = folder
    sqlite.transaction(() => {
      for (let n = 1; n <= 10_000; n += 1) {
        const head = headOf(`c${n}`, { title: `Talk ${n}`, updatedAt: n })
        sqlite.run(
          'INSERT INTO conversation (id, head, updated_at, sequence) VALUES (?, ?, ?, ?)',
          ...[head.id, JSON.stringify(head), n, n],
        )
        sqlite.run('INSERT INTO title_words (rowid, text) VALUES (?, ?)', n, head.title)
      }
    })
    const { conversations, search } = memoryStorage(folder)
    const seen = new Set<string>()
    let before: string | undefined
    do {
      const page = await conversations.heads({ limit: 200, ...(before && { before }) })
      for (const head of page.items) seen.add(head.id)
      before = page.next
    } while (before)
    expect(seen.size).toBe(10_000)
    expect((await search.find('talk 9999', 10)).map((hit) => hit.head.id)).toEqual(['c9999'])
    expect(await search.find('talk', 10)).toHaveLength(10)
  })

  it('are stored as the window shows them, event by event', async () => {
    const { conversations, memory: folder, close } = await withConversation()
    const streaming = messageOf('m2', '', { role: 'assistant', status: 'streaming' })
    const events: ConversationEvent[] = [
      added(messageOf('m1', 'hello')),
      { type: 'turn.changed', turn: turnOf('turn') },
      added(streaming),
      grew('m2', 'thinking', 'hm'),
      grew('m2', 'thinking', 'm'),
      grew('m2', 'text', 'Let me '),
      grew('m2', 'text', 'look.'),
      { type: 'toolCall.changed', toolCall: toolCallOf('k1', 'm2') },
      { type: 'toolCall.changed', toolCall: toolCallOf('k1', 'm2', { status: 'finished' }) },
      added(messageOf('m3', 'gone soon')),
      { type: 'message.removed', id: id('m3') },
      grew('m3', 'text', 'too late'),
      { type: 'turn.changed', turn: turnOf('turn', { status: 'finished', finishedAt: 2 }) },
    ]
    let shown: ConversationTopic = { kind: 'conversation', messages: [], toolCalls: {}, hasEarlier: false }
    for (const event of events) {
      await write(conversations, event)
      shown = applyTopicEvent(shown, event)
      expect(await conversations.open(c, 100)).toEqual(shown)
    }
    await close()
    const again = memoryStorage(folder)
    expect(await again.conversations.open(c, 100)).toEqual(shown)
  })

  it('merge the growth of a message into it when it changes', async () => {
    const { conversations } = await withConversation()
    const streaming = messageOf('m', '', { role: 'assistant', status: 'streaming' })
    await write(conversations, added(streaming), grew('m', 'text', 'half'))
    const done = messageOf('m', 'the whole', { role: 'assistant', status: 'done', usage: { input: 1, output: 2 } })
    await write(conversations, { type: 'message.changed', message: done })
    expect((await conversations.open(c, 10))?.messages).toEqual([done])
  })

  it('give earlier messages with their tool calls, and say whether there are more', async () => {
    const { conversations, messages } = await withConversation()
    for (let n = 0; n < 10; n += 1) {
      await write(conversations, added(messageOf(`m${n}`, `${n}`)), {
        type: 'toolCall.changed',
        toolCall: toolCallOf(`k${n}`, `m${n}`),
      })
    }
    const open = await conversations.open(c, 4)
    expect(open?.messages.map((message) => message.id)).toEqual(['m6', 'm7', 'm8', 'm9'])
    expect(Object.keys(open?.toolCalls ?? {})).toEqual(['k6', 'k7', 'k8', 'k9'])
    expect(open?.hasEarlier).toBe(true)
    const earlier = await messages.pageBefore(c, id('m6'), 4)
    expect(earlier.messages.map((message) => message.id)).toEqual(['m2', 'm3', 'm4', 'm5'])
    expect(earlier.toolCalls.map((call) => call.id)).toEqual(['k2', 'k3', 'k4', 'k5'])
    expect(earlier.hasEarlier).toBe(true)
    expect((await messages.pageBefore(c, id('m2'), 4)).hasEarlier).toBe(false)
    expect(await messages.pageBefore(c, id('unknown'), 4)).toEqual({
      messages: [],
      toolCalls: [],
      hasEarlier: false,
      versions: [],
    })
    expect(await conversations.open(conversationId('unknown'), 4)).toBeUndefined()
  })

  it('keep what only the host needs until it is replaced', async () => {
    const { conversations, messages } = await withConversation()
    const message = messageOf('m', 'hi')
    const toolCall = toolCallOf('k', 'm')
    await conversations.write([
      { conversationId: c, event: added(message), extras: { state: [1] } },
      { conversationId: c, event: { type: 'toolCall.changed', toolCall }, extras: { callId: 'x' } },
    ])
    await write(conversations, { type: 'message.changed', message }, { type: 'toolCall.changed', toolCall })
    expect(await messages.transcript(c)).toEqual({
      messages: [{ message, extras: { state: [1] } }],
      toolCalls: new Map([['k', { toolCall, extras: { callId: 'x' } }]]),
    })
    await conversations.write([{ conversationId: c, event: { type: 'message.changed', message }, extras: { state: [2] } }])
    expect((await messages.transcript(c)).messages).toEqual([{ message, extras: { state: [2] } }])
  })

  it('show what was running when an earlier host ended as interrupted', async () => {
    const { conversations, memory: folder, close } = await withConversation()
    await conversations.change({ id: conversationId('c'), head: headOf('c', { turn: 'running' }) })
    await conversations.create(headOf('calm'))
    await write(
      conversations,
      { type: 'turn.changed', turn: turnOf('turn', { waiting: { on: 'tools', since: 1 } }) },
      added(messageOf('m', '', { role: 'assistant', status: 'streaming' })),
      grew('m', 'text', 'unfinished words'),
      { type: 'toolCall.changed', toolCall: toolCallOf('asked', 'm', { status: 'asking' }) },
      { type: 'toolCall.changed', toolCall: toolCallOf('ran', 'm', { status: 'running', startedAt: 1, cancelling: true }) },
      { type: 'toolCall.changed', toolCall: toolCallOf('over', 'm', { status: 'finished' }) },
    )
    await close()
    const { conversations: again, search } = memoryStorage(folder)
    expect(await again.markInterrupted(50)).toEqual(['c'])
    const topic = await again.open(c, 10)
    expect(topic?.messages).toEqual([messageOf('m', 'unfinished words', { role: 'assistant', status: 'interrupted' })])
    expect(topic?.toolCalls[id<'tool-call'>('asked')]).toMatchObject({
      status: 'interrupted',
      finishedAt: 50,
      problem: { todo: 'Nothing was sent to the server.' },
    })
    const ran = topic?.toolCalls[id<'tool-call'>('ran')]
    expect(ran).toMatchObject({ status: 'interrupted', problem: { todo: expect.stringContaining('may have taken effect') } })
    expect(ran).not.toHaveProperty('cancelling')
    expect(topic?.toolCalls[id<'tool-call'>('over')]?.status).toBe('finished')
    expect(topic?.turn).toEqual(turnOf('turn', { status: 'interrupted', finishedAt: 50 }))
    expect(await again.head(c)).toMatchObject({ turn: 'idle', interrupted: true })
    expect(await again.head(conversationId('calm'))).not.toHaveProperty('interrupted')
    expect((await search.find('unfinished', 5)).map((hit) => hit.messageId)).toEqual(['m'])
    expect(await again.markInterrupted(60)).toEqual([])
  })

  it('can be restored after removal until the next start, and are gone for good then', async () => {
    const storage = await withConversation()
    const { conversations, memory: folder, close } = storage
    await conversations.create(headOf('restored', { title: 'Kept after all' }))
    await write(conversations, added(messageOf('m', 'secret plans')))
    await conversations.setRemoved(c, true)
    await conversations.setRemoved(conversationId('restored'), true)
    expect((await conversations.heads({ limit: 5 })).total).toBe(0)
    expect(await storage.search.find('plans', 5)).toEqual([])
    expect(await conversations.purgeRemoved()).toBe(0)
    await conversations.setRemoved(conversationId('restored'), false)
    await close()
    const { conversations: again, search } = memoryStorage(folder)
    expect(await again.purgeRemoved()).toBe(1)
    expect((await again.heads({ limit: 5 })).items.map((head) => head.id)).toEqual(['restored'])
    expect(await again.head(c)).toBeUndefined()
    await again.create(headOf('c'))
    expect(await again.open(c, 5)).toMatchObject({ messages: [], toolCalls: {} })
    expect(await search.find('plans', 5)).toEqual([])
  })
})

describe('search', () => {
  it('finds beginnings of words in titles and messages, ignoring case and accents', async () => {
    const { conversations, search } = await withConversation()
    await conversations.create(headOf('other', { title: 'Über Brücken' }))
    await write(conversations, added(messageOf('m', 'Nobody expects the Spanish inquisition in Málaga.')))
    const found = async (query: string) => (await search.find(query, 10)).map((hit) => hit.messageId ?? hit.head.id)
    expect(await found('inquis')).toEqual(['m'])
    expect(await found('malaga spanish')).toEqual(['m'])
    expect(await found('brück')).toEqual(['other'])
    expect(await found('quisition')).toEqual([])
    expect((await search.find('inquis', 1))[0]?.excerpt).toContain('Spanish inquisition')
  })

  it('gives messages half the results where many titles match, too', async () => {
    const { conversations, search } = await withConversation()
    for (let n = 0; n < 12; n++) await conversations.create(headOf(`plan ${n}`, { title: `Plan ${n}` }))
    await write(conversations, added(messageOf('m', 'The plan is this.')))
    const hits = await search.find('plan', 10)
    expect(hits).toHaveLength(10)
    expect(hits.filter(({ messageId }) => messageId).map(({ messageId }) => messageId)).toEqual(['m'])
  })

  it('marks the words in an excerpt, even in a text that has such marks itself', async () => {
    const { conversations, search } = await withConversation()
    await conversations.create(headOf('talk', { title: 'Spanish, and 東京 too' }))
    const long = `${'word '.repeat(40)}the \u0002Spanish\u0003 inquisition, Spanish at last ${'word '.repeat(40)}`
    await write(conversations, added(messageOf('m', long)), added(messageOf('n', 'Spanish')))
    const hits = await search.find('spanish', 10)
    const words = hits.map(({ excerpt, marks }) => marks.map(([from, to]) => excerpt.slice(from, to)))
    expect(words).toContainEqual(['Spanish'])
    expect(words.flat().every((word) => /^Spanish$/.test(word))).toBe(true)
    expect(hits.map(({ excerpt }) => excerpt).join()).not.toMatch(/[\u0002\u0003]/)
    const [tower] = await search.find('東京', 1)
    expect(tower?.marks.map(([from, to]) => tower.excerpt.slice(from, to)).join('')).toBe('東京')
  })

  it('counts the places of words without the Markdown around them', async () => {
    const { conversations, search } = await withConversation()
    await write(conversations, added(messageOf('m', 'See the **old** [plan](https://example.com), `read_file` first.')))
    const [hit] = await search.find('plan', 1)
    expect(hit).toMatchObject({ excerpt: 'See the old plan, read_file first.', marks: [[12, 16]] })
  })

  it('finds any part of text written without spaces', async () => {
    const { conversations, search } = await withConversation()
    await write(conversations, added(messageOf('m', '明日は東京タワーに行きます。')), added(messageOf('n', 'สวัสดีชาวโลก')))
    expect(await search.find('東京タワー', 5)).toMatchObject([{ messageId: 'm', excerpt: '明日は東京タワーに行きます。' }])
    expect((await search.find('ชาวโลก', 5)).map((hit) => hit.messageId)).toEqual(['n'])
    expect(await search.find('京東', 5)).toEqual([])
  })

  it('treats any text as words, never as syntax', async () => {
    const { conversations, search } = await withConversation()
    await write(conversations, added(messageOf('m', `it's 100% "quoted" AND text:near(x)`)))
    const hostile = [
      '"',
      '""',
      '*',
      'AND',
      'NOT',
      'a OR',
      '(',
      'text:',
      '^',
      '{a b}',
      '\0',
      "'; DROP TABLE message",
      '-',
      '🙂',
      '\ud800',
    ]
    for (const query of [...hostile, 'x'.repeat(100_000), 'word '.repeat(10_000)]) {
      await expect(search.find(query, 10)).resolves.toBeInstanceOf(Array)
    }
    expect(await search.find('"quoted" AND', 10)).toHaveLength(1)
    expect(await search.find('text:near(', 10)).toHaveLength(1)
    expect(await search.find('', 10)).toEqual([])
  })

  it('follows a rename, a change and a removal', async () => {
    const { conversations, search } = await withConversation()
    await write(conversations, added(messageOf('m', 'apples')))
    await conversations.change({ id: conversationId('c'), head: headOf('c', { title: 'Second' }) })
    expect(await search.find('first', 5)).toEqual([])
    expect(await search.find('second', 5)).toHaveLength(1)
    await write(conversations, { type: 'message.changed', message: messageOf('m', 'pears') })
    expect(await search.find('apples', 5)).toEqual([])
    expect(await search.find('pears', 5)).toHaveLength(1)
    await write(conversations, { type: 'message.removed', id: id('m') })
    expect(await search.find('pears', 5)).toEqual([])
  })
})
