import { expect, it } from 'vitest'
import type { ContentView } from '../../../src-shared/contract/blobs.ts'
import { hasMedia } from './call-groups.ts'

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
