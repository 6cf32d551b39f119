// Types a newcomer's commands on a machine that has only a system's Node 20 and npm: `npm install && npm start` on a copy of this tree, then
// `npx` of the packed tarball, each with an empty home, an empty environment and nothing else on PATH. Ends each with a first tool call.
// Needs the registry, and some minutes. `--cache <folder>` lends npm a cache, which is then no proof that an empty one will do.

import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { launchChromium } from '../shells/chromium.ts'
import { press } from '../shells/press.ts'
import { root } from './run.mjs'

/** npm starts scripts by `sh`, and programs by `env`. */
const PROGRAMS = ['node', 'npm', 'npx', 'sh', 'env']
/** This machine's way to the registry, which is no part of what is shown. */
const NETWORK = /^(https?_proxy|no_proxy|node_extra_ca_certs|npm_config_(registry|cafile))$/i
const LINK = /http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]+/

const { cache } = parseArgs({ options: { cache: { type: 'string' } } }).values
const folder = mkdtempSync(join(tmpdir(), 'parley-clean-'))
const bin = join(folder, 'bin')
const network = Object.entries(process.env).filter(([name]) => NETWORK.test(name))
const browser = await launchChromium()
const rows = []

try {
  takePrograms()
  const tree = join(folder, 'tree')
  copyTree(tree)
  const first = newHome('first')
  await step('npm install', () => finish('npm', ['install'], tree, first))
  await step('npm start, and a first tool call', () => firstCall('npm', ['start', '--', '--no-open'], tree, first))
  const second = newHome('second')
  await step('npm pack', () => finish('npm', ['pack', '--pack-destination', second], tree, first))
  rm(tree, first)
  const [tarball = ''] = readdirSync(second)
  // npx runs an absolute path as a program, instead of installing it.
  const npx = ['--yes', `./${tarball}`]
  await step('npx of the tarball: --version', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const said = await finish('npx', [...npx, '--version'], second, second)
    if (!said.split('\n').includes(version)) throw new Error(`--version does not say ${version}:\n${said}`)
  })
  await step('npx of the tarball, and a first tool call', () => firstCall('npx', [...npx, '--no-open'], second, second))
  console.log(
    `\nTarball: ${megabytes(statSync(join(second, tarball)).size)}; installed from it: ${installedBy(second).join(', ')}`,
  )
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
for (const [name, seconds] of rows) console.log(`${name.padEnd(44)}${seconds.padStart(9)}`)

/** A folder with the system's own Node, npm and what they cannot do without. */
function takePrograms() {
  mkdirSync(bin)
  const folders = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'))
  for (const name of PROGRAMS) {
    const found = folders.map((path) => join(path, name)).find((path) => existsSync(path))
    if (!found) throw new Error(`There is no ${name} on PATH`)
    symlinkSync(found, join(bin, name))
  }
  const { stdout } = spawnSync('node', ['--version'], { env: { PATH: bin }, encoding: 'utf8' })
  console.log(`The system's Node is ${stdout.trim()}`)
}

/** The files of a clone, with changes that are not yet committed. */
function copyTree(to) {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  for (const file of stdout.split('\0').filter((name) => name && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(to, file)), { recursive: true })
    cpSync(join(root, file), join(to, file))
  }
}

function newHome(name) {
  const home = join(folder, name)
  mkdirSync(home)
  return home
}

function start(command, args, cwd, home) {
  const env = { ...Object.fromEntries(network), PATH: bin, HOME: home, ...(cache && { npm_config_cache: cache }) }
  // A group of its own: whatever npm leaves running ends with it.
  const child = spawn(join(bin, command), args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const run = { child, output: '', ended: new Promise((resolve) => child.once('close', resolve)) }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (run.output += text))
  return run
}

async function finish(command, args, cwd, home) {
  const run = start(command, args, cwd, home)
  const code = await run.ended
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${run.output}`)
  return run.output
}

/** Starts the shell, does what a newcomer does, and ends it. */
async function firstCall(command, args, cwd, home) {
  const run = start(command, args, cwd, home)
  try {
    const link = await Promise.race([
      printed(run, LINK),
      run.ended.then((code) => Promise.reject(new Error(`It ended with ${code}`))),
    ])
    const page = await (await browser.newContext()).newPage()
    await page.goto(link)
    await page.getByRole('button', { name: /try/i }).first().click()
    await press(page.getByRole('button', { name: 'Allow once', exact: true }))
    await page
      .getByText(/2 \+ 3 = 5/)
      .first()
      .waitFor()
    await page.context().close()
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')}: ${error.message}\n${run.output}`)
  } finally {
    if (run.child.exitCode === null) process.kill(-run.child.pid, 'SIGTERM')
    await run.ended
  }
}

function printed(run, pattern) {
  return new Promise((resolve) => {
    const look = () => {
      const found = pattern.exec(run.output)
      if (found) resolve(found[0])
    }
    for (const stream of [run.child.stdout, run.child.stderr]) stream.on('data', look)
    look()
  })
}

async function step(name, go) {
  console.log(`── ${name}`)
  const begun = performance.now()
  await go()
  rows.push([name, `${((performance.now() - begun) / 1000).toFixed(1)} s`])
}

/** The packages in npx's folder, with their sizes on disk. */
function installedBy(home) {
  const npx = join(cache ?? join(home, '.npm'), '_npx')
  return readdirSync(npx).flatMap((hash) => {
    const modules = join(npx, hash, 'node_modules')
    return readdirSync(modules)
      .filter((name) => !name.startsWith('.'))
      .map((name) => `${name} ${megabytes(sizeOf(join(modules, name)))}`)
  })
}

function sizeOf(path) {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

function rm(...paths) {
  for (const path of paths) rmSync(path, { recursive: true, force: true, maxRetries: 5 })
}
