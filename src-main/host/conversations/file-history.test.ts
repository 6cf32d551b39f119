import { describe, expect, it } from 'vitest'
import { MemoryFolder, memoryStorage } from '../../../e2e/support/storage/memory-storage.ts'
import { messageOf, toolCallOf } from '../../../e2e/support/storage/temporary-storage.ts'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ServerId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import { reverseOf } from './file-history.ts'

const FILES = '@modelcontextprotocol/server-filesystem'
const path = '/x/notes.md'

type Step = readonly [tool: string, args: JsonObject, result?: string, change?: Partial<ToolCall>]

/** The reverse of the last call of a conversation, whose replies made these calls. */
async function reverse(published: string | undefined, ...replies: readonly (readonly Step[])[]) {
  const toolCalls: ToolCall[] = []
  const messages = replies.map((steps, n) => {
    const parts = steps.flatMap(([tool, args, result = 'done', change], at) => {
      const call = toolCallOf(`${n} ${at}`, `${n}`, {
        ...{ serverId: 'files' as ServerId, tool, arguments: { json: JSON.stringify(args) }, status: 'finished', startedAt: 1 },
        result: { isError: false, content: [{ type: 'text', text: result }], warnings: [] },
        ...change,
      })
      toolCalls.push(call)
      return call.undoes === undefined ? [{ type: 'tool-call' as const, toolCallId: call.id }] : []
    })
    const message = { ...messageOf(`${n}`, '', { role: 'assistant' }), parts }
    return { message, id: message.id, hidden: 0 }
  })
  const last = toolCalls.at(-1)
  return last && reverseOf(last, { messages, toolCalls }, published, memoryStorage(new MemoryFolder()).blobs)
}

const read = (text: string): Step => ['read_text_file', { path }, text]
const edit = (...edits: readonly (readonly [string, string])[]): Step => [
  'edit_file',
  { path, edits: edits.map(([oldText, newText]) => ({ oldText, newText })) },
]
const write = (content: string): Step => ['write_file', { path, content }]

describe('the reverse of a change to a file', () => {
  it('is the opposite edits in the opposite order where each fits in one place', async () => {
    expect(await reverse(FILES, [read('a b')], [edit(['a', 'c'], ['b', 'd'])])).toEqual({
      tool: 'edit_file',
      args: {
        path,
        edits: [
          { oldText: 'd', newText: 'b' },
          { oldText: 'c', newText: 'a' },
        ],
      },
    })
  })

  /** Fails at the server where the file holds something else by now. */
  const whole = (oldText: string, newText: string) => ({ tool: 'edit_file', args: { path, edits: [{ oldText, newText }] } })

  it.each([
    ['a text that is there twice now', 'a b', edit(['a', 'b']), 'b b'],
    ['a text that was removed', 'a b', edit(['a', '']), ' b'],
  ])('is the whole former text in place of the whole new one for %s', async (_what, before, step, after) => {
    expect(await reverse(FILES, [read(before)], [step])).toEqual(whole(after, before))
  })

  it('is the whole former text for a write, also after other edits of a known text', async () => {
    expect(await reverse(FILES, [read('a')], [write('b')])).toEqual(whole('b', 'a'))
    expect(await reverse(FILES, [write('a b')], [edit(['a', 'c'])], [write('d')])).toEqual(whole('d', 'c b'))
    expect(await reverse(FILES, [read('a')], [['write_file', { path: '/x/other.md', content: '' }]], [write('b')])).toEqual(
      whole('b', 'a'),
    )
  })

  it.each<[string, ...(readonly Step[])[]]>([
    ['that was not read', [write('b')]],
    ['of which a part was read', [['read_text_file', { path, head: 1 }, 'a']], [write('b')]],
    ['that was read in the same reply', [read('a'), write('b')]],
    ['that holds bytes that are no text', [read('a\uFFFD')], [write('b')]],
    ['whose line ends the server changes', [read('a\r\nb')], [edit(['a', 'c'])]],
    ['in which an edit fits twice', [read('a a')], [edit(['a', 'c'])]],
    ['that another tool may have changed', [read('a')], [['move_file', { source: path, destination: '/y' }]], [write('b')]],
    ['that another server may have changed', [read('a')], [['run', {}, '', { serverId: 'shell' as ServerId }]], [write('b')]],
    ['that was written by another name', [read('a')], [['write_file', { path: 'notes.md', content: '' }]], [write('b')]],
    ['of an imported conversation', [read('a')], [['write_file', { path, content: 'b' }, '', { imported: true }]]],
    ['whose text an imported file claims', [['read_text_file', { path }, 'a', { imported: true }]], [write('b')]],
    ['that was emptied, since no edit tells whether it still is', [read('a')], [write('')]],
    ['whose write failed', [read('a')], [['write_file', { path, content: 'b' }, '', { status: 'failed' }]]],
  ])('is unknown for a file %s', async (_what, ...replies) => {
    expect(await reverse(FILES, ...replies)).toBeUndefined()
  })

  it('rests on no reading of a change that was then undone', async () => {
    const [tool, args] = edit(['a', 'b'])
    const [, back] = edit(['b', 'a'])
    const undone: readonly Step[][] = [
      [read('a')],
      [[tool, args, '', { undone: true, startedAt: 2 }]],
      [['read_text_file', { path }, 'b', { startedAt: 3 }]],
      [[tool, back, '', { undoes: '1 0' as ToolCallId, startedAt: 4 }]],
    ]
    expect(await reverse(FILES, ...undone, [write('c')])).toBeUndefined()
    const again: Step = ['read_text_file', { path }, 'a', { startedAt: 5 }]
    expect(await reverse(FILES, ...undone, [again], [write('c')])).toEqual(whole('c', 'a'))
  })

  it('is unknown at a server that may be any program', async () => {
    expect(await reverse(undefined, [read('a')], [write('b')])).toBeUndefined()
  })
})
