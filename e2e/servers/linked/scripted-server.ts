import type { Transport } from '../../../src-main/protocol/peer/transport.ts'
import { until } from '../../support/until.ts'

/** A message as it lay on the wire. */
export interface Wire {
  readonly jsonrpc?: string
  readonly id?: string | number | null
  readonly method?: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into raw messages
  readonly params?: any
  // biome-ignore lint/suspicious/noExplicitAny: tests look into raw messages
  readonly result?: any
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** Returns a result; throws an object with `code` and `message` to answer an error; returns undefined to stay silent. */
export type Reply = (params: Record<string, unknown>, request: Wire) => unknown

export interface Script {
  /** The revision that it answers with; the newest when absent. */
  readonly speaks?: string
  readonly capabilities?: Record<string, unknown>
  /** Speaks 2026-07-28: answers `server/discover`, and marks its results as complete unless they say what they are. */
  readonly modern?: boolean
  /** The answer to `initialize` in place of the usual one. */
  readonly introduction?: unknown
  readonly replies?: Record<string, Reply>
}

/** A server of raw JSON messages, without any SDK: says what it is told to say, keeps what it was sent. */
export class ScriptedServer {
  readonly received: Wire[] = []
  readonly replies: Record<string, Reply>
  closed = false
  readonly #transport: Transport
  readonly #modern: boolean

  constructor(transport: Transport, script: Script = {}) {
    this.#transport = transport
    this.#modern = script.modern ?? false
    this.replies = {
      ...(script.modern && {
        'server/discover': () => ({
          supportedVersions: ['2026-07-28'],
          capabilities: script.capabilities ?? {},
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'scripted', version: '1.0.0' } },
        }),
      }),
      initialize: () =>
        script.introduction ?? {
          protocolVersion: script.speaks ?? '2025-11-25',
          capabilities: script.capabilities ?? {},
          serverInfo: { name: 'scripted', version: '1.0.0' },
        },
      ...script.replies,
    }
    void transport.start({
      message: (value) => this.#hear(value as Wire),
      lost: () => {},
      closed: () => {
        this.closed = true
      },
      remark: () => {},
    })
  }

  /** Anything at all, as it is. */
  send(raw: unknown): void {
    this.#transport.send(raw as never).catch(() => {})
  }

  notify(method: string, params?: unknown): void {
    this.send({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) })
  }

  /** Asks the client and waits for its answer. */
  async ask(method: string, params: unknown, id: string | number): Promise<Wire> {
    this.send({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) })
    return this.answerTo(id)
  }

  answerTo(id: string | number): Promise<Wire> {
    const find = () => this.received.find((message) => message.id === id && message.method === undefined)
    return until(find, `an answer to ${JSON.stringify(id)}`)
  }

  /** Messages with this method, oldest first. */
  got(method: string): readonly Wire[] {
    return this.received.filter((message) => message.method === method)
  }

  /** Waits until `count` of them came. */
  waitFor(method: string, count = 1): Promise<readonly Wire[]> {
    return until(() => {
      const came = this.got(method)
      return came.length >= count ? came : undefined
    }, `${count} × ${method}`)
  }

  close(): Promise<void> {
    return this.#transport.close()
  }

  #hear(message: Wire): void {
    this.received.push(message)
    if (message.method === undefined || message.id === undefined) return
    const reply = this.replies[message.method]
    if (!reply) {
      this.send({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } })
      return
    }
    try {
      const result = reply(message.params ?? {}, message)
      const typed = this.#modern && typeof result === 'object' ? { resultType: 'complete', ...result } : result
      if (result !== undefined) this.send({ jsonrpc: '2.0', id: message.id, result: typed })
    } catch (error) {
      this.send({ jsonrpc: '2.0', id: message.id, error })
    }
  }
}
