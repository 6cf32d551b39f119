import { isObject, type JsonValue } from '../../../src-shared/base/json.ts'
import { cutForDiff } from '../text/first-lines.ts'

/** A replacement of one text by another. */
export interface TextEdit {
  readonly before: string
  readonly now: string
}

export interface EditsFound {
  readonly edits: readonly TextEdit[]
  /** The arguments that hold these texts and nothing else. */
  readonly names: readonly string[]
}

export const MAX_EDITS = 20
/** Limits for each side: more than anybody compares by eye, and quick to compare. */
const LINES = 200
const CHARACTERS = 20_000

export const comparedPart = (text: string) => cutForDiff(text, LINES, CHARACTERS)

/** True if all edits are shown in full. */
export const isComparable = (edits: readonly TextEdit[]) =>
  edits.length <= MAX_EDITS && edits.every(({ before, now }) => comparedPart(before) === before && comparedPart(now) === now)

const WHAT = '(text|string|str|content|code|lines?|snippet|value)?'
const OLD = new RegExp(`^old${WHAT}$`)
const plain = (name: string) => name.toLowerCase().replace(/[_-]/g, '')

/** Finds the edits in arguments: pairs of old and new texts by their names, or lists of such pairs. */
export function editsIn(args: Readonly<Record<string, JsonValue>>): EditsFound {
  const own = pairIn(args)
  const edits: TextEdit[] = own ? [own.edit] : []
  const names: string[] = own ? [...own.names] : []
  for (const [name, value] of Object.entries(args)) {
    if (!Array.isArray(value) || value.length === 0) continue
    const pairs = value.map((item) => (isObject(item) ? pairIn(item as Record<string, JsonValue>) : undefined))
    if (!pairs.every((pair) => pair !== undefined)) continue
    edits.push(...pairs.map((pair) => pair.edit))
    if (value.every((item) => Object.keys(item as object).length === 2)) names.push(name)
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
