import { type Clock, delay, systemClock } from '../../src-shared/base/clock.ts'
import { isObject } from '../../src-shared/base/json.ts'
import { MODERN_VERSION, NEWEST_PROTOCOL_VERSION, PROTOCOL_VERSIONS, type Progress } from '../../src-shared/mcp/primitives.ts'
import { linkedTransports } from '../protocol/peer/linked-transport.ts'
import type { Transport } from '../protocol/peer/transport.ts'
import { ErrorCode, type JsonRpcMessage, ProtocolError, type RequestId } from '../protocol/shapes/json-rpc.ts'
import { askingTools } from './asking-tools.ts'
import { type PlaygroundCall, playgroundTools } from './playground-tools.ts'
import { inRounds } from './rounds.ts'

/** The client's end of a link to a new Playground, a small server in this process that ends with the link. */
export function playgroundTransport(clock: Clock = systemClock): Transport {
  const [client, server] = linkedTransports()
  void new PlaygroundServer(server, clock).start()
  return client
}

const INFO = {
  name: 'playground',
  title: 'Playground',
  version: '1.0.0',
  description: 'A few harmless tools to try things with',
}
const INSTRUCTIONS = 'Harmless tools to try calls, consent, progress and results with.'
/** The list of tools never changes. */
const FRESH = { resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'private' }

/** Implements the server's side of the protocol in both eras: handshake, discovery, tools, progress, cancellation, ping and requests to the host. */
class PlaygroundServer {
  readonly #transport: Transport
  readonly #clock: Clock
  readonly #tools = new Map([...playgroundTools(), ...askingTools()].map((tool) => [tool.definition.name, tool]))
  /** Requests to the host without an answer. */
  readonly #asked = new Map<RequestId, PromiseWithResolvers<Record<string, unknown>>>()
  #lastAsked = 0
  readonly #running = new Map<RequestId, AbortController>()

  constructor(transport: Transport, clock: Clock) {
    this.#transport = transport
    this.#clock = clock
  }

  start(): Promise<void> {
    return this.#transport.start({
      message: (value) => void this.#receive(value as JsonRpcMessage),
      lost: () => {},
      remark: () => {},
      closed: () => {
        const reason = new DOMException('The link closed', 'AbortError')
        for (const call of this.#running.values()) call.abort(reason)
        for (const asked of this.#asked.values()) asked.reject(reason)
      },
    })
  }

  async #receive(message: JsonRpcMessage): Promise<void> {
    if (!('method' in message)) {
      this.#answered(message)
      return
    }
    const params = message.params ?? {}
    if (!('id' in message)) {
      if (message.method === 'notifications/cancelled')
        this.#running.get(params.requestId as RequestId)?.abort(new DOMException('Cancelled', 'AbortError'))
      return
    }
    const { id, method } = message
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      const result = await this.#answer(method, params, controller.signal)
      if (!controller.signal.aborted) this.#send({ jsonrpc: '2.0', id, result })
    } catch (error) {
      if (controller.signal.aborted) return
      const {
        code,
        message: said,
        data,
      } = error instanceof ProtocolError ? error : new ProtocolError(ErrorCode.internal, String(error))
      this.#send({ jsonrpc: '2.0', id, error: { code, message: said, ...(data !== undefined && { data }) } })
    } finally {
      this.#running.delete(id)
    }
  }

  async #answer(method: string, params: Record<string, unknown>, signal: AbortSignal): Promise<Record<string, unknown>> {
    const version = isObject(params._meta) ? params._meta['io.modelcontextprotocol/protocolVersion'] : undefined
    const modern = version !== undefined
    if (modern && version !== MODERN_VERSION) {
      const data = { supported: [MODERN_VERSION], requested: version }
      throw new ProtocolError(ErrorCode.unsupportedVersion, 'Unsupported protocol version', data)
    }
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: PROTOCOL_VERSIONS.find((known) => known === params.protocolVersion) ?? NEWEST_PROTOCOL_VERSION,
          capabilities: { tools: {} },
          serverInfo: INFO,
          instructions: INSTRUCTIONS,
        }
      case 'server/discover':
        return {
          ...FRESH,
          supportedVersions: [MODERN_VERSION],
          capabilities: { tools: {} },
          instructions: INSTRUCTIONS,
          _meta: { 'io.modelcontextprotocol/serverInfo': INFO },
        }
      case 'ping':
        return {}
      case 'tools/list':
        return { ...(modern && FRESH), tools: [...this.#tools.values()].map((tool) => tool.definition) }
      case 'tools/call': {
        const tool = this.#tools.get(String(params.name))
        if (!tool) throw new ProtocolError(ErrorCode.invalidParams, `Unknown tool: ${String(params.name)}`)
        const token = isObject(params._meta) ? params._meta.progressToken : undefined
        const run = (ask: PlaygroundCall['ask']) =>
          tool.run(isObject(params.arguments) ? params.arguments : {}, {
            signal,
            wait: (ms) => delay(this.#clock, ms, signal),
            ask,
            progress: (progress: Progress) => {
              if (token === undefined || signal.aborted) return
              this.#send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, ...progress } })
            },
          })
        if (modern) return inRounds(params, run)
        return { ...(await run((asked, about) => this.#ask(asked, about, signal))) }
      }
      default:
        throw new ProtocolError(ErrorCode.methodNotFound, `Method not found: ${method}`)
    }
  }

  /** Cancelling a call also cancels its request to the host. */
  async #ask(method: string, params: Record<string, unknown>, signal: AbortSignal): Promise<Record<string, unknown>> {
    signal.throwIfAborted()
    const id = `playground-${++this.#lastAsked}`
    const asked = Promise.withResolvers<Record<string, unknown>>()
    this.#asked.set(id, asked)
    const cancel = () => {
      this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
      asked.reject(signal.reason)
    }
    signal.addEventListener('abort', cancel, { once: true })
    this.#send({ jsonrpc: '2.0', id, method, params })
    try {
      return await asked.promise
    } finally {
      signal.removeEventListener('abort', cancel)
      this.#asked.delete(id)
    }
  }

  #answered(message: JsonRpcMessage): void {
    const asked = 'id' in message && message.id !== undefined ? this.#asked.get(message.id) : undefined
    if (!asked) return
    if ('result' in message) asked.resolve(message.result)
    else if ('error' in message) asked.reject(new ProtocolError(message.error.code, message.error.message, message.error.data))
  }

  #send(message: JsonRpcMessage): void {
    this.#transport.send(message).catch(() => {}) // The link has ended.
  }
}
