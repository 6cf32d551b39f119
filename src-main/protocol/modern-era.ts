import { isObject } from '../../src-shared/base/json.ts'
import {
  type HandshakeVersion,
  type LogLevel,
  MODERN_VERSIONS,
  type ModernVersion,
  PROTOCOL_VERSIONS,
} from '../../src-shared/mcp/primitives.ts'
import type { Answer, Hello, OnAgreed, OpenOptions, Session } from './era.ts'
import { HandshakeError } from './handshake-error.ts'
import { inputRequired, MAY_NEED_INPUT } from './input-required.ts'
import { type ClientMethodName, callable, checkedResult, clientMethods } from './methods.ts'
import type { RequestOptions } from './peer/pending-request.ts'
import { TransportError } from './peer/transport.ts'
import { repeatedIfRead } from './repeated-reads.ts'
import { serverInfoOf, stamped } from './request-meta.ts'
import { serverCapabilities } from './server-capabilities.ts'
import { type Border, type Fields, label, ShapeError, warn } from './shapes/border.ts'
import { implementation } from './shapes/definition-shapes.ts'
import { ErrorCode, type Params, ProtocolError, RequestError } from './shapes/json-rpc.ts'
import { LimitError, type Limits } from './shapes/limits.ts'
import { ttlOf } from './shapes/result-shapes.ts'
import { type Traits, traitsOf } from './shapes/version-traits.ts'

/** What the answer to `server/discover` says of a server. */
export type Discovery =
  | { readonly is: 'modern'; readonly session: Session }
  /** Nothing that the modern era has: it wants a handshake, with this revision if it named one. */
  | { readonly is: 'legacy'; readonly protocolVersion?: HandshakeVersion; readonly said: string }

type Opening = Omit<OpenOptions, 'protocolVersion' | 'draftProfile'>

/** The era without a handshake: each request says who asks and in which revision (2026-07-28). */
export class ModernEra {
  readonly #limits: Limits
  readonly #onAgreed: OnAgreed

  constructor(limits: Limits, onAgreed: OnAgreed) {
    this.#limits = limits
    this.#onAgreed = onAgreed
  }

  /**
   * Asks the server what it is. Rejects with HandshakeError when it speaks no revision of ours, with the server's ProtocolError
   * when it is modern and refuses us, with RequestError, TransportError or the signal's reason when there was no answer.
   */
  async discover(options: Opening): Promise<Discovery> {
    const [protocolVersion] = MODERN_VERSIONS
    for (let again = false; ; again = true) {
      try {
        return await this.#ask(options, protocolVersion)
      } catch (error) {
        const refusal = modernRefusal(error, options.peer.overHttp)
        if (!refusal) {
          if (error instanceof ProtocolError) return { is: 'legacy', said: `error ${error.code}` }
          if (error instanceof RequestError && error.code === 'invalid-result') return { is: 'legacy', said: error.message }
          throw error
        }
        const { supported } = refusal
        if (!supported) throw error
        // A server may name the very version that it refused: once more, and no third time (V26-NEG-3).
        if (!again && supported.includes(protocolVersion)) continue
        const ours = PROTOCOL_VERSIONS.find((known) => supported.includes(known))
        if (ours && !supported.includes(protocolVersion)) {
          return { is: 'legacy', protocolVersion: ours, said: `it speaks ${ours}` }
        }
        throw versionFailure(protocolVersion, supported)
      }
    }
  }

  async #ask(options: Opening, protocolVersion: ModernVersion): Promise<Discovery> {
    const { peer, features, clientInfo, signal, timeout } = options
    let discovery: Discovery | undefined
    const params = stamped({}, { protocolVersion, clientInfo, features })
    const how: RequestOptions = {
      signal,
      timeout,
      maxTime: timeout,
      uncancellable: true,
      aside: true,
      // Judged on the spot: the next message may be a request of a server, which this era does not have.
      onResult: (result) => {
        discovery = this.#judge(result, options, protocolVersion)
        if (discovery.is !== 'modern') return
        const { traits } = discovery.session
        peer.manners = traits
        peer.served.admission = 'drop'
        this.#onAgreed(traits)
      },
    }
    await repeatedIfRead('server/discover', signal, () => peer.request('server/discover', params, how))
    if (!discovery) throw new RequestError('invalid-result', 'server/discover', 'The server did not say what it is.')
    return discovery
  }

  #judge(result: Fields, options: Opening, protocolVersion: ModernVersion): Discovery {
    const { supportedVersions } = result
    if (!Array.isArray(supportedVersions)) return { is: 'legacy', said: 'something else' }
    const theirs = supportedVersions.filter((name): name is string => typeof name === 'string')
    if (!theirs.includes(protocolVersion)) {
      const ours = PROTOCOL_VERSIONS.find((known) => theirs.includes(known))
      if (ours) return { is: 'legacy', protocolVersion: ours, said: `it speaks ${ours}` }
      throw versionFailure(protocolVersion, theirs)
    }
    const traits = traitsOf(protocolVersion, false)
    const border: Border = { traits, limits: this.#limits, warnings: [] }
    try {
      const hello = helloOf(result, protocolVersion, border)
      for (const warning of border.warnings) options.peer.remark(warning)
      return { is: 'modern', session: new ModernSession(options, hello, ttlOf(result), traits, this.#limits) }
    } catch (error) {
      if (!(error instanceof ShapeError || error instanceof LimitError)) throw error
      const details = { offered: protocolVersion, ours: MODERN_VERSIONS, theirs: theirs.slice(0, 20) }
      throw new HandshakeError('malformed', `What the server says of itself is not valid: ${error.message}.`, details)
    }
  }
}

function helloOf(result: Fields, protocolVersion: ModernVersion, border: Border): Hello {
  const { instructions } = result
  // Drafts had it beside the rest.
  const info = serverInfoOf(result) ?? result.serverInfo
  const serverInfo = nameOf(info, border)
  return {
    protocolVersion,
    capabilities: serverCapabilities(result.capabilities, border),
    ...(serverInfo && { serverInfo }),
    ...(typeof instructions === 'string' && { instructions: label(instructions, 'instructions', border) }),
  }
}

/** Undefined when it says none, or no valid one. */
function nameOf(info: unknown, border: Border): Hello['serverInfo'] {
  try {
    return info === undefined ? undefined : implementation(info, 'serverInfo', border)
  } catch (error) {
    if (!(error instanceof ShapeError || error instanceof LimitError)) throw error
    warn(border, `The server’s name for itself is not valid: ${error.message}.`)
    return undefined
  }
}

class ModernSession implements Session {
  hello: Hello
  onRenamed: (() => void) | undefined
  helloTtl: number
  readonly traits: Traits
  readonly #opening: Opening
  readonly #protocolVersion: ModernVersion
  readonly #limits: Limits
  readonly #methods
  #logLevel: LogLevel | undefined
  /** The server is being asked what it speaks by now. */
  #anew: Promise<void> | undefined
  /** The server does not take the level: nothing names it until another is chosen. */
  #levelRefused = false

  constructor(opening: Opening, hello: Hello, helloTtl: number, traits: Traits, limits: Limits) {
    this.hello = hello
    this.helloTtl = helloTtl
    this.traits = traits
    this.#opening = opening
    this.#protocolVersion = MODERN_VERSIONS[0]
    this.#limits = limits
    this.#methods = clientMethods(traits)
  }

  async call<Name extends ClientMethodName>(
    method: Name,
    params: Params | undefined,
    options: RequestOptions,
  ): Promise<Answer<Name>> {
    const entry = callable(this.#methods, method, this.hello)
    const border: Border = { traits: this.traits, limits: this.#limits, warnings: [] }
    const raw = await this.#spoken(options, () => this.#request(method, params, options))
    this.#heardName(raw)
    const { warnings } = border
    return checkedResult(method, () => {
      if (isComplete(raw, method, border)) return { result: entry.check(raw, border), warnings }
      return { inputRequired: inputRequired(raw, border), warnings }
    })
  }

  /** What came last is shown; nothing is decided by it (V26-META-8, V26-META-9). */
  #heardName(result: Fields): void {
    const info = serverInfoOf(result)
    const { serverInfo: known } = this.hello
    if (!isObject(info) || (info.name === known?.name && info.version === known?.version && info.title === known?.title)) return
    const border: Border = { traits: this.traits, limits: this.#limits, warnings: [] }
    const serverInfo = nameOf(info, border)
    if (!serverInfo) return
    this.hello = { ...this.hello, serverInfo }
    this.onRenamed?.()
  }

  /** Nothing is sent: each request from now on says it (V26-LOG-1). */
  async setLogLevel(level: LogLevel): Promise<void> {
    this.#logLevel = level
    this.#levelRefused = false
  }

  async rediscover(options: RequestOptions): Promise<void> {
    const method = 'server/discover'
    const raw = await this.#opening.peer.request(method, this.#stamped({}, undefined), options)
    const border: Border = { traits: this.traits, limits: this.#limits, warnings: [] }
    const { supportedVersions } = raw
    if (!Array.isArray(supportedVersions) || !supportedVersions.includes(this.#protocolVersion)) {
      throw new RequestError('invalid-result', method, `The server no longer says that it speaks ${this.#protocolVersion}.`)
    }
    this.hello = checkedResult(method, () => helloOf(raw, this.#protocolVersion, border))
    this.helloTtl = ttlOf(raw)
    for (const warning of border.warnings) this.#opening.peer.remark(warning)
  }

  listen(notifications: Params, options: RequestOptions): Promise<Params> {
    const { peer } = this.#opening
    return peer.request('subscriptions/listen', this.#stamped({ notifications }, undefined), {
      ...options,
      subscription: true,
      aside: true,
    })
  }

  /** A refusal of the version has the server asked anew; what it refused so had no effect, and is asked once more (V26-NEG-23). */
  async #spoken(options: RequestOptions, ask: () => Promise<Fields>): Promise<Fields> {
    try {
      return await ask()
    } catch (error) {
      if (!modernRefusal(error, this.#opening.peer.overHttp)?.supported) throw error
      const { signal, timeout, maxTime } = options
      this.#anew ??= this.rediscover({ signal, timeout, maxTime, aside: true }).finally(() => {
        this.#anew = undefined
      })
      try {
        await this.#anew
      } catch (refused) {
        if (refused instanceof ProtocolError || (refused instanceof RequestError && refused.code === 'invalid-result'))
          this.#leave()
        throw error
      }
      return ask()
    }
  }

  /** There is no version left in common: the next connection begins with the probe. */
  #leave(): void {
    const text = `The server no longer speaks ${this.#protocolVersion}.`
    void this.#opening.peer.break(new TransportError('closed', text))
  }

  /** One that the log level may be the fault of is asked once more without it, unless that could do something twice (V26-LOG-3). */
  async #request(method: ClientMethodName, params: Params | undefined, options: RequestOptions): Promise<Fields> {
    const { peer } = this.#opening
    const ask = (level: LogLevel | undefined) =>
      repeatedIfRead(method, options.signal, () => peer.request(method, this.#stamped(params, level), options))
    const level = this.hello.capabilities.logging && !this.#levelRefused ? this.#logLevel : undefined
    try {
      return await ask(level)
    } catch (error) {
      const mayBeLevel = level !== undefined && error instanceof ProtocolError && error.code === ErrorCode.invalidParams
      if (!mayBeLevel || method === 'tools/call') throw error
      const raw = await ask(undefined)
      this.#levelRefused = true
      peer.remark(`The server refused the log level “${level}”; nothing asks for log messages until another is chosen.`)
      return raw
    }
  }

  #stamped(params: Params | undefined, logLevel: LogLevel | undefined): Params {
    const { clientInfo, features } = this.#opening
    return stamped(params, { protocolVersion: this.#protocolVersion, clientInfo, features, logLevel })
  }
}

/** Whether a result is the answer; an absent type counts as that (V26-ERR-1), what was not declared is invalid (V26-ERR-6). */
function isComplete(result: Fields, method: string, border: Border): boolean {
  const { resultType } = result
  if (resultType === 'complete') return true
  if (resultType === undefined) {
    warn(border, 'The result does not say its type; it counts as complete.')
    return true
  }
  if (resultType === 'input_required' && MAY_NEED_INPUT.has(method)) return false
  if (resultType === 'task')
    throw new ShapeError('resultType', 'is “task”: the server wants to run it as a task, which was not offered')
  throw new ShapeError('resultType', `is ${JSON.stringify(resultType)?.slice(0, 100)}, which ${method} does not have`)
}

/** An error that only a server of this era gives (V26-NEG-9); malformed ones are like any other. */
export function modernRefusal(error: unknown, overHttp: boolean): { readonly supported?: readonly string[] } | undefined {
  if (!(error instanceof ProtocolError)) return undefined
  const data = isObject(error.data) ? error.data : {}
  if (error.code === ErrorCode.unsupportedVersion) {
    const { supported } = data
    if (!Array.isArray(supported) || !supported.every((name) => typeof name === 'string')) return undefined
    return { supported }
  }
  if (error.code === ErrorCode.missingCapability) return isObject(data.requiredCapabilities) ? {} : undefined
  return error.code === ErrorCode.headerMismatch && overHttp ? {} : undefined
}

function versionFailure(offered: ModernVersion, supported: readonly string[]): HandshakeError {
  const ours = [...MODERN_VERSIONS, ...PROTOCOL_VERSIONS]
  const theirs = supported.slice(0, 20).map((name) => name.slice(0, 40))
  const message = `The server speaks ${theirs.join(', ') || 'no protocol version that it names'}; this host speaks ${ours.join(', ')}.`
  return new HandshakeError('version', message, { offered, ours, theirs })
}
