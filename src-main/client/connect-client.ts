import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { NEWEST_PROTOCOL_VERSION } from '../../src-shared/mcp/primitives.ts'
import type { OpenOptions } from '../protocol/era.ts'
import { LegacyEra } from '../protocol/legacy-era.ts'
import { Peer } from '../protocol/peer/peer.ts'
import type { Transport } from '../protocol/peer/transport.ts'
import { notServed, type ServerMethod, serverMethods } from '../protocol/server-requests.ts'
import type { Border } from '../protocol/shapes/border.ts'
import { DEFAULT_LIMITS, type Limits } from '../protocol/shapes/limits.ts'
import type { Traits } from '../protocol/shapes/version-traits.ts'
import { Catalog } from './catalog.ts'
import { Client, type ClientParts } from './client.ts'
import { keepAlive } from './keep-alive.ts'
import { ServerNews } from './server-news.ts'

/** Its signal gives up the handshake; the newest protocol version is offered unless another is named (LIFE-24). */
export interface ConnectOptions
  extends Pick<OpenOptions, 'features' | 'clientInfo' | 'signal'>,
    Partial<Pick<OpenOptions, 'protocolVersion' | 'draftProfile'>>,
    Pick<ClientParts, 'clock' | 'checkValue' | 'requestTimeout' | 'maxRequestTime'> {
  readonly transport: Transport
  /** The client's own lifetime hangs on it. */
  readonly lifetime: Lifetime
  readonly limits?: Limits
  /** Milliseconds; default 30,000. */
  readonly handshakeTimeout?: number
  /** Milliseconds of silence before a ping; 0 means never; default 30,000. */
  readonly pingEvery?: number
  /** Milliseconds that a ping may take; default by the kind of transport. */
  readonly pingTimeout?: number
  /** Oddities of the server, in plain words, bounded in rate. */
  readonly onRemark?: (text: string) => void
}

/** In milliseconds: what lies across a network may be away for longer than a process of this computer (PING-07). */
const PING_TIMEOUT = { linked: 15_000, stdio: 15_000, 'streamable-http': 30_000, 'http-sse': 30_000 } as const

const NO_METHODS: ReadonlyMap<string, ServerMethod> = new Map()

/**
 * Starts the transport, shakes hands, and hands over a client that is ready for requests; its catalog is still empty. Rejects
 * with HandshakeError, ProtocolError, RequestError, TransportError or the signal's reason, and has closed the transport then.
 */
export async function connectClient(options: ConnectOptions): Promise<Client> {
  const { features, clock, limits = DEFAULT_LIMITS, onRemark = () => {} } = options
  options.signal.throwIfAborted()
  const lifetime = new Lifetime('client', options.lifetime)
  let methods = NO_METHODS
  let agreed: Traits | undefined
  const news = new ServerNews(features, limits, clock, (text) => peer.remark(text))
  const peer: Peer = new Peer({
    transport: options.transport,
    clock,
    limits,
    onRemark,
    handlers: {
      async answer(method, params, cause) {
        const serve = methods.get(method)
        if (!serve || !agreed) throw notServed(method)
        const border: Border = { traits: agreed, limits, warnings: [] }
        return serve(params, cause, border)
      },
      notified: (method, params) => news.hear(method, params),
    },
  })
  lifetime.onEnd(() => peer.close())
  lifetime.onEnd(() => news.subscriptions.stop())
  const era = new LegacyEra(limits, (traits) => {
    agreed = traits
    methods = serverMethods(features, traits)
    news.agreed(traits)
  })
  try {
    await peer.start()
    const session = await era.open({
      ...options,
      peer,
      protocolVersion: options.protocolVersion ?? NEWEST_PROTOCOL_VERSION,
      draftProfile: options.draftProfile ?? false,
      timeout: options.handshakeTimeout ?? 30_000,
    })
    news.capabilities = session.hello.capabilities
    const catalog = new Catalog({
      capabilities: session.hello.capabilities,
      traits: session.traits,
      limits,
      clock,
      signal: lifetime.signal,
      onRemark: (text) => peer.remark(text),
      list: async (method, cursor, signal) => {
        const params = cursor === undefined ? undefined : { cursor }
        const timing = { timeout: options.requestTimeout, maxTime: options.maxRequestTime }
        return (await session.call(method, params, { signal, ...timing })).result
      },
    })
    news.onListChanged.on((noun) => catalog.changed(noun === 'resources' ? ['resources', 'templates'] : [noun]))
    const { pingEvery = 30_000, pingTimeout = PING_TIMEOUT[options.transport.kind] } = options
    if (pingEvery > 0) {
      const ping = { peer, clock, signal: lifetime.signal, every: pingEvery, timeout: pingTimeout, onRemark }
      lifetime.onEnd(keepAlive(ping))
    }
    // What does not end cleanly is told; nobody waits for this end.
    void peer.closed
      .then(() => lifetime.end())
      .catch((error: unknown) => onRemark(`The client did not end cleanly: ${String(error)}`))
    const declaredRoots = features.roots !== undefined
    return new Client({ ...options, peer, session, news, catalog, lifetime, limits, declaredRoots })
  } catch (error) {
    await lifetime.end(error).catch(() => {})
    throw error
  }
}
