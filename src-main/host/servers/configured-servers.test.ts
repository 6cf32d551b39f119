import { expect, it } from 'vitest'
import { MemoryServerFile } from '../../../e2e/support/storage/memory-storage.ts'
import { until } from '../../../e2e/support/until.ts'
import { chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import { type Storage, StorageError } from '../../storage/base/storage.ts'

it('a server removed from mcp.json is gone, and an added one is there, even if the disk is full', async () => {
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

it('two simultaneous changes of options, tools or settings are both kept, however slow the disk', async () => {
  const storage = (real: Storage): Storage => ({
    ...real,
    records: {
      all: (collection) => real.records.all(collection),
      put: async (collection, key, value) => {
        await new Promise((resolve) => setImmediate(resolve))
        await real.records.put(collection, key, value)
      },
      remove: (collection, key) => real.records.remove(collection, key),
    },
  })
  const chat = await chatHost({ storage })
  const { host } = chat
  const samplingBudget = { requests: 1, tokens: 2 }
  await Promise.all([
    host.servers.controls.setOptions(PLAYGROUND_ID, { sampling: 'budget' }),
    host.servers.controls.setOptions(PLAYGROUND_ID, { samplingBudget }),
    host.servers.controls.listTool(PLAYGROUND_ID, 'hiddenTools', 'echo', true),
    host.servers.controls.listTool(PLAYGROUND_ID, 'hiddenTools', 'add', true),
    host.servers.controls.listTool(PLAYGROUND_ID, 'hiddenTools', 'echo', false),
    host.settings.change({ theme: 'dark' }),
    host.settings.change({ roundLimit: 7 }),
  ])
  const wanted = { sampling: 'budget', samplingBudget, hiddenTools: ['add'] }
  expect(host.state.snapshot.servers[PLAYGROUND_ID]?.options).toMatchObject(wanted)
  expect(host.state.snapshot.settings).toMatchObject({ theme: 'dark', roundLimit: 7 })
  expect((await chat.storage.records.all('server-options')).get(PLAYGROUND_ID)).toEqual(wanted)
  expect((await chat.storage.records.all('settings')).get('settings')).toMatchObject({ theme: 'dark', roundLimit: 7 })
})
