import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkValue } from '../../e2e/support/check-value.ts'
import { httpTransport } from '../../e2e/support/http-transport.ts'
import { until } from '../../e2e/support/until.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { DEFAULT_LIMITS } from '../protocol/shapes/limits.ts'
import { startStdio } from '../transports/stdio.ts'
import { type ConnectOptions, connectClient } from './connect-client.ts'

const SERVERS = fileURLToPath(new URL('../../e2e/servers/sdk/modern/', import.meta.url))
const env = { PATH: process.env.PATH ?? '' }

async function connect(open: ConnectOptions['open']) {
  const lifetime = new Lifetime('test')
  onTestFinished(() => lifetime.end())
  const client = await connectClient({
    ...{ open, lifetime, checkValue },
    features: {},
    clientInfo: { name: 'test', version: '1.0.0' },
    signal: lifetime.signal,
    clock: systemClock,
    requestTimeout: 10_000,
    maxRequestTime: 10_000,
  })
  const { signal } = lifetime
  await client.catalog.load(signal)
  const updates: string[] = []
  client.onResourceUpdated.on(({ uri }) => updates.push(uri))
  return { client, options: { signal }, updates }
}

async function serveHttp() {
  const child = spawn(process.execPath, [`${SERVERS}http.mjs`, 'reject'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill()
    await once(child, 'close')
  })
  const [line] = await once(child.stdout, 'data')
  return `http://127.0.0.1:${String(line).trim()}`
}

describe('a server of the official SDK', () => {
  it('reports a watched resource over a pipe (V26-SUB-5)', async () => {
    const args = [`${SERVERS}stdio.mjs`, 'reject']
    const process_ = { command: process.execPath, args, env, cwd: SERVERS, limits: DEFAULT_LIMITS, clock: systemClock }
    const { client, options, updates } = await connect(() => startStdio({ ...process_, onStderr: () => {} }))
    await client.subscribe('count:all', options)
    expect(client.watches('count:all')).toBe(true)
    await client.callTool('count', {}, options)
    await until(() => updates[0], 'an update')
    expect(client.catalog.value.problems).toEqual([])
  })

  it('reports lists and resources on two HTTP streams, which end when no longer needed (V26-SUB-7, V26-SUB-9)', async () => {
    const url = await serveHttp()
    const { client, options, updates } = await connect((era) => httpTransport(`${url}/mcp`, undefined, era))
    await client.subscribe('count:all', options)
    await fetch(`${url}/updated`)
    await until(() => updates[0], 'an update')
    // Told once the stream of the lists is acknowledged, which nothing waits for.
    const before = client.catalog.value.version
    await until(async () => {
      await fetch(`${url}/changed`)
      return client.catalog.value.version > before
    }, 'the tools are read again')
    expect(client.catalog.value.problems).toEqual([])
    const open = async () => Number(await (await fetch(`${url}/open`)).text())
    await until(async () => (await open()) === 2, 'two streams')
    await client.unsubscribe('count:all', options)
    await until(async () => (await open()) === 1, 'one stream')
    await client.close()
    await until(async () => (await open()) === 0, 'no stream')
  })
})
