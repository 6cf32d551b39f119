import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { SampledBlock, SamplingRequestQuestion } from '../../../src-shared/contract/sampling.ts'
import { DEMO_MODEL } from '../../../src-shared/contract/settings.ts'
import { SampledBlocks } from './SampledBlocks.tsx'
import { SamplingExtras } from './SamplingExtras.tsx'

const question: SamplingRequestQuestion = {
  messages: [],
  model: DEMO_MODEL,
  reason: '',
  models: [],
  maxTokens: 10,
  tokenCap: 10,
  stopSequences: { json: JSON.stringify(['one', 'two', ...Array.from({ length: 10 }, (_, n) => `stop ${n}`), '\n']) },
  metadata: {},
  tools: [
    {
      name: 'my.tool',
      sentAs: 'my_tool',
      description: { text: 'It says this' },
      schema: { json: '{"type":"object","description":"Its schema says that"}' },
    },
  ],
  context: { asked: 'none', offers: [] },
  inputTokens: 1,
}
const whole = { blob: 'a'.repeat(64), bytes: 4_000, mimeType: 'text/plain' }

const extras = (change: Partial<SamplingRequestQuestion> = {}) =>
  renderToStaticMarkup(createElement(SamplingExtras, { question: { ...question, ...change } }))
const shown = (block: SampledBlock) => {
  const edits = { texts: {}, removed: [] }
  return renderToStaticMarkup(createElement(SampledBlocks, { author: 'User', blocks: [block], edits, onChange: () => {} }))
}

describe('the page of a sampling request', () => {
  it('shows a tool’s own description, its schema and both of its names (SAMP-04)', () => {
    const page = extras()
    for (const text of ['It says this', 'Its schema says that', 'my.tool', 'my_tool']) expect(page).toContain(text)
  })

  it('shows every stop text, or links to it', () => {
    expect(extras().match(/Stop sequence/g)?.length).toBe(13)
    expect(extras()).toContain('&quot;\\n&quot;')
    expect(extras({ stopSequences: { json: '["one', whole } })).toContain('Show all')
  })

  it('links to the whole of an address that is too long', () => {
    const link = { type: 'resource_link' as const, uri: 'https://a.example/…', name: 'far' }
    const block = { n: 0, type: 'tool_result' as const, toolUseId: 'u', isError: false }
    expect(shown({ ...block, content: [link] })).not.toContain('Show all')
    expect(shown({ ...block, content: [{ ...link, whole }] })).toContain('Show all')
  })
})
