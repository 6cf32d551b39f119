import { isObject, type JsonValue } from '../../../src-shared/base/json.ts'
import type { FileLaunch, ServerFileEntry } from '../base/storage.ts'
import { removeProperty, setProperty } from './json-edit.ts'
import { findProperty, JsonTextError, type ObjectNode, parseJsonText, plainValue } from './json-text.ts'
import { entryChanges, entryProblem, readEntry } from './server-entry.ts'

const SERVERS = 'mcpServers'
export const NO_SERVERS = `{\n  "${SERVERS}": {}\n}\n`

/** An entry, valid or not, and its place among the others. */
export interface EntryPlace {
  readonly value: JsonValue
  readonly index: number
}

/** The text as a whole cannot be read as servers; the message says where and why. */
export class UnusableText extends Error {}

export function readEntries(text: string): ServerFileEntry[] {
  const { properties } = serversOf(parse(text))
  const entries = new Map<string, ServerFileEntry>()
  for (const { key, value } of properties) {
    const twice = entries.has(key)
    entries.set(
      key,
      twice ? { name: key, problem: entryProblem(key, 'its name occurs twice') } : readEntry(key, plainValue(value)),
    )
  }
  return [...entries.values()]
}

function parse(text: string): ObjectNode {
  if (text.trim() === '') throw new UnusableText('the file is empty')
  try {
    const root = parseJsonText(text)
    if (root.type === 'object') return root
  } catch (error) {
    if (error instanceof JsonTextError) throw new UnusableText(error.message)
    throw error
  }
  throw new UnusableText('the file must hold an object')
}

function serversOf(root: ObjectNode): ObjectNode {
  const servers = findProperty(root, SERVERS)?.value
  if (!servers) return { type: 'object', start: 0, end: 0, properties: [] }
  if (servers.type !== 'object') throw new UnusableText(`"${SERVERS}" must be an object`)
  return servers
}

/** The first entry of that name, valid or not. */
export function findEntry(text: string, name: string): EntryPlace | undefined {
  const { properties } = serversOf(parse(text))
  const index = properties.findIndex(({ key }) => key === name)
  const property = properties[index]
  return property && { value: plainValue(property.value), index }
}

/** Runs a change on a text with `mcpServers`, which is added only if the change changes something. */
export function withServers(text: string, change: (text: string) => string): string {
  const root = parse(text)
  const prepared = findProperty(root, SERVERS) ? text : setProperty(text, root, SERVERS, {})
  const changed = change(prepared)
  return changed === prepared ? text : changed
}

/** Makes an entry describe this launch; its other keys stay. */
export function withLaunch(text: string, name: string, launch: FileLaunch): string {
  const found = findProperty(serversOf(parse(text)), name)
  const existing = found && plainValue(found.value)
  const entry = isObject(existing) ? existing : undefined
  const prepared = entry ? text : withEntry(text, name, {})
  return entryChanges(launch, entry ?? {}).reduce((changed, [key, value]) => withKey(changed, name, key, value), prepared)
}

export function withEntry(text: string, name: string, value: JsonValue, index?: number): string {
  return setProperty(text, serversOf(parse(text)), name, value, index)
}

/** Removes every entry of that name. */
export function withoutEntry(text: string, name: string): string {
  const servers = serversOf(parse(text))
  const property = findProperty(servers, name)
  return property ? withoutEntry(removeProperty(text, servers, property), name) : text
}

function withKey(text: string, name: string, key: string, value: JsonValue | undefined): string {
  const entry = findProperty(serversOf(parse(text)), name)?.value
  if (entry?.type !== 'object') return text
  const existing = findProperty(entry, key)
  if (value === undefined) return existing ? removeProperty(text, entry, existing) : text
  if (existing && JSON.stringify(plainValue(existing.value)) === JSON.stringify(value)) return text
  return setProperty(text, entry, key, value)
}
