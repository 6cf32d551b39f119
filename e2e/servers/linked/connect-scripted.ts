import { type ConnectOptions, connectClient } from '../../../src-main/client/connect-client.ts'
import type { ClientFeatures } from '../../../src-main/protocol/peer/client-features.ts'
import { linkedTransports } from '../../../src-main/protocol/peer/linked-transport.ts'
import type { SendOptions, Transport } from '../../../src-main/protocol/peer/transport.ts'
import type { JsonRpcMessage } from '../../../src-main/protocol/shapes/json-rpc.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import { checkValue } from '../../support/check-value.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { type Script, ScriptedServer } from './scripted-server.ts'

export type ScriptedOptions = Script &
  Partial<Omit<ConnectOptions, 'open' | 'clock' | 'lifetime'>> & {
    readonly features?: ClientFeatures
    /** The kind of transport that the client takes the link for. */
    readonly kind?: Transport['kind']
    /** Runs before a message of the client goes out; a promise holds it back. */
    readonly beforeSend?: (message: JsonRpcMessage, how: SendOptions | undefined) => Promise<void> | undefined
  }

/** A server and the parts that a client needs, before they are connected. */
export function scripted(options: ScriptedOptions = {}) {
  const [near, far] = linkedTransports()
  const server = new ScriptedServer(far, options)
  const clock = new ManualClock(1_000_000)
  const lifetime = new Lifetime('test')
  const remarks: string[] = []
  const controller = new AbortController()
  const connect = (more: Partial<ConnectOptions> = {}) =>
    connectClient({
      features: {},
      // Scripts begin with the handshake, unless they are about finding out.
      known: { era: options.modern ? 'modern' : 'legacy', by: 'choice' },
      checkValue,
      clientInfo: { name: 'parley', version: '0.1.0' },
      signal: controller.signal,
      requestTimeout: 60_000,
      maxRequestTime: 600_000,
      pingEvery: 0,
      onRemark: (text) => remarks.push(text),
      ...options,
      ...more,
      open: () => (options.beforeSend || options.kind ? holding(near, options.beforeSend, options.kind) : near),
      clock,
      lifetime,
    })
  return { server, clock, lifetime, remarks, controller, connect, [Symbol.asyncDispose]: () => lifetime.end() }
}

/** A transport whose messages wait for what `beforeSend` promises. */
export function holding(near: Transport, beforeSend: ScriptedOptions['beforeSend'], kind = near.kind): Transport {
  return {
    kind,
    start: (sink) => near.start(sink),
    close: () => near.close(),
    async send(message, how) {
      await beforeSend?.(message, how)
      await near.send(message)
    },
  }
}

/** A client that has shaken hands with a scripted server. */
export async function connectScripted(options: ScriptedOptions = {}) {
  const parts = scripted(options)
  const client = await parts.connect()
  const { signal } = new AbortController()
  return { ...parts, client, options: { signal } }
}

/** Lets everything that is on its way arrive. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
