import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import type { CompletionAnswer } from '../../src-shared/contract/attachments.ts'
import { SUGGEST_PAUSE, Suggester } from './suggester.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

function asked() {
  const clock = new ManualClock()
  const questions: { value: string; signal: AbortSignal; answer: (found: CompletionAnswer) => void; fail: () => void }[] = []
  const found: (readonly string[] | undefined)[] = []
  const suggester = new Suggester(
    clock,
    (value, signal) =>
      new Promise((resolve, reject) => {
        questions.push({ value, signal, answer: resolve, fail: () => reject(new Error('down')) })
      }),
    (completions) => found.push(completions?.values),
  )
  return { clock, questions, found, suggester }
}
const values = (...list: string[]): CompletionAnswer => ({ values: list, hasMore: false })

describe('suggestions while typing', () => {
  it('asks once for ten quick keys, with the final text (COMP-10)', async () => {
    const { clock, questions, suggester } = asked()
    for (let length = 1; length <= 10; length++) {
      suggester.typed('abcdefghij'.slice(0, length))
      clock.advance(SUGGEST_PAUSE / 4)
    }
    clock.advance(SUGGEST_PAUSE)
    expect(questions.map((question) => question.value)).toEqual(['abcdefghij'])
  })

  it('drops an answer older than the newest key and cancels its question (COMP-17)', async () => {
    const { clock, questions, found, suggester } = asked()
    suggester.typed('a')
    clock.advance(SUGGEST_PAUSE)
    suggester.typed('ab')
    clock.advance(SUGGEST_PAUSE)
    expect(questions[0]?.signal.aborted).toBe(true)
    questions[1]?.answer(values('abc'))
    questions[0]?.answer(values('a-old'))
    await settled()
    expect(found).toEqual([['abc']])
  })

  it('stays a plain field when a question fails, and keeps the server’s order (COMP-09, COMP-12)', async () => {
    const { clock, questions, found, suggester } = asked()
    suggester.typed('x')
    clock.advance(SUGGEST_PAUSE)
    questions[0]?.fail()
    await settled()
    suggester.typed('xy')
    clock.advance(SUGGEST_PAUSE)
    questions[1]?.answer(values('z', 'a', 'm'))
    await settled()
    expect(found).toEqual([undefined, ['z', 'a', 'm']])
  })

  it('asks no more once the server says that it does not complete (COMP-01)', async () => {
    const { clock, questions, suggester } = asked()
    suggester.typed('x')
    clock.advance(SUGGEST_PAUSE)
    questions[0]?.answer({ values: [], hasMore: false, unsupported: true })
    await settled()
    suggester.typed('xy')
    clock.advance(SUGGEST_PAUSE * 10)
    expect(questions).toHaveLength(1)
  })
})
