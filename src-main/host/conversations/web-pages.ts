import { timeLimit } from '../../../src-shared/base/clock.ts'
import { hostOf } from '../../../src-shared/base/hosts.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ResultOf } from '../../../src-shared/contract/requests.ts'
import type { Documents, ReadPage } from '../../documents/documents.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import { discard, type HttpResponse, mediaType, readReply, succeeded } from '../../transports/http/http-fetch.ts'
import type { HostCore } from '../core/host-core.ts'
import type { Conversation } from './conversation.ts'
import { NOT_READ, type PersonFiles } from './person-files.ts'

const MAX_BYTES = 5 * 1024 * 1024
/** Milliseconds for a page, including its last byte. */
const READ_TIME = 20_000
/** Bytes in which a page may name its encoding. */
const HEAD_BYTES = 1024
const SAVE_IT = 'Save it in your browser and attach the file.'

interface WebPagesParts extends Pick<HostCore, 'connector' | 'clock'> {
  readonly documents: Documents
  readonly files: Pick<PersonFiles, 'attachBytes'>
}

/** Web pages that the person names for a message. Each is asked for once, without cookies, and its words count as a stranger's. */
export class WebPages {
  readonly #parts: WebPagesParts

  constructor(parts: WebPagesParts) {
    this.#parts = parts
  }

  /** Attaches the text of a page, or the file at an address. Throws HostError with what to do. */
  async attach(conversation: Conversation, address: string, signal: AbortSignal): Promise<ResultOf<'conversation.attachPage'>> {
    conversation.attachments.askForRoom()
    const asked = addressOf(address)
    const { response, body } = await this.#read(asked.href, signal)
    const url = new URL(response.redirectedTo ?? asked.href)
    const type = mediaType(response)
    const from = asked.host === url.host ? [] : [`${asked.host} led to ${url.host}.`]
    if (!isText(type)) return this.#parts.files.attachBytes(conversation, `${url.host} - ${fileName(url)}`, body, from)
    const written = decode(body, response)
    const page = isHtml(type, written) ? await this.#parts.documents.page(written) : textFile(url, written)
    if (page.is === 'unread') throw new HostError('refused', `The page ${UNREAD[page.why]}`)
    if (page.text.trim() === '') throw new HostError('refused', `There is no text on this page without its scripts. ${SAVE_IT}`)
    const title = page.title === '' ? url.host : `${url.host} - ${page.title}`
    return this.#parts.files.attachBytes(conversation, title, Buffer.from(`${url.href}\n\n${page.text}`), from)
  }

  async #read(url: string, signal: AbortSignal): Promise<{ response: HttpResponse; body: Buffer }> {
    const { clock, connector } = this.#parts
    const tooSlow = () => new HostError('unavailable', `${hostOf(url)} takes too long to answer. Try again later.`)
    using limit = timeLimit(clock, READ_TIME, tooSlow, signal)
    try {
      const request = { method: 'GET', url, headers: {}, roams: true, onlyInternet: true, signal: limit.signal } as const
      const response = await connector.request(request)
      if (!succeeded(response)) {
        discard(response, clock)
        throw new HostError('unavailable', `${hostOf(url)} answers with HTTP ${response.status}. ${SAVE_IT}`)
      }
      const chunks = await readReply(response, MAX_BYTES)
      if (!chunks) throw new HostError('refused', 'This page is larger than 5 MiB. Attach a part of it.')
      return { response, body: Buffer.concat(chunks) }
    } catch (error) {
      if (error instanceof TransportError) throw new HostError('unavailable', error.message)
      throw error
    }
  }
}

const UNREAD: Readonly<Record<Extract<ReadPage, { is: 'unread' }>['why'], string>> = {
  broken: `takes too much memory to read. ${SAVE_IT}`,
  'too-slow': `takes too long to read. ${SAVE_IT}`,
  ...NOT_READ,
}

const textFile = (url: URL, text: string) => ({ is: 'text', title: fileName(url), text }) as const

/** An address without encryption is asked for with it, as browsers do. Throws HostError for one that says who the person is. */
function addressOf(address: string): URL {
  const url = URL.parse(address)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new HostError('invalid-params', 'This is not the address of a web page.')
  if (url.username !== '' || url.password !== '')
    throw new HostError('refused', 'This address has a name or a password in it. Remove them: pages are read without signing in.')
  url.protocol = 'https:'
  url.hash = ''
  return url
}

const isText = (type: string) => type === '' || /^text\/|[/+](?:json|xml|yaml)$|^application\/(?:x-)?javascript$/.test(type)

const isHtml = (type: string, written: string) =>
  type === 'text/html' || type === 'application/xhtml+xml' || (type === '' && /^\s*<(?:!doctype html|html)\b/i.test(written))

/** The text in the encoding that the answer, or the page itself, names. */
function decode(body: Buffer, { headers }: HttpResponse): string {
  const head = body.subarray(0, HEAD_BYTES).toString('latin1')
  const [, named = 'utf-8'] =
    /charset\s*=\s*["']?([\w.:-]+)/i.exec(headers['content-type'] ?? '') ??
    /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(head) ??
    []
  try {
    return new TextDecoder(named).decode(body)
  } catch {
    // The page names an encoding that nobody knows.
    return new TextDecoder().decode(body)
  }
}

/** The last part of its path, for a file; the page's title takes its place where there is one. */
function fileName(url: URL): string {
  return url.pathname.split('/').at(-1) || 'page'
}
