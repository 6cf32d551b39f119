import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../../../e2e/support/until.ts'
import { ServerHost, small, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'

describe('a server from the form to its first call', () => {
  it('asks before anything is started, and starts nothing when the answer is no (ARCH-02, SEC-22)', async () => {
    const parley = await ServerHost.open()
    const mark = join(parley.folder, 'started')
    await parley.host.servers.edits.add({ name: 'ok', launch: small('ok.mjs', ['--mark', mark], { PORT: { text: '1' } }) })
    const { question } = await parley.question('ok')
    expect(parley.record('ok').state.is).toBe('asking')
    expect(question.launch).toMatchObject({
      type: 'local',
      command: process.execPath,
      resolved: process.execPath,
      args: [expect.stringContaining('ok.mjs'), '--mark', mark],
      env: [{ name: 'PORT', value: '1' }],
      code: [expect.stringContaining('ok.mjs')],
    })
    await parley.answer('ok', 'deny')
    expect((await parley.until('ok', 'stopped')).why).toBe('denied')
    expect(existsSync(mark)).toBe(false)
    expect(await parley.storage.records.all('process')).toEqual(new Map())
  })

  it('starts, lists and calls once allowed, and starts without a question the next time', async () => {
    const folder = await temporaryFolder()
    const parley = await ServerHost.open({ folder })
    const id = await parley.ready('ok', small('ok.mjs'))
    expect(parley.record('ok')).toMatchObject({
      hello: { serverInfo: { name: 'ok-server', version: '1.2.3' }, instructions: 'Be kind.' },
      catalog: { tools: 6 },
    })
    expect(parley.host.servers.tools.all().map(({ tool }) => tool.name)).toContain('echo')
    expect(await parley.call(id, 'echo', { text: 'hello' })).toBe('hello')
    await parley.end()

    const again = await ServerHost.open({ folder })
    await again.until('ok', 'idle')
    expect(again.host.state.snapshot.interactions).toEqual([])
    expect(await again.call('ok' as ServerId, 'echo', { text: 'still here' })).toBe('still here')
  })
})

describe('the log of a server', () => {
  it('is in memory as long as the host runs, and never on disk (LOG-08)', async () => {
    const folder = await temporaryFolder()
    const parley = await ServerHost.open({ folder })
    const id = await parley.ready('ok', small('ok.mjs'))
    await parley.call(id, 'log', { text: 'sing' })
    await until(async () => (await parley.log('ok')).filter((line) => line.includes('the canary sings')).length === 2)
    await parley.host.servers.controls.stop(id)
    expect((await parley.log('ok')).join()).toContain('the canary sings')
    await parley.end()
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    expect(files.some((file) => file.endsWith('mcp.json'))).toBe(true)
    for (const file of files) expect(await readFile(file, 'latin1')).not.toContain('canary')
    const again = await ServerHost.open({ folder })
    expect((await again.log('ok')).join()).not.toContain('canary')
  })
})

describe('options of a server', () => {
  it('hide a tool from models without reconnecting, and survive restarts of the host', async () => {
    const folder = await temporaryFolder()
    const parley = await ServerHost.open({ folder })
    const id = await parley.ready('ok', small('ok.mjs'))
    const told: string[] = []
    parley.host.servers.tools.onChange.on((serverId) => told.push(serverId))
    await parley.host.servers.controls.setOptions(id, { hiddenTools: ['crash'] })
    expect(told).toEqual(['ok'])
    expect(parley.host.servers.tools.find(id, 'crash')?.hidden).toBe(true)
    expect(parley.host.servers.catalogs.tool(id, 'crash').entry.hidden).toBe(true)
    expect(parley.record('ok').state.is).toBe('ready')
    await parley.end()
    const again = await ServerHost.open({ folder })
    await again.until('ok', 'idle')
    expect(again.host.servers.tools.find(id, 'crash')?.hidden).toBe(true)
    expect(again.host.servers.tools.find(id, 'echo')?.hidden).toBe(false)
  })

  it('switch the server off and on', async () => {
    const parley = await ServerHost.open()
    const id = await parley.ready('ok', small('ok.mjs'))
    await parley.host.servers.controls.setOptions(id, { enabled: false })
    expect(parley.record('ok').state).toEqual({ is: 'stopped', why: 'not-enabled' })
    await parley.host.servers.controls.setOptions(id, { enabled: true })
    await parley.until('ok', 'ready')
    await expect(
      parley.host.servers.controls.setOptions(id, { requestTimeout: 5000, maxRequestTime: 1000 }),
    ).rejects.toMatchObject({
      code: 'invalid-params',
    })
  })

  it('survive a restart, whenever the host ends', async () => {
    const folder = await temporaryFolder()
    const parley = await ServerHost.open({ folder })
    const id = await parley.ready('ok', small('ok.mjs'))
    const before = parley.record('ok').state
    await parley.host.servers.controls.restart(id)
    expect(await parley.until('ok', 'ready')).not.toBe(before)
    const restarted = parley.host.servers.controls.restart(id).catch(() => {}) // the host ends
    await parley.until('ok', 'stopping')
    expect(parley.record('ok').options.enabled).toBe(true)
    await parley.end()
    await restarted
    const again = await ServerHost.open({ folder })
    await again.until('ok', 'idle')
  })

  it('keep a server off that was switched off during a restart, until it is started again', async () => {
    const parley = await ServerHost.open()
    const id = await parley.ready('ok', small('ok.mjs'))
    const restarted = parley.host.servers.controls.restart(id)
    await parley.until('ok', 'stopping')
    await parley.host.servers.controls.stop(id)
    await restarted
    expect(parley.record('ok').state).toEqual({ is: 'stopped', why: 'not-enabled' })
    await parley.host.servers.controls.restart(id)
    await parley.until('ok', 'ready')
  })

  it('mark tools that appeared or changed since the connection began (SEC-26)', async () => {
    const parley = await ServerHost.open()
    const id = await parley.ready('ok', small('ok.mjs'))
    const before = parley.host.servers.tools.find(id, 'echo')?.fingerprint
    await parley.call(id, 'grow')
    await until(() => parley.host.servers.tools.find(id, 'grown'), 'the new tool')
    expect(parley.host.servers.tools.find(id, 'echo')?.fingerprint).not.toBe(before)
    expect(parley.host.servers.catalogs.tools(id, {}).items.map((tool) => tool.changed)).toEqual([
      'changed',
      ...Array.from({ length: 5 }),
      'new',
    ])
  })
})

describe('a removed server', () => {
  it('comes back with its options and secrets, once, and not over another of its name', async () => {
    const parley = await ServerHost.open()
    const launch = small('ok.mjs', [], { API_TOKEN: { text: 'kept-for-later' } })
    const id = await parley.ready('ok', launch, { hiddenTools: ['crash'] })
    await expect(parley.host.servers.edits.restore(id)).rejects.toMatchObject({ code: 'not-found' })
    await parley.host.servers.edits.remove(id)
    expect(parley.host.servers.tools.all()).toEqual([])
    await parley.host.servers.edits.restore(id)
    await parley.answer('ok', 'allow')
    await parley.until('ok', 'ready')
    expect(parley.record('ok').options.hiddenTools).toEqual(['crash'])
    expect(JSON.parse(await parley.call(id, 'env')).API_TOKEN).toBe('kept-for-later')

    await parley.host.servers.edits.remove(id)
    await parley.host.servers.edits.add({ name: 'ok', launch: small('silent.mjs'), options: { enabled: false } })
    expect(parley.record('ok').state).toEqual({ is: 'stopped', why: 'not-enabled' })
    await expect(parley.host.servers.edits.restore(id)).rejects.toMatchObject({ code: 'conflict' })
    expect(parley.record('ok').options.enabled).toBe(false)
  })
})

describe('servers added together', () => {
  const several = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      name: `server ${at}`,
      launch: small('ok.mjs', [], { API_TOKEN: { text: `secret-of-${at}` } }),
      options: { hiddenTools: ['crash'], enabled: false },
    }))

  it('are written once, a hundred of them, with their secrets in the store, and removed in one write', async () => {
    const parley = await ServerHost.open()
    const { edits } = parley.host.servers
    const writes: number[] = []
    parley.storage.serverFile.onChange(({ entries }) => writes.push(entries.length))
    const ids = await edits.addAll(several(100))
    expect(writes).toEqual([100])
    expect(ids).toHaveLength(100)
    expect(Object.keys(parley.host.state.snapshot.servers)).toEqual(ids)
    expect(parley.record('server 99').options.hiddenTools).toEqual(['crash'])
    expect(await parley.file()).not.toContain('secret-of-')
    const { env } = JSON.parse(await parley.file()).mcpServers['server 7']
    const reference = /^\$\{secret:(.+)\}$/.exec(env.API_TOKEN)?.[1]
    expect(await parley.storage.secrets.get(reference ?? '')).toBe('secret-of-7')

    await edits.remove(...ids)
    expect(writes).toEqual([100, 0])
    expect(parley.host.state.snapshot.servers).toEqual({})
  })

  it('are removed again except those changed, removed or replaced since', async () => {
    const parley = await ServerHost.open()
    const { edits, controls } = parley.host.servers
    const ids = await edits.addAll(several(6))
    const [, launched, set, removed, replaced] = several(6)
    if (!launched || !set || !removed || !replaced) throw new Error('There are too few')
    await edits.change('server 1' as ServerId, { ...launched, launch: small('silent.mjs') })
    await controls.setOptions('server 2' as ServerId, { muted: true })
    await edits.remove('server 3' as ServerId)
    await edits.remove('server 4' as ServerId)
    await edits.add(replaced)
    const left = ['server 1', 'server 2', 'server 4']
    expect(await edits.takeBack(ids)).toEqual({ left })
    expect(parley.storage.serverFile.current().entries.map(({ name }) => name)).toEqual(left)
    expect(await edits.takeBack(ids)).toEqual({ left })
    // A removed server can still be put back.
    await edits.restore('server 5' as ServerId)
    expect(parley.record('server 5').options.hiddenTools).toEqual(['crash'])
  })

  it('from two windows at once are those of the first; the second hears that the names are taken', async () => {
    const parley = await ServerHost.open()
    const { edits } = parley.host.servers
    const of = (value: string) =>
      several(2).map((config) => ({ ...config, launch: small('ok.mjs', [value], { A_TOKEN: { text: `the-${value}-secret` } }) }))
    const told = await Promise.all(
      [of('first'), of('second')].map((configs) => edits.addAll(configs).catch(({ code }: { code: string }) => code)),
    )
    expect(told).toEqual([of('first').map(({ name }) => name), 'conflict'])
    const entries = parley.storage.serverFile.current().entries
    expect(entries.map(({ launch }) => launch?.type === 'local' && launch.args.at(-1))).toEqual(['first', 'first'])
    expect(await readFile(join(parley.folder, 'secrets.json'), 'utf8')).not.toContain('the-second-secret')
    const kept = await parley.storage.records.all('server-options')
    expect([...kept.keys()]).toEqual(of('first').map(({ name }) => name))
  })

  it('are added together or not at all when one is wrong or the file cannot be written', async () => {
    const parley = await ServerHost.open()
    const { edits } = parley.host.servers
    await edits.add({
      name: 'Taken',
      launch: small('ok.mjs', [], { A_TOKEN: { text: 'kept-as-it-is' } }),
      options: { enabled: false },
    })
    const before = [await parley.file(), await readFile(join(parley.folder, 'secrets.json'), 'utf8')]
    const [one, two] = several(2)
    if (!one || !two) throw new Error('There are two')
    const refused = async (second: typeof two) => edits.addAll([one, second]).catch(({ code }) => code)
    expect(await refused({ ...two, name: 'taken' })).toBe('conflict')
    expect(await refused({ ...two, name: one.name.toUpperCase() })).toBe('conflict')
    expect(await refused({ ...two, name: 'play ground' })).toBe('invalid-params')
    const { path } = parley.storage.serverFile
    await writeFile(path, '{')
    expect(await refused(two)).toBe('unparsable')
    await writeFile(path, before[0] ?? '')
    expect(Object.keys(parley.host.state.snapshot.servers)).toEqual(['Taken'])
    expect([await parley.file(), await readFile(join(parley.folder, 'secrets.json'), 'utf8')]).toEqual(before)
    expect([...(await parley.storage.records.all('server-options')).keys()]).toEqual(['Taken'])
  })
})
