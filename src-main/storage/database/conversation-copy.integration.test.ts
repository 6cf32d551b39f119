import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { conversationId, headOf, messageOf, storageIn, temporaryFolder } from '../../../e2e/support/storage/temporary-storage.ts'
import { MIGRATIONS, migrate } from './migrations.ts'
import { Sqlite } from './sqlite.ts'

describe('a database of the first format', () => {
  it('opens with everything in it, after a copy was made, and stores new data', async () => {
    const folder = await temporaryFolder()
    await mkdir(folder, { recursive: true })
    const file = join(folder, 'parley.db')
    const sqlite = new Sqlite(file)
    migrate(sqlite, file, join(folder, 'copies'), MIGRATIONS.slice(0, 1))
    const head = headOf('old')
    sqlite.run('INSERT INTO conversation (id, head, updated_at) VALUES (?, ?, ?)', 'old', JSON.stringify(head), head.updatedAt)
    const message = messageOf('m', 'words')
    sqlite.run(
      'INSERT INTO message (conversation, id, status, json) VALUES (?, ?, ?, ?)',
      'old',
      'm',
      message.status,
      JSON.stringify(message),
    )
    sqlite.close()

    const storage = await storageIn(folder)
    const { conversations } = storage
    const id = conversationId('old')
    expect(await conversations.open(id, 10)).toMatchObject({ messages: [{ id: 'm' }] })
    expect(await storage.states.of(id)).toEqual({})
    const switches = { servers: ['s' as never], tools: [] }
    await conversations.write([{ conversationId: id, event: { type: 'switches.changed', switches } }])
    expect((await conversations.open(id, 10))?.switches).toEqual(switches)
    const place = { folders: [{ path: '/notes' }], hosts: [], recipients: [] }
    await conversations.change({ id, state: { place, draft: 'waits here' } })
    await conversations.change({ id, head: { ...head, pinned: true } })
    expect((await conversations.heads({ limit: 10, pinned: true })).items).toMatchObject([{ id: 'old' }])
    const fork = { ...head, id: conversationId('fork'), forkOf: id }
    expect(await conversations.fork(id, fork, { at: message.id, including: true })).toMatchObject({ id: 'fork', sequence: 2 })
    expect(await storage.states.of(fork.id)).toEqual({ switches, place })
    expect((await conversations.open(fork.id, 10))?.messages).toEqual((await conversations.open(id, 10))?.messages)
  })
})
