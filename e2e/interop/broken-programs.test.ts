import { access, mkdir } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ManualClock } from '../support/manual-clock.ts'
import { until } from '../support/until.ts'
import { after, type Box, box, diagnosed, type Expected, expectFound, type Setup } from '../test-hosts/broken-setup.ts'
import { ServerHost, small } from '../test-hosts/server-host.ts'

const OTHER_MACHINE = process.arch === 'arm64' ? 62 : 183
const SMALL = fileURLToPath(new URL('../servers/small/', import.meta.url))

/** The beginning of a program of Linux for another processor. */
function foreignElf(): Buffer {
  const head = Buffer.alloc(128)
  head.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
  head.writeUInt16LE(2, 16)
  head.writeUInt16LE(OTHER_MACHINE, 18)
  return head
}

const local = (command: string, args: readonly string[] = [], env: Record<string, { text: string }> = {}) => ({
  type: 'local' as const,
  command,
  args: [...args],
  env,
})
/** A program that prints these lines on stderr and exits. */
const complains = (code: number, ...lines: string[]) => `#!/bin/sh\ncat >&2 <<'END'\n${lines.join('\n')}\nEND\nexit ${code}\n`
/** A server whose command is found in `bin` of the box and nowhere before. */
const inBox = ({ folder }: Box, command: string, ...args: string[]): Setup => ({
  launch: local(command, args),
  host: { environment: { HOME: folder, PATH: `${folder}/bin:${process.env.PATH}` } },
})

type Row = readonly [name: string, setup: (box: Box) => Promise<Setup> | Setup, expected: Expected]

const ROWS: readonly Row[] = [
  [
    'a command that is nowhere',
    ({ folder }) => ({ launch: local('bunx', ['x']), host: { environment: { HOME: folder, PATH: '/nowhere' } } }),
    {
      check: 'command',
      code: 'command-not-found',
      words: /comes with Bun[\s\S]*\/nowhere[\s\S]*Install Bun/,
      remedies: [{ is: 'install', program: 'Bun', page: 'https://bun.sh/docs/installation' }],
    },
  ],
  [
    'a command that lies where its installer put it, beside PATH',
    async ({ folder, write }) => {
      await write('.local/bin/uvx', '#!/bin/sh\n')
      return { launch: local('uvx', ['x']), host: { environment: { HOME: folder, PATH: '/nowhere' } } }
    },
    { check: 'command', code: 'command-not-found', words: /It is at “.*\.local\/bin\/uvx”/, remedies: ['use-command'] },
  ],
  [
    'a path that leads nowhere',
    ({ folder }) => ({ launch: local(`${folder}/gone`) }),
    {
      check: 'command',
      code: 'command-not-found',
      words: /no program at “.*gone”/,
      remedies: [{ is: 'edit', field: 'command' }],
    },
  ],
  [
    'a script that is not executable',
    async ({ write }) => ({ launch: local(await write('server', '#!/bin/sh\n', 0o644)) }),
    { check: 'command', code: 'not-executable', words: /is not executable/, remedies: ['run', 'edit'] },
  ],
  [
    'a folder for a program',
    async ({ folder }) => {
      await mkdir(join(folder, 'server'))
      return { launch: local(join(folder, 'server')) }
    },
    { check: 'command', code: 'not-a-program', words: /is a folder/, remedies: ['edit'] },
  ],
  [
    'a script that does not name its interpreter',
    async ({ write }) => ({ launch: local(await write('server', "import { x } from 'node:fs'\nconsole.error((x) => 1)\n")) }),
    {
      check: 'command',
      code: 'no-shebang',
      words: /does not name its interpreter[\s\S]*as the first argument/,
      remedies: ['edit'],
    },
  ],
  [
    'a script whose interpreter is missing',
    async ({ folder, write }) => ({
      launch: local(await write('server', '#!/usr/bin/env bun\n')),
      host: { environment: { HOME: folder, PATH: '/usr/bin:/bin' } },
    }),
    {
      check: 'runtime',
      code: 'no-interpreter',
      words: /script for Bun, which was not found/,
      remedies: [{ is: 'install', program: 'Bun' }],
    },
  ],
  [
    'a script with Windows line endings',
    async ({ write }) => ({ launch: local(await write('server', '#!/bin/sh\r\nexit 0\r\n')) }),
    { check: 'runtime', code: 'no-interpreter', words: /Windows line endings/, remedies: ['run'] },
  ],
  [
    'a program for another processor',
    async ({ write }) => ({ launch: local(await write('server', foreignElf())) }),
    { check: 'command', code: 'wrong-architecture', words: /processors; this computer has/, remedies: ['edit'] },
  ],
  [
    'a program for another system',
    async ({ write }) => ({
      launch: local(await write('server', Buffer.concat([Buffer.from([0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1]), Buffer.alloc(64)]))),
    }),
    { check: 'command', code: 'wrong-architecture', words: /for macOS/, remedies: ['edit'] },
  ],
  [
    'a working folder that does not exist',
    ({ folder }) => ({ launch: { ...small('ok.mjs'), cwd: `${folder}/gone` } }),
    { check: 'command', code: 'folder-missing', words: /gone” does not exist/, remedies: [{ is: 'edit', field: 'cwd' }] },
  ],
  [
    'a variable that is not set',
    () => ({ launch: small('exits-at-once.mjs') }),
    {
      check: 'process',
      code: 'variable-missing',
      words: /needs the variable API_BASE \(exit code 3\)/,
      remedies: [{ is: 'set-variable', name: 'API_BASE' }],
    },
  ],
  [
    'a key that the service behind it does not take',
    async (at) => {
      await at.write('bin/server', complains(1, 'Error: 401 Unauthorized: Bad credentials'))
      return inBox(at, 'server')
    },
    { check: 'process', code: 'its-key-rejected', words: /not accepted/, remedies: [{ is: 'edit', field: 'env' }] },
  ],
  [
    'a package that does not exist',
    async (at) => {
      await at.write(
        'bin/npx',
        complains(1, 'npm error code E404', 'npm error 404 Not Found - GET https://packages.example/nope'),
      )
      return inBox(at, 'npx', '-y', 'nope')
    },
    { check: 'download', code: 'package-missing', words: /no such package/, remedies: [{ is: 'edit', field: 'args' }] },
  ],
  [
    'a registry that cannot be reached',
    async (at) => {
      await at.write(
        'bin/npx',
        complains(1, 'npm error code ENOTFOUND', 'npm error network request to https://packages.example/x failed'),
      )
      return inBox(at, 'npx', '-y', 'x')
    },
    {
      check: 'download',
      code: 'download-failed',
      words: /could not be downloaded/,
      remedies: ['start', { is: 'open-settings', section: 'network' }],
    },
  ],
  [
    'a runtime that is too old',
    async (at) => {
      await at.write(
        'bin/npx',
        complains(1, 'npm error code EBADENGINE', 'npm error engine Unsupported engine: wanted node >= 99'),
      )
      return inBox(at, 'npx', '-y', 'x')
    },
    {
      check: 'runtime',
      code: 'runtime-old',
      words: /another version of its runtime.*Node\.js \d+\.\d+\.\d+ is installed/,
      remedies: [{ is: 'install', program: 'Node.js' }],
    },
  ],
  [
    'a package runner without its runtime',
    async ({ folder, write }) => {
      await write('bin/npx', '#!/bin/sh\nexec node server.js\n')
      return { launch: local('npx', ['x']), host: { environment: { HOME: folder, PATH: `${folder}/bin` } } }
    },
    {
      check: 'runtime',
      code: 'runtime-missing',
      words: /needs Node\.js, which was not found/,
      remedies: [{ is: 'install', program: 'Node.js' }],
      first: 'program-missing',
    },
  ],
  [
    'Docker that is not running',
    async (at) => {
      await at.write('bin/docker', complains(1, 'docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.'))
      return inBox(at, 'docker', 'run', '-i', 'mcp/time')
    },
    { check: 'runtime', code: 'docker-stopped', words: /not running/, remedies: ['start'] },
  ],
  [
    'a script that is not there',
    ({ folder }) => ({ launch: local(process.execPath, [`${folder}/gone.js`]) }),
    { check: 'process', code: 'module-missing', words: /Cannot find module/, remedies: [{ is: 'edit', field: 'args' }] },
  ],
  [
    'a program that it starts and that is not there',
    async ({ write }) => ({
      launch: local(await write('server', '#!/bin/sh\nexec uvx server\n')),
      host: { environment: { PATH: '/nowhere' } },
    }),
    {
      check: 'process',
      code: 'program-missing',
      words: /“uvx”, which was not found/,
      remedies: [{ is: 'install', program: 'uv' }],
    },
  ],
  [
    'a server that says nothing',
    () => ({ launch: small('silent.mjs'), clock: new ManualClock(Date.now()), seconds: after(/still thinking/) }),
    { check: 'handshake', code: 'no-answer', words: /never answered the handshake/, remedies: ['start', 'edit'] },
  ],
  [
    'a program that is no server',
    () => ({ launch: small('garbage.mjs'), clock: new ManualClock(Date.now()), seconds: after(/Welcome to the shell/) }),
    {
      check: 'handshake',
      code: 'other-output',
      words: /prints text that is not MCP[\s\S]*Welcome to the shell/,
      remedies: ['edit', 'open-log'],
    },
  ],
  [
    'a Windows path on another system',
    () => ({ launch: local('C:\\Users\\me\\server.exe') }),
    {
      check: 'command',
      code: 'command-not-found',
      words: /“C:\\Users\\me\\server\.exe” is a Windows path/,
      remedies: ['edit'],
    },
  ],
  [
    'a script for Windows on another system',
    async ({ write }) => ({
      launch: local(await write('server.cmd', `@echo off\r\n${process.execPath} "%~dp0\\server.js" %*\r\n`)),
    }),
    { check: 'command', code: 'windows-script', words: /server\.cmd” is a script for Windows/, remedies: ['edit'] },
  ],
  [
    'a command line in the field of the command',
    () => ({ launch: local('npx -y "@acme/server" --root') }),
    {
      check: 'command',
      code: 'command-not-found',
      words: /the command contains its arguments/,
      remedies: [{ is: 'use-words', command: 'npx', args: ['-y', '@acme/server', '--root'] }],
    },
  ],
  [
    'a program that repeats what it is sent',
    () => ({ launch: local('cat') }),
    { check: 'handshake', code: 'echo', words: /repeats what it is sent/, remedies: [{ is: 'edit', field: 'args' }] },
  ],
  [
    'a runtime that lacks a module of its own',
    async (at) => {
      await at.write('bin/npx', complains(1, 'Error [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:sqlite'))
      return inBox(at, 'npx', '-y', 'x')
    },
    { check: 'runtime', code: 'runtime-old', words: /another version of its runtime.*Node\.js \d+/, remedies: ['install'] },
  ],
  [
    'a registry that refuses the connection',
    async (at) => {
      await at.write(
        'bin/npx',
        complains(
          1,
          'npm error code ECONNREFUSED',
          'npm error FetchError: request to http://127.0.0.1:1/x failed, reason: connect ECONNREFUSED 127.0.0.1:1',
        ),
      )
      return inBox(at, 'npx', '-y', 'x')
    },
    { check: 'download', code: 'download-failed', words: /could not be downloaded/, remedies: [{ is: 'open-settings' }] },
  ],
  [
    'a usage text on stdout',
    async ({ write }) => ({ launch: local(await write('server', '#!/bin/sh\necho "Usage: server --root FOLDER"\n')) }),
    { check: 'process', code: 'bad-arguments', words: /Usage: server --root FOLDER/, remedies: [{ is: 'edit', field: 'args' }] },
  ],
  [
    'a terminal that it wants',
    async (at) => {
      await at.write('bin/podman', complains(1, 'the input device is not a TTY'))
      return inBox(at, 'podman', 'run', '-it', 'x')
    },
    { check: 'process', code: 'no-terminal', words: /-it becomes -i/, remedies: [{ is: 'edit', field: 'args' }] },
  ],
  [
    'a path with ~ in its arguments',
    ({ folder }) => ({
      launch: local(process.execPath, ['~/gone.js', '--fast']),
      host: { environment: { HOME: folder, PATH: process.env.PATH } },
    }),
    {
      check: 'process',
      code: 'file-missing',
      words: /“~\/gone\.js” as it is/,
      remedies: [{ is: 'use-words', command: process.execPath }],
    },
  ],
  [
    'a package runner that says nothing',
    async (at) => {
      await at.write('bin/npx', `#!/bin/sh\nexec '${process.execPath}' -e 'process.stdin.resume(); setInterval(() => {}, 1e6)'\n`)
      const clock = new ManualClock(Date.now())
      return { ...inBox(at, 'npx', '-y', 'x'), clock, seconds: after(/server\/discover|initialize/) }
    },
    {
      check: 'handshake',
      code: 'no-answer',
      words: /npx has printed nothing: it may be waiting for the package registry/,
      remedies: ['start', { is: 'open-settings', section: 'network' }],
    },
  ],
  [
    'a protocol version that nobody knows',
    () => ({ launch: small('wrong-version.mjs') }),
    { check: 'version', code: 'version', words: /1999-01-01/, remedies: [{ is: 'edit', field: 'args' }] },
  ],
  [
    'a protocol version that the person ruled out',
    () => ({ launch: small('ok.mjs'), options: { era: 'modern' } }),
    { check: 'version', code: 'version', words: /Automatic/, remedies: ['automatic-version'] },
  ],
  [
    'lists that cannot be read',
    async ({ write }) => ({
      launch: local(process.execPath, [
        await write(
          'server.mjs',
          `import { handshake, serve } from '${SMALL}wire.mjs'
             serve({ initialize: handshake('broken'), 'tools/list': () => { throw new Error('the database is gone') } })`,
        ),
      ]),
    }),
    { check: 'lists', code: 'lists', words: /could not be read/, remedies: ['start', 'open-log'], state: 'ready' },
  ],
  [
    'no tool that is offered to a model',
    () => ({ launch: small('ok.mjs'), options: { hiddenTools: ['echo', 'env', 'level', 'log', 'crash', 'grow'] } }),
    { check: 'offered', code: 'all-hidden', words: /None of its tools/, remedies: ['offer-tools'], state: 'ready' },
  ],
  [
    'other text between its messages',
    async ({ write }) => ({
      launch: local(process.execPath, [
        await write('server.mjs', `console.log('Ready to serve')\nawait import('${SMALL}ok.mjs')`),
      ]),
    }),
    {
      check: 'handshake',
      code: 'noise',
      words: /prints other text[\s\S]*Ready to serve/,
      remedies: ['open-log'],
      state: 'ready',
    },
  ],
]

describe('the doctor of a program', () => {
  it.each(ROWS)('names %s', async (_name, setup, expected) => {
    await expectFound(await setup(await box()), expected)
  })

  it('finds nothing wrong with a good one', async () => {
    const { diagnosis } = await diagnosed({ launch: small('ok.mjs') }, 'ready')
    expect(diagnosis.finding).toBeUndefined()
    expect(diagnosis.checks.map(({ id, state }) => `${id} ${state}`)).toEqual(
      ['allowed', 'command', 'runtime', 'process', 'handshake', 'version', 'lists', 'offered'].map((id) => `${id} passed`),
    )
  })

  it('runs nothing of a server that is not allowed', async () => {
    const at = await box()
    await at.write('bin/npx', `#!/bin/sh\ntouch ${at.folder}/ran\n`)
    await at.write('bin/node', `#!/bin/sh\ntouch ${at.folder}/ran\n`)
    const { launch, host } = inBox(at, 'npx', 'x')
    const parley = await ServerHost.open(host)
    const { serverId } = await parley.host.servers.edits.add({ name: 'it', launch, options: {} })
    await parley.question('it')
    const { checks, finding } = await parley.host.servers.doctor.diagnose(serverId, new AbortController().signal)
    expect(checks.slice(0, 3).map(({ id, state }) => [id, state])).toEqual([
      ['allowed', 'not-reached'],
      ['command', 'passed'],
      ['runtime', 'not-reached'],
    ])
    expect(finding).toBeUndefined()
    await expect(access(join(at.folder, 'ran'))).rejects.toThrow(/ENOENT/)
  })

  it('is not needed for a program that only the login shell finds: it starts', async () => {
    const at = await box()
    await at.write('tools/npx', `#!/bin/sh\nexec ${process.execPath} ${SMALL}ok.mjs\n`)
    const shell = await at.write(
      'shell',
      `#!/bin/sh\necho Welcome back\nPATH="/nowhere:\${0%/*}/tools:$PATH"\nexport PATH\neval "$2"\n`,
    )
    const environment = { HOME: at.folder, PATH: '/usr/bin/nowhere', SHELL: shell }
    const { diagnosis } = await diagnosed({ launch: local('npx', ['-y', 'x']), host: { environment } }, 'ready')
    expect(diagnosis.checks.find(({ id }) => id === 'command')?.what).toContain(`${at.folder}/tools/npx`)
  })

  it('says what is downloaded, and waits for it beyond the deadline of a silent server', async () => {
    const at = await box()
    const clock = new ManualClock(Date.now())
    const download = await at.write(
      'download.mjs',
      `import { connect } from 'node:net'
       const told = connect(${JSON.stringify(`${at.folder}/socket`)})
       process.stderr.write('npm warn exec The following package was not found and will be installed: slow@1.0.0\\n')
       for await (const word of told.setEncoding('utf8')) {
         if (word === 'done') break
         process.stderr.write(\`Downloading \${word}\\n\`)
       }
       await import('${SMALL}ok.mjs')`,
    )
    await at.write('bin/npx', `#!/bin/sh\nexec "${process.execPath}" "${download}"\n`)
    const connected = Promise.withResolvers<Socket>()
    const registry = createServer(connected.resolve).listen(`${at.folder}/socket`)
    onTestFinished(() => void registry.close())
    const { launch, host } = inBox(at, 'npx', '-y', 'slow')
    const parley = await ServerHost.open({ ...host, clock })
    await parley.host.servers.edits.add({ name: 'it', launch, options: {} })
    await parley.answer('it', 'allow')
    const says = (word: string) =>
      until(() => {
        // A slow machine must not be taken for a slow download.
        if (after(new RegExp(word))(parley) > 0) clock.advance(250)
        const { state } = parley.record('it')
        return state.is === 'starting' && state.step === 'installing' && state.said?.includes(word)
      }, `it to say ${word}`)
    await says('slow@1.0.0')
    const socket = await connected.promise
    for (const part of ['part-1', 'part-2', 'part-3', 'part-4']) {
      clock.advance(110_000)
      socket.write(part)
      await says(part)
    }
    socket.write('done')
    await parley.until('it', 'ready')
    socket.destroy()
    const { checks, finding } = await parley.host.servers.doctor.diagnose(parley.record('it').id, new AbortController().signal)
    expect(finding).toBeUndefined()
    expect(checks).toContainEqual({ id: 'download', state: 'passed', what: 'Its package is installed.' })
  })
})
