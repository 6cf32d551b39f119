import { expect, it } from 'vitest'
import { InTurn } from './in-turn.ts'

it('runs one after another, also after one that failed', async () => {
  const turns = new InTurn()
  const order: string[] = []
  const step = (name: string, fails = false) =>
    turns.run(async () => {
      order.push(`${name} begins`)
      await Promise.resolve()
      order.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const failing = step('one', true)
  const last = step('two')
  await expect(failing).rejects.toThrow('one')
  await turns.ended()
  await expect(last).resolves.toBe('two')
  expect(order).toEqual(['one begins', 'one ends', 'two begins', 'two ends'])
})
