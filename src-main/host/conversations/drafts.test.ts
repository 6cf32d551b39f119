import { expect, it } from 'vitest'
import { MemoryFolder, memoryStorage } from '../../../e2e/support/storage/memory-storage.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { DEMO_MODEL } from '../../../src-shared/contract/settings.ts'
import { MIGRATIONS } from '../../storage/database/migrations.ts'
import { Sqlite } from '../../storage/database/sqlite.ts'
import { Drafts } from './drafts.ts'

const id = (name: string) => name as ConversationId

/** The database, which notes each row that is read from it. */
class NotingSqlite extends Sqlite {
  readonly rows: string[] = []

  override all<Row>(...query: Parameters<Sqlite['all']>): Row[] {
    const found = super.all<Row>(...query)
    this.rows.push(...found.map((row) => JSON.stringify(row)))
    return found
  }

  override get<Row>(...query: Parameters<Sqlite['get']>): Row | undefined {
    const found = super.get<Row>(...query)
    if (found) this.rows.push(JSON.stringify(found))
    return found
  }
}

const storageWith = (...names: string[]) => storageIn(new MemoryFolder(), ...names)

async function storageIn(folder: MemoryFolder, ...names: string[]) {
  const storage = memoryStorage(folder)
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

it('a draft is kept without reading it or the others', async () => {
  const sqlite = new NotingSqlite(':memory:')
  const drafts = new Drafts(await storageIn(new MemoryFolder(MIGRATIONS, sqlite), 'a', 'b'))
  for (const of of ['new', id('a'), id('b')] as const) await drafts.keep(of, `unsent ${of}`)
  const read = () => sqlite.rows.splice(0).filter((row) => row.includes('unsent')).length
  read()
  for (const of of ['new', id('a')] as const) await drafts.keep(of, `unsent ${of}, and longer`)
  expect(read()).toBe(0)
  await drafts.all()
  expect(read()).toBe(3)
})
