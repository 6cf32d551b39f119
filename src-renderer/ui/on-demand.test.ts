import { expect, it, onTestFinished, vi } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { onDemand } from './on-demand.tsx'

it('missing code is requested once more, and then never again', async () => {
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

/** The module with a React whose effects run when the test says so. Other tests of this process may have loaded both before. */
async function withReact(react: object): Promise<typeof import('./on-demand.tsx')> {
  vi.resetModules()
  vi.doMock('react', () => react)
  onTestFinished(() => {
    vi.doUnmock('react')
    vi.resetModules()
  })
  return import('./on-demand.tsx')
}

it('a part whose code arrives between drawing and effect is drawn again', async () => {
  const effects: (() => void)[] = []
  const set: unknown[] = []
  const module = await withReact({
    useState: (value: unknown) => [value, (next: unknown) => set.push(next)],
    useEffect: (effect: () => void) => effects.push(effect),
    startTransition: (change: () => void) => change(),
  })
  const Part = module.onDemand(
    async () => () => 'there',
    () => 'not yet',
  )
  expect(Part({})).toBe('not yet')
  await Part.preload()
  for (const effect of effects) effect()
  await Part.preload()
  expect(set).toEqual([true])
})

it('parts that nothing shows load one after another once the start is over and the page is idle', async () => {
  const idle: (() => void)[] = []
  vi.stubGlobal('requestIdleCallback', (run: () => void) => idle.push(run))
  onTestFinished(() => void vi.unstubAllGlobals())
  const { loadLater, onDemand } = await withReact({})
  const loaded: string[] = []
  for (const name of ['first', 'second']) {
    onDemand(async () => {
      loaded.push(name)
      return () => null
    })
  }
  const clock = new ManualClock()
  loadLater(clock)
  clock.advance(19_999)
  expect(idle).toHaveLength(0)
  clock.advance(1)
  expect(loaded).toEqual([])
  idle.shift()?.()
  expect(loaded).toEqual(['first'])
  await vi.waitFor(() => expect(idle).toHaveLength(1))
  idle.shift()?.()
  expect(loaded).toEqual(['first', 'second'])
})
