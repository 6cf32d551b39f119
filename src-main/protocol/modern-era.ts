import { type HandshakeVersion, MODERN_VERSION, PROTOCOL_VERSIONS } from '../../src-shared/mcp/primitives.ts'
import type { ModernOpening, OnAgreed, Session } from './era.ts'
import { HandshakeError } from './handshake-error.ts'
import { modernHelloOf } from './modern-hello.ts'
import { modernRefusal } from './modern-refusal.ts'
import { ModernSession } from './modern-session.ts'
import type { RequestOptions } from './peer/pending-request.ts'
import { repeatedIfRead } from './repeated-reads.ts'
import { withMeta } from './request-meta.ts'
import { type Border, type Fields, ShapeError } from './shapes/border.ts'
import { ProtocolError, RequestError } from './shapes/json-rpc.ts'
import { LimitError, type Limits } from './shapes/limits.ts'
import { ttlOf } from './shapes/result-shapes.ts'
import { traitsOf } from './shapes/version-traits.ts'

export type Discovery =
  | { readonly is: 'modern'; readonly session: Session }
  /** Not an answer of the modern era: a handshake is needed, with this revision if the server named one. */
  | { readonly is: 'legacy'; readonly protocolVersion?: HandshakeVersion; readonly said: string }

/** The era without a handshake: each request has the client's name and the revision (2026-07-28). */
export class ModernEra {
  readonly #limits: Limits
  readonly #onAgreed: OnAgreed

  constructor(limits: Limits, onAgreed: OnAgreed) {
    this.#limits = limits
    this.#onAgreed = onAgreed
  }

  /**
   * Sends `server/discover`. Rejects with HandshakeError when there is no common revision, and with ProtocolError when a modern server
   * refuses us. Without an answer it rejects with RequestError, TransportError or the signal's reason.
   */
  async discover(options: ModernOpening): Promise<Discovery> {
    for (let again = false; ; again = true) {
      try {
        return await this.#ask(options)
      } catch (error) {
        const refusal = modernRefusal(error, options.peer.overHttp)
        if (!refusal) {
          if (error instanceof ProtocolError) return { is: 'legacy', said: `error ${error.code}` }
          if (error instanceof RequestError && error.code === 'invalid-result') return { is: 'legacy', said: error.message }
          throw error
        }
        const { supported } = refusal
        if (!supported) throw error
        // A server may name the version that it refused; then one second try is made (V26-NEG-3).
        if (!supported.includes(MODERN_VERSION)) return otherVersion(supported)
        if (again) throw versionFailure(supported)
      }
    }
  }

  async #ask(options: ModernOpening): Promise<Discovery> {
    const { peer, features, clientInfo, signal, timeout } = options
    let discovery: Discovery | undefined
    const params = withMeta({}, { clientInfo, features })
    const how: RequestOptions = {
      signal,
      timeout,
      maxTime: timeout,
      uncancellable: true,
      aside: true,
      // Handled at once: the next message may be a request of the server, which this era does not have.
      onResult: (result) => {
        discovery = this.#judge(result, options)
        if (discovery.is !== 'modern') return
        const { traits } = discovery.session
        peer.traits = traits
        peer.served.admission = 'drop'
        this.#onAgreed(traits)
      },
    }
    await repeatedIfRead('server/discover', signal, () => peer.request('server/discover', params, how))
    if (!discovery) throw new RequestError('invalid-result', 'server/discover', 'The server did not say what it is.')
    return discovery
  }

  #judge(result: Fields, options: ModernOpening): Discovery {
    const { supportedVersions } = result
    if (!Array.isArray(supportedVersions)) return { is: 'legacy', said: 'something else' }
    const theirs = supportedVersions.filter((name): name is string => typeof name === 'string')
    if (!theirs.includes(MODERN_VERSION)) return otherVersion(theirs)
    const traits = traitsOf(MODERN_VERSION, false)
    const border: Border = { traits, limits: this.#limits, warnings: [] }
    try {
      const hello = modernHelloOf(result, border)
      for (const warning of border.warnings) options.peer.remark(warning)
      return { is: 'modern', session: new ModernSession(options, hello, ttlOf(result), traits, this.#limits) }
    } catch (error) {
      if (!(error instanceof ShapeError || error instanceof LimitError)) throw error
      const details = { offered: MODERN_VERSION, ours: [MODERN_VERSION], theirs: theirs.slice(0, 20) }
      throw new HandshakeError('malformed', `The server’s introduction is not valid: ${error.message}.`, details)
    }
  }
}

/** For a server without our modern revision: a handshake with a common one, if there is any. */
function otherVersion(theirs: readonly string[]): Discovery {
  const ours = PROTOCOL_VERSIONS.find((known) => theirs.includes(known))
  if (ours) return { is: 'legacy', protocolVersion: ours, said: `it speaks ${ours}` }
  throw versionFailure(theirs)
}

function versionFailure(supported: readonly string[]): HandshakeError {
  const ours = [MODERN_VERSION, ...PROTOCOL_VERSIONS]
  const theirs = supported.slice(0, 20).map((name) => name.slice(0, 40))
  const message = `The server speaks ${theirs.join(', ') || 'no protocol version that it names'}; this host speaks ${ours.join(', ')}.`
  return new HandshakeError('version', message, { offered: MODERN_VERSION, ours, theirs })
}
