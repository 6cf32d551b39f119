import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../e2e/support/until.ts'
import { ServerHost, small, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import { IN_THE_CLEAR, type Launch } from '../../../src-shared/contract/servers.ts'

const SECRET = 'very-secret-value-1'

const env = (launch: Launch) => (launch.type === 'local' ? launch.env : {})

/** Remembers the headers of what reaches it, and is no MCP server. */
async function listener(): Promise<{ url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    response.writeHead(500).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, requests }
}

describe('secrets of a server', () => {
  it('are in the secret store, reach the server, and appear nowhere else (SEC-06, SEC-18, LOG-12)', async () => {
    const parley = await ServerHost.open()
    const id = await parley.ready('ok', small('ok.mjs', [], { API_TOKEN: { text: SECRET }, CITY: { text: 'Oslo' } }))
    expect(await parley.file()).not.toContain(SECRET)
    expect(await parley.file()).toMatch(/\$\{secret:server-local-[0-9a-f-]{36}\}/)
    expect(env(parley.record('ok').launch)).toEqual({ API_TOKEN: { secret: expect.any(String) }, CITY: { text: 'Oslo' } })
    expect(JSON.stringify(parley.host.state.snapshot)).not.toContain(SECRET)
    // The server has it, and what it says of it is hidden in log and traffic.
    const call = await parley.host.servers.calls.call(
      id,
      'env',
      {},
      { signal: new AbortController().signal, onProgress: () => {} },
    )
    expect(JSON.stringify(call)).toContain(SECRET)
    await parley.call(id, 'log', { text: `token is ${SECRET}!` })
    const { entries } = parley.host.servers.configured.get(id).traffic.read(undefined)
    expect(entries.map((entry) => entry.method)).toEqual(expect.arrayContaining(['initialize', 'tools/list', 'tools/call']))
    expect(JSON.stringify(entries)).not.toContain(SECRET)
    await until(async () => (await parley.log('ok')).join().includes('token is ‹redacted›!'), 'the line in the log')
    expect((await parley.log('ok')).join()).not.toContain(SECRET)
    const { items } = await parley.storage.ledger.page({ limit: 5 })
    expect(items).toMatchObject([{ tool: 'log', arguments: '{"text":"token is ‹redacted›!"}' }])
  })

  it('stay when the page returns the reference, and go when it is left out', async () => {
    const parley = await ServerHost.open()
    const id = await parley.ready('ok', small('ok.mjs', [], { API_TOKEN: { text: SECRET } }))
    const shown = env(parley.record('ok').launch)
    const [reference] = Object.values(shown).flatMap((value) => ('secret' in value ? [value.secret] : []))
    await parley.host.servers.edits.change(id, { name: 'ok', launch: small('ok.mjs', [], shown) })
    expect(parley.host.state.snapshot.interactions).toEqual([])
    expect(await parley.storage.secrets.get(reference ?? '')).toBe(SECRET)
    await parley.host.servers.edits.change(id, { name: 'ok', launch: small('ok.mjs') })
    expect(await parley.storage.secrets.get(reference ?? '')).toBeUndefined()
    expect((await parley.question('ok')).question.changed).toEqual(['The variable API_TOKEN is gone.'])
  })

  it('in the clear in the file work, are marked, and move into the store at a click', async () => {
    const folder = await temporaryFolder()
    const first = await ServerHost.open({ folder })
    await first.ready('ok', small('ok.mjs'))
    const { path } = first.storage.serverFile
    await first.end()
    const file = JSON.parse(await readFile(path, 'utf8'))
    file.mcpServers.ok.env = { API_TOKEN: SECRET }
    await writeFile(path, JSON.stringify(file))

    const parley = await ServerHost.open({ folder })
    await parley.answer('ok', 'allow')
    await parley.until('ok', 'ready')
    const { id, launch } = parley.record('ok')
    expect(env(launch)).toEqual({ API_TOKEN: { secret: `${IN_THE_CLEAR}API_TOKEN` } })
    await parley.host.servers.edits.liftSecrets(id)
    expect(await parley.file()).not.toContain(SECRET)
    expect(parley.host.state.snapshot.interactions).toEqual([])
    expect(parley.record('ok')).toMatchObject({ state: { is: 'ready' } })
    expect(JSON.stringify(env(parley.record('ok').launch))).toContain('server-local-')
  })

  it('belong to one server or the host, and cannot be named by another (ARCH-03, ARCH-07)', async () => {
    const parley = await ServerHost.open({ prepare: (storage) => storage.secrets.set('provider/demo/key', SECRET) })
    const one = await parley.ready('one', small('ok.mjs', [], { API_TOKEN: { text: SECRET } }))
    const reference = env(parley.record('one').launch).API_TOKEN
    if (!reference) throw new Error('no reference')
    const stolen = { name: 'two', launch: small('ok.mjs', [], { API_TOKEN: reference }) }
    await expect(parley.host.servers.edits.add(stolen)).rejects.toMatchObject({ code: 'invalid-params' })
    await expect(
      parley.host.servers.edits.change(one, { name: 'one', launch: small('ok.mjs', [], { A: { secret: 'provider/demo/key' } }) }),
    ).rejects.toMatchObject({ code: 'invalid-params' })

    // Nor by a reference written into the file by hand.
    const file = JSON.parse(await parley.file())
    file.mcpServers.two = { ...file.mcpServers.one, env: { KEY: `\${secret:provider/demo/key}` } }
    await writeFile(parley.storage.serverFile.path, JSON.stringify(file))
    await parley.answer('two', 'allow')
    expect((await parley.until('two', 'failed')).problem.code).toBe('secret-elsewhere')
  })

  it('in a header go only to the origin they were entered for', async () => {
    const [good, evil] = [await listener(), await listener()]
    const parley = await ServerHost.open()
    const headers = { Authorization: { text: `Bearer ${SECRET}` } }
    const { serverId } = await parley.host.servers.edits.add({ name: 'far', launch: { type: 'remote', url: good.url, headers } })
    await parley.answer('far', 'allow')
    await parley.until('far', 'failed')
    expect(good.requests[0]?.headers.authorization).toBe(`Bearer ${SECRET}`)
    expect(JSON.stringify(parley.host.servers.configured.get(serverId).traffic.read(undefined))).not.toContain(SECRET)

    const { launch } = parley.record('far')
    if (launch.type !== 'remote') throw new Error('not remote')
    const moved = { name: 'far', launch: { ...launch, url: evil.url } }
    await expect(parley.host.servers.edits.change(serverId, moved)).rejects.toMatchObject({ code: 'invalid-params' })
    // By hand in the file it is asked about, and even a yes does not send the secret there.
    await writeFile(parley.storage.serverFile.path, (await parley.file()).replace(good.url, evil.url))
    expect((await parley.question('far')).question.changed?.join()).toContain(evil.url)
    await parley.answer('far', 'allow')
    await until(() => {
      const { state } = parley.record('far')
      return state.is === 'failed' && state.problem.code === 'secret-elsewhere'
    }, 'the secret to be refused')
    expect(evil.requests).toEqual([])
  })

  it('are in no line of the log, even when a failing server repeats them (LOG-13)', async () => {
    const server = createServer((request, response) => {
      const { authorization } = request.headers
      response
        .writeHead(500, { 'content-type': 'text/plain' })
        .end(`I was sent ${authorization} and ${request.headers['x-api-key']}`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    const parley = await ServerHost.open()
    const headers = { Authorization: { text: `Bearer ${SECRET}` }, 'X-Api-Key': { text: 'another-secret-value-2' } }
    const { serverId } = await parley.host.servers.edits.add({ name: 'far', launch: { type: 'remote', url, headers } })
    await parley.answer('far', 'allow')
    await parley.until('far', 'failed')
    const kept = JSON.stringify([
      await parley.log('far'),
      parley.host.servers.configured.get(serverId).traffic.read(undefined),
      parley.host.state.snapshot,
    ])
    expect(kept).toContain('500')
    expect(kept).not.toContain(SECRET)
    expect(kept).not.toContain('another-secret-value-2')
  })
})

describe('a server’s form', () => {
  it('cannot take the name of another server', async () => {
    const parley = await ServerHost.open()
    await parley.host.servers.edits.add({ name: 'Ok', launch: small('ok.mjs') })
    await expect(parley.host.servers.edits.add({ name: 'ok', launch: small('ok.mjs') })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('renames a server as a new one that is asked about, with the old options and secrets', async () => {
    const parley = await ServerHost.open()
    const old = await parley.ready('old', small('ok.mjs', [], { API_TOKEN: { text: SECRET } }), { hiddenTools: ['crash'] })
    const { launch } = parley.record('old')
    if (launch.type !== 'local') throw new Error('not local')
    const { serverId } = await parley.host.servers.edits.change(old, { name: 'new', launch })
    expect(parley.host.servers.configured.find(old)?.record).toBeUndefined()
    await parley.answer('new', 'allow')
    await parley.until('new', 'ready')
    expect(JSON.parse(await parley.call(serverId, 'env')).API_TOKEN).toBe(SECRET)
    expect(parley.host.servers.tools.find(serverId, 'crash')?.hidden).toBe(true)
    expect(Object.keys(JSON.parse(await parley.file()).mcpServers)).toEqual(['new'])
  })
})
