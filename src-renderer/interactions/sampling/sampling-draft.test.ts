import { describe, expect, it } from 'vitest'
import type { SampledBlock, SamplingRequestQuestion } from '../../../src-shared/contract/sampling.ts'
import { DEMO_MODEL } from '../../../src-shared/contract/settings.ts'
import { editsToSend, withRemoved, withText } from './block-edits.ts'
import { costInWords, estimate, readSamplingDraft, samplingAnswer } from './sampling-draft.ts'

const image: SampledBlock = { n: 1, type: 'image', blob: { blob: 'a'.repeat(64), bytes: 5, mimeType: 'image/png' } }
const question: SamplingRequestQuestion = {
  systemPrompt: { text: 'Be brief.' },
  messages: [
    { role: 'user', blocks: [{ n: 0, type: 'text', text: 'What is this?' }, image] },
    { role: 'assistant', blocks: [{ n: 2, type: 'text', text: 'A bee.' }] },
  ],
  model: DEMO_MODEL,
  reason: 'Your usual one.',
  models: [{ model: DEMO_MODEL, name: 'Demo', price: { input: 3, output: 15 } }],
  maxTokens: 5000,
  tokenCap: 1000,
  stopSequences: { json: '[]' },
  metadata: {},
  tools: [],
  context: { asked: 'none', offers: [{ id: 'c', label: 'An answer', preview: { text: 'x' }, tokens: 100 }] },
  inputTokens: 50,
}
const untouched = readSamplingDraft(undefined)

describe('a reviewed sampling request', () => {
  it('is sent as it came, by number, without a context that nobody ticked (SAMP-23)', () => {
    expect(samplingAnswer(question, untouched)).toEqual({
      decision: 'send',
      model: DEMO_MODEL,
      messages: [
        { role: 'user', blocks: [{ keep: 0 }, { keep: 1 }] },
        { role: 'assistant', blocks: [{ keep: 2 }] },
      ],
      maxTokens: 1000,
      context: [],
    })
  })

  it('has edited texts whole, without removed ones and empty messages', () => {
    const draft = withRemoved(withRemoved(withText(untouched, 0, 'What is that?'), 1, true), 2, true)
    expect(samplingAnswer({ ...question }, { ...draft, system: '', context: ['c'], maxTokens: '20' })).toEqual({
      decision: 'send',
      model: DEMO_MODEL,
      systemPrompt: null,
      messages: [{ role: 'user', blocks: [{ text: 'What is that?' }] }],
      maxTokens: 20,
      context: ['c'],
    })
  })

  it('is refused in words when nothing is left, or the cap is invalid (SAMP-24)', () => {
    const nothing = { ...untouched, removed: [0, 1, 2] }
    expect(samplingAnswer(question, nothing)).toContain('Nothing is left')
    for (const maxTokens of ['0', '1.5', '', 'many', '1001']) {
      expect(samplingAnswer(question, { ...untouched, maxTokens }), maxTokens).toEqual(expect.any(String))
    }
  })

  it('has a retyped text as unchanged, and one whose end was not loaded as changed', () => {
    const block = { n: 0, type: 'text', text: 'head' } as const
    const typed = withText(untouched, 0, 'head')
    expect(editsToSend([block], typed)).toEqual([{ keep: 0 }])
    const long = { ...block, whole: { blob: 'b'.repeat(64), bytes: 99, mimeType: 'text/plain' } }
    expect(editsToSend([long], typed)).toEqual([{ text: 'head' }])
  })
})

describe('the estimate of a request', () => {
  it('follows edits, ticks and the cap', () => {
    expect(estimate(question, untouched)).toEqual({ input: 50, output: 1000, cost: (50 * 3 + 1000 * 15) / 1e6 })
    const draft = { ...withText(untouched, 0, 'What is this?'.padEnd(53)), context: ['c'], maxTokens: '10' }
    expect(estimate(question, draft)).toMatchObject({ input: 160, output: 10 })
  })

  it('is shown in dollars', () => {
    expect(costInWords(0.004)).toBe('less than $0.01')
    expect(costInWords(1.234)).toBe('at most $1.23')
    expect(costInWords(0)).toBe('free')
    expect(costInWords(undefined)).toContain('unknown')
  })
})

describe('a stored draft', () => {
  it('survives the way through the host, and an invalid one becomes empty', () => {
    const draft = { ...withText(withRemoved(untouched, 1, true), 0, 'x'), system: null, maxTokens: '7', context: ['c'] }
    expect(readSamplingDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft)
    expect(readSamplingDraft({ texts: [1], removed: 'no', context: { a: 1 }, system: 4 })).toEqual(untouched)
  })
})
