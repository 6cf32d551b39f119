import { isObject, type JsonValue } from '../../../src-shared/base/json.ts'
import { onlyReads } from '../../../src-shared/contract/consent.ts'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import { lineDiff } from '../../content/viewers/line-diff.ts'
import { parseShownJson } from '../../content/viewers/shown-json.ts'
import { editsIn, isComparable } from '../../content/viewers/text-edits.ts'

interface LineCount {
  readonly added: number
  readonly removed: number
}

export interface FilesDone {
  readonly did: 'read' | 'edited' | 'written'
  /** The paths in the arguments. */
  readonly files: readonly string[]
  /** Absent where neither the arguments nor the result hold the former text. */
  readonly lines?: LineCount
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')

// Names of tools as widely used servers have them.
const READING = new Set([
  ...['read', 'readfile', 'readfiles', 'readtextfile', 'readmediafile', 'readmultiplefiles', 'view', 'viewfile', 'cat'],
  ...['getfilecontents', 'getfilecontent'],
])
const WRITING = new Set(['write', 'writefile', 'writetofile', 'createfile', 'createorupdatefile'])
const EDITING = new Set(['edit', 'editfile', 'applypatch', 'applydiff', 'patchfile', 'insert', 'replaceinfile'])

const PATHS = new Set(['path', 'paths', 'file', 'files', 'filepath', 'filename'])
const PATCHES = new Set(['patch', 'diff'])
const TRIALS = new Set(['dryrun', 'preview'])
const REPEATS = new Set(['replaceall', 'all', 'global'])

/** The files that a call read or changed, as far as its powers, its tool's name and its arguments tell; undefined for any other call. */
export function filesDone({ status, tool, powers, arguments: { json, whole }, result }: ToolCall): FilesDone | undefined {
  if (status !== 'finished' || !powers || !result || result.isError || whole) return undefined
  const args = parseShownJson(json)
  if (!isObject(args)) return undefined
  const named = Object.entries(args as Record<string, JsonValue>).map(([name, value]) => [plain(name), value] as const)
  const argument = (names: ReadonlySet<string>) => named.find(([name]) => names.has(name))?.[1]
  const paths = [argument(PATHS) ?? []].flat()
  const files = paths.filter((path) => typeof path === 'string')
  if (files.length === 0 || files.length < paths.length) return undefined
  const name = plain(tool)
  if (onlyReads(powers)) return READING.has(name) ? { did: 'read', files } : undefined
  if (!powers.includes('changes') || argument(TRIALS) === true) return undefined
  const { edits } = editsIn(args as Record<string, JsonValue>)
  const did = WRITING.has(name) ? 'written' : edits.length > 0 || EDITING.has(name) ? 'edited' : undefined
  if (!did) return undefined
  const patch = argument(PATCHES)
  const byEdits = edits.length > 0 && isComparable(edits) && argument(REPEATS) !== true
  const lines = byEdits
    ? total(edits.map(({ before, now }) => countLines(lineDiff(before, now).map(({ kind }) => kind))))
    : patchCount([...(typeof patch === 'string' ? [patch] : []), ...wholeTexts(result)])
  return lines ? { did, files, lines } : { did, files }
}

const wholeTexts = (result: NonNullable<ToolCall['result']>) =>
  result.content.flatMap((block) => (block.type === 'text' && !block.whole ? [block.text] : []))

/** The count of the first text that holds a unified diff; undefined without one. */
function patchCount(texts: readonly string[]): LineCount | undefined {
  for (const text of texts) {
    const signs = hunkLines(text)
    if (signs.length > 0) return countLines(signs.map((sign) => (sign === '+' ? 'added' : sign === '-' ? 'removed' : 'same')))
  }
  return undefined
}

/** The first characters of the lines within the hunks of a unified diff, by the lengths in their heads. */
function hunkLines(text: string): readonly string[] {
  let left = { before: 0, now: 0 }
  return text.split('\n').flatMap((line) => {
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line)
    if (hunk) left = { before: Number(hunk[1] ?? 1), now: Number(hunk[2] ?? 1) }
    if (hunk || (left.before <= 0 && left.now <= 0) || line.startsWith('\\')) return []
    const sign = line.charAt(0)
    left = { before: left.before - (sign === '+' ? 0 : 1), now: left.now - (sign === '-' ? 0 : 1) }
    return [sign]
  })
}

const countLines = (kinds: readonly string[]): LineCount => ({
  added: kinds.filter((kind) => kind === 'added').length,
  removed: kinds.filter((kind) => kind === 'removed').length,
})

export const total = (counts: readonly LineCount[]): LineCount => ({
  added: counts.reduce((sum, { added }) => sum + added, 0),
  removed: counts.reduce((sum, { removed }) => sum + removed, 0),
})

/** "+12 −4" */
export const lineCountLabel = ({ added, removed }: LineCount) => `+${added} −${removed}`
