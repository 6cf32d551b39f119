import { dropOldest } from '../../../src-shared/base/drop-oldest.ts'
import type { RequestId } from '../../protocol/shapes/json-rpc.ts'
import { readInTurns } from '../fair-turns.ts'
import { JsonInTurns, type ReceivedText, SmallText } from '../json-in-turns.ts'
import type { HttpResponse } from './http-fetch.ts'
import { type SseEvent, SseReader } from './sse-reader.ts'

const RETRY_MS = 1000
const MIN_RETRY_MS = 50
const MAX_BACKOFF_MS = 60_000
const REMEMBERED_IDS = 1000

/**
 * One stream of messages over any number of connections, with its cursor and the ids of events already heard. Cursors belong to a
 * stream, never to a session (TRAN-45, TRAP-24).
 */
export class EventStream {
  readonly #limit: number
  readonly #hear: StreamListener
  /** Made by the first event with an id: most streams have none. */
  #heard: Set<string> | undefined
  #connections = 0
  #retryMs: number | undefined
  /** The cursor for the next connection; undefined when events have no ids. */
  lastEventId: string | undefined
  /** The number of events, to tell a live stream from one that only opens and closes. */
  received = 0

  constructor(limit: number, hear: StreamListener) {
    this.#limit = limit
    this.#hear = hear
  }

  /** Reads one connection of the stream. Resolves at its end, also after an error or abort. */
  read(response: HttpResponse, signal: AbortSignal): Promise<void> {
    const connection: Connection = { reader: new SseReader(this.#limit), isReplay: this.#connections++ > 0 }
    return new Promise((resolve) => {
      const finish = () => {
        signal.removeEventListener('abort', stop)
        resolve()
      }
      const turns = readInTurns(response.body, {
        take: (chunk) => connection.reader.push(chunk),
        step: () => this.#step(connection),
        end: finish,
      })
      const stop = () => {
        turns.stop()
        response.body.destroy()
        finish()
      }
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
    })
  }

  /** Milliseconds until the next connection: at least what the server asked for, doubled with each failure up to a minute. */
  waitBefore(failures: number): number {
    const asked = Math.max(this.#retryMs ?? RETRY_MS, MIN_RETRY_MS)
    return Math.max(asked, Math.min(asked * 2 ** Math.min(failures, 16), MAX_BACKOFF_MS))
  }

  #step(connection: Connection): boolean | 'rest' {
    if (connection.large) return this.#parseMore(connection, connection.large)
    const item = connection.reader.next()
    switch (item?.is) {
      case undefined:
        return false
      case 'retry':
        this.#retryMs = item.ms
        return true
      case 'too-large':
        this.#moveTo(item.id)
        this.#hear.tooLarge(item.requestId)
        return true
      case 'event': {
        const { event } = item
        if (typeof event.data === 'string') this.#event(connection, event, new SmallText(event.data))
        else connection.large = { event, json: new JsonInTurns(event.data) }
        return connection.large ? 'rest' : true
      }
    }
  }

  #parseMore(connection: Connection, { event, json }: LargeEvent): 'rest' {
    if (json.step()) {
      connection.large = undefined
      this.#event(connection, event, json)
    }
    return 'rest'
  }

  #event({ isReplay }: Connection, { name, id }: SseEvent, data: ReceivedText): void {
    // Only repeats on a new connection are dropped: some servers give all events the same id (TRAN-47).
    const repeated = isReplay && id !== undefined && this.#heard?.has(id) === true
    this.#moveTo(id)
    // An event without data only moves the cursor, so that the server can close and be polled.
    if (!repeated && data.text !== '') this.#hear.event(name, data)
  }

  #moveTo(id: string | undefined): void {
    this.received += 1
    if (id === undefined) return
    this.lastEventId = id === '' ? undefined : id
    this.#heard ??= new Set()
    this.#heard.delete(id)
    dropOldest(this.#heard.add(id), REMEMBERED_IDS)
  }
}

interface Connection {
  readonly reader: SseReader
  /** True for every connection of the stream but the first. */
  readonly isReplay: boolean
  /** A complete large event that is being parsed; later ones wait. */
  large?: LargeEvent | undefined
}

interface LargeEvent {
  readonly event: SseEvent
  readonly json: JsonInTurns
}

interface StreamListener {
  event(name: string, data: ReceivedText): void
  /** An event was skipped; `requestId` is the request that it answers, if known. */
  tooLarge(requestId: RequestId | undefined): void
}
