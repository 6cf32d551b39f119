import { expect, it } from 'vitest'
import { InTurn, InTurnBy } from './in-turn.ts'

it('changes run one after another, even after one that failed', async () => {
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

it('a change waits only for those of its own key', async () => {
  const turns = new InTurnBy<string>()
  const first = Promise.withResolvers<void>()
  const order: string[] = []
  const step = (key: string, name: string, until = Promise.resolve()) =>
    turns.run(key, async () => {
      await until
      order.push(name)
    })
  const all = [step('a', 'a1', first.promise), step('a', 'a2'), step('b', 'b1')]
  await all[2]
  first.resolve()
  await Promise.all(all)
  expect(order).toEqual(['b1', 'a1', 'a2'])
  await expect(turns.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await expect(turns.run('a', async () => 'yes')).resolves.toBe('yes')
})
