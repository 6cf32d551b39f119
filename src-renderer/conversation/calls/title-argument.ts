import { isObject, type JsonValue } from '../../../src-shared/base/json.ts'
import type { BoundedJson } from '../../../src-shared/contract/blobs.ts'
import { parseShownJson } from '../../content/viewers/JsonTree.tsx'

/** Names of what a call is about, the most telling first. */
const TELLING = [
  ...['path', 'file_path', 'filepath', 'file', 'filename', 'paths', 'files', 'source', 'uri', 'url', 'urls', 'command', 'cmd'],
  ...['query', 'sql', 'q', 'pattern', 'search', 'name', 'title', 'id', 'message', 'text', 'prompt'],
]
/** Characters of it that a line shows at most. */
const MAX_LENGTH = 300
const SHOWN_NUMBERS = 4
const MAX_THINGS = 20

/** The argument that tells most of a call, on one line; undefined when it has none. */
export function titleArgument({ json, whole }: BoundedJson): string | undefined {
  const parsed = whole ? undefined : parseShownJson(json)
  if (parsed === undefined) return headOf(json)
  return isObject(parsed) ? tellingOf(parsed as Record<string, JsonValue>) : undefined
}

function tellingOf(args: Record<string, JsonValue>, ofThing = false): string | undefined {
  const entries = Object.entries(args)
  const byName = TELLING.flatMap((name) => entries.filter(([key, value]) => key.toLowerCase() === name && oneLine(value)))
  const [, told] = byName[0] ?? entries.find(([, value]) => typeof value === 'string' && oneLine(value)) ?? []
  if (told !== undefined) return oneLine(told)
  // The names of several things: the entities of a graph, the rows of a table.
  const things = ofThing
    ? undefined
    : entries.flatMap(([, value]) => (Array.isArray(value) && value.every(isObject) ? [value] : []))[0]
  const names = things?.slice(0, MAX_THINGS).flatMap((thing) => tellingOf(thing as Record<string, JsonValue>, true) ?? [])
  if (names && names.length > 0) return names.join(', ').slice(0, MAX_LENGTH)
  const plain = entries.filter(([, value]) => typeof value === 'number' || typeof value === 'boolean')
  return (
    plain
      .slice(0, SHOWN_NUMBERS)
      .map(([key, value]) => `${key} ${value}`)
      .join(', ')
      .slice(0, MAX_LENGTH) || undefined
  )
}

/** Words of a text, or of a list of texts; nothing for what is neither. */
function oneLine(value: JsonValue): string | undefined {
  const texts = Array.isArray(value) ? value.slice(0, MAX_THINGS) : [value]
  if (!texts.every((text) => typeof text === 'string')) return undefined
  return texts.join(', ').slice(0, MAX_LENGTH).replace(/\s+/g, ' ').trim() || undefined
}

/** Of arguments too long to travel, only their beginning is here. */
function headOf(json: string): string | undefined {
  const head = json.slice(0, 4000)
  for (const name of TELLING) {
    const found = new RegExp(`"${name}":\\s*("(?:[^"\\\\]|\\\\.){1,${MAX_LENGTH}}")`).exec(head)?.[1]
    const text = found === undefined ? undefined : parseShownJson(found)
    if (typeof text === 'string') return oneLine(text)
  }
  return undefined
}

/** In front of its last name, so that a line too short for all of it can leave out the middle. */
export function splitTail(text: string): readonly [head: string, tail: string] {
  const at = text.slice(0, -1).search(/[/\\][^/\\]*$/)
  const cut = /\s/.test(text) || at < 0 || text.length - at > 60 ? -1 : at
  return cut < 0 ? [text, ''] : [text.slice(0, cut), text.slice(cut)]
}
