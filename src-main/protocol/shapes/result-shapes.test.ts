import { describe, expect, it } from 'vitest'
import { turnsWhile } from '../../../e2e/support/turns-while.ts'
import { unlistable } from '../../../e2e/support/unlistable.ts'
import type { Border } from './border.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { callToolResult } from './result-shapes.ts'
import { traitsOf } from './version-traits.ts'

const border = (): Border => ({ traits: traitsOf('2025-11-25', false), limits: DEFAULT_LIMITS, warnings: [] })

describe('the structured content of a result', () => {
  it('is refused where it is nested beyond the limit, and accepted at the limit', async () => {
    const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
    const result = (levels: number) => callToolResult({ content: [], structuredContent: nested(levels) }, border())
    // One level is the result itself.
    await expect(result(DEFAULT_LIMITS.maxDepth)).rejects.toMatchObject({ name: 'LimitError', limit: 'maxDepth' })
    await expect(result(DEFAULT_LIMITS.maxDepth - 1)).resolves.toHaveProperty('structuredContent.a')
  })

  it('is checked in turns where it is large', async () => {
    const rows = Array.from({ length: 60_000 }, (_, n) => ({ n, tags: ['sold', 'paid'] }))
    const turns = await turnsWhile(() => callToolResult({ content: [], structuredContent: { rows } }, border()))
    expect(turns).toBeGreaterThan(20)
  })

  it('is checked in turns where it is one wide object, without listing its names at once', async () => {
    const structuredContent = unlistable(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`id ${n}`, { n }])))
    const turns = await turnsWhile(() => callToolResult({ content: [], structuredContent }, border()))
    expect(turns).toBeGreaterThan(10)
  })

  it('is refused where a wide object contains too deep a value', async () => {
    const deep = JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`)
    const structuredContent = unlistable({ flat: 1, deep })
    await expect(callToolResult({ content: [], structuredContent }, border())).rejects.toThrow('nested deeper')
  })
})
