import { isObject } from '../../src-shared/base/json.ts'
import { type LogLevel, MODERN_VERSION } from '../../src-shared/mcp/primitives.ts'
import type { EraAnswer, Hello, ModernOpening, Session } from './era.ts'
import { inputRequired, MAY_NEED_INPUT } from './input-required.ts'
import { type ClientMethodName, callable, checkedResult, clientMethods } from './methods.ts'
import { modernHelloOf, nameOf } from './modern-hello.ts'
import { modernRefusal } from './modern-refusal.ts'
import type { RequestOptions } from './peer/pending-request.ts'
import { TransportError } from './peer/transport.ts'
import { repeatedIfRead } from './repeated-reads.ts'
import { serverInfoOf, stamped } from './request-meta.ts'
import { type Border, type Fields, ShapeError, warn } from './shapes/border.ts'
import { ErrorCode, type Params, ProtocolError, RequestError } from './shapes/json-rpc.ts'
import type { Limits } from './shapes/limits.ts'
import { ttlOf } from './shapes/result-shapes.ts'
import type { Traits } from './shapes/version-traits.ts'

/** A server that was found to be modern: each request says all that it needs to know. */
export class ModernSession implements Session {
  hello: Hello
  onRenamed: (() => void) | undefined
  helloTtl: number
  readonly traits: Traits
  readonly #opening: ModernOpening
  readonly #limits: Limits
  readonly #methods
  #logLevel: LogLevel | undefined
  /** The server is being asked what it speaks by now. */
  #rediscovery: Promise<void> | undefined
  /** The server does not take the level: nothing names it until another is chosen. */
  #levelRefused = false

  constructor(opening: ModernOpening, hello: Hello, helloTtl: number, traits: Traits, limits: Limits) {
    this.hello = hello
    this.helloTtl = helloTtl
    this.traits = traits
    this.#opening = opening
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
    const raw = await this.#raw(method, params, options)
    this.#heardName(raw)
    const { warnings } = border
    return checkedResult<EraAnswer<Name>>(method, async () => {
      if (isComplete(raw, method, border)) return { result: await entry.check(raw, border), warnings }
      return { inputRequired: inputRequired(raw, border), warnings }
    })
  }

  /** The latest one is shown; nothing is decided by it (V26-META-8, V26-META-9). */
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
    if (!Array.isArray(supportedVersions) || !supportedVersions.includes(MODERN_VERSION)) {
      throw new RequestError('invalid-result', method, `The server no longer says that it speaks ${MODERN_VERSION}.`)
    }
    this.hello = await checkedResult(method, () => modernHelloOf(raw, border))
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

  /** A request that succeeds at once passes through no more than this. */
  async #raw(method: ClientMethodName, params: Params | undefined, options: RequestOptions): Promise<Fields> {
    const level = this.#level
    try {
      return await this.#opening.peer.request(method, this.#stamped(params, level), options)
    } catch (error) {
      let first: Promise<Fields> | undefined = Promise.reject(error)
      return this.#spoken(options, () => {
        const asked = first
        first = undefined
        return this.#request(method, params, options, asked ? level : this.#level, asked)
      })
    }
  }

  get #level(): LogLevel | undefined {
    return this.hello.capabilities.logging && !this.#levelRefused ? this.#logLevel : undefined
  }

  /** A refused version makes us discover the server again; the refused request had no effect, and is sent once more (V26-NEG-23). */
  async #spoken(options: RequestOptions, ask: () => Promise<Fields>): Promise<Fields> {
    try {
      return await ask()
    } catch (error) {
      if (!modernRefusal(error, this.#opening.peer.overHttp)?.supported) throw error
      const { signal, timeout, maxTime } = options
      this.#rediscovery ??= this.rediscover({ signal, timeout, maxTime, aside: true }).finally(() => {
        this.#rediscovery = undefined
      })
      try {
        await this.#rediscovery
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
    const text = `The server no longer speaks ${MODERN_VERSION}.`
    void this.#opening.peer.break(new TransportError('closed', text))
  }

  /** One that the log level may be the fault of is asked once more without it, unless that could do something twice (V26-LOG-3). */
  async #request(
    method: ClientMethodName,
    params: Params | undefined,
    options: RequestOptions,
    level: LogLevel | undefined,
    first: Promise<Fields> | undefined,
  ): Promise<Fields> {
    const { peer } = this.#opening
    const ask = (said: LogLevel | undefined, asked?: Promise<Fields>) =>
      repeatedIfRead(method, options.signal, () => peer.request(method, this.#stamped(params, said), options), asked)
    try {
      return await ask(level, first)
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
    return stamped(params, { clientInfo, features, logLevel })
  }
}

/** True if a result is complete; an absent type counts as complete (V26-ERR-1), an undeclared one is invalid (V26-ERR-6). */
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
