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
 * One stream of messages in the eyes of the server, however many connections it takes: knows where to go on, and what was
 * already heard. Cursors belong to a stream, never to a session (TRAN-45, TRAP-24).
 */
export class EventStream {
  readonly #limit: number
  readonly #hear: StreamListener
  /** Made by the first event that has an id; most streams answer one request and number nothing. */
  #heard: Set<string> | undefined
  #connections = 0
  #retryMs: number | undefined
  /** Where the next connection goes on; undefined when the server numbers nothing. */
  lastEventId: string | undefined
  /** How many events came, to tell a stream that lives from one that only opens and closes. */
  received = 0

  constructor(limit: number, hear: StreamListener) {
    this.#limit = limit
    this.#hear = hear
  }

  /** Reads one connection of the stream. Resolves at its end, however it ended; aborting ends it. */
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

  /** How long to wait before connecting again: never less than the server asked for; more after each failure in a row, up to a minute. */
  waitBefore(failures: number): number {
    const asked = Math.max(this.#retryMs ?? RETRY_MS, MIN_RETRY_MS)
    return Math.max(asked, Math.min(asked * 2 ** Math.min(failures, 16), MAX_BACKOFF_MS))
  }

  #step(connection: Connection): boolean | 'rest' {
    if (connection.large) return this.#goOn(connection, connection.large)
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

  #goOn(connection: Connection, { event, json }: LargeEvent): 'rest' {
    if (json.step()) {
      connection.large = undefined
      this.#event(connection, event, json)
    }
    return 'rest'
  }

  #event({ isReplay }: Connection, { name, id }: SseEvent, data: ReceivedText): void {
    // Only what a new connection repeats is dropped: some servers give all their events the same id (TRAN-47).
    const repeated = isReplay && id !== undefined && this.#heard?.has(id) === true
    this.#moveTo(id)
    // An event without data only moves the cursor, so that a server may close and be asked again.
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
  /** An earlier one had the beginning of the stream. */
  readonly isReplay: boolean
  /** A large event that is complete and being read; what follows waits. */
  large?: LargeEvent | undefined
}

interface LargeEvent {
  readonly event: SseEvent
  readonly json: JsonInTurns
}

interface StreamListener {
  event(name: string, data: ReceivedText): void
  /** An event was skipped; `requestId` when it is known whose reply it was. */
  tooLarge(requestId: RequestId | undefined): void
}
