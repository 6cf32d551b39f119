// The cost of a fence: start with first call, and an echo, fenced beside open, by turns. `node e2e/bench/fence.mjs` wants Linux and bubblewrap.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFence } from '../../src-main/host/launch/fence.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { connectStdio } from './limit-client.mjs'
import { median, ROUNDS, row, spread } from './report.mjs'

const CALLS = 500
const server = fileURLToPath(new URL('echo-server.mjs', import.meta.url))
const ownHome = mkdtempSync(join(tmpdir(), 'parley-bench-fence-'))
const found = await findFence({ os: process.platform, environment: process.env, clock: systemClock, folder: ownHome })
if ('none' in found) throw new Error(found.none.what)
const open = { command: process.execPath, args: [server, 'stdio'], env: {}, cwd: '/' }
const read = [dirname(server), dirname(process.execPath)]
const around = (network) => found.fence.around(open, { read, write: [], network, home: '/home', ownHome, dataFolder: ownHome })
const WAYS = {
  open,
  'no network': around('none'),
  'named hosts': { ...around({ via: '/usr/bin/perl', hosts: ['api.example.com'] }), takesSocket: true },
}

/** Milliseconds from the launch to the first answer, and the median of an echo. */
async function measured({ command, args, takesSocket }) {
  const began = performance.now()
  const connection = await connectStdio(command, args, { modern: false, takesSocket })
  await connection.callTool('echo', { text: 'first' })
  const start = performance.now() - began
  const echoes = []
  for (let n = 0; n < CALLS; n++) {
    const sent = performance.now()
    await connection.callTool('echo', { text: 'hello' })
    echoes.push(performance.now() - sent)
  }
  connection.close()
  return { start, echo: median(echoes) }
}

try {
  const rounds = []
  for (const way of Object.values(WAYS)) await measured(way)
  for (let n = 0; n < ROUNDS; n++) {
    const round = {}
    for (const [name, way] of Object.entries(WAYS)) round[name] = await measured(way)
    rounds.push(round)
  }
  for (const name of Object.keys(WAYS).slice(1)) {
    const starts = rounds.map((one) => one[name].start / one.open.start)
    const echoes = rounds.map((one) => one[name].echo / one.open.echo)
    // Other programs only lengthen a time, so the fastest rounds say most on a busy computer.
    const fastest = (way, what) => Math.min(...rounds.map((one) => one[way][what]))
    const more = fastest(name, 'start') - fastest('open', 'start')
    row(`start and first call, ${name}`, `${median(starts).toFixed(2)} ×`, `open; ${spread(starts)}`)
    row('its fastest rounds', `+ ${more.toFixed(0)} ms`, `open, of ${fastest('open', 'start').toFixed(0)} ms`)
    row(`echo, ${name}`, `${median(echoes).toFixed(2)} ×`, `open; medians of ${CALLS} calls; ${spread(echoes)}`)
    row('its fastest rounds', `${(fastest(name, 'echo') / fastest('open', 'echo')).toFixed(2)} ×`, 'open')
  }
} finally {
  rmSync(ownHome, { recursive: true, force: true })
}
