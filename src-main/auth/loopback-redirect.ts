import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { AuthorizationError } from './authorization-error.ts'

const PATH = '/callback'
/** Registered clients need an address that stays; where it is taken any other will do (RFC 8252, 7.3). */
const USUAL_PORT = 47_813
const MAX_LENGTH = 16 * 1024

/** The problem of an answer, in words for the person; undefined when it is ours. */
type JudgeAnswer = (answer: URLSearchParams) => string | undefined

/** Where the browser comes back to: 127.0.0.1, for one answer (AUTH-11). What is not that answer is turned away and changes nothing. */
export class LoopbackRedirect {
  readonly uri: string
  readonly #server: Server
  readonly #port: number
  readonly #received = Promise.withResolvers<URLSearchParams>()
  #judge: JudgeAnswer = () => 'No sign-in is under way.'
  #onForeign: () => void = () => {}
  #closed = false

  private constructor(server: Server, port: number) {
    this.#server = server
    this.#port = port
    this.uri = `http://127.0.0.1:${port}${PATH}`
    server.on('request', (request, response) => this.#serve(request, response))
    this.#received.promise.catch(() => {}) // Reported to the caller that waits for it, if there is one.
  }

  /** `preferred` is the port that an earlier registration names. Throws AuthorizationError when nothing can listen. */
  static async open(preferred: number = USUAL_PORT): Promise<LoopbackRedirect> {
    for (const port of [preferred, 0]) {
      const server = createServer({ maxHeaderSize: 2 * MAX_LENGTH, requestTimeout: 10_000 })
      const got = await listen(server, port)
      if (got !== undefined) return new LoopbackRedirect(server, got)
    }
    throw new AuthorizationError('refused', 'Nothing can listen on this computer for the browser to come back to.')
  }

  /** From here on answers are taken. `onForeign` hears of one that was turned away. */
  expect(judge: JudgeAnswer, onForeign: () => void): void {
    this.#judge = judge
    this.#onForeign = onForeign
  }

  /** The one answer. Never rejects: the caller brings the deadline. */
  get received(): Promise<URLSearchParams> {
    return this.#received.promise
  }

  /** Takes the address that a browser ended at, typed by the person. Returns what is wrong with it. */
  paste(text: string): string | undefined {
    const address = text.trim()
    const url = URL.parse(address) ?? undefined
    const expected = new URL(this.uri)
    if (!url || url.host !== expected.host || url.pathname !== PATH) {
      return `Paste what is in the address bar after sign-in. It begins with ${this.uri}?`
    }
    const wrong = this.#judge(url.searchParams)
    if (wrong === undefined) this.#take(url.searchParams)
    return wrong
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#server.close()
    this.#server.closeIdleConnections()
  }

  #take(answer: URLSearchParams): void {
    this.#received.resolve(answer)
    this.close()
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = request.url !== undefined && request.url.length <= MAX_LENGTH ? URL.parse(request.url, this.uri) : null
    if (!url || request.headers.host !== `127.0.0.1:${this.#port}` || url.pathname !== PATH) {
      page(response, 404, NOTHING)
      return
    }
    // A sign-in ends in a page that a person sees; what a script or an image asks for is not one.
    const dest = request.headers['sec-fetch-dest']
    if (request.method !== 'GET' || (dest !== undefined && dest !== 'document')) {
      page(response, 405, NOTHING)
      return
    }
    if (this.#closed || this.#judge(url.searchParams) !== undefined) {
      this.#onForeign()
      page(response, 400, FOREIGN)
      return
    }
    page(response, 200, url.searchParams.has('error') ? REFUSED : DONE)
    this.#take(url.searchParams)
  }
}

function listen(server: Server, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : undefined)
    })
  })
}

const DONE = ['Parley has the answer', 'You can close this tab and go back to Parley.'] as const
const REFUSED = ['The sign-in was not completed', 'You can close this tab. Parley says what happened.'] as const
const FOREIGN = [
  'This is not the answer that Parley waits for',
  'Nothing was done. Begin the sign-in again from Parley.',
] as const
const NOTHING = ['There is nothing here', 'Go back to Parley.'] as const

const STYLE =
  'body{font:17px/1.5 system-ui,sans-serif;display:grid;place-content:center;min-height:90vh;margin:0;padding:1rem;text-align:center;color-scheme:light dark}h1{font-size:1.4rem;font-weight:600;margin:0}p{opacity:.75;margin:.4rem 0}'

/** Static, without scripts, and without anything of the request. */
function page(response: ServerResponse, status: number, [title, text]: readonly [string, string]): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  response.end(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`,
  )
}
