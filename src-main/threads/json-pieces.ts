import { setImmediate } from 'node:timers/promises'
import { isObject } from '../../src-shared/base/json.ts'
import { namesOf } from '../../src-shared/base/member-names.ts'

/** Approximate UTF-16 units of one piece: less than a millisecond of work. */
const PIECE = 64 * 1024

/**
 * The text that JSON.stringify gives of a value that came as JSON, piece by piece, others in between: of 24 MiB it takes a tenth of a second.
 * Names have the order of `namesOf`.
 */
export async function* jsonInTurns(value: unknown): AsyncGenerator<string> {
  let begun = false
  for (const piece of jsonPieces(value)) {
    if (begun) await setImmediate()
    begun = true
    yield piece
  }
}

/** @param most Approximate UTF-16 units of a piece; JSON.stringify writes shorter members at once. */
export function* jsonPieces(value: unknown, most = PIECE): Generator<string> {
  if (typeof value === 'string' && value.length > most) yield* ofString(value, most)
  else if (Array.isArray(value)) yield* ofList(value, most)
  else if (isObject(value)) yield* ofObject(value, most)
  else yield JSON.stringify(value) ?? 'null'
}

function* ofString(text: string, most: number): Generator<string> {
  let before = '"'
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + most)
    // Keeps surrogate pairs together.
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to += 1
    yield before + JSON.stringify(text.slice(from, to)).slice(1, -1)
    before = ''
    from = to
  }
  yield '"'
}

function* ofList(list: readonly unknown[], most: number): Generator<string> {
  let before = '['
  let small: unknown[] = []
  let size = 0
  for (const item of list) {
    const own = sizeOf(item, most)
    if (small.length > 0 && size + own > most) {
      yield before + JSON.stringify(small).slice(1, -1)
      before = ','
      small = []
      size = 0
    }
    if (own > most) {
      yield before
      yield* jsonPieces(item, most)
      before = ','
    } else {
      small.push(item)
      size += own
    }
  }
  if (small.length > 0) yield `${before}${JSON.stringify(small).slice(1)}`
  else yield list.length > 0 ? ']' : '[]'
}

function* ofObject(object: Readonly<Record<string, unknown>>, most: number): Generator<string> {
  let text = '{'
  let before = ''
  for (const name of namesOf(object)) {
    const item = object[name]
    if (item === undefined) continue
    text += `${before}${JSON.stringify(name)}:`
    before = ','
    if (sizeOf(item, most) > most) {
      yield text
      yield* jsonPieces(item, most)
      text = ''
    } else {
      text += JSON.stringify(item)
      if (text.length <= most) continue
      yield text
      text = ''
    }
  }
  yield `${text}}`
}

/** Approximate UTF-16 units of the text, counted up to `most`. */
function sizeOf(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 3
  if (typeof value !== 'object' || value === null) return 6
  let size = 2
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && size <= most; at++) size += sizeOf(value[at], most - size)
  } else {
    for (const name of namesOf(value)) {
      if (size > most) break
      size += name.length + 4 + sizeOf((value as Readonly<Record<string, unknown>>)[name], most - size)
    }
  }
  return size
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}
