import { within } from '../../../src-shared/base/clock.ts'
import type { Lifetime } from '../../../src-shared/base/lifetime.ts'
import { orAborted } from '../../../src-shared/base/or-aborted.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { FolderChoice } from '../../../src-shared/contract/projects.ts'
import { type FencePolicy, type Launch, type ServerOptions, timeoutsOf } from '../../../src-shared/contract/servers.ts'
import type { DeprecatedFeature, EraName, HandshakeVersion } from '../../../src-shared/mcp/primitives.ts'
import type { Client } from '../../client/client.ts'
import { connectClient } from '../../client/connect-client.ts'
import type { EraFound } from '../../protocol/era.ts'
import { HandshakeError } from '../../protocol/handshake-error.ts'
import type { ClientFeatures } from '../../protocol/peer/client-features.ts'
import { type Transport, TransportError } from '../../protocol/peer/transport.ts'
import { DEFAULT_LIMITS } from '../../protocol/shapes/limits.ts'
import { childEnvironment } from '../../transports/child-environment.ts'
import { OWNER_VARIABLE, ServerProcess } from '../../transports/child-process.ts'
import type { HttpKind } from '../../transports/http/connect-http.ts'
import { StderrLines } from '../../transports/stderr-lines.ts'
import { startStdio } from '../../transports/stdio.ts'
import type { HostCore } from '../core/host-core.ts'
import { holdsSecret, type Redact, redactor } from '../core/redact.ts'
import { notFoundProblem } from '../doctor/program-problems.ts'
import type { FenceBounds } from '../launch/fence-bounds.ts'
import type { Command } from '../launch/fenced-command.ts'
import type { FencedStart, Fences } from '../launch/fences.ts'
import { LaunchError } from '../launch/launch-error.ts'
import type { FoundProgram } from '../launch/launch-identity.ts'
import { type ResolvedValue, resolveValues } from '../launch/launch-values.ts'
import { packageRunner } from '../launch/package-runner.ts'
import type { ProcessRecords } from '../launch/process-records.ts'
import type { Watches } from '../launch/watches.ts'
import { Installing } from './installing.ts'
import type { KeptSession } from './kept-session.ts'
import type { RememberedEras } from './remembered-eras.ts'
import { mayAuthorize, type ServerAuthorization } from './server-authorization.ts'
import type { ServerLog } from './server-log.ts'
import type { TrafficLog } from './traffic-log.ts'

export interface ConnectParts
  extends Pick<
    HostCore,
    'clock' | 'environment' | 'platform' | 'storage' | 'connector' | 'playground' | 'checkValue' | 'settings'
  > {
  readonly processes: ProcessRecords
  readonly fences: Fences
  readonly bounds: FenceBounds
  readonly watches: Watches
  readonly eras: RememberedEras
}

export type ConnectStep = 'launching' | 'installing' | 'handshake'

export interface ConnectPlan {
  readonly id: ServerId
  readonly launch: Launch
  readonly identity: string
  readonly program?: FoundProgram
  readonly options: ServerOptions
  readonly told: readonly FolderChoice[]
  readonly features: ClientFeatures
  /** The client and its process end with it. */
  readonly lifetime: Lifetime
  readonly log: ServerLog
  readonly traffic: TrafficLog
  readonly authorization: ServerAuthorization
  readonly session: KeptSession
  readonly step: (step: ConnectStep, said?: string) => void
  readonly onDeprecated: (feature: DeprecatedFeature) => void
  readonly onRefusedHost: (host: string) => void
  /** Tells the process by which it runs; undefined when it ended. */
  readonly onProcess: (pid: number | undefined) => void
  /** Tells with which fence its process starts; null for none. */
  readonly onFence: (policy: FencePolicy | null) => void
}

/** Milliseconds for a package runner, which may download the server first; giving up early would break and repeat the download. */
const DOWNLOAD_TIMEOUT = 300_000

/** Launches or contacts a server and completes the handshake. `explainFailure` explains its rejections. */
export async function connectServer(plan: ConnectPlan, parts: ConnectParts): Promise<{ client: Client; redact: Redact }> {
  const { launch, lifetime, options } = plan
  const { requestTimeout, maxRequestTime, startTimeout } = timeoutsOf(options, parts.settings.current.serverTimeouts)
  const values = await resolveValues(launch, parts.storage.secrets)
  const configured = [...values].filter(([name, value]) => value.secret || holdsSecret(name, value.text))
  let secrets = redactor([])
  plan.authorization.tellSecrets((tokens) => {
    secrets = redactor([...configured.map(([, value]) => value.text), ...tokens])
    plan.traffic.protect(secrets)
    plan.log.protect(secrets.redact)
  })
  const redact: Redact = (text) => secrets.redact(text)
  lifetime.signal.throwIfAborted()
  const mayDownload = options.startTimeout === null && packageRunner(launch) !== undefined

  await plan.session.load(plan.identity)
  const { known, kinds } = knownEra(plan, parts.eras)
  let found: EraFound | undefined
  const connect = (protocolVersion?: HandshakeVersion) =>
    connectClient({
      open: (era, found) => openTransport(era, found, plan, parts, values, kinds),
      known,
      onEra: (era) => {
        found = era
      },
      onDeprecated: plan.onDeprecated,
      features: plan.features,
      clientInfo: { name: 'Parley', version: parts.platform.version },
      lifetime,
      signal: lifetime.signal,
      checkValue: parts.checkValue,
      clock: plan.authorization.requestClock,
      handshakeTimeout: mayDownload ? Math.max(DOWNLOAD_TIMEOUT, startTimeout) : startTimeout,
      requestTimeout,
      maxRequestTime,
      draftProfile: options.draftProfile,
      onRemark: (text) => plan.log.add('host', text),
      ...(protocolVersion && { protocolVersion, known: { era: 'legacy', by: 'choice' } }),
    })
  const keep = (change: Promise<void>) =>
    change.catch((error: unknown) => plan.log.add('host', `Its protocol version could not be saved: ${String(error)}`))
  try {
    const client = await connect().catch((error: unknown) => {
      // The server refused the newest revision and named another that we speak, so it is tried with that (LIFE-24).
      if (!(error instanceof HandshakeError) || !error.details.retryWith) throw error
      return connect(error.details.retryWith)
    })
    if (found) await keep(parts.eras.settle(plan.identity, found, kinds.get(urlOf(launch)) === 'http-sse'))
    return { client, redact }
  } catch (error) {
    // The remembered era may be wrong, so the next connection probes again (V26-NEG-15).
    if (!lifetime.signal.aborted) await keep(parts.eras.forget(plan.identity))
    throw error
  }
}

/** The era that needs no probe: the person's choice, or a remembered one. */
function knownEra({ options, identity, launch, session }: ConnectPlan, eras: RememberedEras) {
  const by = eras.of(identity)
  const kinds = new Map<string, HttpKind>(by === 'http-sse' ? [[urlOf(launch), by]] : [])
  const known: EraFound | undefined =
    options.era !== 'auto'
      ? { era: options.era, by: 'choice' }
      : by || session.resumed
        ? { era: 'legacy', by: 'memory' }
        : undefined
  return { known, kinds }
}

const urlOf = (launch: Launch): string => (launch.type === 'remote' ? launch.url : '')

async function openTransport(
  era: EraName,
  found: EraFound | undefined,
  plan: ConnectPlan,
  parts: ConnectParts,
  values: ReadonlyMap<string, ResolvedValue>,
  kinds: Map<string, HttpKind>,
): Promise<Transport> {
  const { launch } = plan
  switch (launch.type) {
    case 'local':
      return openProcess(launch, plan, parts, values)
    case 'remote': {
      const { connectHttp, ModernHttp } = await import('../../transports/http/connect-http.ts')
      plan.step('handshake')
      const headers = Object.fromEntries([...values].map(([name, value]) => [name, value.text]))
      const http = {
        url: launch.url,
        headers: async () => headers,
        // A configured Authorization header replaces the sign-in (AUTH-02).
        fetch: mayAuthorize(launch.headers) ? plan.authorization.fetchFor(launch.url) : parts.connector.request,
        limits: DEFAULT_LIMITS,
        clock: parts.clock,
        requestClock: plan.authorization.requestClock,
        onTraffic: plan.traffic.tap,
        session: plan.session,
        signal: plan.lifetime.signal,
      }
      return era === 'modern'
        ? new ModernHttp(http)
        : connectHttp({ ...http, remembered: kinds, speaksPost: found?.by === 'answer' })
    }
    case 'built-in':
      if (parts.playground) return parts.playground()
      throw new LaunchError({ code: 'unavailable', what: 'The built-in server is not part of this build.' })
  }
}

type Program = Extract<Launch, { type: 'local' }>
type Values = ReadonlyMap<string, ResolvedValue>

async function openProcess(launch: Program, plan: ConnectPlan, parts: ConnectParts, values: Values): Promise<Transport> {
  // A launch before this could be taken for a process of an earlier host.
  await parts.processes.reaped
  const fenced = await fencedStart(launch, plan, parts, values)
  plan.onFence(fenced.policy ?? null)
  const missed = fenced.download && (await download(fenced.download, plan, parts))
  const watched = await watchedStart(launch, fenced, plan, parts)
  const installing = installingOf(launch, plan, parts)
  let exceeded: TransportError | undefined
  let heard = false
  const ended = (error?: TransportError) =>
    exceeded ?? (heard || missed === undefined ? error : new TransportError('exited', missed, { download: missed }))
  let unbound = () => {}
  let noted: { readonly pid: number; readonly written: Promise<void> } | undefined
  const transport = startStdio({
    ...watched.command,
    ...(fenced.takeSocket && { takeSocket: fenced.takeSocket }),
    limits: DEFAULT_LIMITS,
    clock: parts.clock,
    onStderr: (line) => {
      plan.log.add('stderr', line)
      installing?.line(plan.log.clean(line))
    },
    onTraffic: (entry) => {
      plan.traffic.tap(entry)
      if (entry.direction !== 'received' || heard) return
      heard = true
      installing?.done()
      fenced.started?.()
    },
    onSpawn: (process) => {
      plan.onProcess(process.pid)
      if (fenced.policy) {
        unbound = parts.bounds.watch(process.pid, (said) => {
          exceeded = new TransportError('over-limit', said)
          void transport.close()
        })
      }
      noted = { pid: process.pid, written: parts.processes.started(plan.id, process) }
      // Without a record the mark in the environment still identifies the process.
      return noted.written.catch((error: unknown) => plan.log.add('host', `Its process ID could not be saved: ${String(error)}`))
    },
  })
  return {
    kind: transport.kind,
    async start(sink) {
      plan.step('launching')
      await transport.start({ ...sink, closed: (error) => sink.closed(ended(error)) })
      // The first line of the installation may have come before.
      if (!installing?.downloading) plan.step('handshake')
    },
    send: (message, options) => transport.send(message, options),
    async close() {
      installing?.done()
      unbound()
      await transport.close()
      plan.onProcess(undefined)
      watched.close()
      if (!noted) return
      await noted.written.catch(() => {}) // already in the log
      await parts.processes.ended(noted.pid)
    },
  }
}

/** The program with its environment, inside its fence if it has one. Throws LaunchError when it was not found. */
async function fencedStart(
  launch: Program,
  plan: ConnectPlan,
  parts: ConnectParts,
  values: Values,
): Promise<FencedStart & { readonly policy?: FencePolicy }> {
  const { program } = plan
  const { os } = parts.platform
  const configured = Object.fromEntries([...values].map(([name, value]) => [name, value.text]))
  const env = {
    ...childEnvironment(parts.environment, configured, os),
    ...(program?.search !== undefined && { PATH: program.search }),
    [OWNER_VARIABLE]: parts.processes.newMark(),
  }
  if (program?.path === undefined) {
    const place = { cwd: program?.cwd ?? '/', env, os, arch: process.arch }
    throw new LaunchError(await notFoundProblem(launch.command, program, place))
  }
  const start = { command: program.path, args: launch.args, env, cwd: program.cwd }
  const { fence: policy } = plan.options
  if (!policy) return { start }
  const { id: serverId, onRefusedHost, lifetime } = plan
  const { signal } = lifetime
  return { ...(await parts.fences.around(start, { serverId, launch, program, policy, onRefusedHost, signal })), policy }
}

/** The start as it is, unless the server is watched. */
async function watchedStart(
  launch: Program,
  { start, gatePort }: FencedStart,
  { id, options, program, told, log }: ConnectPlan,
  parts: ConnectParts,
) {
  const { fence: policy, watchedSince } = options
  if (watchedSince === null || !program) return { command: start, close: () => {} }
  return parts.watches.around(start, { serverId: id, launch, program, policy, told, gatePort }, (text) => log.add('host', text))
}

/** Reports the progress of a package runner; undefined for any other program. */
function installingOf(launch: Program, plan: ConnectPlan, parts: ConnectParts): Installing | undefined {
  const runner = packageRunner(launch)
  if (!runner) return undefined
  const { requestClock } = plan.authorization
  const onLine = (said: string) => plan.step('installing', said)
  return new Installing(runner, parts.clock, requestClock, onLine, () => plan.step('handshake'))
}

/**
 * Lets a package runner fill its cache. The last words of one that failed: the package may be there already, so that this counts only
 * where the start fails, too.
 */
async function download(program: Command, plan: ConnectPlan, parts: ConnectParts): Promise<string | undefined> {
  plan.step('installing')
  const stop = { eofMs: 0, termMs: 2000 }
  const running = await ServerProcess.spawn({ ...program, clock: parts.clock, stop })
  const lines = new StderrLines(parts.clock, (line) => plan.log.add('stderr', line))
  running.stderr.on('data', (bytes: Buffer) => lines.push(bytes))
  running.stdout.resume()
  running.stdin.end()
  try {
    await orAborted(within(parts.clock, DOWNLOAD_TIMEOUT, running.exited), plan.lifetime.signal)
    if (running.exit?.code === 0) return undefined
    const why = running.exit ? 'Its package could not be downloaded.' : 'The download of its package took too long.'
    plan.log.add('host', why)
    return lines.tail.join('\n') || why
  } finally {
    await running.stop()
  }
}
