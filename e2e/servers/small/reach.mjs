// Tries to reach what a fence keeps away. Each attempt is written here; the caller names only places of its own making.
import { execFileSync, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { handshake, serve, text } from './wire.mjs'

const quiet = { stdio: 'ignore' }
const reached = (options) =>
  new Promise((resolve, reject) => {
    const socket = connect(options, () => resolve(socket.destroy()))
    socket.on('error', reject)
  })
/** Reads through a name that leads elsewhere, and takes the name away again. */
const through = (link, act) => {
  try {
    return act()
  } finally {
    rmSync(link, { force: true })
  }
}

const attempts = {
  read: ({ path }) => readFileSync(path, 'utf8'),
  list: ({ path }) => readdirSync(path).join(),
  write: ({ path }) => writeFileSync(path, 'written'),
  // Files of the system stay as they are where the fence has a hole.
  'open to write': ({ path }) => closeSync(openSync(path, 'r+')),
  create: ({ path }) => {
    writeFileSync(path, '', { flag: 'wx' })
    rmSync(path)
  },
  'read through a link': ({ path, folder }) => {
    const link = join(folder, 'link')
    symlinkSync(path, link)
    return through(link, () => readFileSync(link, 'utf8'))
  },
  'write through a link': ({ path, folder }) => {
    const link = join(folder, 'link')
    symlinkSync(path, link)
    through(link, () => writeFileSync(link, 'written'))
  },
  'read through a hard link': ({ path, folder }) => {
    const link = join(folder, 'hard')
    linkSync(path, link)
    return through(link, () => readFileSync(link, 'utf8'))
  },
  'write through a hard link': ({ path, folder }) => {
    const link = join(folder, 'hard')
    linkSync(path, link)
    through(link, () => writeFileSync(link, 'written'))
  },
  'write above a folder': ({ path, folder }) => writeFileSync(`${folder}/${'../'.repeat(12)}${path}`, 'written'),
  'write above its root': ({ path }) => writeFileSync(`/proc/self/root${path}`, 'written'),
  'read above a folder': ({ path, folder }) => readFileSync(`${folder}/${'../'.repeat(12)}${path}`, 'utf8'),
  'read above its root': ({ path }) => readFileSync(`/proc/self/root${path}`, 'utf8'),
  'read above the root of another': ({ path, pid }) => readFileSync(`/proc/${pid}/root${path}`, 'utf8'),
  'read an environment': ({ pid }) => readFileSync(`/proc/${pid}/environ`, 'utf8'),
  'read a memory': ({ pid }) => readFileSync(`/proc/${pid}/maps`, 'utf8'),
  'see a process': ({ pid, name }) => {
    const found = readdirSync('/proc').some(
      (one) => existsSync(`/proc/${one}/cmdline`) && readFileSync(`/proc/${one}/cmdline`, 'utf8').includes(name),
    )
    if (!found) throw new Error(`no process like ${pid}`)
  },
  // PTRACE_SEIZE does not stop what it traces, and ends with Perl.
  trace: ({ pid }) => {
    const code = `exit(syscall(${process.arch === 'arm64' ? 117 : 101}, 0x4206, ${pid}, 0, 0) == 0 ? 0 : 1)`
    execFileSync('/usr/bin/perl', ['-e', code], quiet)
  },
  signal: ({ pid }) => process.kill(pid, 0),
  'see a process of a Mac': ({ name }) => {
    if (!execFileSync('/bin/ps', ['-axww', '-o', 'command'], { encoding: 'utf8' }).includes(name))
      throw new Error('no such process')
  },
  'open a program': () => execFileSync('/usr/bin/open', ['-g', '-b', 'com.apple.TextEdit'], quiet),
  'ask another program': () => execFileSync('/usr/bin/osascript', ['-e', 'tell application "Finder" to get name'], quiet),
  'move a folder': ({ path, folder }) => renameSync(path, folder),
  rename: ({ path, folder }) => renameSync(join(folder, 'plain.txt'), path),
  'run as another user': () => {
    // A set-uid program runs as its owner only where new rights can be had.
    if (readFileSync('/proc/self/status', 'utf8').includes('NoNewPrivs:\t1')) throw new Error('no new rights')
  },
  'have rights of the system': () => {
    if (/CapEff:\t0+\n/.test(readFileSync('/proc/self/status', 'utf8'))) throw new Error('none')
  },
  'make a user namespace': () => execFileSync('/usr/bin/unshare', ['--user', 'true'], quiet),
  mount: () => execFileSync('/usr/bin/unshare', ['--mount', 'true'], quiet),
  'change a mode': ({ path }) => chmodSync(path, 0o777),
  'open a socket by path': ({ path }) => reached({ path }),
  'open an abstract socket': ({ name }) => reached({ path: `\0${name}` }),
  'open a port': ({ host, port }) => reached({ host, port }),
  'send a datagram': ({ host, port }) =>
    new Promise((resolve, reject) => {
      const socket = createSocket('udp4')
      socket.connect(port, host, (error) => {
        if (error) return reject(error)
        // A closed port answers the first datagram; only the second send shows it.
        socket.send('hello', () => setTimeout(() => socket.send('hello', (failed) => (failed ? reject(failed) : resolve())), 50))
      })
      socket.on('error', reject)
    }),
  fetch: async ({ url }) => {
    const answer = await fetch(url)
    return `${answer.status} ${await answer.text()}`
  },
  'open a tunnel': ({ authority }) =>
    new Promise((resolve, reject) => {
      const { hostname: host, port, username, password } = new URL(process.env.HTTPS_PROXY)
      const credentials = Buffer.from(`${username}:${password}`).toString('base64')
      const headers = username && { 'Proxy-Authorization': `Basic ${credentials}` }
      const asked = request({ host, port, method: 'CONNECT', path: authority, headers })
      asked.on('connect', ({ statusCode }, socket) => resolve(socket.destroy() && statusCode))
      asked.on('error', reject).end()
    }),
  'fetch by SOCKS': ({ url }) =>
    execFileSync('/usr/bin/curl', ['-sS', '--fail', '-x', process.env.SOCKS_PROXY, url], { encoding: 'utf8', stdio: 'pipe' }),
  'let a grandchild fetch': ({ url }) => {
    const code = `fetch(${JSON.stringify(url)}).then(async (one) => console.log(one.status, await one.text()))`
    return execFileSync(process.execPath, ['--eval', code], { encoding: 'utf8' }).trim()
  },
  'say how it was started': () => {
    const [signals] = /SigIgn:.*/.exec(readFileSync('/proc/self/status', 'utf8'))
    const { NODE_OPTIONS, NODE_CHANNEL_FD } = process.env
    return JSON.stringify({
      signals,
      argv: process.argv,
      title: process.argv0,
      cwd: process.cwd(),
      NODE_OPTIONS,
      NODE_CHANNEL_FD,
    })
  },
  'look up a name': ({ name }) => lookup(name).then(({ address }) => address),
  'have a variable': ({ name }) => {
    if (process.env[name] === undefined) throw new Error('absent')
    return process.env[name]
  },
  'inherit a file': () => {
    const open = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`)
      } catch {
        return '' // the listing's own
      }
    })
    const files = open.filter((to) => to.startsWith('/') && !to.startsWith('/dev/') && !to.startsWith('/proc/'))
    if (files.length === 0) throw new Error('none')
    return files.join()
  },
  'start many processes': async () => {
    const children = []
    try {
      for (let n = 0; n < 2000; n++) {
        const child = spawn('/usr/bin/sleep', ['30'], quiet)
        children.push(child)
        if (child.pid === undefined) {
          await new Promise((resolve) => child.once('error', resolve))
          throw new Error(`refused after ${n}`)
        }
      }
    } finally {
      for (const child of children) child.kill('SIGKILL')
    }
  },
  'leave a process behind': ({ path }) => {
    const beat = `setInterval(() => require('node:fs').writeFileSync(${JSON.stringify(path)}, String(Date.now())), 20)`
    spawn(process.execPath, ['--eval', beat], { detached: true, stdio: 'ignore', env: {} }).unref()
  },
}

/** `~` is the home folder, which a fence replaces. */
const placed = (place) =>
  Object.fromEntries(
    Object.entries(place).map(([key, value]) => [key, String(value).startsWith('~') ? homedir() + value.slice(1) : value]),
  )

const inputSchema = { type: 'object', properties: { attempt: { type: 'string' }, place: { type: 'string' } } }
serve({
  initialize: handshake('reach'),
  ping: () => ({}),
  'tools/list': () => ({
    tools: [
      { name: 'try', description: 'Tries to reach something', inputSchema },
      { name: 'read_file', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
    ],
  }),
  'tools/call': async ({ name, arguments: given }) => {
    const { attempt, place } = name === 'try' ? given : { attempt: 'read', place: JSON.stringify(given) }
    try {
      return text(`reached: ${(await attempts[attempt](placed(JSON.parse(place)))) ?? ''}`)
    } catch (error) {
      return { ...text(`refused: ${error.message}`), isError: true }
    }
  },
})

const [, asked] = /^--fetch=(.+)/.exec(process.argv[2] ?? '') ?? []
if (asked) void fetch(asked).catch(() => {}) // A refusal is for the fence to tell.
