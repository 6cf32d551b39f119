import { isObject, type JsonValue } from '../../../src-shared/base/json.ts'

/** One text that takes the place of another. */
export interface TextEdit {
  readonly before: string
  readonly now: string
}

export interface EditsFound {
  readonly edits: readonly TextEdit[]
  /** The arguments that hold them, and nothing else. */
  readonly names: readonly string[]
}

/** So many are shown. */
export const MAX_EDITS = 20
/** Of each side; more than anybody compares by eye, and little enough to compare at once. */
const LINES = 200
const CHARACTERS = 20_000

/** As much of a text as is compared. */
export function compared(text: string): string {
  const shown = text.slice(0, CHARACTERS).split('\n').slice(0, LINES).join('\n')
  return shown.length < text.length ? `${shown}\n… and more` : text
}

/** Nothing of them is left out when they are shown. */
export const isComparable = (edits: readonly TextEdit[]) =>
  edits.length <= MAX_EDITS && edits.every(({ before, now }) => compared(before) === before && compared(now) === now)

const WHAT = '(text|string|str|content|code|lines?|snippet|value)?'
const OLD = new RegExp(`^old${WHAT}$`)
const plain = (name: string) => name.toLowerCase().replace(/[_-]/g, '')

/** Edits that arguments would make in a text: pairs of old and new texts, found by their names, or lists of such pairs. */
export function editsIn(args: Readonly<Record<string, JsonValue>>): EditsFound {
  const own = pairIn(args)
  const edits: TextEdit[] = own ? [own.edit] : []
  const names: string[] = own ? [...own.names] : []
  for (const [name, value] of Object.entries(args)) {
    if (!Array.isArray(value) || value.length === 0) continue
    const pairs = value.map((item) => (isObject(item) ? pairIn(item as Record<string, JsonValue>) : undefined))
    if (!pairs.every((pair) => pair !== undefined)) continue
    edits.push(...pairs.map((pair) => pair.edit))
    names.push(name)
  }
  return { edits, names }
}

function pairIn(args: Readonly<Record<string, JsonValue>>) {
  const entries = Object.entries(args)
  const text = (wanted: (name: string) => boolean) =>
    entries.find(([name, value]) => typeof value === 'string' && wanted(plain(name)))
  const pair = (old: (name: string) => boolean, now: (name: string, old: string) => boolean) => {
    const before = text(old)
    const after = before && text((name) => now(name, plain(before[0])))
    if (!before || !after) return undefined
    const edit: TextEdit = { before: String(before[1]), now: String(after[1]) }
    return { edit, names: [before[0], after[0]] }
  }
  return (
    pair(
      (name) => OLD.test(name),
      (name, old) => name === old.replace(/^old/, 'new'),
    ) ??
    pair(
      (name) => /^(search|find)(text|string|str)?$/.test(name),
      (name) => /^replace(ment|with|text|string|str)?$/.test(name),
    )
  )
}
