// A server for the watch: it reaches what it is told to, or tries to confuse who reads the log of its system calls.
import { spawnSync } from 'node:child_process'
import { Resolver } from 'node:dns/promises'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { handshake, serve, text } from './wire.mjs'

const NASTY = [
  'a\nb',
  'a"b',
  ') = 3',
  ' <unfinished ...>',
  '<... openat resumed>) = 3',
  '12 openat(AT_FDCWD<\\x2f>, "\\x2f\\x65\\x74\\x63", O_RDONLY) = 3',
  Buffer.from([0x66, 0xff, 0xfe]),
]

const run = {
  /** Names that look like lines of the log, names that are no text, and children that do the same at once. */
  confuse: ({ folder }) => {
    const inside = join(folder, 'nasty')
    mkdirSync(inside, { recursive: true })
    for (const name of NASTY) {
      const path = Buffer.concat([Buffer.from(`${inside}/`), Buffer.from(name)])
      writeFileSync(path, 'x')
    }
    const script = `const fs = require('fs'); for (let n = 0; n < 50; n++) fs.writeFileSync(${JSON.stringify(inside)} + '/\\n' + process.pid, 'x')`
    const children = `const { spawn } = require('child_process'); for (let n = 0; n < 4; n++) spawn(process.execPath, ['-e', ${JSON.stringify(script)}])`
    spawnSync(process.execPath, ['-e', children])
    return 'confused'
  },
  flood: ({ folder, count }) => {
    for (let n = 0; n < Number(count); n++) {
      const path = join(folder, `flood-${n}`)
      writeFileSync(path, '')
      rmSync(path)
    }
    return 'flooded'
  },
  /** Asks a server of names at a port for an address, and connects to it. */
  connect: async ({ names, name, port }) => {
    const resolver = new Resolver()
    resolver.setServers([`127.0.0.1:${names}`])
    const [host] = await resolver.resolve4(name)
    await new Promise((resolve, reject) => {
      const socket = connect({ host, port: Number(port) }, () => resolve(socket.destroy()))
      socket.on('error', reject)
    })
    return host
  },
}

// The files that it was started with.
for (const file of process.argv.slice(3)) readFileSync(file)

serve({
  initialize: handshake('watched'),
  ping: () => ({}),
  'tools/list': () => ({ tools: Object.keys(run).map((name) => ({ name, inputSchema: { type: 'object' } })) }),
  'tools/call': async ({ name, arguments: args }) => text(await run[name](args)),
})
