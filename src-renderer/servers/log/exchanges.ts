import { isObject } from '../../../src-shared/base/json.ts'
import { parseJson } from '../../../src-shared/base/parse-json.ts'
import type { TrafficEntry } from '../../../src-shared/contract/servers.ts'

/** A request or notification, and what was answered to it. Newest first in a list of them. */
export interface LoggedExchange {
  readonly entry: TrafficEntry
  readonly answer?: TrafficEntry
  /** Milliseconds from the request to its answer. */
  readonly took?: number
}

/** Requests paired with their responses. Ids start again with every connection, so the latest request with an id counts. */
export function exchanges(entries: readonly TrafficEntry[]): readonly LoggedExchange[] {
  const all: LoggedExchange[] = []
  const open = new Map<string, number>()
  for (const entry of entries) {
    const { direction, id, method } = entry
    if (id === undefined || (direction !== 'sent' && direction !== 'received')) {
      all.push({ entry })
      continue
    }
    if (method !== undefined) {
      open.set(`${direction === 'sent' ? 'received' : 'sent'} ${id}`, all.length)
      all.push({ entry })
      continue
    }
    const key = `${direction} ${id}`
    const at = open.get(key)
    const asked = at === undefined ? undefined : all[at]
    if (at === undefined || !asked) all.push({ entry })
    else {
      all[at] = { ...asked, answer: entry, took: entry.at - asked.entry.at }
      open.delete(key)
    }
  }
  return all
}

export interface TrafficFilter {
  readonly direction: TrafficEntry['direction'] | 'all'
  /** Pings are said every few seconds; none of them unless asked for. */
  readonly pings: boolean
  /** One method; empty for all. */
  readonly method: string
  /** Words of the message or its answer, or an id as “#7”. */
  readonly search: string
}

export const ALL_TRAFFIC: TrafficFilter = { direction: 'all', pings: false, method: '', search: '' }

export function passesTraffic({ entry, answer }: LoggedExchange, { direction, pings, method, search }: TrafficFilter): boolean {
  if (direction !== 'all' && entry.direction !== direction) return false
  if (method !== '' && entry.method !== method) return false
  if (!pings && method === '' && isPing(entry)) return false
  const wanted = search.trim().toLowerCase()
  if (wanted === '' || (entry.id !== undefined && wanted === `#${entry.id}`.toLowerCase())) return true
  return [entry, ...(answer ? [answer] : [])].some(
    ({ text, method: named }) => text.toLowerCase().includes(wanted) || named?.toLowerCase().includes(wanted),
  )
}

/** Over HTTP each is a request, too, in the host's words; one that was refused is worth a look. */
function isPing({ direction, method, text }: TrafficEntry): boolean {
  return method === 'ping' || (direction === 'http' && / \(ping\) → 2\d\d\b/.test(text))
}

/** Every method that occurs, by name. */
export function methodsOf(entries: readonly TrafficEntry[]): readonly string[] {
  return [...new Set(entries.flatMap(({ method }) => method ?? []))].sort()
}

/** The tool, resource or prompt that a request is about; undefined for others, and where the message was cut before it. */
export function subjectOf({ method, text }: TrafficEntry): string | undefined {
  if (method === undefined || !Object.hasOwn(SUBJECTS, method)) return undefined
  try {
    const { params } = parseJson(text) as { params?: unknown }
    const value = isObject(params) ? params[SUBJECTS[method] ?? ''] : undefined
    return typeof value === 'string' ? value.slice(0, SUBJECT_LENGTH) : undefined
  } catch {
    return /"(?:name|uri)":"([^"\\]{1,200})"/.exec(text)?.[1]
  }
}

const SUBJECT_LENGTH = 200
const SUBJECTS: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

/** A recorded message with its indents; one that was cut stays as it is. */
export function prettyMessage(text: string): string {
  try {
    return JSON.stringify(parseJson(text), null, 2)
  } catch {
    return text
  }
}
