import { expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { memoryStorage } from '../../../e2e/support/storage/memory-storage.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { DEMO_MODEL } from '../../../src-shared/contract/settings.ts'
import { Drafts } from './drafts.ts'

const id = (name: string) => name as ConversationId

it('what is not sent yet is kept until it is empty, and not longer than its conversation', async () => {
  const storage = memoryStorage()
  const drafts = new Drafts(storage, new ManualClock())
  await storage.conversations.create({ id: id('a'), title: '', createdAt: 1, updatedAt: 1, model: DEMO_MODEL, turn: 'idle' })
  await drafts.keep('new', 'not yet')
  await drafts.keep(id('a'), 'half a')
  await drafts.keep(id('a'), 'half a sentence')
  await drafts.keep(id('purged'), 'gone')
  expect(await new Drafts(storage, new ManualClock()).all()).toEqual({ drafts: { new: 'not yet', a: 'half a sentence' } })
  await drafts.keep('new', '')
  expect(await drafts.all()).toEqual({ drafts: { a: 'half a sentence' } })
  expect([...(await storage.records.all('draft')).keys()]).toEqual(['a'])
})

it('what is sent while its draft is still being kept leaves none behind', async () => {
  const drafts = new Drafts(memoryStorage(), new ManualClock())
  await Promise.all([drafts.keep('new', 'sent by now'), drafts.keep('new', '')])
  expect(await drafts.all()).toEqual({ drafts: {} })
})

it('one that is being written again is never missing', async () => {
  const storage = memoryStorage()
  const drafts = new Drafts(storage, new ManualClock())
  await drafts.keep('new', 'half')
  const writing = drafts.keep('new', 'half a sentence')
  const seen = await Promise.all([drafts.all(), ...Array.from({ length: 20 }, () => storage.records.all('draft'))])
  await writing
  expect(seen[0]).toEqual({ drafts: { new: 'half a sentence' } })
  expect(seen.slice(1).filter((kept) => kept instanceof Map && !kept.has('new'))).toEqual([])
})

it('of very many the latest are kept', async () => {
  const storage = memoryStorage()
  const clock = new ManualClock()
  const drafts = new Drafts(storage, clock)
  await drafts.keep('new', 'first')
  for (let n = 0; n < 99; n++) {
    await clock.advance(1)
    await drafts.keep(id(`c${n}`), 'text')
  }
  await clock.advance(1)
  await drafts.keep('new', 'first, written on')
  await drafts.keep(id('last'), 'text')
  const kept = await storage.records.all('draft')
  expect([kept.size, kept.has('new'), kept.has('c0'), kept.has('last')]).toEqual([100, true, false, true])
})

it('are read from the disk once, and not at each pause in typing', async () => {
  const storage = memoryStorage()
  let readings = 0
  const records = {
    ...storage.records,
    all: (collection: 'draft') => {
      readings += 1
      return storage.records.all(collection)
    },
  }
  const drafts = new Drafts({ ...storage, records: records as typeof storage.records }, new ManualClock())
  for (let n = 0; n < 50; n++) await drafts.keep(id(`c${n % 3}`), `text ${n}`)
  expect(readings).toBe(1)
  await drafts.keep(id('c1'), '')
  expect([...(await storage.records.all('draft')).keys()].sort()).toEqual(['c0', 'c2'])
})
