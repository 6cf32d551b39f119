import { posix } from 'node:path'
import { isObject, type JsonObject, type JsonValue } from '../../../src-shared/base/json.ts'
import { onlyReads } from '../../../src-shared/contract/consent.ts'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { BlobStore, MessageStore } from '../../storage/base/storage.ts'
import { readArguments } from './model-history.ts'

/** The published server whose tools do to files exactly what is assumed here. */
const FILE_SERVER = '@modelcontextprotocol/server-filesystem'
const READING = new Set(['read_text_file', 'read_file'])
/** Characters of a text that can be put back. */
const MAX_TEXT = 200_000
/** Older versions of the server expand these in a new text. */
const EXPANDED = /\$[$&`']/

interface Edit {
  readonly oldText: string
  readonly newText: string
}

/** A call that read or changed one file, and what it says about the file's text. */
interface FileCall {
  readonly path: string
  readonly changes: boolean
  /** The text after the call, by the text before; undefined where that is not sure. */
  readonly textAfter: (before: string | undefined) => string | undefined
  readonly edits?: readonly Edit[]
}

interface Reverse {
  readonly tool: string
  readonly args: JsonObject
}

/**
 * The call that puts back what was in a file before `of`. Undefined unless the text before is sure: the file was read or written whole in
 * this conversation, and every change since is known, also in versions that are not shown. `published` is the name of the server that runs.
 */
export async function reverseOf(
  of: ToolCall,
  { messages, toolCalls }: Awaited<ReturnType<MessageStore['tree']>>,
  published: string | undefined,
  blobs: BlobStore,
): Promise<Reverse | undefined> {
  if (published !== FILE_SERVER || of.imported || of.undone) return undefined
  const wanted = await fileCall(of, blobs)
  if (!wanted?.changes) return undefined
  const calls = new Map(toolCalls.map((call) => [call.id, call]))
  let text: string | undefined
  let before: string | undefined
  let met = false
  /** A call before this time may have read a change that was then undone. */
  let undoneAt = 0
  for (const { message } of messages) {
    const ids = message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
    // The calls of one reply run at once, so the order of two is not known.
    let touching = 0
    for (const id of ids) {
      const call = calls.get(id)
      // A file that was imported may claim anything about its calls.
      if (!call || call.startedAt === undefined || call.imported) continue
      const done = call.serverId === of.serverId ? await fileCall(call, blobs) : undefined
      if (done && done.path !== wanted.path && (!done.changes || posix.basename(done.path) !== posix.basename(wanted.path)))
        continue
      if (call.undone) {
        undoneAt = toolCalls.findLast(({ undoes }) => undoes === id)?.startedAt ?? Number.POSITIVE_INFINITY
        continue
      }
      if (!done && call.powers && onlyReads(call.powers)) continue
      touching += 1
      if (met && (done?.changes ?? true)) return undefined
      if (id === of.id) {
        met = true
        before = text
      }
      text = done?.path === wanted.path && call.startedAt >= undoneAt ? done.textAfter(text) : undefined
    }
    if (touching > 1 && met && ids.includes(of.id)) return undefined
    if (touching > 1) text = undefined
  }
  if (before === undefined || before.length > MAX_TEXT) return undefined
  const after = wanted.textAfter(before)
  if (after === undefined) return undefined
  const reversed = wanted.edits?.toReversed().map(({ oldText, newText }) => ({ oldText: newText, newText: oldText }))
  const whole = [{ oldText: after, newText: before }]
  // Always an edit: it fails where the file was changed since by anybody else, and a write would lose that change.
  const edits = [reversed ?? whole, whole].find((one) => edited(after, one) === before)
  return edits && { tool: 'edit_file', args: { path: wanted.path, edits: edits.map((edit) => ({ ...edit })) } }
}

/** Undefined for a call that is none, or that did not certainly end well. */
async function fileCall(call: ToolCall, blobs: BlobStore): Promise<FileCall | undefined> {
  const result = call.received ?? call.result
  if (call.status !== 'finished' || !result || result.isError) return undefined
  const args = await readArguments(call.arguments, { blobs })
  if (typeof args?.path !== 'string') return undefined
  const { path, ...rest } = args
  const others = Object.keys(rest)
  if (READING.has(call.tool)) {
    const text = others.length === 0 ? await wholeText(result.content, blobs) : undefined
    return { path, changes: false, textAfter: (before) => text ?? before }
  }
  if (call.tool === 'write_file' && typeof rest.content === 'string' && others.length === 1) {
    const { content } = rest
    return { path, changes: true, textAfter: () => content }
  }
  if (call.tool !== 'edit_file' || rest.dryRun === true || !Array.isArray(rest.edits)) return undefined
  const edits = rest.edits.flatMap((edit) => editIn(edit) ?? [])
  if (edits.length < rest.edits.length) return undefined
  return { path, changes: true, textAfter: (before) => edited(before, edits), edits }
}

function editIn(value: JsonValue): Edit | undefined {
  if (!isObject(value)) return undefined
  const { oldText, newText } = value as JsonObject
  return typeof oldText === 'string' && typeof newText === 'string' ? { oldText, newText } : undefined
}

/** The text of a result that holds nothing else, if every character of the file is in it. */
async function wholeText(content: NonNullable<ToolCall['result']>['content'], blobs: BlobStore): Promise<string | undefined> {
  const [block] = content
  if (content.length !== 1 || block?.type !== 'text') return undefined
  const text = block.whole ? Buffer.from(await blobs.read(block.whole.blob)).toString('utf8') : block.text
  // A replacement character may stand for bytes that are no text.
  return text.includes('\uFFFD') ? undefined : text
}

/** Each edit has one place where it fits exactly; in any other case it is not sure what the server does. */
function edited(before: string | undefined, edits: readonly Edit[]): string | undefined {
  let text = before
  for (const { oldText, newText } of edits) {
    // The server writes other line ends than it read.
    if (text === undefined || oldText === '' || text.includes('\r') || newText.includes('\r') || EXPANDED.test(newText))
      return undefined
    const at = text.indexOf(oldText)
    if (at === -1 || text.indexOf(oldText, at + 1) !== -1) return undefined
    text = text.slice(0, at) + newText + text.slice(at + oldText.length)
  }
  return text
}
