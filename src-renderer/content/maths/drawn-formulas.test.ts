import { expect, it } from 'vitest'
import type { ThreadOutcome } from '../isolation/thread-queue.ts'
import { DrawnFormulas } from './drawn-formulas.ts'
import type { MathsNode } from './maths-tree.ts'

const NODE: MathsNode = { tag: 'math', attributes: {}, children: ['x'] }

function formulas(...outcomes: ThreadOutcome<MathsNode>[]) {
  const times: number[] = []
  const drawn = new DrawnFormulas(async (_formula, time) => {
    times.push(time)
    return outcomes.shift() ?? { is: 'broken' }
  })
  return { drawn, times }
}
const x = { tex: 'x', display: false }

it('a late formula is not kept as broken, and a later try draws it', async () => {
  const { drawn, times } = formulas({ is: 'late' }, { is: 'done', answer: NODE })
  expect(await drawn.draw(x, 3_000)).toBe('late')
  expect(drawn.of(x)).toBeUndefined()
  expect(await drawn.draw(x, 6_000)).toBe('settled')
  expect(drawn.of(x)).toBe(NODE)
  await drawn.draw(x, 9_000)
  expect(times).toEqual([3_000, 6_000])
})

it('a formula that cannot be drawn is kept as broken, and not retried', async () => {
  const { drawn, times } = formulas({ is: 'broken' }, { is: 'done', answer: NODE })
  await drawn.draw(x, 3_000)
  await drawn.draw(x, 3_000)
  expect([drawn.of(x), times]).toEqual(['broken', [3_000]])
  expect(drawn.of({ ...x, display: true })).toBeUndefined()
})

it('the same formula in two places is drawn once', async () => {
  const { drawn, times } = formulas({ is: 'done', answer: NODE })
  expect(await Promise.all([drawn.draw(x, 3_000), drawn.draw(x, 3_000)])).toEqual(['settled', 'settled'])
  expect(times).toEqual([3_000])
})
