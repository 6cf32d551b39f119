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

/** How long a pipe may say nothing to the probe until a handshake is tried as well (V26-NEG-13). */
const PROBE_MS = 10_000
/** How often an address that says 429 is asked again. */
const MAX_WAITS = 3

interface ProbeOptions extends OpenOptions {
  readonly modern: ModernEra
  readonly legacy: LegacyEra
  /** An era that is not looked for, because the person chose it or it was found before. */
  readonly known?: EraFound | undefined
  readonly clock: Clock
}

/** The result of an opening: a session, or the next attempt on a new connection because this one cannot be used any more. */
export type OpenedSession =
  | (EraFound & { readonly session: Session })
  | { readonly again: EraFound; readonly protocolVersion?: HandshakeVersion }

/** Finds out what speaks at the other end, and opens a session with it; `overHttp` when each era needs a transport of its own. */
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
    // Remembered, and no longer so (V26-NEG-21).
    if (known.by !== 'memory' || !modernRefusal(causeOf(error), false)) throw error
    const found: EraFound = { era: 'modern', by: 'answer' }
    return options.peer.overHttp ? { again: found } : onlyModern(options, found)
  }
}

/** Both eras on one pipe: what answers first, and how, tells which it is (2026-07-28 basic/transports/stdio#backward-compatibility). */
async function openPipe(options: ProbeOptions): Promise<OpenedSession> {
  const given = new AbortController()
  const signal = AbortSignal.any([options.signal, given.signal])
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
  return afterSilence(options, probe, given)
}

/** The handshake joins on the same pipe, and from here on its answer decides (V26-NEG-11). */
async function afterSilence(options: ProbeOptions, probe: Promise<Discovery>, given: AbortController): Promise<OpenedSession> {
  const timeout = Math.max(1, options.timeout - PROBE_MS)
  probe.catch(() => {}) // looked at below, if at all
  try {
    const session = await options.legacy.open({ ...options, timeout, waited: Math.min(PROBE_MS, options.timeout) })
    given.abort()
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

/** An address, with a transport of the modern era: a server of the other one needs another transport. */
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

/** A status of 401, 403, 429 or 5xx, the network, TLS and time tell nothing of an era (V26-NEG-19). */
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
  const message = `The server answered server/discover with ${discovery.said}: it does not speak ${MODERN_VERSION}, which is all that is allowed for it.`
  return new HandshakeError('version', message, { offered, ours: [MODERN_VERSION], theirs: [] })
}
