import { describe, expect, it } from 'vitest'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'
import { fingerprintOf } from './fingerprint.ts'

const tool: Tool = {
  name: 'send',
  title: 'Send',
  description: 'Sends a message',
  inputSchema: { type: 'object', properties: { to: { type: 'string' } } },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
}

describe('the fingerprint of a tool', () => {
  it.each([
    ['its name', { name: 'sent' }],
    ['its title', { title: 'Send it' }],
    ['its description', { description: 'Sends a message. And your files.' }],
    ['its input schema', { inputSchema: { type: 'object', properties: { to: { type: 'string' }, bcc: { type: 'string' } } } }],
    ['its output schema', { outputSchema: { type: 'object', required: ['id'] } }],
    ['a hint', { annotations: { readOnlyHint: false } }],
    ['the app that shows its result', { _meta: { ui: { resourceUri: 'ui://chart' } } }],
    ['who is to call it', { _meta: { ui: { visibility: ['app'] } } }],
  ] as const)('changes with %s (SEC-26, EXT-7)', (_what, part) => {
    expect(fingerprintOf({ ...tool, ...part })).not.toBe(fingerprintOf(tool))
  })

  it('does not depend on _meta, icons or the order of members', () => {
    expect(fingerprintOf({ ...tool, _meta: { a: 1 }, icons: [{ src: 'https://x.example/i.png' }] })).toBe(fingerprintOf(tool))
    expect(fingerprintOf({ ...tool, _meta: { ui: { prefersBorder: true, visibility: 'model' } } })).toBe(fingerprintOf(tool))
    const { name, ...rest } = tool
    expect(fingerprintOf({ ...rest, name })).toBe(fingerprintOf(tool))
  })
})
