import { type Clock, within } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { type DeprecatedFeature, type EraName, NEWEST_PROTOCOL_VERSION } from '../../src-shared/mcp/primitives.ts'
import type { EraFound, OpenOptions, Session } from '../protocol/era.ts'
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
import { Listening } from './listening.ts'
import { Rounds, type RoundsParts } from './rounds.ts'
import { ServerNews } from './server-news.ts'
import { Tasks } from './tasks.ts'

/** `signal` aborts connecting. A handshake offers the newest version by default (LIFE-24). */
export interface ConnectOptions
  extends Pick<OpenOptions, 'features' | 'clientInfo' | 'signal'>,
    Partial<Pick<OpenOptions, 'protocolVersion' | 'draftProfile'>>,
    Pick<ClientParts, 'clock' | 'checkValue' | 'requestTimeout' | 'maxRequestTime'> {
  /**
   * Opens a transport. A pipe carries either era; an address has a transport for each. Called a second time when the server ended on
   * the probe, or needs the other transport.
   */
  readonly open: (era: EraName, found?: EraFound) => Promise<Transport> | Transport
  readonly known?: EraFound | undefined
  readonly onEra?: (found: EraFound) => void
  /** Called at each use of something that 2026-07-28 deprecates (V26-DEPR-1). */
  readonly onDeprecated?: (feature: DeprecatedFeature) => void
  /** Parent of the client's own lifetime. */
  readonly lifetime: Lifetime
  readonly limits?: Limits
  /** Milliseconds; default 30,000. */
  readonly handshakeTimeout?: number
  /** Milliseconds of silence before a ping; 0 means never; default 30,000. */
  readonly pingEvery?: number
  /** Milliseconds that a ping may take; default by the kind of transport. */
  readonly pingTimeout?: number
  /** Gets warnings about the server, limited in rate. */
  readonly onRemark?: (text: string) => void
}

/** Milliseconds. A network may be interrupted for longer than a local process (PING-07). */
const PING_TIMEOUT = { linked: 15_000, stdio: 15_000, 'streamable-http': 30_000, 'http-sse': 30_000 } as const

const DEPRECATED: ReadonlyMap<string, DeprecatedFeature> = new Map([
  ['roots/list', 'roots'],
  ['sampling/createMessage', 'sampling'],
])

/**
 * Opens a transport, finds the server's era, and returns a client with an empty catalog. Rejects with HandshakeError, ProtocolError,
 * RequestError, TransportError or the signal's reason, after closing the transport.
 */
export async function connectClient(options: ConnectOptions): Promise<Client> {
  const first = await openClient(options)
  if (first instanceof Client) return first
  // A third attempt would only repeat the first.
  const { again, ...offer } = first
  const second = await openClient({ ...options, ...offer, known: again })
  if (second instanceof Client) return second
  throw new Error(`A server known to be ${again.era} was treated as ${second.again.era}.`)
}

async function openClient(options: ConnectOptions): Promise<Client | Extract<OpenedSession, { again: EraFound }>> {
  options.signal.throwIfAborted()
  const lifetime = new Lifetime('client', options.lifetime)
  const contact = new Contact(options, await openTransport(options, lifetime), lifetime)
  try {
    const opened = await contact.open()
    if ('again' in opened) {
      await contact.endFirst()
      return opened
    }
    return clientOf(contact, opened.session)
  } catch (error) {
    const ended = contact.transport.kind === 'stdio' ? await endOf(contact.peer, error, options.clock) : undefined
    await lifetime.end(error).catch(() => {}) // The first error is thrown.
    throw ended ?? error
  }
}

function openTransport({ open, known }: ConnectOptions, lifetime: Lifetime): Promise<Transport> {
  return Promise.resolve(open(known?.era ?? 'modern', known)).catch(async (error: unknown) => {
    await lifetime.end(error).catch(() => {}) // The first error is thrown.
    throw error
  })
}

/** The part of a client that exists before its session: a server may log and ask from its first message on. */
class Contact {
  readonly options: ConnectOptions
  readonly transport: Transport
  readonly lifetime: Lifetime
  readonly limits: Limits
  readonly peer: Peer
  readonly news: ServerNews
  readonly remark = (text: string): void => this.peer.remark(text)
  /** Absent before the session. */
  tasks: Tasks | undefined
  #agreed: { readonly traits: Traits; readonly methods: ReadonlyMap<string, ServerMethod> } | undefined

  constructor(options: ConnectOptions, transport: Transport, lifetime: Lifetime) {
    const { features, clock, limits = DEFAULT_LIMITS, onRemark = () => {} } = options
    this.options = options
    this.transport = transport
    this.lifetime = lifetime
    this.limits = limits
    this.news = new ServerNews(features, limits, clock, this.remark)
    this.peer = new Peer({
      transport,
      clock,
      limits,
      onRemark,
      handlers: {
        answer: async (method, params, cause) => {
          const requestId = this.tasks?.causeOf(params)
          return this.admit(method, params)(requestId === undefined ? cause : { ...cause, requestId })
        },
        notified: (method, params) => this.news.hear(method, params),
      },
    })
    lifetime.onEnd(() => this.peer.close())
    lifetime.onEnd(() => this.news.subscriptions.stop())
  }

  /** A request of the server in the words of the agreed version. Throws ProtocolError for one that is not served. */
  readonly admit: RoundsParts['admit'] = (method, params) => {
    const agreed = this.#agreed
    const asked = agreed?.methods.get(method)
    if (!asked || !agreed) throw notServed(method)
    const deprecated = agreed.traits.session ? undefined : DEPRECATED.get(method)
    if (deprecated) this.options.onDeprecated?.(deprecated)
    const border: Border = { traits: agreed.traits, limits: this.limits, warnings: [] }
    return asked(params, border)
  }

  /** Starts the transport, finds the era and opens a session. */
  async open(): Promise<OpenedSession> {
    const { options, peer, limits } = this
    const agree = (traits: Traits) => {
      this.#agreed = { traits, methods: serverMethods(options.features, traits) }
      this.news.agreed(traits)
    }
    await peer.start()
    const opened = await openSession({
      ...options,
      peer,
      modern: new ModernEra(limits, agree),
      legacy: new LegacyEra(limits, agree),
      protocolVersion: options.protocolVersion ?? NEWEST_PROTOCOL_VERSION,
      draftProfile: options.draftProfile ?? false,
      timeout: options.handshakeTimeout ?? 30_000,
    })
    if ('again' in opened) return opened
    const { session, era, by } = opened
    options.onEra?.({ era, by })
    if (this.transport.kind === 'http-sse') options.onDeprecated?.('http-sse')
    if (era === 'modern' && session.hello.capabilities.logging) options.onDeprecated?.('logging')
    this.news.capabilities = session.hello.capabilities
    return opened
  }

  /** Ends a first attempt, whose connection is of no more use. */
  endFirst(): Promise<void> {
    const { lifetime, options } = this
    const unclean = (error: unknown) => options.onRemark?.(`The first attempt to connect did not end cleanly: ${String(error)}`)
    return lifetime.end().catch(unclean)
  }
}

function clientOf(contact: Contact, session: Session): Client {
  const { options, lifetime, limits, peer, news, remark } = contact
  const { features, clock, requestTimeout } = options
  const { signal } = lifetime
  const listening = listenTo(contact, session, () => catalog)
  const introduction = new Introduction({ session, clock, signal, requestTimeout, onRemark: remark })
  const catalog: Catalog = catalogOf(contact, session, listening, introduction)
  introduction.onChange.on(() => {
    news.capabilities = session.hello.capabilities
    catalog.introductionChanged()
    listening?.begin()
  })
  if (listening) {
    lifetime.onEnd(() => listening.stop())
    listening.begin()
  }
  news.onListChanged.on((noun) => catalog.changed(noun === 'resources' ? ['resources', 'templates'] : [noun]))
  keepAwake(contact, session)
  void peer.closed
    .then(() => lifetime.end())
    .catch((error: unknown) => options.onRemark?.(`The client did not end cleanly: ${String(error)}`))
  const rounds = new Rounds({ clock, lifetime, admit: contact.admit })
  const tasks = new Tasks({ session, on: features.tasks ?? true, clock, lifetime, limits, rounds, remark })
  contact.tasks = tasks
  news.onTask.on((params) => tasks.heard(params))
  const declaredRoots = features.roots !== undefined
  const parts = { peer, session, news, catalog, lifetime, limits, declaredRoots, introduction, rounds, tasks, listening }
  return new Client({ ...options, ...parts })
}

function listenTo({ options, news, remark }: Contact, session: Session, catalog: () => Catalog): Listening | undefined {
  if (!session.listen) return undefined
  const listening = new Listening({
    session,
    listen: session.listen.bind(session),
    clock: options.clock,
    onRemark: remark,
    subscriptions: news.subscriptions,
    onCovered: () => catalog().coverageChanged(),
    onMissed: (nouns) => {
      for (const noun of nouns) news.onListChanged.fire(noun)
    },
  })
  news.listening = listening
  return listening
}

function catalogOf(
  { options, lifetime, limits, peer, remark }: Contact,
  session: Session,
  listening: Listening | undefined,
  introduction: Introduction,
): Catalog {
  const { clock, requestTimeout: timeout, maxRequestTime: maxTime } = options
  return new Catalog({
    capabilities: () => session.hello.capabilities,
    covers: (noun) => (noun === 'tools' || noun === 'prompts' || noun === 'resources') && listening?.covers(noun) === true,
    unannounced: () => listening?.unannounced ?? [],
    traits: session.traits,
    limits,
    clock,
    mirrors: !session.traits.session && peer.overHttp,
    signal: lifetime.signal,
    onRemark: remark,
    list: async (method, cursor, signal) => {
      const params = cursor === undefined ? undefined : { cursor }
      const answer = await session.call(method, params, { signal, timeout, maxTime }).catch((error: unknown) => {
        if (error instanceof ProtocolError && error.code === ErrorCode.methodNotFound) introduction.doubt()
        throw error
      })
      // The session refuses a list that requires input (V26-MRTR-1).
      if (!('result' in answer)) throw new RequestError('invalid-result', method, 'A list cannot require input.')
      return answer.result
    },
  })
}

/** Pings a server of the legacy era; the modern one has no pings. */
function keepAwake({ options, transport, lifetime, peer }: Contact, session: Session): void {
  const { clock, onRemark = () => {}, pingEvery = 30_000, pingTimeout = PING_TIMEOUT[transport.kind] } = options
  if (pingEvery > 0 && session.traits.session) {
    const ping = { peer, clock, signal: lifetime.signal, every: pingEvery, timeout: pingTimeout, onRemark }
    lifetime.onEnd(keepAlive(ping))
  }
}

/** Milliseconds for a process to exit after its input has closed. */
const EXIT_MS = 1_000

/** The exit of a process that cannot be written to, which says more than the failed write. */
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
