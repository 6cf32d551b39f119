import { expect, it } from 'vitest'
import type { ContentView } from '../../../src-shared/contract/blobs.ts'
import type { Message, ToolCall } from '../../../src-shared/contract/conversations.ts'
import { type CallStep, groupCalls, hasMedia } from './call-groups.ts'

const blob = (mimeType: string) => ({ blob: 'a'.repeat(64), bytes: 9, mimeType })
const shownClosed = (block: ContentView) => hasMedia({ content: [block], isError: false, warnings: [] })

it.each<[string, ContentView, boolean]>([
  ['a picture', { type: 'image', blob: blob('image/png') }, true],
  ['a picture that came along as a resource', { type: 'resource', uri: 'x:/a', content: blob('image/png') }, true],
  ['a sound that came along as a resource', { type: 'resource', uri: 'x:/a', content: blob('audio/wav') }, true],
  ['other bytes', { type: 'resource', uri: 'x:/a', content: blob('application/zip') }, false],
  ['the text of a resource', { type: 'resource', uri: 'x:/a', content: { text: 'image/png' } }, false],
  ['a text', { type: 'text', text: 'hi' }, false],
])('a closed call with %s shows its media or not (%#)', (_what, block, shown) => {
  expect(shownClosed(block)).toBe(shown)
})

it('calls that the end of Parley cut off in the same way share a line, and the one that may have run keeps its own', () => {
  const message = { id: 'm' } as Message
  const cut = (id: string, what: string) => ({
    call: { id, tool: 'read', status: 'interrupted', problem: { code: 'interrupted', what } } as ToolCall,
    message,
    thinking: [],
  })
  const held = (id: string): CallStep => {
    const step = cut(id, 'held')
    return { ...step, call: { ...step.call, received: { content: [], isError: false, warnings: [] } } }
  }
  const groups = (...steps: readonly CallStep[]) =>
    groupCalls(steps).map(({ steps }) => steps.map(({ call }) => call.id).join(''))
  expect(groups(cut('a', 'ran'), cut('b', 'not'), cut('c', 'not'), cut('d', 'not'))).toEqual(['a', 'bcd'])
  expect(groups(cut('a', 'not'), cut('b', 'not'), cut('c', 'ran'))).toEqual(['a', 'b', 'c'])
  expect(groups(held('a'), held('b'), held('c'))).toEqual(['a', 'b', 'c'])
})
