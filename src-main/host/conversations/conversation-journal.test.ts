import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { until } from '../../../e2e/support/until.ts'
import type { Id } from '../../../src-shared/base/json.ts'
import type { ConversationEvent } from '../../../src-shared/contract/topics.ts'
import { StorageError } from '../../storage/base/storage.ts'
import { ConversationJournal } from './conversation-journal.ts'

const grew = (text: string): ConversationEvent => ({ type: 'message.grew', id: 'm' as Id<'message'>, part: 'text', text })
const removed = (name: string): ConversationEvent => ({ type: 'message.removed', id: name as Id<'message'> })

/** A disk that can be full: the double of what lies outside. */
function setUp() {
  const clock = new ManualClock()
  const disk: { broken: Error | undefined } = { broken: undefined }
  const batches: ConversationEvent[][] = []
  const keep = async (events: readonly ConversationEvent[]) => {
    if (disk.broken) throw disk.broken
    batches.push([...events])
  }
  const journal = new ConversationJournal({
    id: 'a' as Id<'conversation'>,
    store: { write: (writes) => keep(writes.map(({ event }) => event)) },
    clock,
  })
  const shown: ConversationEvent[] = []
  const failed: unknown[] = []
  journal.onWritten.on((events) => shown.push(...events))
  journal.onFailed.on((error) => failed.push(error))
  const write = (...events: ConversationEvent[]) =>
    journal.run(() =>
      journal.write(async () => {
        await keep(events)
        return events
      }),
    )
  return { clock, disk, batches, shown, failed, journal, write }
}

const full = () => new StorageError('full', 'The disk is full.')

describe('the journal of a conversation', () => {
  it('gathers a stream briefly, writes it in one batch and shows it only then', async () => {
    const { clock, batches, shown, journal } = setUp()
    journal.push(grew('one '))
    journal.push(grew('two'))
    journal.push(removed('x'))
    clock.advance(24)
    await Promise.resolve()
    expect(shown).toEqual([])
    clock.advance(1)
    await journal.flush()
    expect(batches).toEqual([[grew('one two'), removed('x')]])
    expect(shown).toEqual([grew('one two'), removed('x')])
    expect([clock.pending, journal.idle]).toEqual([0, true])
  })

  it('shows nothing that a full disk refused, reports it, and writes it in order once there is room', async () => {
    const { clock, disk, shown, failed, journal } = setUp()
    disk.broken = full()
    journal.push(removed('1'))
    await expect(journal.flush()).rejects.toThrow('full')
    journal.push(removed('2'))
    expect([shown, failed.length, journal.idle]).toEqual([[], 1, false])
    clock.advance(5_000)
    await expect(journal.flush()).rejects.toThrow('full')
    expect(failed.length).toBe(1)
    disk.broken = undefined
    clock.advance(5_000)
    await until(() => shown.length === 2, 'the retry')
    expect(shown).toEqual([removed('1'), removed('2')])
    await journal.flush()
    expect(clock.pending).toBe(0)
  })

  it('keeps nothing of a direct write that failed', async () => {
    const { disk, shown, write } = setUp()
    disk.broken = full()
    await expect(write(removed('1'))).rejects.toThrow('full')
    disk.broken = undefined
    await write(removed('2'))
    expect(shown).toEqual([removed('2')])
  })

  it('writes what a full disk refused before a direct write', async () => {
    const { disk, batches, journal, write } = setUp()
    disk.broken = full()
    journal.push(removed('1'))
    await expect(journal.flush()).rejects.toThrow('full')
    await expect(write(removed('2'))).rejects.toThrow('full')
    disk.broken = undefined
    await write(removed('3'))
    expect(batches).toEqual([[removed('1')], [removed('3')]])
    await journal.end()
  })

  it('drops what can never be written instead of retrying forever', async () => {
    const { clock, disk, failed, journal } = setUp()
    disk.broken = new StorageError('corrupt', 'The database is damaged.')
    journal.push(removed('1'))
    await journal.flush()
    expect(failed.length).toBe(1)
    expect(clock.pending).toBe(0)
  })

  it('reads between two batches, so that a read matches the screen', async () => {
    const { shown, journal } = setUp()
    const gate = Promise.withResolvers<void>()
    const seen = journal.run(async () => {
      await gate.promise
      return shown.length
    })
    journal.push(removed('1'))
    const written = journal.flush()
    await new Promise((resolve) => setImmediate(resolve))
    expect(shown).toEqual([])
    gate.resolve()
    expect(await seen).toBe(0)
    await written
    expect(shown).toEqual([removed('1')])
  })
})
