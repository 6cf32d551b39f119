import { isObject } from '../../src-shared/base/json.ts'
import { type HandshakeVersion, type LogLevel, PROTOCOL_VERSIONS } from '../../src-shared/mcp/primitives.ts'
import type { EraAnswer, Hello, OnAgreed, OpenOptions, Session } from './era.ts'
import { HandshakeError } from './handshake-error.ts'
import { type ClientMethodName, callable, checkedResult, clientMethods } from './methods.ts'
import { sessionCapabilitiesOf } from './peer/client-features.ts'
import type { RequestOptions } from './peer/pending-request.ts'
import { TransportError } from './peer/transport.ts'
import { serverCapabilities } from './server-capabilities.ts'
import { type Border, type Fields, label, ShapeError } from './shapes/border.ts'
import { implementation } from './shapes/definition-shapes.ts'
import { ErrorCode, type Params, ProtocolError, RequestError } from './shapes/json-rpc.ts'
import { LimitError, type Limits } from './shapes/limits.ts'
import { type Traits, traitsOf } from './shapes/version-traits.ts'
import { createdTask } from './task.ts'

/** The era of the handshake: `initialize`, one agreed revision, requests in both directions (2024-11-05 to 2025-11-25). */
export class LegacyEra {
  readonly #limits: Limits
  readonly #onAgreed: OnAgreed

  constructor(limits: Limits, onAgreed: OnAgreed) {
    this.#limits = limits
    this.#onAgreed = onAgreed
  }

  /** Rejects with HandshakeError, ProtocolError, RequestError, TransportError or the signal's reason; the caller then closes. */
  async open(options: OpenOptions): Promise<Session> {
    const { peer, features, clientInfo, protocolVersion, signal, timeout, waited = 0, draftProfile } = options
    let agreed: { hello: Hello; traits: Traits } | undefined
    const params = { protocolVersion, capabilities: { ...sessionCapabilitiesOf(features) }, clientInfo: { ...clientInfo } }
    try {
      await peer.request('initialize', params, {
        signal,
        timeout,
        maxTime: timeout,
        uncancellable: true,
        aside: true,
        // Handled at once: the next message may be a batch or a request that depends on it.
        onResult: (result) => {
          agreed = this.#agree(result, protocolVersion, draftProfile, (text) => peer.remark(text))
          peer.traits = agreed.traits
          peer.served.admission = 'queue'
          this.#onAgreed(agreed.traits)
        },
      })
    } catch (error) {
      throw handshakeFailure(error, protocolVersion, waited + timeout)
    }
    if (!agreed) throw new RequestError('invalid-result', 'initialize', 'The server did not introduce itself.')
    const { hello, traits } = agreed
    peer.negotiated(hello.protocolVersion)
    await peer.notify('notifications/initialized')
    signal.throwIfAborted()
    peer.served.serve()
    return new LegacySession(options, hello, traits, this.#limits)
  }

  #agree(result: Fields, offered: HandshakeVersion, draftProfile: boolean, remark: (text: string) => void) {
    const details = { offered, ours: PROTOCOL_VERSIONS, theirs: [] }
    const { protocolVersion } = result
    if (typeof protocolVersion !== 'string') {
      throw new HandshakeError('malformed', 'The server’s introduction names no protocol version.', details)
    }
    const agreed = PROTOCOL_VERSIONS.find((known) => known === protocolVersion)
    if (!agreed) {
      const theirs = protocolVersion.slice(0, 100)
      const message = `The server speaks protocol version ${theirs}; this host speaks ${PROTOCOL_VERSIONS.join(', ')}.`
      throw new HandshakeError('version', message, { ...details, theirs: [theirs] })
    }
    const traits = traitsOf(agreed, draftProfile)
    const border: Border = { traits, limits: this.#limits, warnings: [] }
    try {
      const capabilities = serverCapabilities(result.capabilities, border)
      const serverInfo = implementation(result.serverInfo, 'serverInfo', border)
      const { instructions } = result
      const hello: Hello = {
        protocolVersion: agreed,
        serverInfo,
        capabilities,
        ...(typeof instructions === 'string' && { instructions: label(instructions, 'instructions', border) }),
      }
      for (const warning of border.warnings) remark(warning)
      return { hello, traits }
    } catch (error) {
      if (!(error instanceof ShapeError || error instanceof LimitError)) throw error
      throw new HandshakeError('malformed', `The server’s introduction is not valid: ${error.message}.`, details)
    }
  }
}

class LegacySession implements Session {
  readonly hello: Hello
  readonly traits: Traits
  readonly #peer: OpenOptions['peer']
  readonly #limits: Limits
  readonly #methods

  constructor({ peer }: OpenOptions, hello: Hello, traits: Traits, limits: Limits) {
    this.hello = hello
    this.traits = traits
    this.#peer = peer
    this.#limits = limits
    this.#methods = clientMethods(traits)
  }

  async call<Name extends ClientMethodName>(
    method: Name,
    params: Params | undefined,
    options: RequestOptions,
  ): Promise<EraAnswer<Name>> {
    const entry = callable(this.#methods, method, this.hello)
    const border: Border = { traits: this.traits, limits: this.#limits, warnings: [] }
    const raw = await this.#peer.request(method, params, options)
    if (method === 'tools/call' && params?.task !== undefined && raw.task !== undefined) {
      return checkedResult(method, () => ({ task: createdTask(raw, border), warnings: border.warnings }))
    }
    return { result: await checkedResult(method, () => entry.check(raw, border)), warnings: border.warnings }
  }

  async setLogLevel(level: LogLevel, options: RequestOptions): Promise<void> {
    await this.call('logging/setLevel', { level }, { ...options, aside: true })
  }
}

function handshakeFailure(error: unknown, offered: HandshakeVersion, timeout: number): unknown {
  const details = { offered, ours: PROTOCOL_VERSIONS, theirs: [] }
  if (error instanceof RequestError && error.code === 'timeout') {
    const message = `The server did not introduce itself within ${Math.round(timeout / 1000)} s.`
    return new HandshakeError('timeout', message, details, { cause: error })
  }
  if (error instanceof RequestError && error.code === 'invalid-result') {
    return new HandshakeError('malformed', error.message, details, { cause: error })
  }
  if (error instanceof RequestError && error.code === 'closed') {
    if (error.cause instanceof TransportError) return error.cause
    return new TransportError('closed', 'The server ended the connection before it introduced itself.')
  }
  if (!(error instanceof ProtocolError) || !isObject(error.data)) return error
  if (error.code !== ErrorCode.invalidParams && error.code !== ErrorCode.unsupportedVersion) return error
  const { supported } = error.data
  if (!Array.isArray(supported)) return error
  const theirs = supported.filter((name): name is string => typeof name === 'string').slice(0, 20)
  const retryWith = PROTOCOL_VERSIONS.find((known) => known !== offered && theirs.includes(known))
  const list = theirs.map((name) => name.slice(0, 40)).join(', ')
  const message = `The server refused protocol version ${offered}; it speaks ${list || 'none that it names'}, and this host ${PROTOCOL_VERSIONS.join(', ')}.`
  return new HandshakeError('version', message, { ...details, theirs, ...(retryWith && { retryWith }) }, { cause: error })
}
