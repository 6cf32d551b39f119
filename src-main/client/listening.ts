import type { Clock } from '../../src-shared/base/clock.ts'
import { Emitter } from '../../src-shared/base/emitter.ts'
import { isObject } from '../../src-shared/base/json.ts'
import type { Session } from '../protocol/era.ts'
import { subscriptionOf } from '../protocol/request-meta.ts'
import { RequestError } from '../protocol/shapes/json-rpc.ts'
import { ListenStream, type Wish } from './listen-stream.ts'
import type { Subscriptions } from './subscriptions.ts'

type Noun = 'tools' | 'resources' | 'prompts'

const LISTS = { tools: 'toolsListChanged', prompts: 'promptsListChanged', resources: 'resourcesListChanged' } as const
const NOUNS = ['tools', 'prompts', 'resources'] as const

/** By notification: the list that it tells of. */
const CHANGED: Readonly<Record<string, Noun>> = {
  'notifications/tools/list_changed': 'tools',
  'notifications/prompts/list_changed': 'prompts',
  'notifications/resources/list_changed': 'resources',
}
const UPDATED = 'notifications/resources/updated'

export interface ListeningParts {
  readonly session: Pick<Session, 'hello'>
  readonly listen: NonNullable<Session['listen']>
  readonly subscriptions: Subscriptions
  readonly clock: Clock
  readonly onRemark: (text: string) => void
  /** The set of announced lists has changed. */
  readonly onCovered: () => void
  /** Changes of these lists may have been missed. */
  readonly onMissed: (nouns: readonly Noun[]) => void
  readonly random?: () => number
}

/** Subscriptions of a server without a session: a stream for its lists, another for resources (V26-SUB-7). */
export class Listening {
  /** The set of announced resources has changed. */
  readonly onWatching = new Emitter<void>()
  readonly #parts: ListeningParts
  readonly #lists: ListenStream
  readonly #resources: ListenStream
  #last = 0
  #wanted: Wish = {}
  #stopped = false

  constructor(parts: ListeningParts) {
    this.#parts = parts
    const { listen, clock, onRemark, random } = parts
    const shared = {
      clock,
      onRemark,
      listen,
      // A text stays one where a server makes texts of ids (V26-SUB-5).
      nextId: () => `listen-${++this.#last}`,
      ...(random && { random }),
    }
    this.#lists = new ListenStream({
      ...shared,
      onHonoured: (honoured, again) => {
        parts.onCovered()
        if (again && honoured) parts.onMissed(NOUNS.filter((noun) => this.#wanted[LISTS[noun]]))
      },
    })
    this.#resources = new ListenStream({
      ...shared,
      onHonoured: (honoured, again) => {
        this.onWatching.fire()
        if (again && honoured) parts.subscriptions.missed()
      },
    })
  }

  /** Opens the stream of the lists that the server declared it tells of; nothing declared, no stream (V26-SUB-2). */
  begin(): void {
    const { capabilities } = this.#parts.session.hello
    const told = NOUNS.filter((noun) => capabilities[noun]?.listChanged === true)
    const wish: Wish = Object.fromEntries(told.map((noun) => [LISTS[noun], true]))
    const same = NOUNS.every((noun) => wish[LISTS[noun]] === this.#wanted[LISTS[noun]])
    if (same || this.#stopped) return
    this.#wanted = wish
    if (told.length === 0) this.#lists.cancel()
    else this.#lists.want(wish).catch(() => {}) // remarked; lists go by their time to live
    this.#parts.onCovered()
  }

  /** Another account asks from now on: nothing is told to the one before. */
  renew(): void {
    if (this.#stopped) return
    this.#lists.renew()
    this.#resources.renew()
  }

  /** True if changes of the list will be announced. */
  covers(noun: Noun): boolean {
    return this.#lists.honoured?.[LISTS[noun]] === true
  }

  /** Lists whose changes were declared and will not be told, or not now. */
  get untold(): readonly Noun[] {
    return NOUNS.filter((noun) => this.#wanted[LISTS[noun]] && !this.covers(noun) && this.#lists.settled)
  }

  watches(uri: string): boolean {
    return this.#resources.honoured?.resourceSubscriptions?.includes(uri) === true
  }

  /** Resolves when the server has said that it will tell of the resource, which somebody wants to hear of by now. */
  async watch(uri: string): Promise<void> {
    if (this.#parts.session.hello.capabilities.resources?.subscribe !== true) throw undeclared()
    if (this.watches(uri)) return
    const honoured = await this.#resources.want({ resourceSubscriptions: this.#parts.subscriptions.uris })
    if (honoured.resourceSubscriptions?.includes(uri)) return
    throw new RequestError('not-negotiated', 'subscriptions/listen', 'The server does not report changes of this resource.')
  }

  /** Somebody no longer wants to hear of a resource. */
  unwatch(): void {
    const { uris } = this.#parts.subscriptions
    if (uris.length === 0) this.#resources.cancel()
    else this.#resources.want({ resourceSubscriptions: uris }).catch(() => {}) // updates of the others go on as they were
  }

  /** Takes acknowledgements; false for what is not to be handled further (V26-SUB-6, V26-SUB-8, V26-SUB-15). */
  admits(method: string, params: Record<string, unknown>): boolean {
    const id = subscriptionOf(params)
    const [lists, resources] = [this.#lists.whose(id), this.#resources.whose(id)]
    if (method === 'notifications/subscriptions/acknowledged') {
      const stream = lists === 'early' ? this.#lists : resources === 'early' ? this.#resources : undefined
      if (stream) stream.acknowledged(isObject(params.notifications) ? params.notifications : {})
      else this.#parts.onRemark('The server acknowledged a subscription that waits for none; ignored.')
      return false
    }
    if (method === 'notifications/message') return (lists ?? resources) === undefined
    const noun = CHANGED[method]
    if (noun === undefined && method !== UPDATED) return true
    const whose = noun === undefined ? resources : lists
    if (whose === 'live') return true
    // The stream that replaced it announces it, too.
    if (whose === 'replaced') return false
    const early = whose === 'early' ? 'before it acknowledged the subscription' : 'on no subscription of ours'
    this.#parts.onRemark(`The server sent ${method} ${early}.`)
    return !(whose === 'early' && noun === undefined && typeof params.uri === 'string' && this.watches(params.uri))
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
