import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { setMember } from '../../src-shared/base/member-names.ts'
import { parseJson } from '../../src-shared/base/parse-json.ts'
import { decode } from './line-reader.ts'

export interface ReceivedText {
  /** The whole message, or the head of a large one. */
  readonly text: string
  /** The size of a large message. */
  readonly bytes?: number | undefined
  /** Throws SyntaxError. */
  json(): unknown
}

export class SmallText implements ReceivedText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  json(): unknown {
    return parseJson(this.text)
  }
}

/** A larger message is parsed in parts: at once, 48 MiB would block the thread for a tenth of a second and more. */
export const LARGE_BYTES = 1024 * 1024
/** Bytes of a large message that are kept as text. */
const HEAD_BYTES = 256 * 1024
/** Bytes that are parsed at once: less than a millisecond, and few enough for the cheap allocation of strings. */
const PART_BYTES = 64 * 1024
/** Nested containers. Deeper messages are refused later anyway. */
const MAX_LEVELS = 1_000

const [QUOTE, COMMA, COLON, BACKSLASH, U] = [34, 44, 58, 92, 117]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]
/** Stands for the content of another part, as a string and as a name. Random, so that no sender can use it. */
const PLACEHOLDER = randomUUID()

type Container = unknown[] | Record<string, unknown>

interface LongString {
  readonly pieces: string[]
  /** Undefined when the string is the whole message. */
  readonly container: Container | undefined
  readonly key: string | number
  closed: boolean
}

/**
 * Parses a large JSON text in steps of at most a millisecond, with the value and errors of JSON.parse. The text is split at commas of
 * any depth: each part is wrapped in the brackets that are open around it, parsed by JSON.parse, and merged into the containers that
 * earlier parts began. A long string is parsed in pieces and joined at its end.
 */
export class JsonInTurns implements ReceivedText {
  readonly text: string
  readonly bytes: number
  /** True when invalid UTF-8 was replaced. */
  damaged = false
  readonly #partBytes: number
  readonly #pieces: Buffer[]
  #next = 0
  /** Bytes that are not parsed yet; those before `#at` have been searched. */
  #window: Buffer = Buffer.alloc(0)
  #at = 0
  /** The brackets open at `#at`, and the ranges of their names in the window. */
  readonly #open: number[] = []
  readonly #names: number[] = []
  /** The range of the last name in the window. */
  #nameFrom = 0
  #nameTo = 0
  /** True after a colon, where a string is not a name. */
  #valueNext = false
  /** Containers that earlier parts left open, outermost first, and how many of them still are. */
  #live: Container[] = []
  #stillOpen = 0
  #begun = false
  #root: unknown
  #string: LongString | undefined
  #outcome: { readonly value: unknown } | { readonly error: unknown } | undefined

  /** @param partBytes Bytes to parse at once; a longer string is parsed in pieces. */
  constructor(pieces: readonly Buffer[], partBytes = PART_BYTES) {
    this.#partBytes = partBytes
    this.bytes = pieces.reduce((sum, { length }) => sum + length, 0)
    this.text = textHead(pieces, HEAD_BYTES)
    // The byte order mark is not part of the JSON.
    this.#pieces = withoutHead(pieces, this.text.charCodeAt(0) === 0xfeff ? 3 : 0)
  }

  /** Parses a bit more; true when done. */
  step(): boolean {
    if (this.#outcome) return true
    try {
      if (this.#string) this.#stepInString(this.#string)
      else this.#stepInTree()
    } catch (error) {
      this.#outcome = { error }
      this.#pieces.length = 0
    }
    return this.#outcome !== undefined
  }

  json(): unknown {
    if (!this.#outcome) throw new Error('It is not parsed to its end.')
    if ('error' in this.#outcome) throw this.#outcome.error
    return this.#outcome.value
  }

  #stepInTree(): void {
    const more = this.#at < this.#window.length || this.#fill()
    switch (this.#search()) {
      case 'part':
        if (isOpening(lastSignificant(this.#window, this.#at))) throw new SyntaxError('A comma follows an opening bracket.')
        this.#take(this.#at)
        return
      case 'string':
        this.#begin()
        return
      case 'end':
        if (more && this.#fill()) return
        if (this.#open.length > 0) throw new SyntaxError('The JSON text ends too early.')
        this.#take(this.#window.length)
        this.#outcome = { value: this.#root }
    }
  }

  /** Searches for a place to split: a comma far enough from the beginning, or a long string. */
  #search(): 'part' | 'string' | 'end' {
    const window = this.#window
    const { length } = window
    const open = this.#open
    let inside = open.at(-1)
    for (let at = this.#at; at < length; at++) {
      switch (window[at]) {
        case QUOTE: {
          const isName = inside === OPEN_OBJECT && !this.#valueNext
          const end = endOfString(window, at + 1)
          if (end === -1) {
            this.#at = at
            return length - at > this.#partBytes && !isName ? 'string' : 'end'
          }
          if (isName) {
            this.#nameFrom = at
            this.#nameTo = end + 1
          }
          at = end
          break
        }
        case COLON:
          this.#valueNext = true
          break
        case COMMA:
          this.#valueNext = false
          if (at < this.#partBytes || inside === undefined) break
          this.#at = at
          return 'part'
        case OPEN_LIST:
        case OPEN_OBJECT:
          if (open.length === MAX_LEVELS) throw new SyntaxError(`It is nested deeper than ${MAX_LEVELS} levels.`)
          inside = window[at]
          open.push(inside as number)
          this.#names.push(this.#nameFrom, this.#nameTo)
          this.#valueNext = false
          break
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          if (open.length === 0) throw new SyntaxError('A bracket is closed that was not opened.')
          open.pop()
          this.#names.length -= 2
          inside = open.at(-1)
          this.#stillOpen = Math.min(this.#stillOpen, open.length)
          this.#valueNext = false
      }
    }
    this.#at = length
    return 'end'
  }

  /** Parses the window up to `to` and merges the result into the containers of earlier parts. */
  #take(to: number, last = ''): void {
    const before = this.#live.map((container) => (Array.isArray(container) ? '[' : `{"${PLACEHOLDER}":`)).join('')
    const after = this.#open.map((bracket) => (bracket === OPEN_LIST ? ']' : '}'))
    const text = this.#decoded(this.#window.subarray(0, to))
    // A placeholder comes first, so that a missing or extra comma is the same error as in the whole text.
    const read = parseJson(`${before}${this.#begun ? '""' : ''}${text}${last}${after.reverse().join('')}`)
    let part = read
    for (const container of this.#live) part = join(container, part)
    if (!this.#begun) this.#root = read
    this.#begun = true
    this.#live.length = this.#stillOpen
    for (let level = this.#stillOpen; level < this.#open.length; level++) {
      const outer = this.#live.at(-1)
      const name = () => this.#nameAt(this.#names[level * 2], this.#names[level * 2 + 1])
      const inner = outer ? (outer as Record<string | number, unknown>)[lastKey(outer, name)] : this.#root
      this.#live.push(inner as Container) // JSON.parse has just made it from these brackets
    }
    this.#stillOpen = this.#live.length
    this.#window = this.#window.subarray(to)
    this.#at = 0
  }

  #nameAt(from?: number, to?: number): string {
    return JSON.parse(decode(this.#window.subarray(from, to)).text)
  }

  /** Begins the long string at `#at`. */
  #begin(): void {
    const content = this.#window.subarray(this.#at + 1)
    const name = this.#open.at(-1) === OPEN_OBJECT ? this.#nameAt(this.#nameFrom, this.#nameTo) : ''
    this.#take(this.#at, `"${PLACEHOLDER}"`)
    const container = this.#live.at(-1)
    this.#string = { pieces: [], container, key: container ? lastKey(container, () => name) : '', closed: false }
    this.#window = content
  }

  #stepInString(string: LongString): void {
    if (string.closed) {
      const value = string.pieces.join('')
      if (string.container) put(string.container, string.key, value)
      else this.#root = value
      this.#string = undefined
      return
    }
    const end = endOfString(this.#window, 0)
    const to = end === -1 ? wholeCharacters(this.#window) : end
    string.pieces.push(JSON.parse(`"${this.#decoded(this.#window.subarray(0, to))}"`))
    string.closed = end !== -1
    this.#window = this.#window.subarray(string.closed ? to + 1 : to)
    if (!string.closed && !this.#fill()) throw new SyntaxError('The JSON text ends in a string.')
  }

  #decoded(bytes: Buffer): string {
    const { text, damaged } = decode(bytes)
    this.damaged ||= damaged
    return text
  }

  /** Adds to the window, at least its own size, so that repeated searches stay linear. False when nothing is left. */
  #fill(): boolean {
    const wanted = Math.max(this.#partBytes, this.#window.length)
    const added = [this.#window]
    for (let size = 0; size < wanted; ) {
      const piece = this.#pieces[this.#next]
      if (!piece) break
      const taken = piece.subarray(0, wanted - size)
      added.push(taken)
      size += taken.length
      // Taken bytes are released.
      this.#pieces[this.#next] = piece.subarray(taken.length)
      if (taken.length === piece.length) this.#pieces[this.#next++] = EMPTY
    }
    if (added.length === 1) return false
    this.#window = added.length === 2 && added[1] && added[0]?.length === 0 ? added[1] : Buffer.concat(added)
    return true
  }
}

/** Decodes a complete text; a large one is parsed in parts, with other work in between. */
export async function readText(chunks: readonly Buffer[]): Promise<ReceivedText> {
  const size = chunks.reduce((sum, { length }) => sum + length, 0)
  const [only] = chunks
  if (size <= LARGE_BYTES) return new SmallText(decode(chunks.length === 1 && only ? only : Buffer.concat(chunks, size)).text)
  const large = new JsonInTurns(chunks)
  while (!large.step()) await setImmediate()
  return large
}

const EMPTY: Buffer = Buffer.alloc(0)

/** Adds the values of a part to a container that earlier parts began; returns the first value, which continues the container inside. */
function join(container: Container, part: unknown): unknown {
  if (Array.isArray(container)) {
    const list = part as unknown[]
    for (let at = 1; at < list.length; at++) container.push(list[at])
    return list[0]
  }
  const members = part as Record<string, unknown>
  for (const name of Object.keys(members)) if (name !== PLACEHOLDER) setMember(container, name, members[name])
  return members[PLACEHOLDER]
}

/** The key of the last value in a container; `name` for one in an object. */
function lastKey(container: Container, name: () => string): string | number {
  return Array.isArray(container) ? container.length - 1 : name()
}

function put(container: Container, key: string | number, value: unknown): void {
  if (Array.isArray(container)) container[Number(key)] = value
  else setMember(container, String(key), value)
}

/** The end of the string whose content includes `from`, which begins a character; -1 when these bytes do not hold it. */
function endOfString(bytes: Buffer, from: number): number {
  const { length } = bytes
  for (let at = from; at < length; ) {
    const near = Math.min(length, at + SHORT_STRING)
    while (at < near) {
      const byte = bytes[at]
      if (byte === QUOTE) return at
      at += byte === BACKSLASH ? 2 : 1
    }
    // A search by the runtime is ten times as fast, from a few dozen bytes on.
    const quote = bytes.indexOf(QUOTE, at)
    if (quote === -1) return -1
    let escapes = 0
    while (quote - escapes > at && bytes[quote - escapes - 1] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return quote
    at = quote + 1
  }
  return -1
}

const SHORT_STRING = 64
const MAX_ESCAPE_LENGTH = 6
const MAX_CHARACTER_LENGTH = 4

/** The length of a string's bytes without an escape or character that the end cuts. */
function wholeCharacters(bytes: Buffer): number {
  const { length } = bytes
  const backslash = bytes.lastIndexOf(BACKSLASH)
  if (backslash >= 0 && length - backslash < MAX_ESCAPE_LENGTH) {
    let escapes = 1
    while (backslash - escapes >= 0 && bytes[backslash - escapes] === BACKSLASH) escapes++
    const begins = escapes % 2 === 1
    if (begins && (backslash + 1 === length || bytes[backslash + 1] === U)) return backslash
  }
  for (let at = length - 1; at >= 0 && at >= length - MAX_CHARACTER_LENGTH; at--) {
    const byte = bytes[at] as number
    if (byte < 0x80) return length
    if (byte < 0xc0) continue
    const size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return at + size > length ? at : length
  }
  return length
}

/** The last byte before `at` that is not white space. */
function lastSignificant(bytes: Buffer, at: number): number | undefined {
  let last = at - 1
  while (last >= 0 && (bytes[last] as number) <= 32) last--
  return bytes[last]
}

function isOpening(byte: number | undefined): boolean {
  return byte === OPEN_LIST || byte === OPEN_OBJECT
}

export function textHead(pieces: readonly Buffer[], bytes: number): string {
  const head: Buffer[] = []
  let size = 0
  for (const piece of pieces) {
    if (size >= bytes) break
    head.push(piece.subarray(0, bytes - size))
    size += piece.length
  }
  const joined = Buffer.concat(head)
  return decode(joined.subarray(0, wholeCharacters(joined))).text
}

export function withoutHead(pieces: readonly Buffer[], bytes: number): Buffer[] {
  let left = bytes
  return pieces.map((piece) => {
    const rest = piece.subarray(left)
    left -= piece.length - rest.length
    return rest
  })
}
