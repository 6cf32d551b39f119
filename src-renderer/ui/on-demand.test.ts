import { afterAll, expect, it, vi } from 'vitest'

/** React, as far as a part uses it, with effects that run when the test says so. */
const react = vi.hoisted(() => ({ effects: [] as (() => void)[], set: [] as unknown[] }))
vi.mock('react', () => ({
  useState: (value: unknown) => [value, (next: unknown) => react.set.push(next)],
  useEffect: (effect: () => void) => react.effects.push(effect),
  startTransition: (change: () => void) => change(),
}))

// Files of tests share loaded modules: another one may have loaded this module with the real React, or load it next.
vi.resetModules()
afterAll(() => vi.resetModules())
const { onDemand } = await import('./on-demand.tsx')

it('asks for code that did not come once more, and for code that came never again', async () => {
  let asked = 0
  const Part = onDemand(
    async () => {
      asked += 1
      if (asked === 1) throw new Error('offline')
      return () => null
    },
    () => null,
  )
  await expect(Part.preload()).rejects.toMatchObject({ cause: new Error('offline') })
  await Part.preload()
  await Part.preload()
  expect(asked).toBe(2)
})

it('a part whose code comes after it was drawn, and before its effect ran, is drawn again', async () => {
  const Part = onDemand(
    async () => () => 'there',
    () => 'not yet',
  )
  expect(Part({})).toBe('not yet')
  await Part.preload()
  for (const effect of react.effects) effect()
  await Part.preload()
  expect(react.set).toEqual([true])
})
