import { isAscii, isUtf8 } from 'node:buffer'
import type { RequestId } from '../protocol/shapes/json-rpc.ts'
import { requestIdOf } from './oversized-reply.ts'

export type Line =
  | { readonly text: string /** Invalid UTF-8 was replaced. */; readonly damaged: boolean }
  /** A large line, in its chunks. */
  | { readonly pieces: readonly Buffer[] }
  | { readonly tooLarge: true; readonly id: RequestId | undefined }

const EMPTY: Line = { text: '', damaged: false }
const SMALL_PIECES = 1024
const EDGE_BYTES = 4096

/**
 * Splits a byte stream into lines. Each byte is searched, joined and decoded once, however the chunks fall; a large line is neither
 * joined nor decoded. A line beyond the limit is skipped, and only its ends are kept, to find the request that it answers.
 */
export class LineReader {
  readonly #limit: number
  readonly #anyBreak: boolean
  readonly #queue: Buffer[] = []
  #chunk: Buffer | undefined
  #at = 0
  /** The next LF and CR of the chunk, or its length when there is none. */
  #lineFeed = -1
  #carriageReturn = -1
  /** Undefined until the chunk is checked. */
  #ascii: boolean | undefined
  /** True after a CR: an LF right after it belongs to the same line end. */
  #swallowLineFeed = false
  #pieces: Buffer[] = []
  /** Tiny chunks are joined now and then: kept apart, single bytes would cost a hundred times their size. */
  #small: Buffer[] = []
  #size = 0
  readonly #largeAbove: number
  readonly #atOnce: number
  #skipping: { readonly head: Buffer; tail: Buffer; asked: boolean; told: boolean } | undefined

  /**
   * @param breaks `newline`: LF ends a line, and CRLF leaves its CR in the text. `any`: LF, CR or CRLF.
   * @param largeAbove Bytes above which a line is returned in pieces.
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
      // Checked once for all lines of a chunk.
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

  /** A line that never ends must still fail the request that it answers, if its head names it. */
  #tellEarly(): Line | undefined {
    const skipping = this.#skipping
    // The head does not change with later chunks.
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

/** ASCII, the common case, decodes three times as fast as UTF-8. */
export function decode(bytes: Buffer): { readonly text: string; readonly damaged: boolean } {
  if (isAscii(bytes)) return { text: bytes.toString('latin1'), damaged: false }
  return { text: bytes.toString('utf8'), damaged: !isUtf8(bytes) }
}
