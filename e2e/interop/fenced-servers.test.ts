import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { fenceHere } from '../support/fence-here.ts'
import { ServerHost, temporaryFolder } from '../test-hosts/server-host.ts'

const here = await fenceHere()
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
