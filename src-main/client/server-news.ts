import type { Clock } from '../../src-shared/base/clock.ts'
import { Emitter } from '../../src-shared/base/emitter.ts'
import type { LogLevel, ServerCapabilities } from '../../src-shared/mcp/primitives.ts'
import { type ServerNotification, serverNotifications } from '../protocol/methods.ts'
import type { ClientFeatures } from '../protocol/peer/client-features.ts'
import type { Limits } from '../protocol/shapes/limits.ts'
import type { Traits } from '../protocol/shapes/version-traits.ts'
import { type LogEntry, logEntry } from './log-messages.ts'
import { Subscriptions } from './subscriptions.ts'

const EARLY: ReadonlySet<string> = new Set(['notifications/message'])
/** Log entries that are kept until there is a listener: servers log during the handshake. */
const MAX_EARLY_LOGS = 200

/** Dispatches notifications of the server. Made before the session, since logs may come first (LIFE-12). */
export class ServerNews {
  readonly onLog = new BacklogEmitter<LogEntry>(MAX_EARLY_LOGS)
  readonly onListChanged = new Emitter<'tools' | 'resources' | 'prompts'>()
  /** Params of a task's status, unchecked. */
  readonly onTask = new Emitter<Record<string, unknown>>()
  readonly subscriptions: Subscriptions
  /** Undefined before the handshake. */
  capabilities: ServerCapabilities | undefined
  logLevel: LogLevel | undefined
  /** Filters notifications of subscription streams, in the modern era. */
  listening: { admits(method: string, params: Record<string, unknown>): boolean } | undefined
  readonly #features: ClientFeatures
  readonly #limits: Limits
  readonly #onRemark: (text: string) => void
  #known: ReadonlySet<string> = EARLY
  #unasked = false

  constructor(features: ClientFeatures, limits: Limits, clock: Clock, onRemark: (text: string) => void) {
    this.#features = features
    this.#limits = limits
    this.#onRemark = onRemark
    this.subscriptions = new Subscriptions(clock, onRemark)
  }

  agreed(traits: Traits): void {
    this.#known = serverNotifications(traits)
    this.#unasked = !traits.session
  }

  /** False for a notification that the revision does not have (MSG-15). */
  hear(method: string, params: Record<string, unknown>): boolean {
    if (!this.#known.has(method)) return false
    if (this.listening && !this.listening.admits(method, params)) return true
    // `#known` holds only such names.
    switch (method as ServerNotification) {
      case 'notifications/message': {
        const declared = this.capabilities === undefined || this.capabilities.logging !== undefined
        this.onLog.fire(logEntry(params, declared, this.logLevel, this.#limits, this.#asked))
        return true
      }
      case 'notifications/resources/updated':
        this.subscriptions.updated(params.uri)
        return true
      case 'notifications/tools/list_changed':
        return this.#listChanged('tools')
      case 'notifications/resources/list_changed':
        return this.#listChanged('resources')
      case 'notifications/prompts/list_changed':
        return this.#listChanged('prompts')
      case 'notifications/tasks/status':
        this.onTask.fire(params)
        return true
      case 'notifications/subscriptions/acknowledged':
        return true
      case 'notifications/elicitation/complete': {
        const { elicitationId } = params
        if (typeof elicitationId === 'string') this.#features.elicitation?.completed?.(elicitationId)
        return true
      }
    }
  }

  /** In the legacy era servers may log before a level is set; in the modern one each request asks (V26-LOG-2). */
  get #asked(): boolean {
    return !this.#unasked || this.logLevel !== undefined
  }

  #listChanged(noun: 'tools' | 'resources' | 'prompts'): true {
    if (this.capabilities && this.capabilities[noun]?.listChanged !== true) {
      this.#onRemark(`The server changed its ${noun} but did not declare list changes.`)
    }
    this.onListChanged.fire(noun)
    return true
  }
}

/** Keeps a bounded number of values until the first listener. */
class BacklogEmitter<T> extends Emitter<T> {
  readonly #most: number
  #backlog: T[] = []

  constructor(most: number) {
    super()
    this.#most = most
  }

  override on(listen: (value: T) => void): () => void {
    const undo = super.on(listen)
    const backlog = this.#backlog
    this.#backlog = []
    for (const value of backlog) listen(value)
    return undo
  }

  override fire(value: T): void {
    if (this.size > 0) super.fire(value)
    else if (this.#backlog.length < this.#most) this.#backlog.push(value)
  }
}
