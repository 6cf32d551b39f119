import type { ByteStream } from '../../../src-shared/base/byte-stream.ts'
import type { Clock } from '../../../src-shared/base/clock.ts'
import { isConfidential } from '../../../src-shared/base/hosts.ts'
import { TransportError, type TransportErrorDetails } from '../../protocol/peer/transport.ts'

/** A request as transports make it, authorization may wrap it, and the connector sends it. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** A background request, which must not ask a person to sign in. */
  readonly aside?: boolean | undefined
  /** A background stream, which waits until the person has signed in. */
  readonly waits?: boolean | undefined
  /** Holds state of one account, and is not sent after a new sign-in. */
  readonly bound?: boolean | undefined
  /** A download without headers of ours, which may be redirected to another origin, but never to one that is nearer. */
  readonly roams?: boolean | undefined
  /** Only hosts on the internet may answer, also by the addresses of their names. A proxy that looks names up is trusted with that. */
  readonly onlyInternet?: boolean | undefined
  /** Aborts the request, or the reading of its response. */
  readonly signal: AbortSignal
}

export interface HttpResponse {
  readonly status: number
  /** Lower-case names; several values are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** Already decompressed. Must be read to its end or destroyed. */
  readonly body: ByteStream<Buffer>
  /** The address that answered, where redirects led to another one. */
  readonly redirectedTo?: string
}

/** Rejects with TransportError `unreachable`, `refused` or `malformed`, or with the signal's reason. No status is an error. */
export type HttpFetch = (request: HttpRequest) => Promise<HttpResponse>

const BODY_HEAD = 2048
const SHOWN_HEADERS = ['www-authenticate', 'retry-after', 'content-type', 'allow', 'location']

/** `application/json; charset=utf-8` → `application/json`. */
export function mediaType(response: HttpResponse): string {
  const value = response.headers['content-type'] ?? ''
  // The common values need no parsing.
  if (value === 'application/json' || value === 'text/event-stream') return value
  return value.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

export function succeeded(response: HttpResponse): boolean {
  return response.status >= 200 && response.status < 300
}

/** Allows https, and http on this computer (TRAN-70). Throws TransportError `refused` for other URLs. */
export function checkedUrl(text: string): URL {
  if (!URL.canParse(text))
    throw new TransportError('refused', `“${text.slice(0, 200)}” is not an address. It must begin with https://.`)
  const url = new URL(text)
  if (isConfidential(url)) return url
  const message = `“${url.protocol}//${url.host}” is not encrypted. Use https, or http on this computer.`
  throw new TransportError('refused', message)
}

const DISCARD_BYTES = 64 * 1024
const DISCARD_MS = 2_000

/**
 * Drops an unneeded body. A short rest is read, so that the connection can be reused; a long or slow one costs more than a new
 * connection.
 */
export function discard(response: HttpResponse, clock: Clock): void {
  const { body } = response
  let left = DISCARD_BYTES
  const cancel = clock.after(DISCARD_MS, () => body.destroy())
  body.on('error', () => {}).once('close', cancel)
  body
    .on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) body.destroy()
    })
    .resume()
  if (body.closed) cancel()
}

/** The whole body, or undefined when it is larger than `limit` bytes. Rejects when it breaks off. */
export async function readBody(response: HttpResponse, limit: number): Promise<Buffer | undefined> {
  const chunks = await readChunks(response, limit)
  return chunks?.length === 1 ? chunks[0] : chunks && Buffer.concat(chunks)
}

function readChunks(response: HttpResponse, limit: number): Promise<readonly Buffer[] | undefined> {
  const { body } = response
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let settled = false
    body.on('data', (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= limit) return
      settled = true
      body.destroy()
      resolve(undefined)
    })
    body.once('error', reject)
    body.once('end', () => {
      settled = true
      resolve(chunks)
    })
    body.once('close', () => {
      if (!settled) reject(new Error('the body broke off'))
    })
    body.resume()
  })
}

/** The chunks of a reply; rejects with TransportError `closed` when it breaks off. */
export async function readReply(response: HttpResponse, limit: number): Promise<readonly Buffer[] | undefined> {
  try {
    return await readChunks(response, limit)
  } catch (cause) {
    throw new TransportError('closed', 'The connection was lost in the middle of the reply.', {}, { cause })
  }
}

/** The first bytes of a body as text, for an error message. */
export function bodyHead(response: HttpResponse): Promise<string> {
  const { body } = response
  return new Promise((resolve) => {
    let head = Buffer.alloc(0)
    const settle = () => resolve(head.subarray(0, BODY_HEAD).toString('utf8'))
    body.on('data', (chunk: Buffer) => {
      head = Buffer.concat([head, chunk])
      if (head.length >= BODY_HEAD) body.destroy()
    })
    body.once('error', settle).once('close', settle).resume()
  })
}

/** The meaning of an error status for a person, with the details that authorization needs. */
export function statusError(response: HttpResponse, body: string, doing: string): TransportError {
  const shown = SHOWN_HEADERS.flatMap((name) => {
    const value = response.headers[name]
    return value === undefined ? [] : [[name, value.slice(0, BODY_HEAD)] as const]
  })
  const details: TransportErrorDetails = { status: response.status, headers: Object.fromEntries(shown), body }
  return new TransportError('http', `The server answered ${doing} with HTTP ${describeStatus(response.status)}.`, details)
}

function describeStatus(status: number): string {
  const known: Readonly<Record<number, string>> = {
    400: '400: it calls the message invalid',
    401: '401: sign-in required',
    403: '403: it does not permit this',
    404: '404: there is nothing at this address',
    405: '405: it does not accept this at this address',
    413: '413: the request is too large for it',
    429: '429: too many requests, try again later',
    431: '431: the headers are too large for it',
    502: '502: a gateway in front of it cannot reach it',
    503: '503: it is not available now',
    504: '504: a gateway in front of it got no answer',
  }
  return known[status] ?? (status >= 500 ? `${status}: it failed` : `${status}`)
}
