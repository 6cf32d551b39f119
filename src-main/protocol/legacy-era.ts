import { isObject } from '../../src-shared/base/json.ts'
import { isExtensionId } from '../../src-shared/mcp/extensions.ts'
import { PROTOCOL_VERSIONS, type ProtocolVersion, type ServerCapabilities } from '../../src-shared/mcp/primitives.ts'
import type { Era, Hello, OpenOptions, Session } from './era.ts'
import { HandshakeError } from './handshake-error.ts'
import { type ClientMethod, type ClientMethodName, clientMethods } from './methods.ts'
import { capabilitiesOf } from './peer/client-features.ts'
import type { RequestOptions } from './peer/pending-request.ts'
import { TransportError } from './peer/transport.ts'
import { type Border, bounded, type Fields, label, object, ShapeError } from './shapes/border.ts'
import { implementation } from './shapes/definition-shapes.ts'
import { ErrorCode, type Params, ProtocolError, RequestError } from './shapes/json-rpc.ts'
import { LimitError, type Limits } from './shapes/limits.ts'
import { type Traits, traitsOf } from './shapes/version-traits.ts'

/** The era of the handshake: `initialize`, one agreed revision, requests in both directions (2024-11-05 to 2025-11-25). */
export class LegacyEra implements Era {
  readonly name = 'legacy'
  readonly #limits: Limits
  readonly #onAgreed: (traits: Traits) => void

  /** `onAgreed` is told the revision before anything that comes after the server's introduction is looked at. */
  constructor(limits: Limits, onAgreed: (traits: Traits) => void) {
    this.#limits = limits
    this.#onAgreed = onAgreed
  }

  async open(options: OpenOptions): Promise<Session> {
    const { peer, features, clientInfo, protocolVersion, signal, timeout, draftProfile } = options
    let agreed: { hello: Hello; traits: Traits } | undefined
    const params = { protocolVersion, capabilities: { ...capabilitiesOf(features) }, clientInfo: { ...clientInfo } }
    try {
      await peer.request('initialize', params, {
        signal,
        timeout,
        maxTime: timeout,
        uncancellable: true,
        aside: true,
        // Judged on the spot: the next message may be a batch or a request that depends on it.
        onResult: (result) => {
          agreed = this.#agree(result, protocolVersion, draftProfile, (text) => peer.remark(text))
          peer.manners = agreed.traits
          peer.served.admission = 'queue'
          this.#onAgreed(agreed.traits)
        },
      })
    } catch (error) {
      throw handshakeFailure(error, protocolVersion, timeout)
    }
    if (!agreed) throw new RequestError('invalid-result', 'initialize', 'The server did not introduce itself.')
    const { hello, traits } = agreed
    peer.negotiated(hello.protocolVersion)
    await peer.notify('notifications/initialized')
    signal.throwIfAborted()
    peer.served.serve()
    return new LegacySession(options, hello, traits, this.#limits)
  }

  #agree(result: Fields, offered: ProtocolVersion, draftProfile: boolean, remark: (text: string) => void) {
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

  async call<Name extends ClientMethodName>(method: Name, params: Params | undefined, options: RequestOptions) {
    // The registry maps each name to its own method; the compiler cannot follow a generic key through it.
    const entry = this.#methods[method] as ClientMethod<Name> | undefined
    if (!entry) {
      throw new RequestError('not-negotiated', method, `Revision ${this.hello.protocolVersion} does not have ${method}.`)
    }
    const missing = entry.missing(this.hello.capabilities)
    if (missing !== undefined) {
      throw new RequestError('not-negotiated', method, `The server did not declare ${missing}, so ${method} is not sent.`)
    }
    const border: Border = { traits: this.traits, limits: this.#limits, warnings: [] }
    const raw = await this.#peer.request(method, params, options)
    try {
      return { result: entry.check(raw, border), warnings: border.warnings }
    } catch (error) {
      if (error instanceof LimitError) throw new RequestError('too-large', method, error.message, { cause: error })
      if (!(error instanceof ShapeError)) throw error
      throw new RequestError('invalid-result', method, `The server’s answer to ${method} is not valid: ${error.message}.`, {
        cause: error,
      })
    }
  }
}

function handshakeFailure(error: unknown, offered: ProtocolVersion, timeout: number): unknown {
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
  if (!(error instanceof ProtocolError) || error.code !== ErrorCode.invalidParams || !isObject(error.data)) return error
  const { supported } = error.data
  if (!Array.isArray(supported)) return error
  const theirs = supported.filter((name): name is string => typeof name === 'string').slice(0, 20)
  const retryWith = PROTOCOL_VERSIONS.find((known) => known !== offered && theirs.includes(known))
  const list = theirs.map((name) => name.slice(0, 40)).join(', ')
  const message = `The server refused protocol version ${offered}; it speaks ${list || 'none that it names'}.`
  return new HandshakeError('version', message, { ...details, theirs, ...(retryWith && { retryWith }) }, { cause: error })
}

const MOST_EXTENSIONS = 64
const CAPABILITIES = ['logging', 'completions', 'prompts', 'resources', 'tools', 'tasks'] as const

/** The capabilities that we act upon. A member of the wrong type counts as not declared; unknown ones are no matter (ARCH-13). */
function serverCapabilities(value: unknown, border: Border): ServerCapabilities {
  const declared = object(value, 'capabilities')
  const found: Fields = {}
  for (const key of CAPABILITIES) {
    const capability = declared[key]
    if (isObject(capability)) {
      bounded(capability, `capabilities.${key}`, border.limits)
      found[key] = capability
    } else if (capability === true) {
      found[key] = {}
    } else if (capability !== undefined && capability !== null && capability !== false) {
      border.warnings.push(`The server’s capability ${key} is no object; it counts as not declared.`)
    }
  }
  if (isObject(declared.experimental)) {
    bounded(declared.experimental, 'capabilities.experimental', border.limits)
    found.experimental = Object.fromEntries(Object.entries(declared.experimental).filter(([, member]) => isObject(member)))
  }
  if (isObject(declared.extensions)) found.extensions = extensionsOf(declared.extensions, border)
  return found as ServerCapabilities
}

/** Ids without a prefix, and settings that are no object, count as not declared. */
function extensionsOf(declared: Fields, border: Border): Fields {
  bounded(declared, 'capabilities.extensions', border.limits)
  const all = Object.entries(declared)
  const usable = all.filter(([id, settings]) => isExtensionId(id) && isObject(settings)).slice(0, MOST_EXTENSIONS)
  const left = all.length - usable.length
  if (left > 0)
    border.warnings.push(`${left} of the server’s extensions count as not declared: no valid id, no settings, or too many.`)
  return Object.fromEntries(usable)
}
