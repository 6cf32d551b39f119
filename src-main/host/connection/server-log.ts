import type { Clock } from '../../../src-shared/base/clock.ts'
import { redactUnknown } from '../../../src-shared/base/secrets.ts'
import type { ServerLogLine } from '../../../src-shared/contract/servers.ts'
import { type LogAdded, type ServerTopic, TOPIC_LOG_LINES } from '../../../src-shared/contract/topics.ts'
import type { LogEntry } from '../../client/log-messages.ts'
import type { Redact } from '../core/redact.ts'

/** Characters kept of a line. */
const LINE_LIMIT = 4096
/** Characters read of a line. */
const READ_LIMIT = 64 * 1024
/** Characters of a logger's name. */
const LOGGER_LIMIT = 200
/** Milliseconds between two events to windows, however fast a server writes. */
const BATCH_EVERY = 100

/** The log of one server: stderr, log messages, and remarks of the host. */
export class ServerLog {
  readonly #clock: Clock
  readonly #emit: (event: LogAdded) => void
  /** Lines that windows already have. */
  #lines: readonly ServerLogLine[] = []
  #waiting: ServerLogLine[] = []
  #n = 0
  #cancel: (() => void) | undefined
  #ended = false
  #lastSent = Number.NEGATIVE_INFINITY
  #redact: Redact = redactUnknown

  constructor(clock: Clock, emit: (event: LogAdded) => void) {
    this.#clock = clock
    this.#emit = emit
  }

  protect(redact: Redact): void {
    this.#redact = redact
  }

  /** Redacts a text with this server's secrets. */
  clean(text: string): string {
    return this.#redact(text)
  }

  add(source: ServerLogLine['source'], text: string, more: Pick<ServerLogLine, 'level' | 'logger'> = {}): void {
    if (this.#ended) return
    this.#n += 1
    // Cutting first could leave half a secret that no pattern finds.
    const clean = this.#redact(text.slice(0, READ_LIMIT))
    const cut = clean.length > LINE_LIMIT ? `${clean.slice(0, LINE_LIMIT)}…` : clean
    this.#waiting.push({ n: this.#n, at: this.#clock.now(), source, ...more, text: cut })
    // The gap in the numbers shows windows how many were dropped.
    if (this.#waiting.length > TOPIC_LOG_LINES) this.#waiting.shift()
    if (this.#cancel) return
    const wait = Math.max(0, this.#lastSent + BATCH_EVERY - this.#clock.now())
    if (wait === 0) this.flush()
    else this.#cancel = this.#clock.after(wait, () => this.flush())
  }

  message({ level, logger, data, problem }: LogEntry): void {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    const line = problem ? `${text ?? ''} (${problem})` : (text ?? '')
    this.add('log', line, { level, ...(logger && { logger: logger.slice(0, LOGGER_LIMIT) }) })
  }

  flush(): void {
    this.#cancel?.()
    this.#cancel = undefined
    if (this.#waiting.length === 0) return
    const lines = this.#waiting
    this.#waiting = []
    this.#lastSent = this.#clock.now()
    this.#lines = [...this.#lines, ...lines].slice(-TOPIC_LOG_LINES)
    this.#emit({ type: 'log.added', lines })
  }

  /** Without the waiting lines, which follow as an event. */
  value(): ServerTopic {
    return { kind: 'server', log: this.#lines }
  }

  /** The number of the last line. */
  get position(): number {
    return this.#n
  }

  /** Texts of a source after line `n`, as far as they are kept. */
  since(n: number, source: ServerLogLine['source']): string[] {
    return [...this.#lines, ...this.#waiting].filter((line) => line.source === source && line.n > n).map((line) => line.text)
  }

  /** Stops all events, since the topic may belong to another server of the same id later. */
  end(): void {
    this.#ended = true
    this.#cancel?.()
    this.#cancel = undefined
    this.#waiting = []
  }
}
