import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ServerHost, small, temporaryFolder } from '../../../e2e/support/server-host.ts'
import { until } from '../../../e2e/support/until.ts'

describe('trust in a server', () => {
  it('asks again when a variable got another value, and names it (ARCH-02, SEC-22)', async () => {
    const parley = await ServerHost.open()
    const id = await parley.ready('ok', small('ok.mjs', [], { PORT: { text: '1' }, HOST_NAME: { text: 'here' } }))
    const before = parley.record('ok').launchIdentity
    await parley.host.servers.edits.change(id, {
      name: 'ok',
      launch: small('ok.mjs', [], { PORT: { text: '2' }, HOST_NAME: { text: 'here' } }),
    })
    const { question } = await parley.question('ok')
    expect(question.changed).toEqual(['The value of PORT changed from “1” to “2”.'])
    expect(question.launchIdentity).not.toBe(before)
    // What runs goes on, under the identity that was allowed, until somebody has answered.
    expect(parley.record('ok')).toMatchObject({ state: { is: 'ready' }, changePending: true, launchIdentity: before })
    expect(JSON.parse(await parley.call(id, 'env')).PORT).toBe('1')

    await parley.answer('ok', 'allow')
    await until(() => !parley.record('ok').changePending, 'the change to be taken')
    await parley.until('ok', 'ready')
    expect(JSON.parse(await parley.call(id, 'env')).PORT).toBe('2')
    expect(parley.record('ok').launchIdentity).toBe(question.launchIdentity)
  })

  it('stops what runs when a changed launch is denied', async () => {
    const parley = await ServerHost.open()
    const id = await parley.ready('ok', small('ok.mjs'))
    await parley.host.servers.edits.change(id, { name: 'ok', launch: small('ok.mjs', ['--more']) })
    await parley.answer('ok', 'deny')
    expect((await parley.until('ok', 'stopped')).why).toBe('denied')
    expect(await parley.storage.records.all('process')).toEqual(new Map())
  })

  it('asks about an entry that was edited by hand while it runs, and withdraws the question when the edit is undone', async () => {
    const parley = await ServerHost.open()
    await parley.ready('ok', small('ok.mjs'))
    const path = parley.storage.serverFile.path
    const good = await readFile(path, 'utf8')
    await writeFile(path, good.replace('ok.mjs', 'silent.mjs'))
    const { question } = await parley.question('ok')
    expect(question.changed?.join()).toContain('silent.mjs')
    await writeFile(path, good)
    await until(() => parley.host.state.snapshot.interactions.length === 0, 'the question to be withdrawn')
    expect(parley.record('ok')).toMatchObject({ state: { is: 'ready' } })
    expect(parley.record('ok').changePending).toBeUndefined()
  })

  it('keeps alwaysAllow, autoApprove and trust of the file and obeys none of them (ARCH-02)', async () => {
    const folder = await temporaryFolder()
    const first = await ServerHost.open({ folder })
    const { path } = first.storage.serverFile
    await first.end()
    const mark = join(folder, 'started')
    const { command, args } = small('ok.mjs', ['--mark', mark])
    const entry = { command, args, alwaysAllow: ['echo'], autoApprove: ['*'], trust: true }
    await writeFile(path, JSON.stringify({ mcpServers: { ok: entry } }))

    const parley = await ServerHost.open({ folder })
    await parley.question('ok')
    expect(existsSync(mark)).toBe(false)
    await parley.answer('ok', 'allow')
    await parley.until('ok', 'ready')
    await parley.host.servers.edits.change(parley.record('ok').id, {
      name: 'ok',
      launch: { type: 'local', command, args, env: { A: { text: '1' } } },
    })
    expect(JSON.parse(await parley.file()).mcpServers.ok).toMatchObject({
      alwaysAllow: ['echo'],
      autoApprove: ['*'],
      trust: true,
    })
  })

  it('shows every value but stored secrets, and keeps none that looks like one (SEC-22)', async () => {
    const parley = await ServerHost.open()
    const env = { NODE_OPTIONS: { text: '--require ./x.cjs' }, CITY: { text: 'Oslo' }, API_TOKEN: { text: 'not-to-be-kept' } }
    await parley.host.servers.edits.add({ name: 'ok', launch: small('ok.mjs', [], env) })
    const { question } = await parley.question('ok')
    expect(question.launch.type === 'local' && question.launch.env).toEqual([
      { name: 'NODE_OPTIONS', value: '--require ./x.cjs', can: 'load-code' },
      { name: 'CITY', value: 'Oslo' },
      { name: 'API_TOKEN' },
    ])
    await parley.answer('ok', 'allow')
    await parley.until('ok', 'failed')
    expect(JSON.stringify([...(await parley.storage.records.all('trust'))])).not.toContain('not-to-be-kept')
    expect(JSON.stringify(parley.host.state.snapshot)).not.toContain('not-to-be-kept')
  })

  it('asks again when another program of the name comes first on PATH, and starts exactly the one that was allowed (SEC-22)', async () => {
    const folder = await temporaryFolder()
    const wrapper = async (place: string) => {
      await mkdir(join(folder, place))
      const file = join(folder, place, 'server')
      await writeFile(file, `#!/bin/sh\necho ${place} > ${folder}/ran\nexec ${process.execPath} "$@"\n`)
      await chmod(file, 0o755)
      return file
    }
    const late = await wrapper('late')
    const environment = { PATH: `${join(folder, 'early')}:${join(folder, 'late')}`, HOME: folder }
    const parley = await ServerHost.open({ environment })
    const { args } = small('ok.mjs')
    const id = await parley.ready('ok', { type: 'local', command: 'server', args, env: {} })
    expect((await readFile(join(folder, 'ran'), 'utf8')).trim()).toBe('late')
    const early = await wrapper('early')
    await parley.host.servers.controls.stop(id)
    await parley.host.servers.controls.start(id)
    const { question } = await parley.question('ok')
    expect(question.launch).toMatchObject({ resolved: early })
    expect(question.changed).toEqual([`“server” was “${late}” and is now “${early}”.`])
    expect((await readFile(join(folder, 'ran'), 'utf8')).trim()).toBe('late')
  })

  it('asks again when its script holds something else, also before a restart of its own (SEC-22)', async () => {
    const folder = await temporaryFolder()
    const script = join(folder, 'server.mjs')
    const [file = ''] = small('ok.mjs').args
    await writeFile(script, `import ${JSON.stringify(file)}\n`)
    const parley = await ServerHost.open()
    const id = await parley.ready('ok', { type: 'local', command: process.execPath, args: [script], env: {} })
    const [pid] = [...(await parley.storage.records.all('process')).values()].map((process) => process.pid)
    await writeFile(script, `import ${JSON.stringify(file)}\n// and more\n`)
    process.kill(pid ?? 0, 'SIGKILL')
    const { question } = await parley.question('ok')
    expect(question.changed).toEqual([`The file “${script}” changed.`])
    await parley.answer('ok', 'allow')
    await parley.until('ok', 'ready')
    await parley.host.servers.controls.stop(id)
    await parley.host.servers.controls.start(id)
    await parley.until('ok', 'ready')
  })

  it('takes the page’s yes for a wish where the shell lends a confirmation of its own (ARCH-06)', async () => {
    const asked: string[] = []
    const answers = [false, true]
    const confirmTrust = async (name: string) => {
      asked.push(name)
      return answers.shift() ?? false
    }
    const parley = await ServerHost.open({ platform: { confirmTrust } })
    const mark = join(parley.folder, 'started')
    const { serverId } = await parley.host.servers.edits.add({ name: 'ok', launch: small('ok.mjs', ['--mark', mark]) })
    await parley.answer('ok', 'allow')
    expect((await parley.until('ok', 'stopped')).why).toBe('denied')
    expect(existsSync(mark)).toBe(false)

    await parley.host.servers.controls.start(serverId)
    await parley.answer('ok', 'allow')
    await parley.until('ok', 'ready')
    expect(asked).toEqual(['ok', 'ok'])
  })

  it('asks nobody twice when the answer in the page is no', async () => {
    const asked: string[] = []
    const confirmTrust = async (name: string) => asked.push(name) > 0
    const parley = await ServerHost.open({ platform: { confirmTrust } })
    await parley.host.servers.edits.add({ name: 'ok', launch: small('ok.mjs') })
    await parley.answer('ok', 'deny')
    await parley.until('ok', 'stopped')
    expect(asked).toEqual([])
  })

  it('asks before the first contact with a remote server (ARCH-02, SEC-04)', async () => {
    let contacts = 0
    const server = createServer((_request, response) => {
      contacts += 1
      response.writeHead(404).end('nothing here')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    const parley = await ServerHost.open()
    await parley.host.servers.edits.add({ name: 'far', launch: { type: 'remote', url, headers: {} } })
    const { question } = await parley.question('far')
    expect(question.launch).toMatchObject({ type: 'remote', url, host: new URL(url).host })
    expect(contacts).toBe(0)
    await parley.answer('far', 'allow')
    const { problem } = await parley.until('far', 'failed')
    expect(problem).toMatchObject({ code: 'http-404', todo: expect.stringContaining('path of the address') })
    expect(contacts).toBeGreaterThan(0)
  })

  it('forgets its trust when a server is removed, and asks again when it is put back (SEC-02)', async () => {
    const parley = await ServerHost.open()
    const id = await parley.ready('ok', small('ok.mjs'))
    await parley.host.servers.edits.remove(id)
    expect(parley.host.servers.configured.find(id)?.record).toBeUndefined()
    expect(parley.host.state.snapshot.servers).toEqual({})
    await until(async () => (await parley.storage.records.all('process')).size === 0, 'its process to be gone')
    await parley.host.servers.edits.restore(id)
    await parley.question('ok')
    expect(parley.record('ok').state.is).toBe('asking')
  })
})
