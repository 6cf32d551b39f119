import { expect, it } from 'vitest'
import type { Id } from '../../../src-shared/base/json.ts'
import type { ResourceAttachment } from '../../../src-shared/contract/attachments.ts'
import { isGivenInPart } from './model-content.ts'

const attached = (bytes: number, audience?: 'user' | 'assistant'): ResourceAttachment => ({
  ...{ id: 'a' as Id<'attachment'>, title: 'a', size: bytes, tokens: 1, attachedAt: 0, warnings: [], subscribed: false },
  ...{ serverId: 's' as Id<'server'>, serverName: 's', uri: 'x:/a' },
  items: [{ uri: 'x:/a', content: { text: 'head', whole: { blob: 'b'.repeat(64), bytes, mimeType: 'text/plain' } } }],
  ...(audience && { annotations: { audience: [audience] } }),
})

it('says of a long attachment that it is given in part, unless it is for people alone and not given at all', () => {
  expect(isGivenInPart(attached(256 * 1024))).toBe(false)
  expect(isGivenInPart(attached(256 * 1024 + 1))).toBe(true)
  expect(isGivenInPart(attached(256 * 1024 + 1, 'assistant'))).toBe(true)
  expect(isGivenInPart(attached(256 * 1024 + 1, 'user'))).toBe(false)
})
