import { describe, expect, it } from 'vitest'
import type { ProviderId } from '../../src-shared/contract/ids.ts'
import { modelGroups, modelKey } from './models.ts'

describe('the list of models', () => {
  it('keeps a chosen model that its provider no longer lists', () => {
    const chosen = { provider: 'p' as ProviderId, model: 'gone' }
    const groups = modelGroups(
      [{ id: 'p' as ProviderId, kind: 'openai', name: 'P', key: 'saved', models: [{ id: 'm', name: 'M' }], state: 'ready' }],
      chosen,
    )
    expect(groups.map((group) => group.options.map((option) => option.value))).toEqual([['p\tm'], [modelKey(chosen)]])
  })
})
