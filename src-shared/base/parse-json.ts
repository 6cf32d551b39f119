import { isObject, type JsonObject, type JsonValue } from './json.ts'

const [QUOTE, COLON, BACKSLASH, SPACE] = [0x22, 0x3a, 0x5c, 0x20]
const NEEDS_ESCAPES = /["\\\u0000-\u001f]/

/**
 * Parses JSON, with or without a byte order mark. Throws SyntaxError.
 *
 * JSON.parse of V8 13.6 and later takes the name `"\""` for `\` where it expects that one: it compares a name with the escaped
 * form of the expected one (https://issues.chromium.org/issues/521080746). Names without escapes and single strings are unaffected.
 */
export function parseJson(text: string): unknown {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const value: unknown = JSON.parse(bare)
  if (!bare.includes('\\')) return value
  const names = [...escapedNames(bare)]
  return names.length === 0 ? value : readWith(names, bare)
}

/** The value of a JSON text; undefined for invalid JSON. */
export function jsonIn(text: string): JsonValue | undefined {
  try {
    return parseJson(text) as JsonValue
  } catch {
    return undefined
  }
}

/** The object of a JSON text; undefined for anything else. */
export function objectIn(text: string): JsonObject | undefined {
  const value = jsonIn(text)
  return isObject(value) ? value : undefined
}

/** Offsets of a name with its quotes; `to` is exclusive. */
interface Place {
  readonly from: number
  readonly to: number
}

/** A backslash occurs only in strings, and a string before a colon is a name. */
function* escapedNames(text: string): Generator<Place> {
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
    const from = text.lastIndexOf('"', at)
    while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
    const to = at + 1
    do at += 1
    while (text.charCodeAt(at) <= SPACE)
    if (text.charCodeAt(at) === COLON) yield { from, to }
  }
}

/** Parses a copy of the text with escaped names replaced by plain ones, then restores the real names. */
function readWith(names: readonly Place[], text: string): unknown {
  // The sender cannot guess it, so no real name collides with a stand-in.
  const mark = `${Math.random()}${Math.random()}`
  const standIns = new Map<string, string>()
  const meant = new Map<string, string>()
  let plain = ''
  let at = 0
  for (const { from, to } of names) {
    const name: string = JSON.parse(text.slice(from, to))
    let standIn = standIns.get(name)
    if (standIn === undefined) {
      // A name that needs no escapes stays: it may be a number, or occur unescaped as well.
      standIn = NEEDS_ESCAPES.test(name) ? `${mark}-${meant.size}` : name
      standIns.set(name, standIn)
      if (standIn !== name) meant.set(standIn, name)
    }
    plain += `${text.slice(at, from)}"${standIn}"`
    at = to
  }
  const whole: unknown[] = [JSON.parse(plain + text.slice(at))]
  if (meant.size > 0) rename(whole, meant)
  return whole[0]
}

/** Renames members at any depth, without recursion. */
function rename(whole: unknown[], meant: ReadonlyMap<string, string>): void {
  const open: (unknown[] | Record<string, unknown>)[] = [whole]
  const renamed = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    let container = value as unknown[] | Record<string, unknown>
    if (!Array.isArray(container) && Object.keys(container).some((name) => meant.has(name)))
      container = Object.fromEntries(Object.entries(container).map(([name, inner]) => [meant.get(name) ?? name, inner]))
    open.push(container)
    return container
  }
  for (let container = open.pop(); container; container = open.pop()) {
    if (Array.isArray(container)) for (let at = 0; at < container.length; at++) container[at] = renamed(container[at])
    else for (const name of Object.keys(container)) container[name] = renamed(container[name])
  }
}
