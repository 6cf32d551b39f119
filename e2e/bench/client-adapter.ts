// Our client behind the interface of the client benchmark: callTool, listAllTools, close. Nothing is tuned: validation, deadlines,
// cancellation and limits are on as in the app. HTTP loads at the first HTTP connection, as in the app.
import { connectClient } from '../../src-main/client/connect-client.ts'
import type { Transport } from '../../src-main/protocol/peer/transport.ts'
import { DEFAULT_LIMITS } from '../../src-main/protocol/shapes/limits.ts'
import { Schemas } from '../../src-main/schemas/schemas.ts'
import { startStdio } from '../../src-main/transports/stdio.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { EraName, Progress } from '../../src-shared/mcp/primitives.ts'

export const about = { client: 'parley', version: '0.1.0' }

interface Options {
  readonly maxMessageBytes?: number
  readonly onLog?: (params: unknown) => void
}

const ENV = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER']

export async function connectStdio(command: string, args: readonly string[], options: Options) {
  const env = Object.fromEntries(
    ENV.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name] ?? '']])),
  )
  const stdio = { command, args, env, cwd: process.cwd(), limits: limitsOf(options), clock: systemClock, onStderr: () => {} }
  return connect(() => startStdio(stdio), options)
}

export async function connectHttp(url: string, options: Options) {
  const [{ connectHttp: overHttp, ModernHttp }, { createConnector }] = await Promise.all([
    import('../../src-main/transports/http/connect-http.ts'),
    import('../../src-main/transports/http/connector.ts'),
  ])
  const connector = createConnector()
  const http = {
    url,
    headers: async () => ({}),
    fetch: connector.request,
    limits: limitsOf(options),
    clock: systemClock,
    signal: new AbortController().signal,
  }
  const connected = await connect((era) => (era === 'modern' ? new ModernHttp(http) : overHttp(http)), options)
  return {
    ...connected,
    close: async () => {
      await connected.close()
      await connector.close()
    },
  }
}

/** A raised limit on a message also raises those on its contents. */
const limitsOf = ({ maxMessageBytes: bytes }: Options) => ({
  ...DEFAULT_LIMITS,
  ...(bytes && { maxMessageBytes: bytes, maxStringLength: bytes, maxBlobBytes: bytes }),
})

async function connect(open: (era: EraName) => Transport, options: Options) {
  const lifetime = new Lifetime('bench')
  const errors: string[] = []
  const client = await connectClient({
    checkValue: new Schemas({ clock: systemClock, lifetime }).check,
    open,
    features: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
    lifetime,
    signal: lifetime.signal,
    clock: systemClock,
    limits: limitsOf(options),
    requestTimeout: 60_000,
    maxRequestTime: 600_000,
    onRemark: (text) => errors.push(text),
  })
  if (options.onLog) client.onLog.on(options.onLog)
  return {
    errors,
    callTool: (name: string, args: JsonObject | undefined, more: { onprogress?: (progress: Progress) => void } = {}) =>
      client.callTool(name, args, { signal: lifetime.signal, ...(more.onprogress && { onProgress: more.onprogress }) }),
    async listAllTools() {
      await client.catalog.load(lifetime.signal)
      return client.catalog.value.tools.map(({ tool }) => tool)
    },
    close: () => lifetime.end(),
  }
}
