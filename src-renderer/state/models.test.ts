import { describe, expect, it } from 'vitest'
import type { ProviderId } from '../../src-shared/contract/ids.ts'
import type { ModelRef, ProviderRecord } from '../../src-shared/contract/settings.ts'
import { modelGroups, modelKey, ofKnownProvider, withEffort } from './models.ts'

const provider = (id: string, ...models: string[]): ProviderRecord => ({
  id: id as ProviderId,
  kind: 'openai',
  name: id.toUpperCase(),
  key: 'saved',
  models: models.map((model) => ({ id: model, name: model })),
  state: 'ready',
})
const ref = (id: string, model: string): ModelRef => ({ provider: id as ProviderId, model })
const shown = (groups: ReturnType<typeof modelGroups>) =>
  groups.map(({ label, options }) => `${label}: ${options.map(({ entry }) => entry.id).join(' ')}`)

it('a chosen model counts while its provider is there, even one that it no longer lists', () => {
  const providers = [provider('p', 'm')]
  const chosen = [ref('p', 'm'), ref('p', 'gone'), ref('q', 'm'), undefined]
  expect(chosen.map((model) => ofKnownProvider(providers, model))).toEqual([
    ref('p', 'm'),
    ref('p', 'gone'),
    undefined,
    undefined,
  ])
})

describe('the list of models', () => {
  it('keeps a chosen model that its provider no longer lists', () => {
    expect(shown(modelGroups([provider('p', 'm')], ref('p', 'gone')))).toEqual(['P: m', 'Not available now: gone'])
  })

  it('has recent models first in long lists, each of them once', () => {
    const providers = [provider('p', 'a', 'b', 'c', 'd', 'e'), provider('q', 'a', 'f', 'g', 'h')]
    const recent = [ref('q', 'g'), ref('p', 'removed'), { ...ref('q', 'g'), effort: 'high' } as const, ref('p', 'b')]
    expect(shown(modelGroups(providers, ref('p', 'a'), { recent }))).toEqual(['Recent: g b', 'P: a c d e', 'Q: a f h'])
    expect(shown(modelGroups([provider('p', 'a', 'b')], ref('p', 'a'), { recent }))).toEqual(['P: a b'])
  })

  it('is searched by words of model and provider', () => {
    const providers = [provider('p', 'gpt-5', 'gpt-5-mini'), provider('local', 'gpt-oss')]
    const search = (words: string) => shown(modelGroups(providers, ref('p', 'gpt-5'), { search: words }))
    expect(search('MINI gpt')).toEqual(['P: gpt-5-mini'])
    expect(search('local')).toEqual(['LOCAL: gpt-oss'])
    expect(search('claude')).toEqual([])
  })

  it('keeps the effort for a model that accepts it, too', () => {
    const entry = { id: 'm', name: 'M', efforts: ['low', 'high'] } as const
    const option = { value: modelKey(ref('p', 'm')), label: 'M', model: ref('p', 'm'), entry, providerName: 'P' }
    expect(withEffort(option, { ...ref('q', 'x'), effort: 'high' })).toEqual({ ...ref('p', 'm'), effort: 'high' })
    expect(withEffort(option, { ...ref('q', 'x'), effort: 'max' })).toEqual(ref('p', 'm'))
  })
})
