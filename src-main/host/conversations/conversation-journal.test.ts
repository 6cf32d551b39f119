import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { until } from '../../../e2e/support/until.ts'
import type { Id } from '../../../src-shared/base/json.ts'
import type { ConversationEvent } from '../../../src-shared/contract/topics.ts'
import { type ConversationWrite, StorageError } from '../../storage/base/storage.ts'
import { ConversationJournal } from './conversation-journal.ts'

const id = (text: string) => text as Id<'conversation'>
const grew = (text: string): ConversationEvent => ({ type: 'message.grew', id: 'm' as Id<'message'>, part: 'text', text })
const removed = (name: string): ConversationEvent => ({ type: 'message.removed', id: name as Id<'message'> })

/** A disk that can be full: the double of what lies outside. */
function setUp() {
  const clock = new ManualClock()
  const disk: { broken: (id: string) => Error | undefined } = { broken: () => undefined }
  const batches: ConversationWrite[][] = []
  const shown: [string, ConversationEvent][] = []
  const failed: [string, unknown][] = []
  const journal = new ConversationJournal({
    store: {
      async write(writes) {
        const error = writes.map((write) => disk.broken(write.conversationId)).find(Boolean)
        if (error) throw error
        batches.push([...writes])
      },
      writeWithHead: async (head) => ({ ...head, sequence: 1 }),
    },
    clock,
    onWritten: (conversation, events) => shown.push(...events.map((event): [string, ConversationEvent] => [conversation, event])),
    onFailed: (conversation, error) => failed.push([conversation, error]),
  })
  const push = (conversation: string, event: ConversationEvent) => journal.push({ conversationId: id(conversation), event })
  return { clock, disk, batches, shown, failed, journal, push }
}

const full = () => new StorageError('full', 'The disk is full.')

describe('ConversationJournal', () => {
  it('gathers what streams for a moment, writes it in one batch and shows it only then', async () => {
    const { clock, batches, shown, journal, push } = setUp()
    push('a', grew('one '))
    push('a', grew('two'))
    push('b', removed('x'))
    clock.advance(24)
    await Promise.resolve()
    expect(shown).toEqual([])
    clock.advance(1)
    await journal.flush(id('a'))
    expect(batches.map((batch) => batch.map((write) => write.event))).toEqual([[grew('one two'), removed('x')]])
    expect(shown).toEqual([
      ['a', grew('one two')],
      ['b', removed('x')],
    ])
    expect(clock.pending).toBe(0)
  })

  it('shows nothing that a full disk refused, tells of it, and writes it in order when there is room', async () => {
    const { clock, disk, shown, failed, journal, push } = setUp()
    disk.broken = full
    push('a', removed('1'))
    await expect(journal.flush(id('a'))).rejects.toThrow('full')
    push('a', removed('2'))
    expect(shown).toEqual([])
    expect(failed.length).toBe(1)
    disk.broken = () => undefined
    clock.advance(5_000)
    await until(() => shown.length === 2, 'the retry')
    expect(shown.map(([, event]) => event)).toEqual([removed('1'), removed('2')])
    await journal.flush(id('a'))
    expect(clock.pending).toBe(0)
  })

  it('lets other conversations go on while one cannot be written', async () => {
    const { disk, shown, journal, push } = setUp()
    disk.broken = (conversation) => (conversation === 'a' ? full() : undefined)
    push('a', removed('1'))
    push('b', removed('2'))
    await journal.flush(id('b'))
    await expect(journal.flush(id('a'))).rejects.toThrow('full')
    expect(shown).toEqual([['b', removed('2')]])
    await journal.end()
  })

  it('keeps nothing of a direct write that failed', async () => {
    const { disk, shown, journal } = setUp()
    disk.broken = full
    await expect(journal.write(id('a'), [removed('1')])).rejects.toThrow('full')
    disk.broken = () => undefined
    await journal.write(id('a'), [removed('2')])
    expect(shown).toEqual([['a', removed('2')]])
  })

  it('drops what can never be written instead of trying it for ever', async () => {
    const { clock, disk, failed, journal, push } = setUp()
    disk.broken = () => new StorageError('corrupt', 'The database is damaged.')
    push('a', removed('1'))
    await journal.flush(id('a'))
    expect(failed.length).toBe(1)
    expect(clock.pending).toBe(0)
  })

  it('reads between two batches, so that what is read is what was shown', async () => {
    const { shown, journal, push } = setUp()
    const gate = Promise.withResolvers<void>()
    const seen = journal.between(async () => {
      await gate.promise
      return shown.length
    })
    push('a', removed('1'))
    const written = journal.flush(id('a'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(shown).toEqual([])
    gate.resolve()
    expect(await seen).toBe(0)
    await written
    expect(shown).toEqual([['a', removed('1')]])
  })
})
