import { isAscii, isUtf8 } from 'node:buffer'
import type { RequestId } from '../protocol/shapes/json-rpc.ts'
import { requestIdOf } from './oversized-reply.ts'

export type Line =
  | { readonly text: string /** Not valid UTF-8: replaced. */; readonly damaged: boolean }
  /** A large one, as it came. */
  | { readonly pieces: readonly Buffer[] }
  | { readonly tooLarge: true; readonly id: RequestId | undefined }

const EMPTY: Line = { text: '', damaged: false }
const SMALL_PIECES = 1024
const EDGE_BYTES = 4096

/**
 * Cuts a byte stream into lines. Each byte is searched once, joined once and decoded once, however the chunks fall; a
 * large line is neither joined nor decoded.
 * A line beyond the limit is skipped to its end without being kept; only its first and last bytes are, to learn whose reply it was.
 */
export class LineReader {
  readonly #limit: number
  readonly #anyBreak: boolean
  readonly #queue: Buffer[] = []
  #chunk: Buffer | undefined
  #at = 0
  /** Where the next LF and CR of the chunk are; its length when there is none. Each is searched once. */
  #lineFeed = -1
  #carriageReturn = -1
  /** The chunk is pure ASCII; undefined until somebody asks. */
  #ascii: boolean | undefined
  /** The last line ended in a CR: an LF right after it belongs to it. */
  #swallowLineFeed = false
  #pieces: Buffer[] = []
  /** Tiny chunks are joined now and then, or a drip of single bytes would cost a hundred times its size. */
  #small: Buffer[] = []
  #size = 0
  readonly #largeAbove: number
  readonly #atOnce: number
  #skipping: { readonly head: Buffer; tail: Buffer; asked: boolean; told: boolean } | undefined

  /**
   * @param breaks What ends a line: a newline (CRLF leaves its CR in the text), or any of LF, CR and CRLF.
   * @param largeAbove Bytes above which a line is handed over in pieces.
   */
  constructor(limit: number, breaks: 'newline' | 'any' = 'newline', largeAbove = Number.POSITIVE_INFINITY) {
    this.#limit = limit
    this.#largeAbove = largeAbove
    this.#atOnce = Math.min(limit, largeAbove)
    this.#anyBreak = breaks === 'any'
  }

  push(chunk: Buffer): void {
    this.#queue.push(chunk)
  }

  /** The next complete line, or undefined until more bytes are pushed. */
  next(): Line | undefined {
    for (;;) {
      if (!this.#chunk) {
        this.#chunk = this.#queue.shift()
        this.#at = 0
        this.#lineFeed = -1
        this.#carriageReturn = -1
        this.#ascii = undefined
        if (!this.#chunk) return undefined
      }
      const chunk = this.#chunk
      if (this.#swallowLineFeed) {
        this.#swallowLineFeed = false
        if (chunk[this.#at] === 10) this.#at += 1
      }
      const from = this.#at
      const newline = this.#lineEnd(chunk, from)
      if (newline === -1) {
        this.#chunk = undefined
        this.#keep(from === 0 ? chunk : chunk.subarray(from))
        const told = this.#tellEarly()
        if (told) return told
        continue
      }
      this.#at = newline + 1
      if (this.#at === chunk.length) this.#chunk = undefined
      const line = this.#finish(chunk, from, newline)
      if (line) return line
    }
  }

  /** The rest when the stream ends without a newline. */
  end(): Line | undefined {
    if (this.#size === 0 && !this.#skipping) return undefined
    return this.#finish(Buffer.alloc(0), 0, 0)
  }

  #lineEnd(chunk: Buffer, from: number): number {
    if (!this.#anyBreak) return chunk.indexOf(10, from)
    if (this.#lineFeed < from) this.#lineFeed = indexOrEnd(chunk, 10, from)
    if (this.#carriageReturn < from) this.#carriageReturn = indexOrEnd(chunk, 13, from)
    const end = Math.min(this.#lineFeed, this.#carriageReturn)
    if (end === chunk.length) return -1
    this.#swallowLineFeed = end === this.#carriageReturn
    return end
  }

  #finish(chunk: Buffer, from: number, to: number): Line | undefined {
    if (this.#size === 0 && !this.#skipping && to - from <= this.#atOnce) {
      if (from === to) return EMPTY // every second line of an event stream
      // Asked once for all the lines of a chunk; most chunks hold many.
      this.#ascii ??= isAscii(chunk)
      return this.#ascii ? { text: chunk.toString('latin1', from, to), damaged: false } : decode(chunk.subarray(from, to))
    }
    this.#keep(chunk.subarray(from, to))
    const skipped = this.#skipping
    this.#settleSmall()
    const pieces = this.#pieces
    const large = this.#size > this.#largeAbove
    const whole = skipped || large ? undefined : this.#join()
    this.#pieces = []
    this.#small = []
    this.#size = 0
    this.#skipping = undefined
    if (whole) return decode(whole)
    if (!skipped) return { pieces }
    if (skipped.told) return undefined
    return { tooLarge: true, id: requestIdOf(skipped.head.toString('latin1'), skipped.tail.toString('latin1')) }
  }

  #keep(piece: Buffer): void {
    if (this.#skipping) {
      this.#skipping.tail = lastBytes(Buffer.concat([this.#skipping.tail, lastBytes(piece)]))
      return
    }
    this.#size += piece.length
    if (piece.length >= SMALL_PIECES) {
      this.#settleSmall()
      this.#pieces.push(piece)
    } else if (this.#small.push(piece) === SMALL_PIECES) this.#settleSmall()
    if (this.#size <= this.#limit) return
    this.#settleSmall()
    // Copies: a view would keep the whole chunk alive for as long as the rest is skipped.
    const head = Buffer.concat(this.#pieces, Math.min(this.#size, EDGE_BYTES))
    const tail = Buffer.from(lastBytes(this.#join()))
    this.#pieces = []
    this.#size = 0
    this.#skipping = { head, tail, asked: false, told: false }
  }

  /** A line that never ends must still fail the request it answers, if its head names it. */
  #tellEarly(): Line | undefined {
    const skipping = this.#skipping
    // Its head stays the same, however many chunks follow.
    if (!skipping || skipping.asked) return undefined
    skipping.asked = true
    const id = requestIdOf(skipping.head.toString('latin1'), '')
    if (id === undefined) return undefined
    skipping.told = true
    return { tooLarge: true, id }
  }

  #settleSmall(): void {
    if (this.#small.length === 0) return
    this.#pieces.push(Buffer.concat(this.#small))
    this.#small = []
  }

  #join(): Buffer {
    const [only] = this.#pieces
    return this.#pieces.length === 1 && only ? only : Buffer.concat(this.#pieces, this.#size)
  }
}

function indexOrEnd(chunk: Buffer, byte: number, from: number): number {
  if (chunk[from] === byte) return from
  const index = chunk.indexOf(byte, from)
  return index === -1 ? chunk.length : index
}

function lastBytes(bytes: Buffer): Buffer {
  return bytes.length <= EDGE_BYTES ? bytes : bytes.subarray(bytes.length - EDGE_BYTES)
}

/** ASCII, the common case, is a third of the price of UTF-8. */
export function decode(bytes: Buffer): { readonly text: string; readonly damaged: boolean } {
  if (isAscii(bytes)) return { text: bytes.toString('latin1'), damaged: false }
  return { text: bytes.toString('utf8'), damaged: !isUtf8(bytes) }
}
