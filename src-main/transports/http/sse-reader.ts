import type { RequestId } from '../../protocol/shapes/json-rpc.ts'
import { LARGE_BYTES, textHead, withoutHead } from '../json-in-turns.ts'
import { type Line, LineReader } from '../line-reader.ts'

export interface SseEvent {
  /** `message` unless the stream names another. */
  readonly name: string
  /** Chunks when it is large. */
  readonly data: string | readonly Buffer[]
  /** The cursor of the stream after this event, if it has one. */
  readonly id: string | undefined
}

export type SseItem =
  | { readonly is: 'event'; readonly event: SseEvent }
  | { readonly is: 'retry'; readonly ms: number }
  /** An event beyond the limit was skipped; `requestId` is the request that it answers, if known. */
  | { readonly is: 'too-large'; readonly requestId: RequestId | undefined; readonly id: string | undefined }

/** Bytes of a line besides the data, such as `data: `. */
const LINE_EXTRA = 64
/** Milliseconds of the longest possible timer. */
const MAX_WAIT = 2 ** 31 - 1
const MAX_ID = 1024
/** Bytes of a large line that are read when it is not data. */
const LINE_HEAD = 8 * 1024
const DATA = /^\ufeff?data: ?/
const LINE_FEED = Buffer.from('\n')

/**
 * text/event-stream, from bytes (html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
 * Unlike a browser's it skips an event that is too large instead of ending, and does not wait after a lone CR.
 */
export class SseReader {
  readonly #limit: number
  readonly #lines: LineReader
  #first = true
  #name = ''
  #data: string[] = []
  /** The bytes of earlier lines, once there are many. */
  #pieces: Buffer[] = []
  #size = 0
  #sizeInPieces = 0
  #id: string | undefined
  #oversized = false

  constructor(limit: number) {
    this.#limit = limit
    this.#lines = new LineReader(limit + LINE_EXTRA, 'any', LARGE_BYTES)
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk)
  }

  /** The next item, or undefined until more bytes are pushed. As the standard says, an event that the stream's end cuts off is dropped. */
  next(): SseItem | undefined {
    for (let line = this.#lines.next(); line; line = this.#lines.next()) {
      const item = this.#take(line)
      if (item) return item
    }
    return undefined
  }

  #take(line: Line): SseItem | undefined {
    if ('text' in line) return this.#line(line.text)
    if ('tooLarge' in line) return this.#tooLarge(line.id)
    const head = textHead(line.pieces, LINE_HEAD)
    const field = DATA.exec(head)?.[0]
    if (field === undefined || (field.startsWith('\ufeff') && !this.#first)) return this.#line(head)
    this.#first = false
    return this.#addPieces(withoutHead(line.pieces, Buffer.byteLength(field)))
  }

  #line(line: string): SseItem | undefined {
    let text = line
    if (this.#first) {
      this.#first = false
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1)
    }
    if (text === '') return this.#dispatch()
    if (text.startsWith('data:')) return this.#addData(text.slice(text.charCodeAt(5) === 32 ? 6 : 5))
    const colon = text.indexOf(':')
    if (colon === 0) return undefined // a comment
    const field = colon === -1 ? text : text.slice(0, colon)
    const value = colon === -1 ? '' : text.slice(text.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1)
    switch (field) {
      case 'data':
        return this.#addData(value)
      case 'event':
        this.#name = value.slice(0, MAX_ID)
        return undefined
      case 'id':
        // An id that a header cannot carry back is ignored.
        if (value.length <= MAX_ID && /^[^\0-\x1f\x7f-\u{10ffff}]*$/u.test(value)) this.#id = value
        return undefined
      case 'retry':
        return /^\d+$/.test(value) ? { is: 'retry', ms: Math.min(Number(value), MAX_WAIT) } : undefined
      default:
        return undefined
    }
  }

  #addData(value: string): SseItem | undefined {
    if (this.#oversized) return undefined
    this.#size += value.length + (this.#data.length > 0 ? 1 : 0)
    this.#data.push(value)
    if (this.#size - this.#sizeInPieces > LARGE_BYTES) this.#settle()
    // Empty lines count, too, so that a billion of them is not kept.
    return this.#size > this.#limit ? this.#tooLarge(undefined) : undefined
  }

  #addPieces(value: readonly Buffer[]): SseItem | undefined {
    if (this.#oversized) return undefined
    this.#settle()
    this.#pieces = this.#pieces.concat(this.#pieces.length > 0 ? LINE_FEED : [], value)
    this.#size = this.#pieces.reduce((sum, { length }) => sum + length, 0)
    this.#sizeInPieces = this.#size
    return this.#size > this.#limit ? this.#tooLarge(undefined) : undefined
  }

  #settle(): void {
    if (this.#data.length === 0) return
    const lines = this.#data.join('\n')
    this.#pieces.push(Buffer.from(this.#pieces.length > 0 ? `\n${lines}` : lines))
    this.#data = []
    this.#sizeInPieces = this.#size
  }

  #tooLarge(requestId: RequestId | undefined): SseItem | undefined {
    if (this.#oversized) return undefined
    this.#oversized = true
    this.#data = []
    this.#pieces = []
    return { is: 'too-large', requestId, id: this.#id }
  }

  #dispatch(): SseItem | undefined {
    const [only] = this.#data
    const name = this.#name
    const id = this.#id
    const large = this.#pieces.length > 0
    const empty = this.#data.length === 0 && !large
    if (large) this.#settle()
    const data = large ? this.#pieces : this.#data.length === 1 && only !== undefined ? only : this.#data.join('\n')
    this.#name = ''
    this.#data = []
    this.#pieces = []
    this.#size = 0
    this.#sizeInPieces = 0
    this.#id = undefined
    this.#oversized = false
    // An id without data still moves the cursor.
    if (empty && id === undefined) return undefined
    return { is: 'event', event: { name: name === '' ? 'message' : name, data, id } }
  }
}
