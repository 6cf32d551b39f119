import { isObject } from '../base/json.ts'
import type { ServerOptions } from '../contract/servers.ts'
import { DEFAULT_SETTINGS, REQUEST_TIME } from '../contract/settings.ts'
import { EntryError } from './foreign-server.ts'

// Readers for the values of an entry, shared by all hosts. Each throws EntryError with a sentence.

export type Entry = Readonly<Record<string, unknown>>

function textOf(value: unknown, key: string): string {
  if (typeof value !== 'string') throw new EntryError(`Its “${key}” must be a text, not ${typeName(value)}.`)
  if (value.includes('\0')) throw new EntryError(`Its “${key}” contains a NUL character.`)
  return value
}

export function someText(value: unknown, key: string): string {
  const text = textOf(value, key)
  if (text.trim() === '') throw new EntryError(`Its “${key}” is empty.`)
  return text
}

/** Numbers and booleans become texts, as in other hosts. */
export function textsIn(value: unknown, key: string): string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new EntryError(`Its “${key}” must be a list, not ${typeName(value)}.`)
  return value.map((item: unknown) => plainText(item, key))
}

/** Entries without a value are left out. */
export function textsByName(value: unknown, key: string): Record<string, string> {
  if (value === undefined || value === null) return {}
  if (!isObject(value)) throw new EntryError(`Its “${key}” must hold names with values, not ${typeName(value)}.`)
  const given = Object.entries(value).filter(([, item]) => item !== null && item !== undefined)
  return Object.fromEntries(given.map(([name, item]) => [name, plainText(item, key)]))
}

/** Anything that is not a text is left out. */
export function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

/** Clamps a time limit to the range that Parley allows. `milliseconds` is the unit of `value`. */
export function timeoutOptions(value: unknown, milliseconds: number): Partial<ServerOptions> {
  if (typeof value !== 'number' || !(value > 0)) return {}
  const given = Math.round(Math.min(Math.max(value * milliseconds, REQUEST_TIME.least), REQUEST_TIME.most))
  return { requestTimeout: given, ...(given > DEFAULT_SETTINGS.serverTimeouts.maxRequestTime && { maxRequestTime: given }) }
}

export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (value instanceof Date) return 'a date'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function plainText(value: unknown, key: string): string {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : textOf(value, key)
}
