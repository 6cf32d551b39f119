import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashSources, MADE, stampBuild } from '../../src-main/build-stamp.mjs'
import { root, ShellProcess } from '../shells/shell-process.ts'

/** Runs before start.mjs: the desktop opens for everybody but root, and the account of the tests may enter the checkout. */
const NOT_ROOT = 'process.getuid = () => 1000'
/** The time for a window is over as soon as Electron has said something. */
const IMPATIENT = `
  const late = []
  globalThis.setTimeout = (run) => late.push(run)
  globalThis.clearTimeout = (id) => delete late[id - 1]
  const say = process.stdout.write.bind(process.stdout)
  process.stdout.write = (text) => {
    say(text)
    for (const run of late.splice(0)) run?.()
  }`
/** Ubuntu as it comes: programs without a profile get no namespaces. */
const UBUNTU = `
  const fs = process.getBuiltinModule('node:fs')
  const read = fs.readFileSync
  const RESTRICTED = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'
  fs.readFileSync = (path, ...how) => (path === RESTRICTED ? '1\\n' : read(path, ...how))
  process.getBuiltinModule('node:module').syncBuiltinESMExports()`
let project: string

/** A project that is built, whose web shell only says so, and whose Electron is the given shell script. */
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'parley-start-'))
  const files = {
    'src-main/a.ts': '',
    'src-renderer/a.ts': '',
    'src-shared/a.ts': '',
    'vite.config.ts': '',
    'package.json': '{"type":"module"}',
    'package-lock.json': '{}',
    ...Object.fromEntries(MADE.map((name) => [`out/${name}`, ''])),
    'out/main/web.js': "console.log('web shell', ...process.argv.slice(2))",
    'node_modules/electron/path.txt': 'electron',
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, name)), { recursive: true })
    await writeFile(join(project, name), text)
  }
  for (const name of ['start.mjs', 'node-24.mjs', 'build-stamp.mjs', 'electron-program.mjs'])
    await cp(join(root, 'src-main', name), join(project, 'src-main', name))
  const node = `node-${process.platform}-${process.arch}`
  await symlink(join(root, 'node_modules', node), join(project, 'node_modules', node))
  stampBuild(project, hashSources(project))
})

afterEach(() => rm(project, { recursive: true, force: true }))

async function electronIs(script: string, version = 'echo v1 && exit 0'): Promise<void> {
  const program = join(project, 'node_modules', 'electron', 'dist', 'electron')
  await mkdir(dirname(program), { recursive: true })
  await writeFile(program, `#!/bin/sh\n[ "$1" = --version ] && ${version}\n${script}\n`)
  await chmod(program, 0o755)
}

/** Starts with a display that the false Electron does not need. */
function begin(args: readonly string[], before: string, env = {}): ShellProcess {
  const preload = `data:text/javascript,${encodeURIComponent(`${NOT_ROOT}; ${before}`)}`
  const script = join(project, 'src-main', 'start.mjs')
  return new ShellProcess(process.execPath, ['--import', preload, script, ...args], { DISPLAY: ':99', ...env })
}

async function start(args: readonly string[] = [], before = '', env = {}): Promise<{ code: number | null; output: string }> {
  const shell = begin(args, before, env)
  const code = await shell.ended()
  return { code, output: shell.output() }
}

describe.skipIf(process.platform !== 'linux')('npm start where Electron is available', () => {
  it('opens the desktop with its folder and ends as it ends', async () => {
    await electronIs('echo "$@"; echo Parley is open.; exit 7')
    const { code, output } = await start(['--data', '/tmp/some where'])
    expect(output).toBe(`${project} --data /tmp/some where\nParley is open.\n`)
    expect(code).toBe(7)
  })

  it('says why and opens the web shell when Electron ends before it shows a window', async () => {
    await electronIs('echo "error while loading shared libraries" >&2; exit 127')
    const { code, output } = await start(['--no-open'])
    expect(output).toContain('The desktop app ended with 127 before it showed a window. Opening in the browser instead.')
    expect(output).toContain('web shell --no-open')
    expect(code).toBe(0)
  })

  it('says why and opens the web shell when Electron does not start within 30 seconds', async () => {
    await electronIs('echo "$$"; exec sleep 600')
    const { output } = await start(['--no-open'], IMPATIENT)
    expect(output).toContain('The desktop app did not start within 30 seconds. Opening in the browser instead.')
    expect(output).toContain('web shell --no-open')
    expect(() => process.kill(Number(output.split('\n')[0]), 0)).toThrow('ESRCH')
  })

  it('waits as long as needed once the app has started: a key store may ask the person first', async () => {
    await electronIs('echo Parley is starting.; read answer; echo Parley is open.; exit 5')
    const shell = begin([], IMPATIENT)
    await shell.printed(/Parley is starting/)
    shell.child.stdin?.write('unlocked\n')
    expect(await shell.ended()).toBe(5)
    expect(shell.output()).toBe('Parley is starting.\nParley is open.\n')
  })

  it('starts Electron as an app, whatever the terminal is part of', async () => {
    await electronIs('echo "$ELECTRON_RUN_AS_NODE$ELECTRON_NO_ATTACH_CONSOLE"; echo Parley is open.')
    const env = { ELECTRON_RUN_AS_NODE: 'as-node', ELECTRON_NO_ATTACH_CONSOLE: 'no-console' }
    expect((await start([], '', env)).output).toBe('\nParley is open.\n')
  })

  it('says what to do where Ubuntu denies Electron a sandbox', async () => {
    await electronIs(
      '',
      '{ echo "FATAL:sandbox/linux/suid.cc: The SUID sandbox helper is not configured correctly" >&2; exit 133; }',
    )
    const { output } = await start(['--no-open'], UBUNTU)
    expect(output).toContain(
      "This system keeps Electron's sandbox from starting (AppArmor). Parley's .deb package brings a profile for it.",
    )
    expect(output).toContain('Opening in the browser instead.')
    expect((await start(['--no-open'])).output).toContain('Electron does not run here: FATAL:sandbox')
  })

  it('opens nothing else when the desktop has said why it refuses', async () => {
    await electronIs('echo "Parley did not start: the folder is in use" >&2; exit 3')
    const { code, output } = await start()
    expect(output).toBe('Parley did not start: the folder is in use\n')
    expect(code).toBe(1)
  })

  it('never asks Electron to give up its sandbox (SEC-19)', async () => {
    await electronIs('echo "$@"; echo Parley is open.')
    expect((await start()).output).not.toContain('sandbox')
  })

  it('opens the web shell at once when asked to', async () => {
    await electronIs('echo Parley is open.')
    expect((await start(['--web', '--port', '4711'])).output).toBe('web shell --port 4711\n')
  })

  it('says why when Electron cannot be downloaded', async () => {
    await writeFile(join(project, 'node_modules', 'electron', 'install.js'), "throw new Error('no route to its host')")
    const { output } = await start()
    expect(output).toContain('Electron could not be downloaded: no route to its host. Opening in the browser instead.')
    expect(output).toContain('web shell')
  })
})
