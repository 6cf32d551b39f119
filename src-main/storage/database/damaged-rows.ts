import { isObject } from '../../../src-shared/base/json.ts'
import { jsonIn } from '../../../src-shared/base/parse-json.ts'
import type { Loss } from '../base/damage.ts'
import type { Sqlite } from './sqlite.ts'

interface KeptRow {
  readonly table: 'message' | 'tool_call' | 'turn' | 'conversation_state' | 'record'
  readonly row: number
  readonly json: string
  readonly loss: Omit<Loss, 'title'>
  readonly conversation?: string
}

/** Moves rows with invalid JSON to a table of their own, so that all others can be read. */
export class DamagedRows {
  readonly #sqlite: Sqlite
  #losses: Loss[] = []

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite
  }

  /** Undefined when `isSound` refuses the value; its row is set aside then. */
  read<T>(kept: KeptRow, isSound: (value: unknown) => boolean): T | undefined {
    const value = jsonIn(kept.json)
    // Other code relies on the members that isSound checks.
    if (isSound(value)) return value as T
    this.#setAside(kept)
    return undefined
  }

  take(): readonly Loss[] {
    const losses = this.#losses
    this.#losses = []
    return losses
  }

  #setAside({ table, row, json, loss, conversation }: KeptRow): void {
    const head = this.#sqlite.get<{ title: string | null }>(
      "SELECT head ->> 'title' AS title FROM conversation WHERE id = ?",
      conversation ?? null,
    )
    this.#losses.push({ ...loss, ...(head?.title && { title: head.title }) })
    this.#sqlite.run(
      'INSERT INTO set_aside (source, row, conversation, content) VALUES (?, ?, ?, ?)',
      table,
      row,
      conversation ?? null,
      json,
    )
    this.#sqlite.run(`DELETE FROM ${table} WHERE rowid = ?`, row)
  }
}

const hasTexts = (value: unknown, ...names: string[]): value is Record<string, unknown> =>
  isObject(value) && names.every((name) => typeof value[name] === 'string')

export const isMessage = (value: unknown): boolean =>
  hasTexts(value, 'id', 'turnId', 'role', 'status') &&
  Array.isArray(value.parts) &&
  value.parts.every((part) => hasTexts(part, 'type') && (part.type !== 'text' || typeof part.text === 'string'))

export const isToolCall = (value: unknown): boolean =>
  hasTexts(value, 'id', 'turnId', 'messageId', 'tool', 'status') && isObject(value.arguments)

export const isTurn = (value: unknown): boolean => hasTexts(value, 'id', 'status')

export function isState(name: string, value: unknown): boolean {
  switch (name) {
    case 'attachments':
      return Array.isArray(value) && value.every(isObject)
    case 'queue':
      return Array.isArray(value) && value.every(isMessage)
    case 'switches':
      return isObject(value) && Array.isArray(value.servers) && Array.isArray(value.tools)
    case 'place':
      return isObject(value) && ['folders', 'hosts', 'recipients'].every((member) => Array.isArray(value[member]))
    case 'draft':
      return typeof value === 'string'
    default:
      return value !== undefined
  }
}
