import { type Clock, within } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { type DeprecatedFeature, type EraName, NEWEST_PROTOCOL_VERSION } from '../../src-shared/mcp/primitives.ts'
import type { EraFound, OpenOptions } from '../protocol/era.ts'
import { type OpenedSession, openSession } from '../protocol/era-probe.ts'
import { LegacyEra } from '../protocol/legacy-era.ts'
import { ModernEra } from '../protocol/modern-era.ts'
import { Peer } from '../protocol/peer/peer.ts'
import { type Transport, TransportError } from '../protocol/peer/transport.ts'
import { notServed, type ServerMethod, serverMethods } from '../protocol/server-requests.ts'
import type { Border } from '../protocol/shapes/border.ts'
import { ErrorCode, ProtocolError, RequestError } from '../protocol/shapes/json-rpc.ts'
import { DEFAULT_LIMITS, type Limits } from '../protocol/shapes/limits.ts'
import type { Traits } from '../protocol/shapes/version-traits.ts'
import { Catalog } from './catalog.ts'
import { Client, type ClientParts } from './client.ts'
import { Introduction } from './introduction.ts'
import { keepAlive } from './keep-alive.ts'
import { Listening, type ListeningParts } from './listening.ts'
import type { RoundsParts } from './rounds.ts'
import { ServerNews } from './server-news.ts'

/** Its signal gives up the opening; a handshake offers the newest protocol version unless another is named (LIFE-24). */
export interface ConnectOptions
  extends Pick<OpenOptions, 'features' | 'clientInfo' | 'signal'>,
    Partial<Pick<OpenOptions, 'protocolVersion' | 'draftProfile'>>,
    Pick<ClientParts, 'clock' | 'checkValue' | 'requestTimeout' | 'maxRequestTime'> {
  /**
   * Opens what carries messages. A pipe carries either era; an address has a transport for each. Called a second time when the
   * first transport proved to be of no use: the server ended on the probe, or wants the other one.
   */
  readonly open: (era: EraName, found?: EraFound) => Promise<Transport> | Transport
  /** An era that need not be found out. */
  readonly known?: EraFound | undefined
  readonly onEra?: (found: EraFound) => void
  /** Something is in use that 2026-07-28 has deprecated; told as often as it is used (V26-DEPR-1). */
  readonly onDeprecated?: (feature: DeprecatedFeature) => void
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

const DEPRECATED: ReadonlyMap<string, DeprecatedFeature> = new Map([
  ['roots/list', 'roots'],
  ['sampling/createMessage', 'sampling'],
])

const NO_METHODS: ReadonlyMap<string, ServerMethod> = new Map()

/**
 * Opens a transport, finds out which era the server speaks, and hands over a client that is ready for requests; its catalog is
 * still empty. Rejects with HandshakeError, ProtocolError, RequestError, TransportError or the signal's reason, and has closed
 * the transport then.
 */
export async function connectClient(options: ConnectOptions): Promise<Client> {
  const first = await openClient(options)
  if (first instanceof Client) return first
  // The second word of a server is final: there is no third transport.
  const { again, ...offer } = first
  const second = await openClient({ ...options, ...offer, known: again })
  if (second instanceof Client) return second
  throw new Error(`A server that is known to be ${again.era} was taken for ${second.again.era}.`)
}

async function openClient(options: ConnectOptions): Promise<Client | Extract<OpenedSession, { again: EraFound }>> {
  const { features, clock, limits = DEFAULT_LIMITS, onRemark = () => {} } = options
  options.signal.throwIfAborted()
  const lifetime = new Lifetime('client', options.lifetime)
  const transport = await Promise.resolve(options.open(options.known?.era ?? 'modern', options.known)).catch(
    async (error: unknown) => {
      await lifetime.end(error).catch(() => {}) // The error that led here is thrown.
      throw error
    },
  )
  let methods = NO_METHODS
  let agreed: Traits | undefined
  const remark = (text: string) => peer.remark(text)
  const news = new ServerNews(features, limits, clock, remark)
  const admit: RoundsParts['admit'] = (method, params) => {
    const asked = methods.get(method)
    if (!asked || !agreed) throw notServed(method)
    const deprecated = agreed.session ? undefined : DEPRECATED.get(method)
    if (deprecated) options.onDeprecated?.(deprecated)
    const border: Border = { traits: agreed, limits, warnings: [] }
    return asked(params, border)
  }
  const peer: Peer = new Peer({
    transport,
    clock,
    limits,
    onRemark,
    handlers: {
      answer: async (method, params, cause) => admit(method, params)(cause),
      notified: (method, params) => news.hear(method, params),
    },
  })
  lifetime.onEnd(() => peer.close())
  lifetime.onEnd(() => news.subscriptions.stop())
  const onAgreed = (traits: Traits) => {
    agreed = traits
    methods = serverMethods(features, traits)
    news.agreed(traits)
  }
  try {
    await peer.start()
    const opened = await openSession({
      ...options,
      peer,
      modern: new ModernEra(limits, onAgreed),
      legacy: new LegacyEra(limits, onAgreed),
      protocolVersion: options.protocolVersion ?? NEWEST_PROTOCOL_VERSION,
      draftProfile: options.draftProfile ?? false,
      timeout: options.handshakeTimeout ?? 30_000,
    })
    if ('again' in opened) {
      await lifetime
        .end()
        .catch((error: unknown) => onRemark(`The first attempt to connect did not end cleanly: ${String(error)}`))
      return opened
    }
    const { session, era, by } = opened
    options.onEra?.({ era, by })
    if (transport.kind === 'http-sse') options.onDeprecated?.('http-sse')
    if (era === 'modern' && session.hello.capabilities.logging) options.onDeprecated?.('logging')
    news.capabilities = session.hello.capabilities
    const listen = session.listen?.bind(session)
    const listening = listen && listenTo({ session, listen, clock, onRemark: remark }, news, () => catalog)
    const catalog: Catalog = new Catalog({
      capabilities: () => session.hello.capabilities,
      covers: (noun) => (noun === 'tools' || noun === 'prompts' || noun === 'resources') && listening?.covers(noun) === true,
      untold: () => listening?.untold ?? [],
      traits: session.traits,
      limits,
      clock,
      mirrors: !session.traits.session && peer.overHttp,
      signal: lifetime.signal,
      onRemark: remark,
      list: async (method, cursor, signal) => {
        const params = cursor === undefined ? undefined : { cursor }
        const timing = { timeout: options.requestTimeout, maxTime: options.maxRequestTime }
        const answer = await session.call(method, params, { signal, ...timing }).catch((error: unknown) => {
          if (error instanceof ProtocolError && error.code === ErrorCode.methodNotFound) introduction.doubt()
          throw error
        })
        // No list asks for anything: the session refuses one that does (V26-MRTR-1).
        if (!('result' in answer)) throw new RequestError('invalid-result', method, 'A list cannot ask for anything.')
        return answer.result
      },
    })
    const introduction = new Introduction({
      session,
      clock,
      signal: lifetime.signal,
      requestTimeout: options.requestTimeout,
      onRemark: remark,
    })
    introduction.onChange.on(() => {
      news.capabilities = session.hello.capabilities
      catalog.declaredAnew()
      listening?.begin()
    })
    if (listening) {
      lifetime.onEnd(() => listening.stop())
      listening.begin()
    }
    news.onListChanged.on((noun) => catalog.changed(noun === 'resources' ? ['resources', 'templates'] : [noun]))
    const { pingEvery = 30_000, pingTimeout = PING_TIMEOUT[transport.kind] } = options
    if (pingEvery > 0 && session.traits.session) {
      const ping = { peer, clock, signal: lifetime.signal, every: pingEvery, timeout: pingTimeout, onRemark }
      lifetime.onEnd(keepAlive(ping))
    }
    // A failed end is reported; nothing waits for it.
    void peer.closed
      .then(() => lifetime.end())
      .catch((error: unknown) => onRemark(`The client did not end cleanly: ${String(error)}`))
    const declaredRoots = features.roots !== undefined
    return new Client({
      ...options,
      peer,
      session,
      news,
      catalog,
      lifetime,
      limits,
      declaredRoots,
      admit,
      introduction,
      listening,
    })
  } catch (error) {
    const ended = transport.kind === 'stdio' ? await endOf(peer, error, clock) : undefined
    await lifetime.end(error).catch(() => {}) // The error that led here is thrown.
    throw ended ?? error
  }
}

/** How long a process whose input is closed may take to be gone. */
const EXIT_MS = 1_000

/** A process that cannot be written to soon exits: its exit says more than the message that was not sent. */
async function endOf(peer: Peer, error: unknown, clock: Clock): Promise<TransportError | undefined> {
  if (!(error instanceof TransportError) || error.code !== 'closed') return undefined
  let ended: TransportError | undefined
  await within(
    clock,
    EXIT_MS,
    peer.closed.then((reason) => {
      ended = reason
    }),
  )
  return ended
}

/** Notifications come on streams there; nothing is opened yet. */
function listenTo(
  parts: Pick<ListeningParts, 'session' | 'listen' | 'clock' | 'onRemark'>,
  news: ServerNews,
  catalog: () => Catalog,
): Listening {
  const listening = new Listening({
    ...parts,
    subscriptions: news.subscriptions,
    onCovered: () => catalog().coverageChanged(),
    onMissed: (nouns) => {
      for (const noun of nouns) news.onListChanged.fire(noun)
    },
  })
  news.listening = listening
  return listening
}
