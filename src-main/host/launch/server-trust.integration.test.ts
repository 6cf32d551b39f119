import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fenceHere } from '../../../e2e/support/fence-here.ts'
import { until } from '../../../e2e/support/until.ts'
import { ServerHost, small, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { InteractionOf } from '../../../src-shared/contract/interactions.ts'
import type { FencePolicy } from '../../../src-shared/contract/servers.ts'
import type { NamedLaunch } from '../core/platform.ts'

const fenceable = await fenceHere()

describe('trust in a server', () => {
  it('is asked for again when a variable got another value, which is named (ARCH-02, SEC-22)', async () => {
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
    // The running server goes on, under the identity that was allowed, until somebody has answered.
    expect(parley.record('ok')).toMatchObject({ state: { is: 'ready' }, changePending: true, launchIdentity: before })
    expect(JSON.parse(await parley.call(id, 'env')).PORT).toBe('1')

    await parley.answer('ok', 'allow')
    await until(() => !parley.record('ok').changePending, 'the change to be taken')
    await parley.until('ok', 'ready')
    expect(JSON.parse(await parley.call(id, 'env')).PORT).toBe('2')
    expect(parley.record('ok').launchIdentity).toBe(question.launchIdentity)
  })

  it.skipIf(!fenceable)('is given to a first start behind the fence that was chosen, or to one that is watched', async () => {
    const named: NamedLaunch[] = []
    const confirmTrust = async (launches: readonly NamedLaunch[]) => named.push(...launches) > 0
    const parley = await ServerHost.open({ platform: { confirmTrust } })
    const add = async (name: string, runs: 'watched' | FencePolicy, folders: readonly { readonly path: string }[] = []) => {
      await parley.host.servers.edits.add({
        name,
        launch: small(
          'ok.mjs',
          folders.map(({ path }) => path),
        ),
      })
      const { id } = await parley.question(name)
      const answer = { decision: 'allow' as const, runs, ...(folders.length > 0 && { folders }) }
      parley.host.interactions.answer({ id, kind: 'server-trust', answer })
      await parley.until(name, 'ready')
    }
    const fence: FencePolicy = { network: 'none', folders: [] }
    await add('fenced', fence)
    expect(parley.record('fenced').options.fence).toEqual(fence)
    expect(parley.host.servers.configured.find('fenced' as ServerId)?.offline).toBe('alone')
    expect(named[0]?.launch).toMatchObject({ fence })
    await add('watched', 'watched')
    expect(parley.record('watched').options).toMatchObject({ fence: null, watchedSince: expect.any(Number) })
    // A folder that it is told of lies inside its fence.
    const path = await realpath(await temporaryFolder())
    await add('told', fence, [{ path }])
    expect(parley.record('told').options.fence).toEqual({ network: 'none', folders: [{ path, write: false }] })

    await parley.host.servers.controls.setOptions('fenced' as ServerId, { fence: null })
    expect((await parley.question('fenced')).question.changed).toEqual([
      'Its fence is off: it would run with your full user permissions.',
    ])
  })

  it.skipIf(!fenceable)('is given behind a fence so that the server can still be taken back', async () => {
    const parley = await ServerHost.open()
    const { edits } = parley.host.servers
    const ids = await edits.addAll([{ name: 'ok', launch: small('ok.mjs') }])
    const { id } = await parley.question('ok')
    const runs: FencePolicy = { network: 'any', folders: [] }
    parley.host.interactions.answer({ id, kind: 'server-trust', answer: { decision: 'allow', runs } })
    await parley.until('ok', 'ready')
    expect(parley.record('ok').options.fence).toEqual(runs)
    expect(await edits.takeBack(ids)).toEqual({ left: [] })
  })

  it.skipIf(!fenceable)('is not asked for again when servers are fenced together and opened again after a restart', async () => {
    const folder = await temporaryFolder()
    const before = await ServerHost.open({ folder })
    const [zero, one, two] = [
      await before.ready('zero', small('ok.mjs')),
      await before.ready('one', small('ok.mjs')),
      await before.ready('two', small('ok.mjs')),
    ]
    const fence: FencePolicy = { network: 'none', folders: [] }
    await before.host.servers.controls.fenceAll([{ serverId: zero, fence }])
    await before.host.servers.controls.fenceAll([one, two].map((serverId) => ({ serverId, fence })))
    for (const id of [one, two])
      await until(() => before.host.servers.configured.find(id)?.offline === 'alone', `${id} to be fenced`)
    // The person's later choice stays.
    await before.host.servers.controls.setOptions(two, { fence: { network: 'none', folders: [] } })
    await before.end()
    const parley = await ServerHost.open({ folder })
    const { controls } = parley.host.servers
    expect(controls.fencedTogether()).toEqual([one])
    await controls.openAgain()
    // Only those of the last time are opened.
    const fences = () => ['zero', 'one', 'two'].map((name) => parley.record(name).options.fence)
    expect(fences()).toEqual([fence, null, fence])
    await controls.restart(one)
    await until(() => parley.record('one').state.is === 'ready' || parley.host.state.snapshot.interactions.length > 0, 'one')
    expect([parley.record('one').state.is, parley.host.state.snapshot.interactions]).toEqual(['ready', []])
    // It was taken back once; a fence of later is opened with a question alone.
    await controls.setOptions(one, { fence })
    await controls.openAgain()
    expect(fences()).toEqual([null, fence, fence])
  })

  it.skipIf(!fenceable)(
    'is proposed with a fence that opens the folders of its command line, unless it would break',
    async () => {
      const home = await realpath(await temporaryFolder())
      for (const folder of ['shop', 'notes', '.kube']) await mkdir(join(home, folder))
      const files = { notes: join(home, 'notes/all.db'), keys: join(home, '.kube/config'), new: join(home, 'shop/new.json') }
      for (const file of [files.notes, files.keys]) await writeFile(file, '')
      const environment = { ...process.env, HOME: home, PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
      const parley = await ServerHost.open({ environment })
      const about = async (launch: ReturnType<typeof small>, published?: string, path?: string) => {
        const [script = ''] = launch.args
        const program = { ...(path && { path }), cwd: home, code: [{ file: script, hash: null }] }
        const { proposal, open, problem } = await parley.host.servers.fences.about({ launch, program, published }, [])
        return problem?.what ?? open ?? proposal
      }
      const env = { STORE: { text: files.notes }, HOME: { text: home }, KEY: { secret: 'one' } }
      const folders = ['shop', 'notes'].map((name) => ({ path: join(home, name), write: true }))
      expect(await about(small('ok.mjs', [`--out=${files.new}`, '/usr/bin', '/var/tmp/parley-new.log'], env))).toEqual({
        network: 'any',
        folders,
      })
      const hides = (place: string) => `It is started with “${place}”, which a fence hides.`
      expect(await about(small('ok.mjs', [join(home, 'shop'), files.keys]))).toBe(hides(files.keys))
      expect(await about(small('ok.mjs', [`${home}/`]))).toBe(hides(home))
      expect(await about(small('ok.mjs', ['/']))).toBe(hides('/'))
      expect(await about({ ...small('ok.mjs'), cwd: join(home, '.kube') } as never)).toBe(hides(join(home, '.kube')))

      const npx = (...args: string[]) => ({ type: 'local' as const, command: 'npx', args, env: {} })
      expect(await about(npx('-y', 'tavily-mcp'), 'tavily-mcp')).toMatchObject({ network: { hosts: ['api.tavily.com'] } })
      // An older Node asks no proxy, so that it would reach no host.
      await writeFile(join(home, 'node'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
      const old = await ServerHost.open({ environment: { ...environment, PATH: `${home}:${environment.PATH}` } })
      const tavily = { launch: npx('-y', 'tavily-mcp'), program: undefined, published: 'tavily-mcp' }
      expect((await old.host.servers.fences.about(tavily, [])).proposal.network).toBe('any')
      expect(await about(npx('--call', 'x'))).toEqual({ network: 'any', folders: [] })
      expect(await about({ ...npx('@playwright/mcp@latest'), env: { ANY: { text: '1' } } } as never)).toContain('a browser')
      const memory = (file: string) => {
        const launch = { ...npx('@modelcontextprotocol/server-memory'), env: { MEMORY_FILE_PATH: { text: file } } }
        return about(launch as never)
      }
      expect(await memory('memory.jsonl')).toContain('beside its program')
      expect(await memory(files.new)).toEqual({ network: 'any', folders: [{ path: join(home, 'shop'), write: true }] })
      const inline = { ...small('ok.mjs'), args: ['--eval', '1'] }
      expect(await about(inline, undefined, process.execPath)).toContain('in its command line')
      const script = (folder: string) =>
        about({ ...small('ok.mjs'), args: [join(folder, 'server.mjs')] }, undefined, process.execPath)
      expect(await script(join(home, 'shop'))).toEqual({ network: 'any', folders: [] })
      expect(await script(home)).toBe(`“${home}/server.mjs” lies in your home folder, whose other files a fence hides.`)
      expect(await about(npx('x'), undefined, '/home/me/.asdf/shims/npx')).toContain('chooses its version')
      expect(await about({ ...npx('run', '-i', 'mcp/time'), command: 'docker' })).toContain('docker starts the server outside')
    },
  )

  it('stops a running server when its changed launch is denied', async () => {
    const parley = await ServerHost.open()
    const id = await parley.ready('ok', small('ok.mjs'))
    await parley.host.servers.edits.change(id, { name: 'ok', launch: small('ok.mjs', ['--more']) })
    await parley.answer('ok', 'deny')
    expect((await parley.until('ok', 'stopped')).why).toBe('denied')
    expect(await parley.storage.records.all('process')).toEqual(new Map())
  })

  it('is asked for when an entry is edited by hand, and the question is withdrawn with the edit', async () => {
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

  it('ignores alwaysAllow, autoApprove and trust in the file, and keeps them there (ARCH-02)', async () => {
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

  it('shows every value but stored secrets, and saves none that looks like one (SEC-22)', async () => {
    const parley = await ServerHost.open()
    const env = { NODE_OPTIONS: { text: '--require ./x.cjs' }, CITY: { text: 'Oslo' }, API_TOKEN: { text: 'not-to-be-kept' } }
    await parley.host.servers.edits.add({ name: 'ok', launch: small('ok.mjs', [], env) })
    const { question } = await parley.question('ok')
    expect(question.launch.type === 'local' && question.launch.env).toEqual([
      { name: 'NODE_OPTIONS', value: '--require ./x.cjs', can: 'load-code' },
      { name: 'CITY', value: 'Oslo', can: 'unknown' },
      { name: 'API_TOKEN' },
    ])
    await parley.answer('ok', 'allow')
    await parley.until('ok', 'failed')
    expect(JSON.stringify([...(await parley.storage.records.all('trust'))])).not.toContain('not-to-be-kept')
    expect(JSON.stringify(parley.host.state.snapshot)).not.toContain('not-to-be-kept')
  })

  it('is asked for again when another program comes first on PATH, and starts exactly the allowed one (SEC-22)', async () => {
    const folder = await temporaryFolder()
    const wrapper = async (place: string) => {
      await mkdir(join(folder, place))
      const file = join(folder, place, 'server')
      await writeFile(file, `#!/bin/sh\necho ${place} > "\${0%/*}/../ran"\nexec ${process.execPath} "$@"\n`)
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

  it('is asked for again when its script changed, even before an automatic restart (SEC-22)', async () => {
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

  it('covers only what was shown: a script that changed during the question is asked about again (SEC-22)', async () => {
    const folder = await temporaryFolder()
    const script = join(folder, 'server.mjs')
    const [file = ''] = small('ok.mjs').args
    await writeFile(script, `import ${JSON.stringify(file)}\n`)
    const parley = await ServerHost.open()
    const launch = { type: 'local' as const, command: process.execPath, args: [script], env: {} }
    await parley.host.servers.edits.add({ name: 'ok', launch })
    const { id } = await parley.question('ok')
    const mark = join(folder, 'ran')
    const changed = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(mark)}, '')\nimport(${JSON.stringify(file)})\n`
    await writeFile(script, changed)
    await parley.answer('ok', 'allow')
    const again = await until(async () => {
      const open = parley.host.state.snapshot.interactions.find((one) => one.kind === 'server-trust' && one.id !== id)
      return open ?? (existsSync(mark) && 'it runs')
    }, 'another question')
    expect(again).toMatchObject({ question: { changed: [`The file “${script}” changed.`] } })
    expect(existsSync(mark)).toBe(false)
    await parley.answer('ok', 'allow')
    await parley.until('ok', 'ready')
    expect(existsSync(mark)).toBe(true)
  })

  it('needs the shell’s own confirmation besides the page’s yes, where there is one (ARCH-06)', async () => {
    const asked: string[] = []
    const answers = [false, true]
    const confirmTrust = async (servers: readonly NamedLaunch[]) => {
      asked.push(...servers.map(({ name }) => name))
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

  it('needs no second question after a no in the page', async () => {
    const asked: string[] = []
    const confirmTrust = async () => asked.push('box') > 0
    const parley = await ServerHost.open({ platform: { confirmTrust } })
    await parley.host.servers.edits.add({ name: 'ok', launch: small('ok.mjs') })
    await parley.answer('ok', 'deny')
    await parley.until('ok', 'stopped')
    expect(asked).toEqual([])
  })

  const several = (...names: string[]) => names.map((name) => ({ name, launch: small('ok.mjs', ['--name', name]) }))
  const together = async (parley: ServerHost) => {
    const find = () =>
      parley.host.state.snapshot.interactions.find(
        (open): open is InteractionOf<'servers-trust'> => open.kind === 'servers-trust',
      )
    return until(find, 'a question about several servers')
  }

  it('is asked for once for all that start together, each shown whole; those not ticked are denied (ARCH-02, SEC-22)', async () => {
    const parley = await ServerHost.open()
    const { edits } = parley.host.servers
    const ids = await edits.addAll(several('one', 'two', 'three'))
    const { id, question } = await together(parley)
    expect(parley.host.state.snapshot.interactions).toHaveLength(1)
    expect(question.servers.map(({ serverName, launch }) => [serverName, launch.type === 'local' && launch.args.at(-1)])).toEqual(
      [
        ['one', 'one'],
        ['two', 'two'],
        ['three', 'three'],
      ],
    )
    parley.host.interactions.answer({
      id,
      kind: 'servers-trust',
      answer: { decision: 'allow', servers: ids.filter((name) => name !== 'two') },
    })
    await parley.until('one', 'ready')
    await parley.until('three', 'ready')
    expect((await parley.until('two', 'stopped')).why).toBe('denied')
    expect([...(await parley.storage.records.all('trust')).keys()].sort()).toEqual(['one', 'three'])
  })

  it.skipIf(!fenceable)('is given to several at their first start, each behind the fence that was chosen for it', async () => {
    const named: NamedLaunch[] = []
    const confirmTrust = async (launches: readonly NamedLaunch[]) => named.push(...launches) > 0
    const parley = await ServerHost.open({ platform: { confirmTrust } })
    const ids = await parley.host.servers.edits.addAll(several('one', 'two'))
    const { id } = await together(parley)
    const fence: FencePolicy = { network: 'none', folders: [] }
    const fences = [{ serverId: 'one' as ServerId, fence }]
    parley.host.interactions.answer({ id, kind: 'servers-trust', answer: { decision: 'allow', servers: ids, fences } })
    for (const name of ['one', 'two']) await parley.until(name, 'ready')
    const offline = ids.map((server) => parley.host.servers.configured.find(server)?.offline)
    expect(offline).toEqual(['alone', undefined])
    expect(named.map(({ launch }) => launch.type === 'local' && launch.fence)).toEqual([fence, undefined])
    // Opening the fence asks again, which shows that the launch was trusted with it.
    await parley.host.servers.controls.setOptions('one' as ServerId, { fence: null })
    expect((await parley.question('one')).question.changed).toHaveLength(1)
  })

  it('is asked for programs and addresses separately, and for one as always', async () => {
    const parley = await ServerHost.open()
    const far = { type: 'remote' as const, url: 'https://mcp.example/mcp', headers: {} }
    await parley.host.servers.edits.addAll([...several('one', 'two'), { name: 'far', launch: far }])
    await parley.question('far')
    expect((await together(parley)).question.servers.map(({ serverName }) => serverName)).toEqual(['one', 'two'])
  })

  it('leaves a removed server out of the open question, and withdraws it with the last', async () => {
    const parley = await ServerHost.open()
    const { edits, controls } = parley.host.servers
    const [one, two, three] = await edits.addAll(several('one', 'two', 'three'))
    const { id } = await together(parley)
    await edits.remove(one as ServerId)
    await controls.stop(two as ServerId)
    const { question } = await together(parley)
    expect(question.servers.map(({ serverName }) => serverName)).toEqual(['three'])
    // A window that has not seen it go may name it still.
    expect(parley.record('two').state).toEqual({ is: 'stopped', why: 'not-enabled' })
    await edits.remove(three as ServerId)
    await until(() => !parley.host.state.snapshot.interactions.some((open) => open.id === id), 'the question to be withdrawn')
  })

  it('is asked for together for servers added to mcp.json by hand when the host starts', async () => {
    const folder = await temporaryFolder()
    const first = await ServerHost.open({ folder })
    await first.ready('known', small('ok.mjs'))
    await first.end()
    const path = join(folder, 'mcp.json')
    const { mcpServers } = JSON.parse(await readFile(path, 'utf8'))
    for (const { name, launch } of several('one', 'two')) mcpServers[name] = { command: launch.command, args: launch.args }
    await writeFile(path, JSON.stringify({ mcpServers }))
    const parley = await ServerHost.open({ folder })
    await parley.until('known', 'idle')
    expect((await together(parley)).question.servers.map(({ serverName }) => serverName)).toEqual(['one', 'two'])
  })

  it('is confirmed in the shell for all at once, in parts where they are too long to read (ARCH-06)', async () => {
    const asked: string[] = []
    const confirmTrust = async (servers: readonly NamedLaunch[]) => {
      const names = servers.map(({ name }) => name).join()
      if (servers.length > 2) throw new HostError('refused', 'Too much to read.')
      asked.push(names)
      return names !== 'three'
    }
    const parley = await ServerHost.open({ platform: { confirmTrust } })
    const ids = await parley.host.servers.edits.addAll(several('one', 'two', 'three'))
    const { id } = await together(parley)
    parley.host.interactions.answer({ id, kind: 'servers-trust', answer: { decision: 'allow', servers: ids } })
    await parley.until('one', 'ready')
    await parley.until('two', 'ready')
    expect((await parley.until('three', 'stopped')).why).toBe('denied')
    expect(asked).toEqual(['one,two', 'three'])
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

  it('is forgotten when a server is removed, and asked for again when it is put back (SEC-02)', async () => {
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
