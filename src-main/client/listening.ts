import { Emitter } from '../../src-shared/base/emitter.ts'
import { isObject } from '../../src-shared/base/json.ts'
import type { Session } from '../protocol/era.ts'
import { subscriptionOf } from '../protocol/request-meta.ts'
import { RequestError } from '../protocol/shapes/json-rpc.ts'
import { ListenStream, type ListenStreamParts, type SubscriptionFilter } from './listen-stream.ts'
import type { Subscriptions } from './subscriptions.ts'

type Noun = 'tools' | 'resources' | 'prompts'

const LISTS = { tools: 'toolsListChanged', prompts: 'promptsListChanged', resources: 'resourcesListChanged' } as const
const NOUNS = ['tools', 'prompts', 'resources'] as const

const CHANGED: Readonly<Record<string, Noun>> = {
  'notifications/tools/list_changed': 'tools',
  'notifications/prompts/list_changed': 'prompts',
  'notifications/resources/list_changed': 'resources',
}
const UPDATED = 'notifications/resources/updated'

interface ListeningParts extends Pick<ListenStreamParts, 'clock' | 'listen' | 'onRemark' | 'random'> {
  readonly session: Pick<Session, 'hello'>
  readonly subscriptions: Subscriptions
  /** Called when the set of announced lists changes. */
  readonly onCovered: () => void
  /** Called when changes of these lists may have been missed. */
  readonly onMissed: (nouns: readonly Noun[]) => void
}

/** Subscriptions in the modern era: a stream for lists, another for resources (V26-SUB-7). */
export class Listening {
  /** Fires when the set of announced resources changes. */
  readonly onWatching = new Emitter<void>()
  readonly #parts: ListeningParts
  readonly #lists: ListenStream
  readonly #resources: ListenStream
  #last = 0
  #wanted: SubscriptionFilter = {}
  #stopped = false

  constructor(parts: ListeningParts) {
    this.#parts = parts
    const { listen, clock, onRemark, random } = parts
    const shared = {
      clock,
      onRemark,
      listen,
      // A string survives servers that turn ids into strings (V26-SUB-5).
      nextId: () => `listen-${++this.#last}`,
      ...(random && { random }),
    }
    this.#lists = new ListenStream({
      ...shared,
      onConfirmed: (confirmed, missed) => {
        parts.onCovered()
        if (missed && confirmed) parts.onMissed(NOUNS.filter((noun) => this.#wanted[LISTS[noun]]))
      },
    })
    this.#resources = new ListenStream({
      ...shared,
      onConfirmed: (confirmed, missed) => {
        this.onWatching.fire()
        if (missed && confirmed) parts.subscriptions.missed()
      },
    })
  }

  /** Opens a stream for the lists whose changes the server declared, if any (V26-SUB-2). */
  begin(): void {
    const { capabilities } = this.#parts.session.hello
    const declared = NOUNS.filter((noun) => capabilities[noun]?.listChanged === true)
    const filter: SubscriptionFilter = Object.fromEntries(declared.map((noun) => [LISTS[noun], true]))
    const same = NOUNS.every((noun) => filter[LISTS[noun]] === this.#wanted[LISTS[noun]])
    if (same || this.#stopped) return
    this.#wanted = filter
    if (declared.length === 0) this.#lists.cancel()
    else this.#lists.want(filter).catch(() => {}) // Reported as a remark; lists are reloaded by age.
    this.#parts.onCovered()
  }

  /** Opens all streams again, after a change of account. */
  renew(): void {
    if (this.#stopped) return
    this.#lists.renew()
    this.#resources.renew()
  }

  covers(noun: Noun): boolean {
    return this.#lists.confirmed?.[LISTS[noun]] === true
  }

  /** Lists whose changes were declared but are not announced now. */
  get unannounced(): readonly Noun[] {
    return NOUNS.filter((noun) => this.#wanted[LISTS[noun]] && !this.covers(noun) && this.#lists.settled)
  }

  watches(uri: string): boolean {
    return this.#resources.confirmed?.resourceSubscriptions?.includes(uri) === true
  }

  /** Resolves when the server confirms the subscription of a resource, which is in `subscriptions` already. */
  async watch(uri: string): Promise<void> {
    if (this.#parts.session.hello.capabilities.resources?.subscribe !== true) throw undeclared()
    if (this.watches(uri)) return
    const confirmed = await this.#resources.want({ resourceSubscriptions: this.#parts.subscriptions.uris })
    if (confirmed.resourceSubscriptions?.includes(uri)) return
    throw new RequestError('not-negotiated', 'subscriptions/listen', 'The server does not report changes of this resource.')
  }

  /** Called after a resource was removed from `subscriptions`. */
  unwatch(): void {
    const { uris } = this.#parts.subscriptions
    if (uris.length === 0) this.#resources.cancel()
    else this.#resources.want({ resourceSubscriptions: uris }).catch(() => {}) // The earlier stream stays.
  }

  /** Handles acknowledgements. False for a notification to ignore (V26-SUB-6, V26-SUB-8, V26-SUB-15). */
  admits(method: string, params: Record<string, unknown>): boolean {
    const id = subscriptionOf(params)
    const [lists, resources] = [this.#lists.streamOf(id), this.#resources.streamOf(id)]
    if (method === 'notifications/subscriptions/acknowledged') {
      const stream = lists === 'early' ? this.#lists : resources === 'early' ? this.#resources : undefined
      if (stream) stream.acknowledged(isObject(params.notifications) ? params.notifications : {})
      else this.#parts.onRemark('The server acknowledged a subscription that was not waiting; ignored.')
      return false
    }
    if (method === 'notifications/message') return (lists ?? resources) === undefined
    const noun = CHANGED[method]
    if (noun === undefined && method !== UPDATED) return true
    const stream = noun === undefined ? resources : lists
    if (stream === 'live') return true
    // It also comes on the stream that replaced this one.
    if (stream === 'replaced') return false
    const early = stream === 'early' ? 'before it acknowledged the subscription' : 'on a subscription that is not open'
    this.#parts.onRemark(`The server sent ${method} ${early}.`)
    return !(stream === 'early' && noun === undefined && typeof params.uri === 'string' && this.watches(params.uri))
  }

  stop(): void {
    this.#stopped = true
    this.#lists.stop()
    this.#resources.stop()
  }
}

function undeclared(): RequestError {
  const text = 'The server did not declare resources.subscribe, so subscriptions/listen is not sent.'
  return new RequestError('not-negotiated', 'subscriptions/listen', text)
}
