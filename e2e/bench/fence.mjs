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
const fenced = found.fence.around(open, { read, write: [], network: 'none', home: '/home', ownHome, dataFolder: ownHome })

/** Milliseconds from the launch to the first answer, and the median of an echo. */
async function measured({ command, args }) {
  const began = performance.now()
  const connection = await connectStdio(command, args, { modern: false })
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
  await measured(fenced)
  for (let n = 0; n < ROUNDS; n++) rounds.push({ open: await measured(open), fenced: await measured(fenced) })
  const more = rounds.map((one) => one.fenced.start - one.open.start)
  const starts = rounds.map((one) => one.fenced.start / one.open.start)
  const echoes = rounds.map((one) => one.fenced.echo / one.open.echo)
  // Other programs only lengthen a time, so the fastest rounds say most on a busy computer.
  const fastest = (how, what) => Math.min(...rounds.map((one) => one[how][what]))
  const least = fastest('fenced', 'start') - fastest('open', 'start')
  row(
    'start and first call, fenced',
    `${median(starts).toFixed(2)} ×`,
    `open; ${spread(starts)}; ${median(more).toFixed(0)} ms more`,
  )
  row('its fastest rounds', `+ ${least.toFixed(0)} ms`, 'open')
  row('echo, fenced', `${median(echoes).toFixed(2)} ×`, `open; medians of ${CALLS} calls; ${spread(echoes)}`)
  row('its fastest rounds', `${(fastest('fenced', 'echo') / fastest('open', 'echo')).toFixed(2)} ×`, 'open')
} finally {
  rmSync(ownHome, { recursive: true, force: true })
}
