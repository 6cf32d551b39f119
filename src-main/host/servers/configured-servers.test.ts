import { expect, it } from 'vitest'
import { chatHost } from '../../../e2e/support/chat-host.ts'
import { MemoryServerFile } from '../../../e2e/support/storage/memory-storage.ts'
import { until } from '../../../e2e/support/until.ts'
import { type Storage, StorageError } from '../../storage/base/storage.ts'

it('a server that left mcp.json is gone, and one that came is there, though the disk is full', async () => {
  const disk = { full: false }
  const storage = (real: Storage): Storage => ({
    ...real,
    records: {
      all: (collection) => real.records.all(collection),
      put: (collection, key, value) => real.records.put(collection, key, value),
      remove: async (collection, key) => {
        if (disk.full) throw new StorageError('full', 'The disk is full.')
        await real.records.remove(collection, key)
      },
    },
  })
  const chat = await chatHost({ storage })
  const configure = (...names: string[]) => {
    const entries = names.map((name) => [name, { command: 'npx', disabled: true }])
    if (!(chat.storage.serverFile instanceof MemoryServerFile)) throw new Error('It lies on disk.')
    chat.storage.serverFile.edit(JSON.stringify({ mcpServers: Object.fromEntries(entries) }))
  }
  const names = () => Object.keys(chat.host.state.snapshot.servers)
  configure('one')
  await until(() => names().includes('one'), 'the first server')
  disk.full = true
  configure('other')
  await until(() => names().includes('other'), 'the other server')
  expect(names()).not.toContain('one')
  expect(chat.host.state.snapshot.notices).toMatchObject([
    { level: 'warning', problem: { what: expect.stringContaining('“one”'), said: 'The disk is full.' } },
  ])
  disk.full = false
})
