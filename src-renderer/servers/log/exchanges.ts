import { isObject } from '../../../src-shared/base/json.ts'
import { parseJson } from '../../../src-shared/base/parse-json.ts'
import type { TrafficEntry } from '../../../src-shared/contract/servers.ts'

/** A request with its answer, or a single message. */
export interface LoggedExchange {
  readonly entry: TrafficEntry
  readonly answer?: TrafficEntry
  /** Milliseconds from the request to its answer. */
  readonly took?: number
}

/** Pairs requests with responses. A new connection reuses ids, so a response belongs to the latest request with its id. */
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
  /** Pings come every few seconds and are hidden by default. */
  readonly pings: boolean
  /** Empty for all methods. */
  readonly method: string
  /** Text of the message or its answer, or an id like “#7”. */
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

/** Over HTTP a ping is also a request that the host describes; a refused one is shown. */
function isPing({ direction, method, text }: TrafficEntry): boolean {
  return method === 'ping' || (direction === 'http' && / \(ping\) → 2\d\d\b/.test(text))
}

export function methodsOf(entries: readonly TrafficEntry[]): readonly string[] {
  return [...new Set(entries.flatMap(({ method }) => method ?? []))].sort()
}

/** The tool, resource or prompt of a request; undefined for other requests, or when the message was cut before it. */
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

/** Formats a recorded message; one that was cut stays as it is. */
export function prettyMessage(text: string): string {
  try {
    return JSON.stringify(parseJson(text), null, 2)
  } catch {
    return text
  }
}
