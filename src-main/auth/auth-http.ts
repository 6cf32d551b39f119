import type { ByteStream } from '../../src-shared/base/byte-stream.ts'
import { type Clock, timeLimit } from '../../src-shared/base/clock.ts'
import { parseJson } from '../../src-shared/base/parse-json.ts'
import { AuthorizationError } from './authorization-error.ts'
import type { Reachable } from './reachable.ts'

/** HTTP as this room needs it. No status is an error; redirects are followed within one origin. */
export interface AuthRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly signal: AbortSignal
}

export interface AuthResponse {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ByteStream<Buffer>
}

type AuthFetch = (request: AuthRequest) => Promise<AuthResponse>

interface AuthHttpParts {
  readonly fetch: AuthFetch
  readonly reachable: Reachable
  readonly clock: Clock
  /** Gets method, origin, path and status of every exchange, but no query, header or body. */
  readonly onExchange?: (text: string) => void
}

const MAX_BYTES = 256 * 1024
const ANSWER_MS = 20_000

/** Requests to authorization servers and for metadata: bounded in size, time and reach (AUTH-28). */
export class AuthHttp {
  readonly #parts: AuthHttpParts

  constructor(parts: AuthHttpParts) {
    this.#parts = parts
  }

  get reachable(): Reachable {
    return this.#parts.reachable
  }

  /** Requests JSON; `json` is undefined for invalid JSON and any status but 200. `what` names the address in errors. */
  async getJson(
    url: string,
    what: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly json: unknown }> {
    await this.#parts.reachable.check(url, what)
    const accept = { accept: 'application/json', ...headers }
    const { status, text } = await this.#exchange({ method: 'GET', url, headers: accept, signal })
    if (status !== 200) return { status, json: undefined }
    try {
      return { status, json: parseJson(text) }
    } catch {
      return { status, json: undefined }
    }
  }

  /** A `fetch` for the OAuth library. */
  readonly fetch = async (
    url: string,
    options: {
      readonly method: string
      readonly headers: Record<string, string>
      readonly body?: unknown
      readonly signal?: AbortSignal
    },
  ): Promise<Response> => {
    await this.#parts.reachable.check(url, 'the authorization server')
    const { status, text, headers } = await this.#exchange({
      method: options.method === 'POST' ? 'POST' : 'GET',
      url,
      headers: options.headers,
      body: options.body === undefined || options.body === null ? undefined : String(options.body),
      signal: options.signal ?? new AbortController().signal,
    })
    const type = headers['content-type']
    const empty = status === 204 || status === 304
    return new Response(empty ? null : text, { status, ...(type && { headers: { 'content-type': type } }) })
  }

  async #exchange(request: AuthRequest): Promise<{ status: number; text: string; headers: AuthResponse['headers'] }> {
    const { clock, fetch, onExchange } = this.#parts
    const { origin, pathname, host } = new URL(request.url)
    const late = () => new AuthorizationError('unreachable', `${host} does not answer.`)
    using limit = timeLimit(clock, ANSWER_MS, late, request.signal)
    try {
      const response = await fetch({ ...request, signal: limit.signal })
      onExchange?.(`${request.method} ${origin}${pathname} → ${response.status}`)
      return { status: response.status, headers: response.headers, text: await readText(response, host) }
    } catch (error) {
      request.signal.throwIfAborted()
      if (error instanceof AuthorizationError) throw error
      limit.signal.throwIfAborted()
      const said = error instanceof Error ? ` ${error.message.slice(0, 300)}` : ''
      throw new AuthorizationError('unreachable', `You cannot sign in at ${host} now.${said}`)
    }
  }
}

function readText({ body }: AuthResponse, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    body.on('data', (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= MAX_BYTES) return
      reject(new AuthorizationError('discovery', `The answer from ${host} is too large for a sign-in.`))
      body.destroy()
    })
    body
      .once('error', reject)
      .once('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
      .once('close', () => reject(new Error('The answer was cut off.')))
      .resume()
  })
}
