import { type Clock, delay } from '../../src-shared/base/clock.ts'
import { type HandshakeVersion, MODERN_VERSION } from '../../src-shared/mcp/primitives.ts'
import type { EraFound, OpenOptions, Session } from './era.ts'
import { HandshakeError } from './handshake-error.ts'
import type { LegacyEra } from './legacy-era.ts'
import type { Discovery, ModernEra } from './modern-era.ts'
import { modernRefusal } from './modern-refusal.ts'
import { waitOf } from './peer/retry-after.ts'
import { TransportError } from './peer/transport.ts'
import { ProtocolError, RequestError } from './shapes/json-rpc.ts'

/** Milliseconds without an answer to the probe before a handshake is tried on the same pipe (V26-NEG-13). */
const PROBE_MS = 10_000
const MAX_WAITS = 3

interface ProbeOptions extends OpenOptions {
  readonly modern: ModernEra
  readonly legacy: LegacyEra
  /** An era that the person chose, or that was found before; it is not probed. */
  readonly known?: EraFound | undefined
  readonly clock: Clock
}

/** A session, or the era to try on a new connection because this one can no longer be used. */
export type OpenedSession =
  | (EraFound & { readonly session: Session })
  | { readonly again: EraFound; readonly protocolVersion?: HandshakeVersion }

/** Finds the era of the server and opens a session. Over HTTP each era needs a transport of its own. */
export function openSession(options: ProbeOptions): Promise<OpenedSession> {
  if (options.known?.era === 'modern') return onlyModern(options, options.known)
  const { peer, known } = options
  if (known) return remembered(options, known)
  return peer.overHttp ? openAddress(options) : openPipe(options)
}

async function remembered(options: ProbeOptions, known: EraFound): Promise<OpenedSession> {
  try {
    return { ...known, session: await options.legacy.open(options) }
  } catch (error) {
    // The server has changed its era since it was remembered (V26-NEG-21).
    if (known.by !== 'memory' || !modernRefusal(causeOf(error), false)) throw error
    const found: EraFound = { era: 'modern', by: 'answer' }
    return options.peer.overHttp ? { again: found } : onlyModern(options, found)
  }
}

/** Probes on a pipe, which both eras share (2026-07-28 basic/transports/stdio#backward-compatibility). */
async function openPipe(options: ProbeOptions): Promise<OpenedSession> {
  const probing = new AbortController()
  const signal = AbortSignal.any([options.signal, probing.signal])
  const probe = options.modern.discover({ ...options, signal })
  const silence = Promise.withResolvers<undefined>()
  const cancelSilence = options.clock.after(Math.min(PROBE_MS, options.timeout), () => silence.resolve(undefined))
  let discovery: Discovery | undefined
  try {
    discovery = await Promise.race([probe, silence.promise])
  } catch (error) {
    if (!options.signal.aborted && endedOnProbe(error)) return { again: { era: 'legacy', by: 'exit' } }
    throw error
  } finally {
    cancelSilence()
  }
  if (discovery) return settle(discovery, options)
  return afterSilence(options, probe, probing)
}

/** Tries a handshake while the probe is open; from here on its answer decides (V26-NEG-11). */
async function afterSilence(options: ProbeOptions, probe: Promise<Discovery>, probing: AbortController): Promise<OpenedSession> {
  const timeout = Math.max(1, options.timeout - PROBE_MS)
  probe.catch(() => {}) // Awaited below, if at all.
  try {
    const session = await options.legacy.open({ ...options, timeout, waited: Math.min(PROBE_MS, options.timeout) })
    probing.abort()
    return { era: 'legacy', by: 'silence', session }
  } catch (error) {
    const refused = error instanceof ProtocolError || (error instanceof HandshakeError && error.code === 'version')
    if (!refused) throw error
    const discovery = await probe.catch(() => undefined) // The handshake's refusal is thrown.
    if (discovery?.is !== 'modern') throw error
    return { era: 'modern', by: 'answer', session: discovery.session }
  }
}

async function settle(discovery: Discovery, options: ProbeOptions): Promise<OpenedSession> {
  if (discovery.is === 'modern') return { era: 'modern', by: 'answer', session: discovery.session }
  const { protocolVersion = options.protocolVersion } = discovery
  return { era: 'legacy', by: 'answer', session: await options.legacy.open({ ...options, protocolVersion }) }
}

async function onlyModern(options: ProbeOptions, found: EraFound): Promise<OpenedSession> {
  const discovery = await options.modern.discover(options)
  if (discovery.is === 'modern') return { ...found, session: discovery.session }
  throw noModern(discovery, options.protocolVersion)
}

/** Probes an address with a transport of the modern era; a legacy server needs another one. */
async function openAddress(options: ProbeOptions): Promise<OpenedSession> {
  for (let waits = 0; ; waits++) {
    try {
      const discovery = await options.modern.discover(options)
      if (discovery.is === 'modern') return { era: 'modern', by: 'answer', session: discovery.session }
      const { protocolVersion } = discovery
      return { again: { era: 'legacy', by: 'answer' }, ...(protocolVersion && { protocolVersion }) }
    } catch (error) {
      if (!(error instanceof TransportError)) throw error
      const { status } = error.details
      if (status === 429 && waits < MAX_WAITS) await delay(options.clock, waitOf(error), options.signal)
      else if (error.code === 'malformed' && status !== undefined) return { again: { era: 'legacy', by: 'answer' } }
      else if (error.code === 'http' && isRefusal(status)) return { again: { era: 'legacy', by: 'refusal' } }
      else throw error
    }
  }
}

/** Other errors (401, 403, 429, 5xx, network, TLS, timeouts) say nothing about the era (V26-NEG-19). */
function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && ![401, 403, 429].includes(status)
}

function endedOnProbe(error: unknown): boolean {
  return error instanceof RequestError && error.code === 'closed' && (error.cause === undefined || isExit(error.cause))
}

function isExit(error: unknown): boolean {
  return error instanceof TransportError && (error.code === 'exited' || error.code === 'closed')
}

function causeOf(error: unknown): unknown {
  return error instanceof HandshakeError ? (error.cause ?? error) : error
}

function noModern(discovery: Extract<Discovery, { is: 'legacy' }>, offered: HandshakeVersion): HandshakeError {
  const message = `The server answered server/discover with ${discovery.said}: it does not speak ${MODERN_VERSION}, the only version allowed for it.`
  return new HandshakeError('version', message, { offered, ours: [MODERN_VERSION], theirs: [] })
}
