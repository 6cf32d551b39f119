import type { Clock } from '../../src-shared/base/clock.ts'
import type { Emitter } from '../../src-shared/base/emitter.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import type { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { ElicitUrlParams } from '../../src-shared/mcp/client-requests.ts'
import type { CallToolResult } from '../../src-shared/mcp/content.ts'
import type { CompletionResult, GetPromptResult, LogLevel, ReadResourceResult } from '../../src-shared/mcp/primitives.ts'
import type { CheckValue } from '../../src-shared/mcp/schema-verdict.ts'
import type { Hello, Session } from '../protocol/era.ts'
import type { ClientMethodName, Results } from '../protocol/methods.ts'
import { mirroredValues } from '../protocol/mirrored-arguments.ts'
import type { Peer } from '../protocol/peer/peer.ts'
import type { RequestOptions } from '../protocol/peer/pending-request.ts'
import type { TransportError } from '../protocol/peer/transport.ts'
import { requiredElicitations } from '../protocol/shapes/elicitation-shapes.ts'
import { ErrorCode, type Params, ProtocolError, RequestError, type RequestId } from '../protocol/shapes/json-rpc.ts'
import type { Limits } from '../protocol/shapes/limits.ts'
import type { CallOptions } from './call-options.ts'
import type { Catalog } from './catalog.ts'
import { type CompletionContext, type CompletionRef, Completions } from './completions.ts'
import type { Introduction } from './introduction.ts'
import type { Listening } from './listening.ts'
import type { LogEntry } from './log-messages.ts'
import { RisingProgress } from './rising-progress.ts'
import type { RoundOptions, Rounds, SendRound } from './rounds.ts'
import type { ServerNews } from './server-news.ts'
import type { TaskOptions } from './task-run.ts'
import type { Tasks } from './tasks.ts'
import { checkStructuredContent } from './tool-output.ts'

/** Milliseconds for which a server is asked to keep a task (TASK-5). */
const TASK_TTL = 24 * 60 * 60_000

interface Warned {
  readonly warnings: readonly string[]
}

export interface ClientParts {
  readonly peer: Peer
  readonly session: Session
  readonly news: ServerNews
  readonly catalog: Catalog
  readonly lifetime: Lifetime
  readonly clock: Clock
  readonly limits: Limits
  readonly requestTimeout: number
  readonly maxRequestTime: number
  readonly declaredRoots: boolean
  readonly checkValue: CheckValue
  readonly introduction: Introduction
  readonly rounds: Rounds
  readonly tasks: Tasks
  /** Only in the modern era. */
  readonly listening?: Listening | undefined
}

/**
 * The typed requests of one server. Every method rejects with ProtocolError (the server's error), RequestError (no usable answer),
 * TransportError, or the signal's reason.
 */
export class Client {
  /** Resolves at the end of the connection, with the error if there was one. */
  readonly closed: Promise<TransportError | undefined>
  readonly catalog: Catalog
  readonly onLog: Emitter<LogEntry>
  readonly onResourceUpdated: Emitter<{ uri: string }>
  readonly #parts: ClientParts
  readonly #completions: Completions
  readonly #rounds: Rounds
  /** By URI: subscribing in progress, which later subscribers share. */
  readonly #subscribing = new Map<string, Promise<unknown>>()

  constructor(parts: ClientParts) {
    this.#parts = parts
    this.closed = parts.peer.closed
    this.catalog = parts.catalog
    this.#rounds = parts.rounds
    this.onLog = parts.news.onLog
    this.onResourceUpdated = parts.news.subscriptions.onUpdated
    this.#completions = new Completions(parts.session.traits, parts.clock, (params, options) =>
      this.#call('completion/complete', params, options),
    )
    parts.news.onListChanged.on(() => this.#completions.forget())
  }

  get hello(): Hello {
    return this.#parts.session.hello
  }

  /** Reloads stale facts before a use. Never rejects while connected. */
  async freshen(): Promise<void> {
    await Promise.all([this.#parts.introduction.freshen(), this.catalog.freshen()])
  }

  /** Drops and reloads all lists, after a change of account (V26-CACHE-7, V26-TOOL-9). */
  async forget(): Promise<void> {
    if (this.#parts.session.traits.session) return
    this.#completions.forget()
    this.#parts.listening?.renew()
    await this.catalog.forget()
  }

  /** A result with `isError` is a result. Structured content that violates the tool's own schema is left out with a warning (TOOL-24). */
  async callTool(name: string, args: JsonObject | undefined, options: CallOptions): Promise<CallToolResult & Warned> {
    const { task } = options
    const answer = task
      ? await this.#parts.tasks.resume(name, task, this.#timed(options))
      : await this.#callTool(name, args, options)
    const schema = this.catalog.tool(name)?.tool.outputSchema
    const { checkValue, session } = this.#parts
    return schema
      ? checkStructuredContent(answer.result, schema, answer.warnings, checkValue, session.traits.session)
      : { ...answer.result, warnings: answer.warnings }
  }

  /** Headers follow the latest definition, which is reloaded once if the server rejects them (V26-HTTP-18, V26-HTTP-19). */
  async #callTool(
    name: string,
    args: JsonObject | undefined,
    options: CallOptions,
  ): Promise<{ result: CallToolResult } & Warned> {
    const { session } = this.#parts
    const call = (params: Params | undefined, how: RequestOptions) => {
      const listed = this.catalog.tool(name)?.mirrored
      return session.call('tools/call', params, listed ? { ...how, mirrored: mirroredValues(listed, args) } : how)
    }
    let reread = false
    const send: SendRound<'tools/call'> = async (params, how) => {
      try {
        return await this.#untilEnd(name, params, how, call)
      } catch (error) {
        if (reread || session.traits.session || !isHeaderMismatch(error)) throw error
        reread = true
        await this.catalog.rereadTools()
        options.signal.throwIfAborted()
        await options.again?.()
        return this.#untilEnd(name, params, how, call)
      }
    }
    return this.#call('tools/call', { name, ...(args && { arguments: args }) }, options, send)
  }

  /** Sends a tool call, as a task where the tool wants one, and follows a task to its end. */
  async #untilEnd(
    name: string,
    params: Params | undefined,
    options: RequestOptions & TaskOptions,
    call: SendRound<'tools/call'>,
  ): ReturnType<SendRound<'tools/call'>> {
    const { tasks, session, clock } = this.#parts
    const began = clock.now()
    const ended = Promise.withResolvers<void>()
    let id: RequestId | undefined
    const how: RequestOptions & TaskOptions = {
      ...options,
      onSent: (sent) => {
        id = sent
        options.onSent?.(sent)
      },
      // Progress of a task is reported for the request that created it (TASK-14).
      ...(session.traits.session && { progressUntil: ended.promise }),
      onLate: (result) => tasks.late(result),
    }
    const support = tasks.mayAsk ? this.catalog.tool(name)?.tool.execution?.taskSupport : undefined
    const ask = (asTask: boolean) => call(asTask ? { ...params, task: { ttl: TASK_TTL } } : params, how)
    try {
      const asTask = support === 'required' || (support === 'optional' && (options.asTask === true || tasks.isLong(name)))
      const answer = await ask(asTask).catch((error: unknown) => {
        // Nothing ran: the list of tools and the tool itself differ (TASK-4).
        if ((support !== 'optional' && support !== 'required') || !isWrongWay(error)) throw error
        options.signal.throwIfAborted()
        return ask(!asTask)
      })
      return 'task' in answer ? await tasks.created(name, answer.task, how, id) : answer
    } finally {
      if (support === 'optional') tasks.took(name, clock.now() - began)
      ended.resolve()
    }
  }

  async readResource(uri: string, options: CallOptions): Promise<ReadResourceResult & Warned> {
    const { result, warnings } = await this.#call('resources/read', { uri }, options)
    return { ...result, warnings }
  }

  /** One page of the skills that a server offers; its entries are unchecked. */
  async listSkills(cursor: string | undefined, options: CallOptions): Promise<Results['skills/list']> {
    return (await this.#call('skills/list', cursor === undefined ? {} : { cursor }, options)).result
  }

  async getSkill(uri: string, options: CallOptions): Promise<Results['skills/get']['skill']> {
    return (await this.#call('skills/get', { uri }, options)).result.skill
  }

  /** Subscribers are counted: the server gets one request for all. */
  async subscribe(uri: string, options: CallOptions): Promise<void> {
    const { listening, news } = this.#parts
    const { subscriptions } = news
    if (subscriptions.add(uri)) {
      this.#subscribing.set(uri, listening ? listening.watch(uri) : this.#call('resources/subscribe', { uri }, options))
    }
    try {
      await this.#subscribing.get(uri)
    } catch (error) {
      subscriptions.remove(uri)
      throw error
    }
  }

  /** True if the server announces changes of a subscribed resource; `onWatching` fires when that changes. */
  watches(uri: string): boolean {
    return this.#parts.listening?.watches(uri) ?? this.#parts.news.subscriptions.uris.includes(uri)
  }

  /** True while it has to tell of changes of a resource. */
  get isWatching(): boolean {
    return this.#parts.news.subscriptions.uris.length > 0
  }

  get onWatching(): Emitter<void> | undefined {
    return this.#parts.listening?.onWatching
  }

  async unsubscribe(uri: string, options: CallOptions): Promise<void> {
    if (!this.#parts.news.subscriptions.remove(uri)) return
    this.#subscribing.delete(uri)
    const { listening } = this.#parts
    if (listening) return listening.unwatch()
    await this.#call('resources/unsubscribe', { uri }, options)
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> | undefined,
    options: CallOptions,
  ): Promise<GetPromptResult & Warned> {
    const { result, warnings } = await this.#call('prompts/get', { name, ...(args && { arguments: args }) }, options)
    return { ...result, warnings }
  }

  /** A newer completion of an argument cancels the earlier one (COMP-17). */
  complete(
    ref: CompletionRef,
    argument: { readonly name: string; readonly value: string },
    context: CompletionContext | undefined,
    options: CallOptions,
  ): Promise<CompletionResult> {
    return this.#completions.complete(ref, argument, context, options)
  }

  async setLogLevel(level: LogLevel, options: CallOptions): Promise<void> {
    await this.#parts.session.setLogLevel(level, this.#timed(options))
    this.#parts.news.logLevel = level
  }

  async ping(options: CallOptions): Promise<void> {
    await this.#call('ping', undefined, options)
  }

  /** URLs that a person must visit before a request that failed with -32042 can succeed; empty for every other error. */
  requiredElicitations(error: unknown): readonly ElicitUrlParams[] {
    const { session, limits } = this.#parts
    return error instanceof ProtocolError ? requiredElicitations(error, { traits: session.traits, limits, warnings: [] }) : []
  }

  /** Notifies the server of changed roots, if they were declared (ROOT-18). */
  rootsChanged(): void {
    if (!this.#parts.declaredRoots || !this.#parts.session.traits.session) return
    const { peer } = this.#parts
    peer.notify('notifications/roots/list_changed').catch((error: unknown) => {
      peer.remark(`The changed roots could not be sent: ${String(error)}`)
    })
  }

  close(): Promise<void> {
    return this.#parts.lifetime.end()
  }

  async #call<Name extends ClientMethodName>(
    method: Name,
    params: Params | undefined,
    options: CallOptions,
    send: SendRound<Name> = (more, how) => this.#parts.session.call(method, more, how),
  ): Promise<{ readonly result: Results[Name] } & Warned> {
    const { session } = this.#parts
    const how = this.#timed(options, method === 'ping')
    try {
      // The legacy era has no rounds, so one from another connection cannot continue here.
      if (session.traits.session && options.from) {
        throw new RequestError('closed', method, 'The server speaks an older protocol now.')
      }
      const first = session.traits.session ? await send(params, how) : undefined
      if (first && 'result' in first) return first
      return await this.#rounds.run(method, params ?? {}, withRisingProgress(how), send)
    } catch (error) {
      if (error instanceof ProtocolError) this.#learn(method, error.code)
      throw error
    }
  }

  /** Marks cached lists and capabilities stale that an error contradicts (V26-DISC-5, V26-CACHE-6, V26-TOOL-10). */
  #learn(method: ClientMethodName, code: number): void {
    const { session, introduction } = this.#parts
    if (session.traits.session) return
    if (code === ErrorCode.methodNotFound) introduction.doubt()
    const unknown = code === ErrorCode.invalidParams || code === ErrorCode.resourceNotFound
    if (unknown && method === 'tools/call') this.catalog.changed(['tools'])
    if (unknown && method === 'prompts/get') this.catalog.changed(['prompts'])
    if (unknown && method === 'resources/read') this.catalog.changed(['resources', 'templates'])
  }

  #timed(options: CallOptions, aside = false): RequestOptions & RoundOptions {
    const { requestTimeout, maxRequestTime } = this.#parts
    return { ...options, timeout: options.timeout ?? requestTimeout, maxTime: options.maxTime ?? maxRequestTime, aside }
  }
}

/** Makes the progress of a call cover all its requests. */
function withRisingProgress<Options extends RequestOptions>(options: Options): Options {
  const { onProgress, onSent } = options
  if (!onProgress) return options
  const rising = new RisingProgress(onProgress)
  const sent = (id: RequestId) => {
    rising.begin()
    onSent?.(id)
  }
  return { ...options, onSent: sent, onProgress: (progress) => rising.reached(progress) }
}

/** True if the server wanted a task where there was none, or the other way round. */
function isWrongWay(error: unknown): boolean {
  if (!(error instanceof ProtocolError)) return false
  return error.code === ErrorCode.methodNotFound || error.code === ErrorCode.invalidRequest
}

function isHeaderMismatch(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === ErrorCode.headerMismatch
}
