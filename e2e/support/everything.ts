import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Client } from '../../src-main/client/client.ts'
import { type ConnectOptions, connectClient } from '../../src-main/client/connect-client.ts'
import type { Transport } from '../../src-main/protocol/peer/transport.ts'
import { DEFAULT_LIMITS } from '../../src-main/protocol/shapes/limits.ts'
import { startStdio } from '../../src-main/transports/stdio.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { checkValue } from './check-value.ts'
import { httpTransport } from './http-transport.ts'

const peers = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/', import.meta.url))

/** An official server started over stdio, by package name and arguments. */
export function officialStdio(
  name: string,
  args: readonly string[],
  onStderr: (line: string) => void = () => {},
  env: Readonly<Record<string, string>> = {},
): Transport {
  return startStdio({
    command: process.execPath,
    args: [`${peers}${name}/dist/index.js`, ...args],
    env: { PATH: process.env.PATH ?? '', ...env },
    cwd: process.cwd(),
    limits: DEFAULT_LIMITS,
    clock: systemClock,
    onStderr,
  })
}

export interface Connected {
  readonly client: Client
  /** A signal for calls; aborts at the end. */
  readonly signal: AbortSignal
  end(): Promise<void>
}

/** Connects our client over a transport like the host, except for a test's options. */
export async function connect(transport: Transport, options: Partial<ConnectOptions> = {}): Promise<Connected> {
  const lifetime = new Lifetime('interop')
  try {
    const client = await connectClient({
      checkValue,
      open: () => transport,
      known: { era: 'legacy', by: 'choice' },
      features: {},
      clientInfo: { name: 'parley-interop', version: '1.0.0' },
      lifetime,
      signal: lifetime.signal,
      clock: systemClock,
      requestTimeout: 10_000,
      maxRequestTime: 30_000,
      ...options,
    })
    await client.catalog.load(lifetime.signal)
    return { client, signal: lifetime.signal, end: () => lifetime.end() }
  } catch (error) {
    await lifetime.end()
    throw error
  }
}

export const EVERYTHING = ['stdio', 'streamable-http', 'http-sse'] as const
export type EverythingTransport = (typeof EVERYTHING)[number]

/** server-everything over one of its three transports. */
export async function startEverything(over: EverythingTransport): Promise<{ transport(): Transport; stop(): Promise<void> }> {
  if (over === 'stdio') return { transport: () => officialStdio('server-everything', ['stdio']), stop: async () => {} }
  const port = await freePort()
  const [mode, path] = over === 'streamable-http' ? ['streamableHttp', 'mcp'] : ['sse', 'sse']
  // It outlives its parent, so it gets a process group of its own that can be ended as a whole.
  const child = spawn(process.execPath, [`${peers}server-everything/dist/index.js`, mode], {
    env: { PATH: process.env.PATH ?? '', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  await listening(child)
  return {
    transport: () => httpTransport(`http://127.0.0.1:${port}/${path}`),
    stop: () =>
      new Promise((resolve) => {
        child.once('close', () => resolve())
        process.kill(-(child.pid ?? 0), 'SIGKILL')
      }),
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.on('data', (chunk) => {
      said += chunk
      if (/on port \d+/.test(said)) resolve()
    })
    child.once('close', (code) => reject(new Error(`server-everything ended with ${code}: ${said}`)))
  })
}
