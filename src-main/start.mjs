// `npm start`: builds what is stale, then opens the desktop app where Electron can run and the web shell elsewhere.
// Runs on Node 20.19 and newer; what it starts needs Node 24.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isBuilt } from './build-stamp.mjs'
import { appEnvironment, electronProgram } from './electron-program.mjs'
import { exitCode, findNode24 } from './node-24.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const inRoot = (...path) => join(root, ...path)
/** For Electron to start. What comes after may wait for the person: a key store that is to be unlocked, a dialog. */
const START_LIMIT = 30_000
const DOWNLOAD_LIMIT = 5 * 60_000
/** Exit code by which the desktop shell says that it has told the person why it did not start. */
const REFUSED = 3

const NO_SANDBOX = "This system keeps Electron's sandbox from starting (AppArmor). Parley's .deb package brings a profile for it."

const HELP = `Usage: npm start -- [options]

  --web             open in the browser instead of a desktop window
  --data <folder>   keep everything in this folder
  --port <n>        port of the web shell on 127.0.0.1 (any free one unless given)
  --no-open         print the link and do not open the browser
  --dev             serve the page from its sources with hot reload (web shell)
  --help            show this
`

const options = readOptions()
const node =
  findNode24() ??
  fail(`Parley needs Node 24; this is Node ${process.versions.node}. Run "npm install" again, or install Node 24.`)
if (options.dev) process.exit(await runWeb())
build()
const reason = options.web ? '' : desktopProblem()
if (options.web || reason) {
  if (reason) console.log(`${reason} Opening in the browser instead.`)
  process.exit(await runWeb())
}
process.exit(await runDesktop())

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        web: { type: 'boolean', default: false },
        data: { type: 'string' },
        port: { type: 'string' },
        'no-open': { type: 'boolean', default: false },
        dev: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(HELP)
      process.exit(0)
    }
    // npm runs scripts in the project; the person meant the folder they are in.
    const data = values.data === undefined ? undefined : resolve(process.env.INIT_CWD ?? process.cwd(), values.data)
    return { ...values, data, web: values.web || values.dev }
  } catch (error) {
    fail(`${error.message.split('. ')[0]}.\n\n${HELP}`)
  }
}

/** Builds unless `out` holds a build of exactly these sources. */
function build() {
  if (isBuilt(root)) return
  const vite = inRoot('node_modules', 'vite', 'bin', 'vite.js')
  if (!existsSync(vite)) fail('Parley is not installed yet. Run "npm install" first.')
  console.log('Building Parley …')
  const { status, stdout, stderr } = spawnSync(node, [vite, 'build', '--app', '--logLevel', 'warn'], {
    // A test may start it, but the page is built as it ships.
    env: { ...process.env, NODE_ENV: 'production' },
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) fail(`The build failed:\n${stdout}${stderr}`)
}

/** Why no desktop window can open here, as a sentence; empty when one can. */
function desktopProblem() {
  if (process.platform === 'linux') {
    if (process.getuid() === 0) return 'The desktop app does not run as root.'
    if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'There is no display for the desktop app.'
  }
  const folder = inRoot('node_modules', 'electron')
  if (!existsSync(folder)) return 'Electron is not installed.'
  const problem = electronProgram(root) ? '' : downloadElectron(folder)
  if (problem) return problem
  const env = appEnvironment(process.env)
  const { status, error, stderr } = spawnSync(electronProgram(root), ['--version'], { env, encoding: 'utf8', timeout: 20_000 })
  if (status !== 0 && /sandbox/i.test(stderr) && isRestricted()) return NO_SANDBOX
  return status === 0 ? '' : `Electron does not run here: ${lastLine(stderr) || (error?.message ?? `it ended with ${status}`)}.`
}

/** True where AppArmor keeps from programs without a profile the namespaces that a sandbox is made of. */
function isRestricted() {
  try {
    return readFileSync('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', 'utf8').trim() === '1'
  } catch {
    // Kernels without the switch restrict nothing.
    return false
  }
}

/** Electron's package fetches its program at first use. Returns why it could not, as a sentence. */
function downloadElectron(folder) {
  console.log('Downloading Electron …')
  const { status, error, stderr } = spawnSync(node, [join(folder, 'install.js')], { encoding: 'utf8', timeout: DOWNLOAD_LIMIT })
  if (status === 0 && electronProgram(root)) return ''
  const said = error?.code === 'ETIMEDOUT' ? 'it took longer than five minutes' : /^\w*Error: (.*)/m.exec(stderr ?? '')?.[1]
  return `Electron could not be downloaded: ${said ?? (lastLine(stderr) || `its installer ended with ${status}`)}.`
}

function lastLine(text) {
  return (text ?? '').trim().split('\n').at(-1) ?? ''
}

async function runWeb() {
  const args = [
    options.dev ? inRoot('src-main', 'shells', 'web', 'main.ts') : inRoot('out', 'main', 'web.js'),
    ...(options.data === undefined ? [] : ['--data', options.data]),
    ...(options.port === undefined ? [] : ['--port', options.port]),
    ...(options['no-open'] ? ['--no-open'] : []),
    ...(options.dev ? ['--dev'] : []),
  ]
  return exitCode(spawn(node, args, { stdio: 'inherit' }))
}

/** Resolves with the exit code of whichever shell ran in the end. */
async function runDesktop() {
  const args = [root, ...(options.data === undefined ? [] : ['--data', options.data])]
  const child = spawn(electronProgram(root), args, { env: appEnvironment(process.env), stdio: ['inherit', 'pipe', 'inherit'] })
  let said = ''
  let late = false
  const timer = setTimeout(() => {
    late = true
    child.kill('SIGKILL')
  }, START_LIMIT)
  child.stdout.on('data', (text) => {
    said += text
    if (/^Parley is (starting|open)/m.test(said)) clearTimeout(timer)
    process.stdout.write(text)
  })
  const code = await exitCode(child)
  clearTimeout(timer)
  if (/^Parley is open/m.test(said) || code === 0) return code
  if (code === REFUSED) return 1
  const why = late ? 'did not start within 30 seconds' : `ended with ${code} before it showed a window`
  console.log(`The desktop app ${why}. Opening in the browser instead.`)
  return runWeb()
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
