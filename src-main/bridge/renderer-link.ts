import type { ZodType } from 'zod'
import type { Clock } from '../../src-shared/base/clock.ts'
import { assertNever } from '../../src-shared/base/json.ts'
import { redactUnknown } from '../../src-shared/base/secrets.ts'
import {
  CONTRACT,
  type HostChannel,
  type HostFrame,
  type RendererFrame,
  rendererFrame,
} from '../../src-shared/contract/channel.ts'
import { HostError, type SerializedError } from '../../src-shared/contract/errors.ts'
import type { HostEvent } from '../../src-shared/contract/events.ts'
import { type HostRequestName, type ParamsOf, REQUESTS } from '../../src-shared/contract/requests.ts'
import { asHostError } from '../host/core/host-errors.ts'
import type { Host } from '../host/host.ts'
import { REQUEST_HANDLERS } from './request-handlers.ts'
import { TopicFeed } from './topic-feed.ts'

interface LinkOptions {
  readonly clock: Clock
  /** Gets warnings about the window and internal errors, limited in rate; the console by default. */
  readonly onRemark?: (text: string) => void
}

const BATCH_EVERY = 16
/** Unsent bytes beyond which a window must reload its state (decision 0001). */
const MAX_BACKLOG = 4 * 1024 * 1024
/** Milliseconds between checks whether a slow window has caught up. */
const CATCH_UP_INTERVAL = 100
const MAX_RUNNING = 256
const REMARKS_PER_MINUTE = 20
const MAX_REMARK_LENGTH = 2000

const FRAME = rendererFrame()
/** REQUESTS in a type that the compiler can index by any request name. */
const CHECKS: { readonly [N in HostRequestName]: { readonly params: ZodType<ParamsOf<N>> } } = REQUESTS

/** Serves one window until the returned function is called. */
export function serveRenderer(channel: HostChannel, host: Host, options: LinkOptions): () => void {
  const link = new RendererLink(channel, host, options)
  return () => link.end()
}

/**
 * `silent` before a hello in our contract; `live` while it gets all events; `behind` after reading too slowly, until the next
 * hello.
 */
type Phase = 'silent' | 'live' | 'behind' | 'ended'

class RendererLink {
  readonly #channel: HostChannel
  readonly #host: Host
  readonly #clock: Clock
  readonly #remarkTo: (text: string) => void
  readonly #running = new Map<number, AbortController>()
  readonly #topics: TopicFeed
  readonly #undo: (() => void)[]
  #phase: Phase = 'silent'
  #events: HostEvent[] = []
  #from = 0
  #flushSoon: (() => void) | undefined
  #catchUp: (() => void) | undefined
  /** Results that wait until a slow window has caught up. */
  #results: HostFrame[] = []
  #remarks = 0
  #remarksSince: number

  constructor(channel: HostChannel, host: Host, { clock, onRemark = console.error }: LinkOptions) {
    this.#channel = channel
    this.#host = host
    this.#clock = clock
    this.#remarkTo = onRemark
    this.#remarksSince = clock.now()
    this.#topics = new TopicFeed(host.topics, {
      send: (frame) => this.#send(frame),
      changed: () => this.#schedule(),
      failed: (error) => this.#serialized(error, 'a topic could not be opened').message,
    })
    this.#undo = [host.state.onEvent((seq, event) => this.#hear(seq, event)), channel.onFrame((frame) => this.#receive(frame))]
  }

  end(): void {
    this.#phase = 'ended'
    for (const undo of this.#undo) undo()
    this.#drop()
    for (const controller of this.#running.values()) controller.abort(new HostError('cancelled', 'The window was closed.'))
    this.#running.clear()
  }

  // Towards the window

  #hear(seq: number, event: HostEvent): void {
    if (this.#phase !== 'live') return
    if (this.#events.length === 0) this.#from = seq
    this.#events.push(event)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#phase === 'live') this.#flushSoon ??= this.#clock.after(BATCH_EVERY, () => this.#flush())
  }

  #flush(): void {
    this.#flushSoon?.()
    this.#flushSoon = undefined
    if (this.#phase !== 'live') return
    if (this.#channel.backlog() > MAX_BACKLOG) {
      this.#fallBehind()
      return
    }
    const events = this.#events
    this.#events = []
    if (events.length > 0) this.#send({ t: 'events', from: this.#from, events })
    this.#topics.flush()
  }

  #fallBehind(): void {
    this.#drop()
    this.#phase = 'behind'
    this.#send({ t: 'again', why: 'behind' })
  }

  /** Drops all unsent events and topics. */
  #drop(): void {
    this.#flushSoon?.()
    this.#flushSoon = undefined
    this.#catchUp?.()
    this.#catchUp = undefined
    this.#events = []
    this.#topics.closeAll()
  }

  #send(frame: HostFrame): void {
    if (this.#phase !== 'ended') this.#channel.send(frame)
  }

  /** Events that a request caused are sent before its result. */
  #result(frame: HostFrame): void {
    this.#flush()
    if (this.#phase === 'behind') this.#results.push(frame)
    else this.#send(frame)
  }

  #welcome(): void {
    this.#drop()
    if (this.#channel.backlog() > MAX_BACKLOG) {
      this.#phase = 'behind'
      this.#catchUp = this.#clock.after(CATCH_UP_INTERVAL, () => this.#welcome())
      return
    }
    const { epoch, seq, snapshot } = this.#host.state
    this.#phase = 'live'
    this.#send({ t: 'welcome', contract: CONTRACT, epoch, seq, snapshot })
    const results = this.#results
    this.#results = []
    for (const result of results) this.#send(result)
  }

  // From the window

  #receive(input: unknown): void {
    if (this.#phase === 'ended') return
    const checked = FRAME.safeParse(input)
    if (checked.success) this.#handleFrame(checked.data)
    else this.#remark('A window sent a frame that could not be read; it was ignored.')
  }

  #handleFrame(frame: RendererFrame): void {
    switch (frame.t) {
      case 'hello':
        this.#greeted(frame.contract)
        break
      case 'request':
        void this.#answer(frame.id, frame.name, frame.params)
        break
      case 'cancel':
        this.#running.get(frame.id)?.abort(new HostError('cancelled', 'It was cancelled.'))
        break
      case 'open':
        // The window opens its topics again after each welcome.
        if (this.#phase === 'live') this.#topics.open(frame.topic)
        break
      case 'close':
        this.#topics.close(frame.topic)
        break
      default:
        assertNever(frame)
    }
  }

  #greeted(contract: number): void {
    if (contract === CONTRACT) {
      this.#welcome()
      return
    }
    this.#drop()
    this.#phase = 'silent'
    this.#send({ t: 'again', why: 'contract' })
  }

  async #answer(id: number, name: string, params: unknown): Promise<void> {
    if (this.#running.has(id)) {
      this.#remark('A window reused the id of a running request; it was ignored.')
      return
    }
    if (this.#phase === 'silent') return this.#refuse(id, new HostError('refused', 'Say hello first.'))
    if (this.#running.size >= MAX_RUNNING) return this.#refuse(id, new HostError('refused', 'Too many requests are running.'))
    if (!isRequest(name)) {
      this.#remark(`A window sent the unknown request “${name.slice(0, 60)}”.`)
      return this.#refuse(id, new HostError('unknown-request', `There is no request “${name.slice(0, 60)}”.`))
    }
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      const value = await untilAborted(this.#perform(name, params, controller.signal), controller.signal)
      this.#result({ t: 'result', id, ok: true, value })
    } catch (error) {
      this.#refuse(id, error)
    } finally {
      if (this.#running.get(id) === controller) this.#running.delete(id)
    }
  }

  async #perform<N extends HostRequestName>(name: N, params: unknown, signal: AbortSignal): Promise<unknown> {
    const checked = CHECKS[name].params.safeParse(params)
    if (!checked.success) {
      const [issue] = checked.error.issues
      const where = issue?.path.map(String).join('.').slice(0, 100)
      throw new HostError(
        'invalid-params',
        `“${name}” was not understood${where ? `: ${where}` : ''}. Reload the window and try again.`,
      )
    }
    return REQUEST_HANDLERS[name](this.#host, checked.data, signal)
  }

  #refuse(id: number, error: unknown): void {
    this.#result({ t: 'result', id, ok: false, error: this.#serialized(error) })
  }

  #serialized(error: unknown, what = 'a request failed'): SerializedError {
    const known = asHostError(error)
    if (known) {
      const { code, message, data } = known
      return { code, message, ...(data !== undefined && { data }) }
    }
    if (error instanceof DOMException && error.name === 'AbortError') return { code: 'cancelled', message: 'It was cancelled.' }
    const logId = this.#internal(error, what)
    return { code: 'internal', message: `Something went wrong inside Parley. Its log has the details under ${logId}.` }
  }

  /** Logs an error under an id for the person. The error itself may hold secrets and stays in the log. */
  #internal(error: unknown, what: string): string {
    const logId = Math.random().toString(36).slice(2, 10)
    this.#remark(`${logId}: ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    return logId
  }

  #remark(text: string): void {
    if (this.#clock.now() - this.#remarksSince > 60_000) {
      this.#remarksSince = this.#clock.now()
      this.#remarks = 0
    }
    this.#remarks += 1
    if (this.#remarks <= REMARKS_PER_MINUTE) this.#remarkTo(redactUnknown(text).slice(0, MAX_REMARK_LENGTH))
  }
}

const isRequest = (name: string): name is HostRequestName => Object.hasOwn(REQUESTS, name)

/** Ends a request for the window as soon as it is cancelled, even while its work continues. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
