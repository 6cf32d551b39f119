import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { AuthorizationError } from './authorization-error.ts'

const PATH = '/callback'
/** Registered clients need a stable address; if the port is taken, any other is allowed (RFC 8252, 7.3). */
const USUAL_PORT = 47_813
const MAX_LENGTH = 16 * 1024

/** The problem of an answer, for the person; undefined when it is ours. */
type CheckAnswer = (answer: URLSearchParams) => string | undefined

/** Receives one answer from the browser on 127.0.0.1 (AUTH-11). Any other request is refused and changes nothing. */
export class LoopbackRedirect {
  readonly uri: string
  readonly #server: Server
  readonly #port: number
  readonly #received = Promise.withResolvers<URLSearchParams>()
  #check: CheckAnswer = () => 'No sign-in is under way.'
  #onForeign: () => void = () => {}
  #closed = false

  private constructor(server: Server, port: number) {
    this.#server = server
    this.#port = port
    this.uri = `http://127.0.0.1:${port}${PATH}`
    server.on('request', (request, response) => this.#serve(request, response))
    this.#received.promise.catch(() => {}) // A caller gets the error.
  }

  /** `preferred` is the port of an earlier registration. Throws AuthorizationError when no port is free. */
  static async open(preferred: number = USUAL_PORT): Promise<LoopbackRedirect> {
    for (const port of [preferred, 0]) {
      const server = createServer({ maxHeaderSize: 2 * MAX_LENGTH, requestTimeout: 10_000 })
      const got = await listen(server, port)
      if (got !== undefined) return new LoopbackRedirect(server, got)
    }
    throw new AuthorizationError('refused', 'No port on this computer is free for the browser to return to.')
  }

  /** Begins to accept answers; `onForeign` is called for refused ones. */
  expect(check: CheckAnswer, onForeign: () => void): void {
    this.#check = check
    this.#onForeign = onForeign
  }

  /** The accepted answer. The caller sets the deadline. */
  get received(): Promise<URLSearchParams> {
    return this.#received.promise
  }

  /** Takes the final address of a browser, pasted by the person. Returns its problem. */
  paste(text: string): string | undefined {
    const address = text.trim()
    const url = URL.parse(address) ?? undefined
    const expected = new URL(this.uri)
    if (!url || url.host !== expected.host || url.pathname !== PATH) {
      return `Paste the address that your browser shows after sign-in. Does it begin with ${this.uri}?`
    }
    const wrong = this.#check(url.searchParams)
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
    // A sign-in ends with a visible page, not with a request of a script or an image.
    const dest = request.headers['sec-fetch-dest']
    if (request.method !== 'GET' || (dest !== undefined && dest !== 'document')) {
      page(response, 405, NOTHING)
      return
    }
    if (this.#closed || this.#check(url.searchParams) !== undefined) {
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

const DONE = ['Sign-in received', 'You can close this tab and go back to Parley.'] as const
const REFUSED = ['The sign-in was not completed', 'You can close this tab. Parley shows what happened.'] as const
const FOREIGN = ['This is not the expected answer', 'Nothing was done. Sign in again from Parley.'] as const
const NOTHING = ['There is nothing here', 'Go back to Parley.'] as const

const STYLE =
  'body{font:17px/1.5 system-ui,sans-serif;display:grid;place-content:center;min-height:90vh;margin:0;padding:1rem;text-align:center;color-scheme:light dark}h1{font-size:1.4rem;font-weight:600;margin:0}p{opacity:.75;margin:.4rem 0}'

/** Static, without scripts or any text of the request. */
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
