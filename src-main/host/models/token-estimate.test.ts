import { describe, expect, it } from 'vitest'
import { TOO_LARGE } from '../../../e2e/support/nasty-schemas.ts'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import { messageTokens, textTokens, toolTokens, windowOf } from './token-estimate.ts'

describe('the estimate of tokens', () => {
  it('counts letters by the provider’s measure and wide scripts by the character', () => {
    expect(textTokens('x'.repeat(400), 'openai')).toBe(100)
    expect(textTokens('x'.repeat(350), 'anthropic')).toBe(100)
    expect(textTokens('会議の予定', 'openai')).toBe(5)
    expect(textTokens('', 'openai')).toBe(0)
  })

  it('counts images, arguments of calls and whole definitions', () => {
    const image = { type: 'image' as const, data: '', mimeType: 'image/png' }
    expect(messageTokens({ role: 'user', content: [image] }, 'anthropic')).toBeGreaterThan(1500)
    const photo = { ...image, size: { width: 1024, height: 1024 } }
    expect(messageTokens({ role: 'user', content: [photo] }, 'anthropic')).toBe(1399 + 6)
    expect(messageTokens({ role: 'user', content: [photo] }, 'openai')).toBe(765 + 6)
    const call = { id: '1', name: 'echo', arguments: { text: 'x'.repeat(4000) } }
    expect(messageTokens({ role: 'assistant', text: '', toolCalls: [call] }, 'openai')).toBeGreaterThan(1000)
    const tool = { name: 'a', description: '', inputSchema: { type: 'object', title: 'x'.repeat(4000) } }
    expect(toolTokens(tool, 'openai')).toBeGreaterThan(1000)
  })

  it('counts a definition as often as it is referred to, in bounded time, and a recursive one once', () => {
    const text = { type: 'string', title: 'x'.repeat(1000) }
    const twice = { a: { $ref: '#/$defs/text' }, b: { $ref: '#/$defs/text' } }
    const tokens = (inputSchema: JsonObject) => toolTokens({ name: 'a', description: '', inputSchema }, 'openai')
    expect(tokens({ type: 'object', properties: twice, $defs: { text } })).toBeGreaterThan(500)
    expect(tokens({ type: 'object', properties: {}, $defs: { text } })).toBeLessThan(50)
    expect(tokens({ type: 'object', properties: { all: { $ref: '#' } } })).toBeLessThan(50)
    for (const schema of Object.values(TOO_LARGE)) expect(tokens(schema)).toBeLessThan(20_000)
    const far = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`n${n}`, { $ref: `#/$defs/n${n + 1}` }]))
    expect(tokens({ type: 'object', properties: { a: { $ref: '#/$defs/n0' } }, $defs: far })).toBeLessThan(100)
  })

  it('knows a window from the provider, else from the family', () => {
    expect(windowOf({ id: 'claude-x', contextWindow: 5 }, 'claude-x')).toBe(5)
    expect(windowOf(undefined, 'anthropic/claude-sonnet-4.5')).toBe(200_000)
    expect(windowOf({ id: 'gpt-4o-mini' }, 'gpt-4o-mini')).toBe(128_000)
    expect(windowOf(undefined, 'somebody-else')).toBeUndefined()
  })
})
