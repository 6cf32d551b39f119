import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Client } from '../../src-main/client/client.ts'
import { connectClient } from '../../src-main/client/connect-client.ts'
import type { EraFound } from '../../src-main/protocol/era.ts'
import { DEFAULT_LIMITS } from '../../src-main/protocol/shapes/limits.ts'
import { startStdio } from '../../src-main/transports/stdio.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { root } from '../scripts/run.mjs'
import { checkValue } from '../support/check-value.ts'
import { httpTransport } from '../support/http-transport.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { until } from '../support/until.ts'

interface Row {
  /** As the table of the docs names it. */
  readonly server: string
  readonly over: 'stdio' | 'HTTP'
  /** Arguments of node. */
  readonly run: readonly string[]
  /** Revision and what told it, or the code of the failure. */
  readonly found: string
  /** The number of its starts. */
  readonly starts?: 2
  /** Parley's behaviour. */
  readonly does: string
  /** Its time has to pass. */
  readonly waits?: true
  readonly check?: (client: Client, seen: Seen) => Promise<void> | void
}

/** Messages to a server, and remarks about it. */
interface Seen {
  readonly asked: readonly string[]
  readonly remarks: readonly string[]
}

const signal = new AbortController().signal
const call = async (client: Client, name = 'go') => {
  const [block] = (await client.callTool(name, { region: 'a\tb' }, { signal })).content
  return block?.type === 'text' ? block.text : block?.type
}
const official = (name: string, ...args: string[]) => [`node_modules/@modelcontextprotocol/${name}/dist/index.js`, ...args]
const sdk = (file: string, ...args: string[]) => [`e2e/servers/sdk/${file}.mjs`, ...args]
const works = async (client: Client) => expect(await call(client)).toBe('fine')
const answered = '2025-11-25, answered'
const modern = '2026-07-28, answered'

/** Servers that do as they should. */
const GOOD: readonly Row[] = [
  { server: 'server 2.4.0, both eras', over: 'stdio', run: sdk('modern/stdio', 'serve'), found: modern, does: 'opens' },
  { server: 'server 2.4.0, 2026-07-28 only', over: 'stdio', run: sdk('modern/stdio', 'reject'), found: modern, does: 'opens' },
  { server: 'server 2.4.0, both eras', over: 'HTTP', run: sdk('modern/http', 'stateless'), found: modern, does: 'opens' },
  { server: 'server 2.4.0, 2026-07-28 only', over: 'HTTP', run: sdk('modern/http', 'reject'), found: modern, does: 'opens' },
  {
    server: 'server 2.4.0, joined to a transport by hand',
    over: 'stdio',
    run: sdk('stdio', 'v2'),
    found: answered,
    does: 'opens',
  },
  {
    server: 'server 2.4.0, joined to a transport by hand',
    over: 'HTTP',
    run: sdk('http', 'v2'),
    found: '2025-11-25, refused',
    does: 'opens',
  },
  { server: 'sdk 1.x', over: 'stdio', run: sdk('stdio', 'v1'), found: answered, does: 'opens' },
  { server: 'sdk 1.x', over: 'HTTP', run: sdk('http', 'v1'), found: '2025-11-25, refused', does: 'opens' },
  { server: 'server-everything', over: 'stdio', run: official('server-everything', 'stdio'), found: answered, does: 'opens' },
  { server: 'server-filesystem', over: 'stdio', run: official('server-filesystem', '/tmp'), found: answered, does: 'opens' },
  { server: 'server-memory', over: 'stdio', run: official('server-memory'), found: answered, does: 'opens' },
]

type Odd = Omit<Row, 'run' | 'server'> & { readonly mode: string }
/** Servers that misbehave, by the mode of e2e/servers/modern.mjs. */
const ODD: readonly Odd[] = [
  {
    mode: 'silent',
    over: 'stdio',
    found: '2025-11-25, silent',
    waits: true,
    does: 'sends the handshake beside the probe after 10 s',
  },
  {
    mode: 'silent-to-the-end',
    over: 'stdio',
    found: 'timeout',
    waits: true,
    does: 'gives up when the time of the opening is over',
  },
  {
    mode: 'modern-when-late',
    over: 'stdio',
    found: modern,
    waits: true,
    does: 'uses the late answer, since the handshake was refused',
  },
  { mode: 'catch-all', over: 'stdio', found: 'malformed', does: 'accepts `{}` neither as an answer nor as an introduction' },
  {
    mode: 'catch-all-but-initialize',
    over: 'stdio',
    found: answered,
    does: 'does not accept `{}` as an answer, and opens by a handshake',
  },
  {
    mode: 'exits-on-the-probe',
    over: 'stdio',
    found: '2025-11-25, exited',
    starts: 2,
    does: 'starts it once more, handshake first',
  },
  { mode: 'exits-on-anything', over: 'stdio', found: 'exited', starts: 2, does: 'fails when it exits a second time' },
  { mode: 'initialize-names-2026-07-28', over: 'stdio', found: 'version', does: 'does not accept it as a handshake' },
  { mode: 'garbage', over: 'stdio', found: modern, does: 'skips lines that are not JSON, and logs them', check: works },
  { mode: 'refuses-what-it-names', over: 'stdio', found: 'version', does: 'asks twice, then gives up' },
  { mode: 'refuses-once', over: 'stdio', found: modern, does: 'asks once more', check: works },
  { mode: 'speaks-2031-only', over: 'stdio', found: 'version', does: 'names both lists, and offers no handshake' },
  {
    mode: 'lists-handshake-versions',
    over: 'stdio',
    found: '2025-06-18, answered',
    does: 'offers the newest of them in a handshake',
  },
  { mode: 'malformed-refusal', over: 'stdio', found: answered, does: 'treats it like any other error, and opens by a handshake' },
  { mode: 'wants-sampling', over: 'stdio', found: '-32021', does: 'names the capability that it requires' },
  {
    ...{ mode: 'changing-server-info', over: 'stdio', found: modern, does: 'continues; nothing depends on it' },
    check: async (client) => {
      for (let turn = 0; turn < 3; turn++) await works(client)
    },
  },
  {
    ...{
      mode: 'endless-rounds',
      over: 'stdio',
      found: modern,
      waits: true,
      does: 'ends the call after a bounded number of rounds',
    },
    check: async (client) => void (await expect(call(client)).rejects.toThrow(/required input \d+ times/)),
  },
  {
    ...{ mode: 'state-of-1-mib', over: 'stdio', found: modern, waits: true, does: 'returns it unchanged' },
    check: async (client) => expect(await call(client)).toBe('true'),
  },
  {
    mode: 'unknown-result-type',
    over: 'stdio',
    found: modern,
    does: 'fails the call: no task was offered',
    check: async (client) => void (await expect(call(client)).rejects.toMatchObject({ code: 'invalid-result' })),
  },
  {
    ...{ mode: 'asks-by-request', over: 'stdio', found: modern, does: 'drops requests of the server with a remark' },
    check: async (client, { remarks }) => {
      await works(client)
      expect(remarks.filter((text) => /sent a request/.test(text))).toHaveLength(2)
    },
  },
  {
    mode: 'listen-closes-at-once',
    over: 'stdio',
    found: modern,
    does: 'works without notifications, and does not ask in a loop',
    check: calm,
  },
  { mode: 'never-acknowledges', over: 'stdio', found: modern, does: 'works without notifications', check: calm },
  { mode: 'ttl-of-minus-one', over: 'stdio', found: modern, does: 'treats it as stale at once', check: works },
  { mode: 'ttl-for-ever', over: 'stdio', found: modern, does: 'bounds it', check: works },
  {
    mode: 'mirrored-control-characters',
    over: 'HTTP',
    found: modern,
    does: 'sends the argument’s header in Base64',
    check: mirrored,
  },
  {
    mode: 'html-404',
    over: 'HTTP',
    found: '2025-11-25, refused',
    does: 'opens by a handshake at the same address',
    check: works,
  },
  {
    mode: '400-empty',
    over: 'HTTP',
    found: '2025-11-25, refused',
    does: 'opens by a handshake at the same address',
    check: works,
  },
  {
    mode: '400-for-nobody',
    over: 'HTTP',
    found: '2025-11-25, refused',
    does: 'opens by a handshake at the same address',
    check: works,
  },
  {
    mode: '400-modern',
    over: 'HTTP',
    found: 'version',
    does: 'reads from the body that it is modern; asks twice, and offers no handshake',
  },
  { mode: 'header-mismatch', over: 'HTTP', found: '-32020', does: 'says that headers and body differ' },
  { mode: 'wrong-header-echo', over: 'HTTP', found: modern, does: 'ignores headers of answers, session ids too', check: works },
  { mode: 'says-500', over: 'HTTP', found: 'http', does: 'concludes nothing, and fails' },
]

async function calm(client: Client, { asked }: Seen): Promise<void> {
  await works(client)
  expect(asked.filter((method) => method === 'subscriptions/listen').length).toBeLessThanOrEqual(2)
}

async function mirrored(client: Client): Promise<void> {
  expect(await call(client)).toBe('=?base64?YQli?=')
}

const ROWS: readonly Row[] = [
  ...GOOD,
  ...ODD.map(({ mode, ...row }) => ({
    ...row,
    server: mode,
    run: ['e2e/servers/modern.mjs', mode, ...(row.over === 'HTTP' ? ['http'] : [])],
  })),
]

const WORDS = {
  answer: 'answered',
  refusal: 'refused',
  silence: 'silent',
  exit: 'exited',
  memory: 'remembered',
  choice: 'chosen',
}

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function listen(run: readonly string[]): Promise<string> {
  const child: ChildProcess = spawn(process.execPath, run, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
  cleanups.push(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const [port] = await once(child.stdout ?? child, 'data')
  return `http://127.0.0.1:${/\d+/.exec(String(port))?.[0]}/mcp`
}

async function meet({ over, run, waits }: Row) {
  const lifetime = new Lifetime('eras')
  cleanups.push(() => lifetime.end())
  const clock = new ManualClock(1_000_000)
  const url = over === 'HTTP' ? await listen(run) : ''
  const remarks: string[] = []
  const asked: string[] = []
  let found: EraFound | undefined
  let starts = 0
  const stdio = () =>
    startStdio({
      command: process.execPath,
      args: run,
      env: { PATH: process.env.PATH ?? '' },
      cwd: root,
      limits: DEFAULT_LIMITS,
      clock: systemClock,
      stop: { eofMs: 500, termMs: 500 },
      onStderr: (line) => void (line.startsWith('got ') && asked.push(line.slice('got '.length))),
    })
  const connecting = connectClient({
    open: (era) => {
      starts += 1
      return over === 'HTTP' ? httpTransport(url, undefined, era) : stdio()
    },
    features: {},
    clientInfo: { name: 'eras', version: '1' },
    checkValue,
    lifetime,
    signal: lifetime.signal,
    clock,
    pingEvery: 0,
    requestTimeout: 60_000,
    maxRequestTime: 600_000,
    onRemark: (text) => void remarks.push(text),
    onEra: (era) => {
      found = era
    },
  })
  const met = connecting.then(
    (client) => ({ client, found: `${client.hello.protocolVersion}, ${WORDS[found?.by ?? 'choice']}` }),
    (error: { code: unknown }) => ({ client: undefined, found: String(error.code) }),
  )
  if (waits) void passTime(clock, asked, met)
  const { client, ...came } = await met
  await client?.catalog.load(lifetime.signal)
  return { ...came, client, starts, seen: { asked, remarks } }
}

/** Once it has the probe: 10 s, and the rest once it has the handshake; then as much as calls want. */
async function passTime(clock: ManualClock, asked: readonly string[], met: Promise<unknown>): Promise<void> {
  let over = false
  void met.then(() => {
    over = true
  })
  await until(() => asked.includes('server/discover') || over)
  while (cleanups.length > 0) {
    if (asked.includes('initialize') || over || clock.now() < 1_010_000) clock.advance(1_000)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('the era found for a server', () => {
  it.each(ROWS)('is right for $server over $over: $found; $does', async (row) => {
    const { client, found, starts, seen } = await meet(row)
    expect(found).toBe(row.found)
    if (row.over === 'stdio') expect(starts).toBe(row.starts ?? 1)
    if (client) await row.check?.(client, seen)
  })

  it('is told in docs/eras.md, row by row (V26-NEG-7, V26-NEG-12)', async () => {
    const page = await readFile(join(root, 'docs/eras.md'), 'utf8')
    const table = ROWS.map(
      ({ server, over, found, starts = 1, does }) => `| ${server} | ${over} | ${found} | ${starts} | ${does} |`,
    )
    expect(page.split('\n').filter((line) => /^\| .* \| (stdio|HTTP) \|/.test(line))).toEqual(table)
  })
})
