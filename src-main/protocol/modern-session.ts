import { isObject } from '../../src-shared/base/json.ts'
import { TASKS } from '../../src-shared/mcp/extensions.ts'
import { type LogLevel, MODERN_VERSION } from '../../src-shared/mcp/primitives.ts'
import type { EraAnswer, Hello, ModernOpening, Session } from './era.ts'
import { inputRequired, MAY_NEED_INPUT } from './input-required.ts'
import { type ClientMethodName, callable, checkedResult, clientMethods } from './methods.ts'
import { modernHelloOf, serverInfoIn } from './modern-hello.ts'
import { modernRefusal } from './modern-refusal.ts'
import type { RequestOptions } from './peer/pending-request.ts'
import { TransportError } from './peer/transport.ts'
import { repeatedIfRead } from './repeated-reads.ts'
import { serverInfoOf, withMeta } from './request-meta.ts'
import { type Border, type Fields, ShapeError, warn } from './shapes/border.ts'
import { ErrorCode, type Params, ProtocolError, RequestError } from './shapes/json-rpc.ts'
import type { Limits } from './shapes/limits.ts'
import { ttlOf } from './shapes/result-shapes.ts'
import type { Traits } from './shapes/version-traits.ts'
import { createdTask } from './task.ts'

/** A session of the modern era, where each request carries all that the server needs to know. */
export class ModernSession implements Session {
  hello: Hello
  onRenamed: (() => void) | undefined
  helloTtl: number
  readonly traits: Traits
  readonly #opening: ModernOpening
  readonly #limits: Limits
  readonly #methods
  #logLevel: LogLevel | undefined
  #rediscovery: Promise<void> | undefined
  /** The server refused the log level, which is left out until another is chosen. */
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
    this.#updateName(raw)
    const { warnings } = border
    return checkedResult<EraAnswer<Name>>(method, async () => {
      if (raw.resultType === 'task' && method === 'tools/call' && this.#tasks) return { task: createdTask(raw, border), warnings }
      if (isComplete(raw, method, border)) return { result: await entry.check(raw, border), warnings }
      return { inputRequired: inputRequired(raw, border), warnings }
    })
  }

  /** Both sides declared tasks. */
  get #tasks(): boolean {
    return this.#opening.features.extensions?.[TASKS] !== undefined && this.hello.capabilities.extensions?.[TASKS] !== undefined
  }

  /** The name is only shown; nothing depends on it (V26-META-8, V26-META-9). */
  #updateName(result: Fields): void {
    const info = serverInfoOf(result)
    const { serverInfo: known } = this.hello
    if (!isObject(info) || (info.name === known?.name && info.version === known?.version && info.title === known?.title)) return
    const border: Border = { traits: this.traits, limits: this.#limits, warnings: [] }
    const serverInfo = serverInfoIn(info, border)
    if (!serverInfo) return
    this.hello = { ...this.hello, serverInfo }
    this.onRenamed?.()
  }

  /** Sends nothing: every later request names the level (V26-LOG-1). */
  async setLogLevel(level: LogLevel): Promise<void> {
    this.#logLevel = level
    this.#levelRefused = false
  }

  async rediscover(options: RequestOptions): Promise<void> {
    const method = 'server/discover'
    const raw = await this.#opening.peer.request(method, this.#withMeta({}, undefined), options)
    const border: Border = { traits: this.traits, limits: this.#limits, warnings: [] }
    const { supportedVersions } = raw
    if (!Array.isArray(supportedVersions) || !supportedVersions.includes(MODERN_VERSION)) {
      throw new RequestError('invalid-result', method, `The server no longer lists version ${MODERN_VERSION}.`)
    }
    this.hello = await checkedResult(method, () => modernHelloOf(raw, border))
    this.helloTtl = ttlOf(raw)
    for (const warning of border.warnings) this.#opening.peer.remark(warning)
  }

  listen(notifications: Params, options: RequestOptions): Promise<Params> {
    const { peer } = this.#opening
    return peer.request('subscriptions/listen', this.#withMeta({ notifications }, undefined), {
      ...options,
      subscription: true,
      aside: true,
    })
  }

  /** The usual path is short: everything about refusals runs only after an error. */
  async #raw(method: ClientMethodName, params: Params | undefined, options: RequestOptions): Promise<Fields> {
    const level = this.#level
    try {
      return await this.#opening.peer.request(method, this.#withMeta(params, level), options)
    } catch (error) {
      let first: Promise<Fields> | undefined = Promise.reject(error)
      return this.#rediscoverIfRefused(options, () => {
        const asked = first
        first = undefined
        return this.#request(method, params, options, asked ? level : this.#level, asked)
      })
    }
  }

  get #level(): LogLevel | undefined {
    return this.hello.capabilities.logging && !this.#levelRefused ? this.#logLevel : undefined
  }

  /** A refused version makes us discover the server again. The refused request had no effect and is sent once more (V26-NEG-23). */
  async #rediscoverIfRefused(options: RequestOptions, ask: () => Promise<Fields>): Promise<Fields> {
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

  /** Ends the connection without a common version; the next one begins with a probe. */
  #leave(): void {
    const text = `The server no longer speaks ${MODERN_VERSION}.`
    void this.#opening.peer.break(new TransportError('closed', text))
  }

  /** Sends a request again without the log level if that may be the error, unless the request could act twice (V26-LOG-3). */
  async #request(
    method: ClientMethodName,
    params: Params | undefined,
    options: RequestOptions,
    level: LogLevel | undefined,
    first: Promise<Fields> | undefined,
  ): Promise<Fields> {
    const { peer } = this.#opening
    const ask = (logLevel: LogLevel | undefined, asked?: Promise<Fields>) =>
      repeatedIfRead(method, options.signal, () => peer.request(method, this.#withMeta(params, logLevel), options), asked)
    try {
      return await ask(level, first)
    } catch (error) {
      const mayBeLevel = level !== undefined && error instanceof ProtocolError && error.code === ErrorCode.invalidParams
      if (!mayBeLevel || method === 'tools/call') throw error
      const raw = await ask(undefined)
      this.#levelRefused = true
      peer.remark(`The server refused the log level “${level}”; no log messages come until another is chosen.`)
      return raw
    }
  }

  #withMeta(params: Params | undefined, logLevel: LogLevel | undefined): Params {
    const { clientInfo, features } = this.#opening
    return withMeta(params, { clientInfo, features, logLevel })
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
  // The examples of the extension say so; the status decides (TASK-25).
  if (resultType === 'task' && method === 'tasks/get') return true
  if (resultType === 'task')
    throw new ShapeError('resultType', 'is “task”: the server wants to run it as a task, which this client did not offer')
  throw new ShapeError('resultType', `is ${JSON.stringify(resultType)?.slice(0, 100)}, which ${method} does not have`)
}
