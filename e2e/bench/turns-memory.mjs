// The memory of a host after many turns, each with a tool call of the Demo model to the built-in server: what is resident, and what V8 uses of
// it after a collection. Run it with --expose-gc; TURNS says how many. It wants Node 24 and no build.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHost } from '../../src-main/host/host.ts'
import { playgroundTransport } from '../../src-main/playground/playground.ts'
import { openStorage } from '../../src-main/storage/open-storage.ts'
import { createConnector } from '../../src-main/transports/http/connector.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'

const TURNS = Number(process.env.TURNS ?? 1000)
const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const lifetime = new Lifetime('bench')
const storage = await openStorage({ folder, shell: 'web', clock: systemClock, lifetime })
const connector = createConnector({ environment: {} })
const platform = { shell: 'web', version: '0.0.0', os: process.platform, openExternal: async () => {}, blobLink: (blob) => blob }
const host = await startHost({
  storage,
  platform,
  lifetime,
  connector,
  clock: systemClock,
  environment: process.env,
  look: async () => false,
  playground: () => playgroundTransport(systemClock),
})

const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`.padStart(8)
function tell(turns) {
  globalThis.gc?.()
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage()
  console.log(
    `${String(turns).padStart(5)} turns: resident ${mib(rss)}, heap of the host ${mib(heapUsed)} of ${mib(heapTotal)}, outside it ${mib(external + arrayBuffers)}`,
  )
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve))
tell(0)
let { id } = await host.conversations.create()
for (let turn = 1; turn <= TURNS; turn++) {
  // A conversation of fifty turns is a long one; its history goes to the model each time.
  if (turn % 50 === 0) ({ id } = await host.conversations.create())
  await host.conversations.open(id, (one) => one.send(`use add with a=${turn} b=3`))
  for (;;) {
    const asked = host.state.snapshot.interactions.find(({ kind }) => kind === 'tool-consent')
    if (asked) {
      const calls = asked.question.calls.map(({ toolCallId }) => toolCallId)
      host.interactions.answer({ id: asked.id, kind: asked.kind, answer: { decision: 'allow', calls } })
    }
    const head = host.state.snapshot.conversations.find((one) => one.id === id)
    if (head?.turn === 'idle' && !asked) break
    await nextTick()
  }
  if (turn % Math.ceil(TURNS / 5) === 0) tell(turn)
}
await host.end()
await connector.close()
await storage.close()
await lifetime.end()
rmSync(folder, { recursive: true, force: true })
