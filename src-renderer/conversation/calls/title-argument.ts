import { isObject, type JsonValue } from '../../../src-shared/base/json.ts'
import type { BoundedJson } from '../../../src-shared/contract/blobs.ts'
import { parseShownJson } from '../../content/viewers/shown-json.ts'

/** Names of arguments that tell calls apart, the best first. */
const TITLE_NAMES = [
  ...['path', 'file_path', 'filepath', 'file', 'filename', 'paths', 'files', 'source', 'uri', 'url', 'urls', 'command', 'cmd'],
  ...['query', 'sql', 'q', 'pattern', 'search', 'name', 'title', 'id', 'message', 'text', 'prompt'],
]
/** Names of what is moved or copied and of its new place, without underscores. */
const WAYS = [
  ['source', 'destination'],
  ['sourcepath', 'destinationpath'],
  ['src', 'dst'],
  ['oldpath', 'newpath'],
] as const
/** Names of identifiers, such as `issue_number` and `taskId`: the next best. */
const ITEM_NAME = /(?:^|_)(?:id|number)$|[a-z](?:Id|Number)$/
/** In characters. */
const MAX_TITLE = 300
const MAX_NUMBERS = 4
const MAX_ITEMS = 20

/** The argument that best tells a call from others, on one line; undefined when it has none. */
export function titleArgument({ json, whole }: BoundedJson): string | undefined {
  const parsed = whole ? undefined : parseShownJson(json)
  if (parsed === undefined) return titleInHead(json)
  return isObject(parsed) ? titleOf(parsed as Record<string, JsonValue>) : undefined
}

function titleOf(args: Record<string, JsonValue>, inItem = false): string | undefined {
  const entries = Object.entries(args)
  const way = wayOf(entries)
  if (way !== undefined) return way
  const byName = TITLE_NAMES.flatMap((name) => entries.filter(([key, value]) => key.toLowerCase() === name && titled(key, value)))
  const item = entries.find(([key, value]) => ITEM_NAME.test(key) && titled(key, value))
  const best = byName[0] ?? item ?? entries.find(([, value]) => typeof value === 'string' && oneLine(value))
  if (best) return titled(...best)
  // The names of listed items: the entities of a graph, the rows of a table.
  const items = inItem
    ? undefined
    : entries.flatMap(([, value]) => (Array.isArray(value) && value.every(isObject) ? [value] : []))[0]
  const names = items?.slice(0, MAX_ITEMS).flatMap((item) => titleOf(item as Record<string, JsonValue>, true) ?? [])
  if (names && names.length > 0) return names.join(', ').slice(0, MAX_TITLE)
  const plain = entries.filter(([, value]) => typeof value === 'number' || typeof value === 'boolean')
  return (
    plain
      .slice(0, MAX_NUMBERS)
      .map(([key, value]) => `${key} ${value}`)
      .join(', ')
      .slice(0, MAX_TITLE) || undefined
  )
}

function wayOf(entries: readonly (readonly [string, JsonValue])[]): string | undefined {
  const texts = new Map(entries.map(([key, value]) => [key.toLowerCase().replaceAll('_', ''), oneLine(value)]))
  const [source, place] = WAYS.map((way) => way.map((name) => texts.get(name))).find((way) => way.every(Boolean)) ?? []
  return source && `${source} → ${place}`.slice(0, MAX_TITLE)
}

/** Numbers need their name. */
const titled = (name: string, value: JsonValue) => (typeof value === 'number' ? `${name} ${value}` : oneLine(value))

/** A text or a list of texts on one line; undefined for any other value. */
function oneLine(value: JsonValue): string | undefined {
  const texts = Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [value]
  if (!texts.every((text) => typeof text === 'string')) return undefined
  return texts.join(', ').slice(0, MAX_TITLE).replace(/\s+/g, ' ').trim() || undefined
}

/** Only the beginning of long arguments is sent to the page, so they are not complete JSON. */
function titleInHead(json: string): string | undefined {
  const head = json.slice(0, 4000)
  for (const name of TITLE_NAMES) {
    const found = new RegExp(`"${name}":\\s*("(?:[^"\\\\]|\\\\.){1,${MAX_TITLE}}")`).exec(head)?.[1]
    const text = found === undefined ? undefined : parseShownJson(found)
    if (typeof text === 'string') return oneLine(text)
  }
  return undefined
}

/** Splits a path before its last name, and a way before its arrow, so that a short line can leave out the middle. */
export function splitTail(text: string): readonly [head: string, tail: string] {
  const arrow = text.lastIndexOf(' → ')
  const at = arrow < 0 && !/\s/.test(text) ? text.slice(0, -1).search(/[/\\][^/\\]*$/) : arrow
  const cut = text.length - at > 60 ? -1 : at
  return cut < 0 ? [text, ''] : [text.slice(0, cut), text.slice(cut)]
}
