import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkValue } from '../../e2e/support/check-value.ts'
import { until } from '../../e2e/support/until.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { DEFAULT_LIMITS } from '../protocol/shapes/limits.ts'
import { startStdio } from '../transports/stdio.ts'
import { connectClient } from './connect-client.ts'

const SERVER = fileURLToPath(new URL('../../e2e/servers/small/modern.mjs', import.meta.url))

async function connect() {
  const lifetime = new Lifetime('test')
  onTestFinished(() => lifetime.end())
  const stderr: string[] = []
  const remarks: string[] = []
  const client = await connectClient({
    open: () =>
      startStdio({
        command: process.execPath,
        args: [SERVER],
        env: { PATH: process.env.PATH ?? '' },
        cwd: '/',
        limits: DEFAULT_LIMITS,
        clock: systemClock,
        onStderr: (line) => stderr.push(line),
      }),
    features: { roots: { list: async () => ({ roots: [] }) } },
    clientInfo: { name: 'test', version: '1.0.0' },
    lifetime,
    signal: lifetime.signal,
    checkValue,
    clock: systemClock,
    requestTimeout: 20_000,
    maxRequestTime: 20_000,
    onRemark: (text) => remarks.push(text),
  })
  await client.catalog.load(lifetime.signal)
  /** The lines written to it. */
  const written = () => stderr.filter((line) => line.startsWith('LINE ')).map((line) => JSON.parse(line.slice('LINE '.length)))
  return { client, written, remarks, options: { signal: lifetime.signal } }
}

describe('a pipe to a server of 2026-07-28', () => {
  it('carries one message a line, and stderr is no failure (V26-STDIO-1, V26-STDIO-6)', async () => {
    const { client, written, remarks, options } = await connect()
    const said = 'two\nlines\r\nand more'
    const { content } = await client.callTool('echo', { text: said }, options)
    expect(content).toEqual([{ type: 'text', text: said }])
    await until(() => written().some(({ method }) => method === 'tools/call'))
    expect(written().every(({ jsonrpc, method }) => jsonrpc === '2.0' && typeof method === 'string')).toBe(true)
    expect(remarks).toEqual([])
  })

  it('is shared: a call given up is cancelled by a notification and blocks no other (V26-STDIO-5, V26-STDIO-10)', async () => {
    const { client, written, options } = await connect()
    const controller = new AbortController()
    const hanging = client.callTool('hang', {}, { signal: controller.signal })
    const other = await client.callTool('echo', { text: 'meanwhile' }, options)
    expect(other.content).toEqual([{ type: 'text', text: 'meanwhile' }])
    controller.abort(new Error('Enough.'))
    await expect(hanging).rejects.toThrow('Enough.')
    const cancelled = await until(() => written().find(({ method }) => method === 'notifications/cancelled'))
    const call = written().find(({ params }) => params?.name === 'hang')
    expect(cancelled.params.requestId).toBe(call?.id)
  })
})
