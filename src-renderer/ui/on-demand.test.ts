import { expect, it } from 'vitest'
import { onDemand } from './on-demand.tsx'

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
