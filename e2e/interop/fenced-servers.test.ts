import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { fenceHere } from '../support/fence-here.ts'
import { until } from '../support/until.ts'
import { ServerHost, temporaryFolder } from '../test-hosts/server-host.ts'

const here = await fenceHere()
const LONG = process.env.PARLEY_LONG === '1'
const DOWNLOAD_MS = 240_000
const packages = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/', import.meta.url))

it.skipIf(!here)('three published servers list and answer behind a fence as without one (HOUSE-32)', async () => {
  const folder = await temporaryFolder()
  const note = join(folder, 'note.txt')
  await writeFile(note, 'fenced')
  const parley = await ServerHost.open({ environment: { ...process.env, HOME: await temporaryFolder() } })
  const fence = {
    network: 'none' as const,
    folders: [
      { path: folder, write: true },
      { path: dirname(process.execPath), write: false },
    ],
  }
  const servers = [
    { name: 'server-filesystem', args: [folder], tool: 'read_text_file', given: { path: note }, says: 'fenced' },
    { name: 'server-memory', args: [], tool: 'read_graph', given: {}, says: '"entities"' },
    { name: 'server-everything', args: ['stdio'], tool: 'echo', given: { message: 'fenced' }, says: 'Echo: fenced' },
  ]
  for (const { name, args, tool, given, says } of servers) {
    const launch = {
      type: 'local' as const,
      command: process.execPath,
      args: [`${packages}${name}/dist/index.js`, ...args],
      env: {},
    }
    const id = await parley.ready(name, launch)
    const listed = () =>
      parley.host.servers.configured
        .find(id)
        ?.tools()
        .map((one) => one.tool)
    const open = listed()
    await parley.host.servers.controls.setOptions(id, { fence })
    await parley.until(name, 'ready')
    expect(parley.host.servers.configured.find(id)?.offline).toBe('with-folders')
    expect(listed()).toEqual(open)
    expect(await parley.call(id, tool, given as Record<string, string>)).toContain(says)
  }
})

/** Each as its readme starts it, and a call that does its work. */
const PUBLISHED = [
  {
    name: '@modelcontextprotocol/server-filesystem',
    folder: true,
    tool: 'list_directory',
    given: (folder: string) => ({ path: folder }),
    says: 'note.txt',
  },
  {
    name: '@modelcontextprotocol/server-memory',
    tool: 'create_entities',
    given: () => ({ entities: [{ name: 'Ada', entityType: 'person', observations: [] }] }),
    says: 'Ada',
  },
  { name: '@modelcontextprotocol/server-everything', tool: 'echo', given: () => ({ message: 'fenced' }), says: 'Echo: fenced' },
  {
    name: '@modelcontextprotocol/server-sequential-thinking',
    tool: 'sequentialthinking',
    given: () => ({ thought: 'fenced', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }),
    says: 'thoughtHistoryLength',
  },
  { name: 'time-mcp', tool: 'current_time', given: () => ({ format: 'YYYY-MM-DD' }), says: 'UTC' },
]

it.skipIf(!here || !LONG).each(PUBLISHED)(
  '$name from the registry does its work in the fence that is proposed',
  async (server) => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'note.txt'), 'fenced')
    const parley = await ServerHost.open({ environment: { ...process.env, HOME: await temporaryFolder() } })
    const args = ['-y', server.name, ...('folder' in server ? [folder] : [])]
    const launch = { type: 'local' as const, command: 'npx', args, env: {} }
    const { suggestions } = await parley.host.servers.fences.about(launch, [], server.name)
    const options = { fence: { network: 'none' as const, folders: suggestions } }
    const { serverId: id } = await parley.host.servers.edits.add({ name: 'published', launch, options })
    await parley.answer('published', 'allow')
    await until(() => parley.record('published').state.is === 'ready', `${server.name} to be downloaded and ready`, DOWNLOAD_MS)
    expect(await parley.call(id, server.tool, server.given(folder) as Record<string, string>)).toContain(server.says)
  },
  DOWNLOAD_MS + 60_000,
)
