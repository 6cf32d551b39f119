import { expect, it } from 'vitest'
import type { ProviderId } from '../../../src-shared/contract/ids.ts'
import type { ModelPrice, ProviderRecord } from '../../../src-shared/contract/settings.ts'
import { costLabel } from './usage-labels.ts'

const provider = 'p' as ProviderId
const record = (price?: ModelPrice): ProviderRecord => ({
  ...{ id: provider, kind: 'anthropic', name: 'P', key: 'saved', state: 'ready' },
  models: [{ id: 'm', name: 'M', ...(price && { price }) }],
})
const round = { model: { provider, model: 'm' }, usage: { input: 10_000, output: 1000, cacheRead: 8000, cacheWrite: 1000 } }

it('a turn costs the list price of its rounds, cached tokens at their own, and a free or unknown model nothing', () => {
  const sonnet = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
  expect(costLabel([round], [record(sonnet)])).toBe('≈ $0.024')
  expect(costLabel([round, round], [record({ input: 3, output: 15 })])).toBe('≈ $0.09')
  expect(costLabel([round], [record({ input: 300, output: 1500 })])).toBe('≈ $4.50')
  expect(costLabel([round], [record()])).toBeUndefined()
  expect(costLabel([round], [record({ input: 0, output: 0 })])).toBeUndefined()
  expect(costLabel([round, { usage: round.usage }], [record(sonnet)])).toBeUndefined()
})
