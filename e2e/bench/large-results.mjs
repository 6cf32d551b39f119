// The longest stretch for which one large result holds the host's main thread, in processor time: nothing else of the host is done meanwhile.
// A real host, from its sources, and a real server in a process of its own. It wants Node 24 and no build.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHost } from '../../src-main/host/host.ts'
import { openStorage } from '../../src-main/storage/open-storage.ts'
import { createConnector } from '../../src-main/transports/http/connector.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { root } from '../scripts/run.mjs'
import { median, row, spread } from './report.mjs'

const AIM_MS = 50
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
/** With BENCH_WHY=1 a profile tells what the longest stretch is made of; its times are no figures. */
const WHY = process.env.BENCH_WHY === '1'
const SERVER = join(root, 'e2e', 'bench', 'big-server.mjs')

/** MiB of each kind of result. A text of more than 32 Mi characters and an image of more than 32 MiB are read, and then left out. */
const CASES = [
  ['one text', 'plain', 48],
  ['two texts with line breaks', 'lines', 48],
  ['one text, not ASCII', 'umlauts', 48],
  ['an image', 'image', 40],
  ['structured content', 'structured', 24],
  ['structured content', 'structured', 48],
  ['structured content in one object', 'members', 24],
]

/** Processor milliseconds of this thread. */
const spent = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Runs `work` and gives the longest time that one turn of the event loop took of the processor meanwhile. */
async function longestStretch(work) {
  let going = true
  let longest = { time: 0, from: 0, to: 0 }
  let last = spent()
  let lastAt = process.hrtime.bigint()
  const look = () => {
    const now = spent()
    const at = process.hrtime.bigint()
    if (now - last > longest.time) longest = { time: now - last, from: Number(lastAt / 1000n), to: Number(at / 1000n) }
    last = now
    lastAt = at
    if (going) setImmediate(look)
  }
  setImmediate(look)
  await work()
  going = false
  return longest
}

/** Functions on top of the stack in a stretch, milliseconds by the clock, largest first. */
function partsOf({ nodes, samples, timeDeltas, startTime }, { from, to }) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const named = (id) => {
    const { functionName, url, lineNumber } = byId.get(id).callFrame
    return `${functionName || '?'}@${url.split('/').at(-1)}:${lineNumber + 1}`
  }
  const found = new Map()
  let at = startTime
  samples.forEach((id, n) => {
    at += timeDeltas[n]
    if (at < from || at > to) return
    const path = [named(id)]
    for (let up = parents.get(id); up && path.length < 4; up = parents.get(up)) path.push(named(up))
    const key = path.join(' < ')
    found.set(key, (found.get(key) ?? 0) + (timeDeltas[n + 1] ?? 0) / 1000)
  })
  return [...found]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 8)
    .map(([name, time]) => `${time.toFixed(1)} ${name}`)
}

async function launchOf(transport) {
  if (transport === 'stdio')
    return { launch: { type: 'local', command: process.execPath, args: [SERVER], env: {} }, end: async () => {} }
  const child = spawn(process.execPath, [SERVER, 'http', transport], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [port] = await once(child.stdout, 'data')
  return {
    launch: { type: 'remote', url: `http://127.0.0.1:${Number(port)}/mcp`, transport: 'streamable-http', headers: {} },
    end: async () => {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const lifetime = new Lifetime('bench')
const storage = await openStorage({ folder, shell: 'web', clock: systemClock, lifetime })
const connector = createConnector({ environment: {} })
const platform = { shell: 'web', version: '0.0.0', os: process.platform, openExternal: async () => {}, blobLink: (blob) => blob }
const host = await startHost({
  storage,
  platform,
  clock: systemClock,
  lifetime,
  environment: process.env,
  connector,
  look: async () => false,
})

async function ready(name, launch) {
  const { serverId } = await host.servers.edits.add({ name, launch, options: {} })
  for (;;) {
    if (host.servers.configured.find(serverId)?.record.state.is === 'ready') return serverId
    const asked = host.state.snapshot.interactions.find(
      ({ kind, about }) => kind === 'server-trust' && about.serverId === serverId,
    )
    if (asked) host.interactions.answer({ id: asked.id, kind: asked.kind, answer: { decision: 'allow' } })
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const session = new Session()
if (WHY) {
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 500 })
}
const wanted = process.argv.slice(2)
const idle = (await longestStretch(() => new Promise((resolve) => setTimeout(resolve, 500)))).time
console.log(`Longest stretch of the host's main thread, processor ms (aim ${AIM_MS}); of an idle host ${idle.toFixed(1)}`)
for (const transport of ['stdio', 'json', 'sse']) {
  if (wanted.length > 0 && !wanted.includes(transport) && wanted.every((word) => ['stdio', 'json', 'sse'].includes(word)))
    continue
  const { launch, end } = await launchOf(transport)
  const id = await ready(transport, launch)
  for (const [what, tool, mib] of CASES) {
    const words = wanted.filter((word) => !['stdio', 'json', 'sse'].includes(word))
    if (words.length > 0 && !words.includes(tool)) continue
    const times = []
    let why = []
    for (let round = 0; round < ROUNDS; round++) {
      if (WHY) await session.post('Profiler.start')
      const longest = await longestStretch(() => host.byHand.call(id, tool, { mib }, new AbortController().signal))
      if (WHY) {
        const { profile } = await session.post('Profiler.stop')
        if (longest.time > Math.max(0, ...times)) why = partsOf(profile, longest)
      }
      times.push(longest.time)
    }
    row(
      `${transport}: ${what}, ${mib} MiB`,
      `${median(times).toFixed(0)} ms`,
      `${spread(times)}; ×${(median(times) / AIM_MS).toFixed(1)} of the aim`,
    )
    for (const line of why) console.log(`    ${line}`)
  }
  await end()
}
await host.end()
await connector.close()
await storage.close()
await lifetime.end()
rmSync(folder, { recursive: true, force: true })
