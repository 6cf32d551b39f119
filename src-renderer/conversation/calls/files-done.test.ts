import { describe, expect, it } from 'vitest'
import type { Id } from '../../../src-shared/base/json.ts'
import type { Power } from '../../../src-shared/contract/consent.ts'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import { groupLabel } from './call-groups.ts'
import { filesDone } from './files-done.ts'

const id = <Name extends string>(text: string) => text as Id<Name>

interface Made {
  readonly tool: string
  readonly args: object
  readonly powers?: readonly Power[]
  readonly says?: string
  readonly isError?: boolean
}

function call({ tool, args, powers = ['changes'], says = 'ok', isError = false }: Made): ToolCall {
  return {
    ...{ id: id('c'), turnId: id('t'), messageId: id('m'), serverId: id('s'), tool, proposedAt: 0, status: 'finished' },
    arguments: { json: JSON.stringify(args) },
    powers: [...powers],
    result: { isError, content: [{ type: 'text', text: says }], warnings: [] },
  }
}

const read = (path: string) => call({ tool: 'read_text_file', args: { path }, powers: ['reads'] })
const edit = (path: string, oldText: string, newText: string, more = {}) =>
  call({ tool: 'edit_file', args: { path, edits: [{ oldText, newText }], ...more } })
const write = (path: string) => call({ tool: 'write_file', args: { path, content: 'a\nb\n' } })

const PATCH = '--- a.ts\n+++ a.ts\n@@ -1,3 +1,2 @@\n same\n-- old\n-older\n+new\n\\ No newline at end of file\n- no line of it\n'

describe('the files that a call read or changed', () => {
  it('come with the lines that its old and new texts show', () => {
    expect(filesDone(edit('a.ts', 'one\ntwo', 'one\n2\n3'))).toEqual({
      did: 'edited',
      files: ['a.ts'],
      lines: { added: 2, removed: 1 },
    })
    expect(filesDone(edit('a.ts', 'gone\n', ''))?.lines).toEqual({ added: 0, removed: 1 })
    expect(filesDone(call({ tool: 'str_replace', args: { file_path: 'a', old_str: 'a', new_str: 'b' } }))?.lines).toEqual({
      added: 1,
      removed: 1,
    })
  })

  it('come with the lines of a unified diff in its arguments or its result, and of its hunks alone', () => {
    const lines = { added: 1, removed: 2 }
    expect(filesDone(call({ tool: 'apply_patch', args: { path: 'a.ts', patch: PATCH } }))?.lines).toEqual(lines)
    expect(
      filesDone(call({ tool: 'write_file', args: { path: 'a.ts', content: 'x' }, says: `Done.\n- a\n${PATCH}` }))?.lines,
    ).toEqual(lines)
    const everywhere = { path: 'a.ts', old_string: 'a', new_string: 'b', replace_all: true }
    expect(filesDone(call({ tool: 'edit', args: everywhere, says: PATCH }))?.lines).toEqual(lines)
  })

  it('come without a figure where the former text is not there, or a text is too long to compare', () => {
    expect(filesDone(write('a.ts'))).toEqual({ did: 'written', files: ['a.ts'] })
    expect(filesDone(call({ tool: 'edit', args: { path: 'a', old_string: 'a', new_string: 'b', replace_all: true } }))).toEqual({
      did: 'edited',
      files: ['a'],
    })
    expect(filesDone(edit('a.ts', 'x\n'.repeat(201), 'y'))?.lines).toBeUndefined()
    expect(filesDone(call({ tool: 'edit_file', args: { path: 'a' }, says: '+ a\n- b' }))?.lines).toBeUndefined()
  })

  it.each<[string, ToolCall]>([
    ['a trial', edit('a.ts', 'a', 'b', { dryRun: true })],
    ['an error', call({ tool: 'edit_file', args: { path: 'a', oldText: 'a', newText: 'b' }, isError: true })],
    ['a reader that may change something', call({ tool: 'read_file', args: { path: 'a' }, powers: ['reads', 'changes'] })],
    [
      'an editor that only reads',
      call({ tool: 'edit_file', args: { path: 'a', oldText: 'a', newText: 'b' }, powers: ['reads'] }),
    ],
    ['another reading with a path', call({ tool: 'get_file_info', args: { path: 'a' }, powers: ['reads'] })],
    ['a reader without a path', call({ tool: 'read_file', args: { id: 3 }, powers: ['reads'] })],
    ['a path that is no text', call({ tool: 'read_file', args: { path: ['a', 3] }, powers: ['reads'] })],
    ['arguments that are no JSON', { ...read('a'), arguments: { json: '{"path":' } }],
    ['a call that still runs', { ...read('a'), status: 'running' }],
    ['a call that nobody judged', { ...read('a'), powers: undefined } as unknown as ToolCall],
  ])('are none for %s', (_what, made) => {
    expect(filesDone(made)).toBeUndefined()
  })
})

describe('the label of a group', () => {
  const label = (...calls: readonly ToolCall[]) => {
    const message = {
      id: id<'message'>('m'),
      turnId: id<'turn'>('t'),
      role: 'assistant',
      at: 0,
      status: 'done',
      parts: [],
    } as const
    const { count, tools } = groupLabel(calls.map((call) => ({ call, message: { ...message, parts: [] }, thinking: [] })))
    return `${count} ${tools}`.trim()
  }

  it('counts files and the lines of all their edits', () => {
    expect(label(read('a'), read('b'), read('c'))).toBe('3 files read')
    expect(label(edit('a', 'a', 'b'), edit('b', 'x', 'x\ny'), edit('b', 'z', ''))).toBe('2 files edited +2 −2')
    expect(label(edit('a', 'a', 'b'), read('b'), read('c'), write('d'))).toBe('2 files read, 1 file edited +1 −1, 1 file written')
    const several = call({ tool: 'read_multiple_files', args: { paths: ['a', 'b'] }, powers: ['reads'] })
    expect(label(several, several, read('c'))).toBe('3 files read')
  })

  it('has no sum where the figure of one edit is unknown, and names the calls of one file', () => {
    const unknown = call({ tool: 'edit_file', args: { path: 'c' } })
    expect(label(edit('a', 'a', 'b'), edit('b', 'a', 'b'), unknown)).toBe('3 files edited')
    expect(label(read('a'), read('a'), read('a'))).toBe('1 file read in 3 calls')
  })

  it('names the tools of all other calls', () => {
    const fetch = call({ tool: 'fetch', args: { url: 'x:' } })
    expect(label(fetch, fetch, fetch)).toBe('3 calls of fetch')
    expect(label(read('a'), fetch, fetch)).toBe('1 file read, 2 calls of fetch')
    expect(label(fetch, read('a'), call({ tool: 'find', args: {} }))).toBe('1 file read, 2 calls fetch, find')
  })
})
