import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { NOTES, notesBundle } from '../../../e2e/support/bundle.ts'
import { Registry } from '../../../e2e/support/registry.ts'
import { testConnector } from '../../../e2e/support/test-connector.ts'
import { ServerHost, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { removeUnpacked } from '../../bundles/kept-bundle.ts'
import { Registries } from './registries.ts'

const NAME = 'io.github.ann/notes'
const signal = new AbortController().signal

async function parleyWith() {
  const registry = await Registry.serve()
  onTestFinished(() => registry.close())
  const home = await temporaryFolder()
  let later = 0
  const clock = { ...systemClock, now: () => systemClock.now() + later }
  const parley = await ServerHost.open({ clock, platform: { os: 'linux' }, environment: { HOME: home, PATH: process.env.PATH } })
  onTestFinished(() => removeUnpacked(join(parley.folder, 'bundles')))
  const { imports, settings } = parley.host
  await settings.change({ registries: [registry.address] })
  const search = (words = '', cursor?: string) =>
    imports.registry.search({ registry: registry.address, words, ...(cursor !== undefined && { cursor }) }, signal)
  const review = (server = NAME, version = '1.2.0', download?: string) =>
    imports.review({ registry: registry.address, server, version, ...(download !== undefined && { download }) })
  return { registry, parley, imports, search, review, wait: (ms: number) => (later += ms) }
}

const REMOTE = { type: 'streamable-http', url: 'https://notes.example/mcp' }
const entry = (name = NAME, more: object = {}) => ({ name, version: '1.2.0', remotes: [REMOTE], ...more })

it('only the person’s own registries are asked, and only for the typed words (REG-1, REG-4)', async () => {
  const { registry, parley, search } = await parleyWith()
  registry.list({ server: entry(), status: 'active' })
  await parley.host.settings.change({ registries: [] })
  await expect(search()).rejects.toThrow('not added this registry')
  expect(registry.asked).toEqual([])
  await parley.host.settings.change({ registries: [registry.address] })
  expect(await search('no tes&x=1')).toMatchObject({ entries: [] })
  expect(registry.asked).toEqual(['/v0.1/servers?version=latest&limit=30&search=no+tes%26x%3D1'])
  expect(Object.keys(registry.headers(0) ?? {}).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
})

it('pages follow opaque cursors to their end, and a repeated cursor is the end (REG-2)', async () => {
  const { registry, search } = await parleyWith()
  for (const name of ['com.a/one', 'com.bcd/two', 'com.efg/three']) registry.list({ server: entry(name), status: 'active' })
  const first = await search()
  const second = await search('', first.next)
  expect([first, second].map(({ entries }) => entries.map(({ name }) => name))).toEqual([
    ['com.a/one', 'com.bcd/two'],
    ['com.efg/three'],
  ])
  expect([first.next, second.next]).toEqual(['after:com.bcd/two', undefined])
  expect(registry.asked[1]).toContain('cursor=after%3Acom.bcd%2Ftwo')
  registry.instead = () => ({ status: 200, body: JSON.stringify({ servers: [], metadata: { nextCursor: 'again' } }) })
  expect((await search('x', 'again')).next).toBeUndefined()
})

it('deleted entries are hidden, deprecated ones are marked, and a missing status is unknown (REG-3)', async () => {
  const { registry, search, review } = await parleyWith()
  registry.list({ server: entry('com.gone/x'), status: 'deleted', statusMessage: 'Malware.' })
  registry.list({ server: entry('com.old/x'), status: 'deprecated', statusMessage: 'Use com.new/x.' })
  expect(await search()).toMatchObject({
    entries: [{ name: 'com.old/x', status: 'deprecated', statusMessage: 'Use com.new/x.' }],
    leftOut: 0,
  })
  registry.list({ server: entry('com.plain/y') })
  expect((await search('plain')).entries).toMatchObject([{ name: 'com.plain/y', status: 'unknown' }])
  // Looked at again when it is opened.
  await expect(review('com.gone/x')).rejects.toThrow('This version was deleted from the registry. Malware.')
  expect((await review('com.old/x')).servers[0]?.package?.alarms).toContain('It is deprecated. Use com.new/x.')
})

it('an answer is kept for an hour, and shown as old while the registry is down (REG-4)', async () => {
  const { registry, search, wait } = await parleyWith()
  registry.list({ server: entry(), status: 'active' })
  const fresh = await search()
  await search()
  expect([registry.asked.length, fresh.staleSince]).toEqual([1, undefined])
  registry.instead = () => ({ status: 503, body: '' })
  wait(61 * 60_000)
  const stale = await search()
  expect(stale.entries).toEqual(fresh.entries)
  expect(stale.staleSince).toBeTypeOf('number')
  await expect(search('other')).rejects.toThrow('It answers with HTTP 503. Try again later.')
})

it.each<[string, { status: number; body: string; headers?: Record<string, string> }, RegExp]>([
  ['more than 4 MiB', { status: 200, body: ' '.repeat(4 * 1024 * 1024 + 1) }, /larger than 4 MiB/],
  ['a page of another kind', { status: 200, body: '<html>' }, /no registry of MCP servers at this address/],
  ['other JSON', { status: 200, body: '{"servers":{}}' }, /no registry of MCP servers at this address/],
  ['nothing', { status: 404, body: '' }, /no registry of MCP servers at this address/],
  [
    'a redirect elsewhere',
    { status: 302, body: '', headers: { location: 'http://localhost:1/' } },
    /redirects to another address/,
  ],
])('a registry that answers with %s is refused in words (REG-4)', async (_called, answer, why) => {
  const { registry, search } = await parleyWith()
  registry.instead = () => answer
  await expect(search()).rejects.toThrow(why)
})

it('a sub-registry of the older API, and one whose address ends in its version, are read (REG-1)', async () => {
  const { registry, parley, search, imports } = await parleyWith()
  registry.version = 'v0'
  registry.list({ server: entry(), status: 'active' })
  expect((await search()).entries).toHaveLength(1)
  const address = `${registry.address}/v0/`
  await parley.host.settings.change({ registries: [address] })
  expect((await imports.registry.search({ registry: address, words: 'notes' }, signal)).entries).toHaveLength(1)
  expect(registry.asked.map((path) => path.split('?')[0])).toEqual(['/v0.1/servers', '/v0/servers', '/v0/servers'])
})

it('an entry is asked for by its encoded name and exact version, and another answer is refused (REG-2, REG-5)', async () => {
  const { registry, review } = await parleyWith()
  registry.list({ server: entry(), status: 'active' }, { server: entry(NAME, { version: '1.3.0' }), status: 'active' })
  expect((await review()).servers[0]?.package).toMatchObject({ version: '1.2.0', publisher: 'io.github.ann' })
  expect(registry.asked).toEqual(['/v0.1/servers/io.github.ann%2Fnotes/versions/1.2.0'])
  registry.instead = () => ({ status: 200, body: JSON.stringify({ server: entry('io.github.eve/notes') }) })
  await expect(review()).rejects.toThrow('a different server or version')
})

it('a package is asked whose it is only once the person wants to know: it confirms its entry, says nothing or names another (REG-4, REG-13)', async () => {
  const { registry, review, imports } = await parleyWith()
  const say = async (version: string, mcpName?: string) => {
    registry.list({ server: { name: NAME, version, packages: [registry.npm('@ann/notes', version, mcpName)] }, status: 'active' })
    const { id, servers } = await review(NAME, version)
    expect(servers[0]?.package?.knownAt).toBe(new URL(registry.address).host)
    expect(registry.asked).not.toContain(`/npm/%40ann%2Fnotes/${version}`)
    const answer = await imports.confirm(id, servers[0]?.key ?? '', signal)
    expect(registry.asked).toContain(`/npm/%40ann%2Fnotes/${version}`)
    return answer
  }
  expect(await say('1.0.0', NAME)).toEqual({ confirmed: true })
  expect(await say('1.0.1')).toEqual({ confirmed: false })
  expect(await say('1.0.2', 'io.github.eve/notes')).toEqual({ confirmed: false, says: 'io.github.eve/notes' })
})

it('a name that looks like an installed one, an earlier one or a well-known package is marked (REG-14)', async () => {
  const { registry, imports, search, review } = await parleyWith()
  registry.list(
    { server: entry(), status: 'active', publishedAt: '2026-01-01' },
    { server: entry('io.github.anm/notes'), status: 'active', publishedAt: '2026-02-02' },
  )
  expect((await search()).entries.map(({ warnings }) => warnings)).toEqual([
    [],
    ['Its name looks like “io.github.ann/notes”, which is also listed.'],
  ])
  const { id } = await review()
  await imports.add(id, [{ key: '0', name: 'notes', inputs: {}, enabled: false }])
  const [own, twin] = (await search()).entries
  expect(own?.installed).toEqual({ serverId: 'notes', version: '1.2.0' })
  expect(twin?.warnings[0]).toBe('Its name looks like “io.github.ann/notes”, which is installed here.')
  const fake = registry.npm('@modelcontextprotoco1/server-filesystem', '1.2.0')
  registry.list({ server: { name: 'com.eve/files', version: '1.2.0', packages: [fake] }, status: 'active' })
  expect((await review('com.eve/files')).servers[0]?.package?.alarms).toContain(
    'Its package’s name looks like “@modelcontextprotocol/server-filesystem”, a well-known one.',
  )
})

it('entries with invalid names are left out and counted, and long texts are cut (REG-4, REG-14)', async () => {
  const { registry, search } = await parleyWith()
  registry.list(
    { server: entry('io.github.аnn/notes'), status: 'active' },
    { server: entry('com.long/x', { description: 'x'.repeat(1e6), title: 't'.repeat(1e5), websiteUrl: 'javascript:alert(1)' }) },
  )
  const { entries, leftOut } = await search()
  expect(leftOut).toBe(1)
  expect(entries.map(({ name, description, title, website }) => [name, description.length, title?.length, website])).toEqual([
    ['com.long/x', 1000, 200, undefined],
  ])
})

it('a bundle is downloaded once the person wants it, and its hash is compared before it is opened (REG-9, MCPB-21)', async () => {
  const { registry, parley, imports, review } = await parleyWith()
  const bundle = registry.bundle('/notes.mcpb', notesBundle())
  registry.list({ server: { name: NAME, version: '1.2.0', packages: [bundle] }, status: 'active' })
  const { servers, downloads } = await review()
  expect(servers).toEqual([])
  const address = `${registry.address}/notes.mcpb`
  expect(downloads).toEqual([
    { address, from: { registry: registry.address, server: NAME, version: '1.2.0', download: address } },
  ])
  expect(registry.asked.some((path) => path.endsWith('.mcpb'))).toBe(false)
  const reviewed = await review(NAME, '1.2.0', address)
  expect(reviewed.servers[0]?.package).toMatchObject({ is: 'bundle', title: 'Notes', source: address })
  const inputs = { 'setting:dirs': '/a', 'setting:key': 'k' }
  await imports.add(reviewed.id, [{ key: '0', name: 'Notes', inputs, enabled: false }])
  expect(await imports.installed.origin('Notes' as ServerId)).toMatchObject({
    registry: { address: registry.address, name: NAME, version: '1.2.0' },
    bundle: { publisher: 'Ann', source: address },
  })
  await expect(review(NAME, '1.2.0', `${registry.address}/other.mcpb`)).rejects.toThrow('no longer lists this bundle')
  // One byte behind the end is no difference to a lenient reader.
  registry.files.set('/notes.mcpb', Buffer.concat([notesBundle(), Buffer.from('x')]))
  const before = await readdir(join(parley.folder, 'bundles'))
  await expect(review(NAME, '1.2.0', address)).rejects.toThrow('the SHA-256 differs. Nothing was opened.')
  expect((await readdir(join(parley.folder, 'bundles'))).filter((name) => !name.endsWith('.part'))).toEqual(before)
})

it('a bundle without a hash is refused, and no address nearer than its registry is contacted (REG-9)', async () => {
  const { registry, review } = await parleyWith()
  const lifetime = new Lifetime('registries')
  onTestFinished(() => lifetime.end())
  const registries = new Registries({ connector: testConnector(lifetime), clock: systemClock })
  const near = { url: `${registry.address}/notes.mcpb`, sha256: '0'.repeat(64), registry: 'https://registry.example' }
  await expect(registries.download(near, async () => {}, signal)).rejects.toThrow('may not send Parley')
  expect(registry.asked).toEqual([])
  const { fileSha256: _none, ...bare } = registry.bundle('/bare.mcpb', notesBundle()) as Record<string, unknown>
  registry.list({ server: { name: NAME, version: '1.2.0', packages: [bare] }, status: 'active' })
  expect(await review()).toMatchObject({ downloads: [], unusable: [{ why: 'The registry lists no SHA-256 of this bundle.' }] })
})

it('an update is a line with its differences: the current version stays until the person reviews it (REG-15)', async () => {
  const { registry, parley, imports, review } = await parleyWith()
  registry.list({ server: entry(), status: 'active' })
  const { id } = await review()
  await imports.add(id, [{ key: '0', name: 'notes', inputs: {}, enabled: false }])
  const before = await parley.file()
  registry.list({
    server: entry(NAME, { version: '1.10.0', title: 'Renamed', remotes: [{ ...REMOTE, url: 'https://other.example/mcp' }] }),
    status: 'active',
  })
  const latest = await imports.registry.latest('notes' as ServerId, signal)
  expect(latest).toMatchObject({ version: '1.10.0', installed: '1.2.0' })
  expect(await parley.file()).toBe(before)
  const newer = await imports.review(latest.from)
  expect(newer.servers[0]?.package?.updates).toEqual({
    serverId: 'notes',
    changes: [
      'Its version was 1.2.0 and is now 1.10.0.',
      'Its address was “https://notes.example/mcp” and is now “https://other.example/mcp”.',
    ],
  })
  await imports.add(newer.id, [{ key: '0', name: 'notes', inputs: {}, enabled: false, update: true }])
  expect(await imports.installed.origin('notes' as ServerId)).toMatchObject({ registry: { version: '1.10.0' }, before: '1.2.0' })
  await imports.installed.stepBack('notes' as ServerId)
  expect(await imports.installed.origin('notes' as ServerId)).toMatchObject({ registry: { version: '1.2.0' }, before: '1.10.0' })
  expect(await parley.file()).toBe(before)
})

it('undeclared tools of a bundle, and declared ones it lacks, are reported once it runs (MCPB-19)', async () => {
  const { parley, imports } = await parleyWith()
  for (const [name, manifest] of [
    ['differs', { name: 'differs', tools: [{ name: 'read' }] }],
    ['generates', { name: 'generates', tools: [{ name: 'read' }], tools_generated: true }],
    ['same', { name: 'same', tools: NOTES.tools }],
  ] as const) {
    const { upload } = await imports.receive(notesBundle(manifest).toString('base64'))
    const { id } = await imports.review({ bundle: upload, name: 'notes.mcpb' })
    await imports.add(id, [{ key: '0', name, inputs: { 'setting:dirs': '/a', 'setting:key': 'k' } }])
    expect((await imports.installed.origin(name as ServerId))?.tools).toBeUndefined()
    await parley.answer(name, 'allow')
    await parley.until(name, 'ready')
  }
  const tools = async (name: string) => (await imports.installed.origin(name as ServerId))?.tools
  expect(await tools('differs')).toEqual({ unnamed: ['tell'], missing: ['read'] })
  expect(await tools('generates')).toEqual({ unnamed: [], missing: ['read'] })
  expect(await tools('same')).toEqual({ unnamed: [], missing: [] })
})
