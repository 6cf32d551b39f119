import type { JsonPrimitive, JsonValue } from '../../../src-shared/base/json.ts'

/** JSON as a tree with offsets, so that one place of the text can be changed and the rest kept. */
export type JsonNode = ObjectNode | ArrayNode | ScalarNode

export interface ObjectNode extends Span {
  readonly type: 'object'
  readonly properties: readonly PropertyNode[]
}

interface ArrayNode extends Span {
  readonly type: 'array'
  readonly items: readonly JsonNode[]
}

interface ScalarNode extends Span {
  readonly type: 'scalar'
  readonly value: JsonPrimitive
}

export interface PropertyNode {
  readonly key: string
  readonly start: number
  readonly value: JsonNode
}

/** Offsets into the text; `end` is the one after. */
interface Span {
  readonly start: number
  readonly end: number
}

const MAX_DEPTH = 64
const SPACE = /[ \t\r\n]*/y
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y

/** The message says where the text stops being JSON, and why. */
export class JsonTextError extends Error {
  constructor(why: string, text: string, offset: number) {
    const lines = text.slice(0, offset).split(/\r\n|\n|\r/)
    super(`line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: ${why}`)
    this.name = 'JsonTextError'
  }
}

/** Throws JsonTextError. A byte order mark is skipped. */
export function parseJsonText(text: string): JsonNode {
  const reader = new Reader(text)
  const node = reader.value(0)
  reader.end()
  return node
}

export function plainValue(node: JsonNode): JsonValue {
  switch (node.type) {
    case 'object':
      return Object.fromEntries(node.properties.map(({ key, value }) => [key, plainValue(value)]))
    case 'array':
      return node.items.map(plainValue)
    case 'scalar':
      return node.value
  }
}

/** The last property of that name, as in JSON.parse. */
export function findProperty(node: ObjectNode, key: string): PropertyNode | undefined {
  return node.properties.findLast((property) => property.key === key)
}

class Reader {
  readonly #text: string
  #at: number

  constructor(text: string) {
    this.#text = text
    this.#at = text.startsWith('\uFEFF') ? 1 : 0
  }

  value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) this.#fail('this is nested too deeply')
    this.#skipSpace()
    const start = this.#at
    switch (this.#text[start]) {
      case '{': {
        const properties = this.#list('}', () => this.#property(depth))
        return { type: 'object', start, end: this.#at, properties }
      }
      case '[': {
        const items = this.#list(']', () => this.value(depth + 1))
        return { type: 'array', start, end: this.#at, items }
      }
      default: {
        const token = this.#match(STRING) ?? this.#match(NUMBER) ?? this.#match(WORD)
        if (token === undefined)
          this.#fail(this.#text[start] === '"' ? 'this text is not closed or holds a bad escape' : 'a value is missing')
        return { type: 'scalar', start, end: this.#at, value: JSON.parse(token) }
      }
    }
  }

  end(): void {
    this.#skipSpace()
    if (this.#at < this.#text.length) this.#fail('there is more after the end')
  }

  #property(depth: number): PropertyNode {
    this.#skipSpace()
    const start = this.#at
    const key = this.#match(STRING)
    if (key === undefined)
      this.#fail(this.#text[start] === '}' ? 'there is a comma too many before this' : 'a key in double quotes is missing')
    this.#skipSpace()
    if (this.#match(/:/y) === undefined) this.#fail('a colon is missing')
    return { key: JSON.parse(key), start, value: this.value(depth + 1) }
  }

  /** Reads a list from its opening bracket to its closing one. */
  #list<T>(close: '}' | ']', read: () => T): T[] {
    const found: T[] = []
    this.#at += 1
    this.#skipSpace()
    if (this.#text[this.#at] === close) {
      this.#at += 1
      return found
    }
    for (;;) {
      found.push(read())
      this.#skipSpace()
      const next = this.#text[this.#at]
      if (next !== ',' && next !== close)
        this.#fail(next === undefined ? `the text ends before its "${close}"` : 'a comma is missing')
      this.#at += 1
      if (next === close) return found
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const token = pattern.exec(this.#text)?.[0]
    if (token !== undefined) this.#at += token.length
    return token
  }

  #skipSpace(): void {
    this.#match(SPACE)
    if (this.#text.startsWith('//', this.#at) || this.#text.startsWith('/*', this.#at)) this.#fail('JSON has no comments')
  }

  #fail(why: string): never {
    throw new JsonTextError(why, this.#text, this.#at)
  }
}
