import { expect, it } from 'vitest'
import { memoryStorage } from '../../../e2e/support/storage/memory-storage.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { DEMO_MODEL } from '../../../src-shared/contract/settings.ts'
import { Drafts } from './drafts.ts'

const id = (name: string) => name as ConversationId

it('what is not sent yet is kept until it is empty, and not longer than its conversation', async () => {
  const storage = memoryStorage()
  const drafts = new Drafts(storage)
  await storage.conversations.create({ id: id('a'), title: '', createdAt: 1, updatedAt: 1, model: DEMO_MODEL, turn: 'idle' })
  await drafts.keep('new', 'not yet')
  await drafts.keep(id('a'), 'half a')
  await drafts.keep(id('a'), 'half a sentence')
  await drafts.keep(id('purged'), 'gone')
  expect(await new Drafts(storage).all()).toEqual({ drafts: { new: 'not yet', a: 'half a sentence' } })
  await drafts.keep('new', '')
  expect(await drafts.all()).toEqual({ drafts: { a: 'half a sentence' } })
  expect([...(await storage.records.all('draft')).keys()]).toEqual(['a'])
})

it('what is sent while its draft is still being kept leaves none behind', async () => {
  const drafts = new Drafts(memoryStorage())
  await Promise.all([drafts.keep('new', 'sent by now'), drafts.keep('new', '')])
  expect(await drafts.all()).toEqual({ drafts: {} })
})

it('of very many the latest are kept', async () => {
  const storage = memoryStorage()
  const drafts = new Drafts(storage)
  await drafts.keep('new', 'first')
  for (let n = 0; n < 99; n++) await drafts.keep(id(`c${n}`), 'text')
  await drafts.keep('new', 'first, written on')
  await drafts.keep(id('last'), 'text')
  const kept = await storage.records.all('draft')
  expect([kept.size, kept.has('new'), kept.has('c0'), kept.has('last')]).toEqual([100, true, false, true])
})
