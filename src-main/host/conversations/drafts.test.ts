import { expect, it } from 'vitest'
import { memoryStorage } from '../../../e2e/support/storage/memory-storage.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { DEMO_MODEL } from '../../../src-shared/contract/settings.ts'
import { Drafts } from './drafts.ts'

const id = (name: string) => name as ConversationId

async function storageWith(...names: string[]) {
  const storage = memoryStorage()
  for (const name of names)
    await storage.conversations.create({ id: id(name), title: '', createdAt: 1, updatedAt: 1, model: DEMO_MODEL, turn: 'idle' })
  return storage
}

it('a draft is kept until it is empty, and no longer than its conversation', async () => {
  const storage = await storageWith('a')
  const drafts = new Drafts(storage)
  await drafts.keep('new', 'not yet')
  await drafts.keep(id('a'), 'half a')
  await drafts.keep(id('a'), 'half a sentence')
  await drafts.keep(id('purged'), 'gone')
  expect(await new Drafts(storage).all()).toEqual({ drafts: { new: 'not yet', a: 'half a sentence' } })
  await drafts.keep('new', '')
  expect(await drafts.all()).toEqual({ drafts: { a: 'half a sentence' } })
  await drafts.keep(id('a'), '')
  expect([await storage.states.of(id('a')), [...(await storage.records.all('draft'))]]).toEqual([{}, []])
})

it('a draft that is sent while it is being saved leaves none behind', async () => {
  const drafts = new Drafts(await storageWith('a'))
  for (const of of ['new', id('a')] as const) {
    await Promise.all([drafts.keep(of, 'sent by now'), drafts.keep(of, '')])
    expect(await drafts.all()).toEqual({ drafts: {} })
  }
})

it('the latest drafts are kept of very many', async () => {
  const names = Array.from({ length: 101 }, (_, n) => `c${n}`)
  const drafts = new Drafts(await storageWith(...names))
  for (const name of names.slice(0, 100)) await drafts.keep(id(name), 'text')
  await drafts.keep(id('c0'), 'written on')
  await drafts.keep(id('c100'), 'text')
  const kept = Object.keys((await drafts.all()).drafts)
  expect([kept.length, kept.includes('c0'), kept.includes('c1'), kept.includes('c100')]).toEqual([100, true, false, true])
})
