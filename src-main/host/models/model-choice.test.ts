import { describe, expect, it } from 'vitest'
import type { ProviderId } from '../../../src-shared/contract/ids.ts'
import type { ModelPreferences } from '../../../src-shared/mcp/client-requests.ts'
import { type Candidate, chooseModel } from './model-choice.ts'
import { canSee, familyOf, imageLimits, priceOf } from './model-families.ts'

const candidate = (id: string, extra: Partial<Candidate> = {}): Candidate => ({
  model: { provider: 'p' as ProviderId, model: id },
  name: id,
  ...extra,
})
const HAIKU = candidate('claude-haiku-4-5')
const SONNET = candidate('claude-sonnet-4-5')
const OPUS = candidate('claude-opus-4-5')
const GPT = candidate('gpt-5')
const MINI = candidate('gpt-5-mini')
const DEMO = candidate('demo', { demo: true })
const LOCAL = candidate('my-own-model')
const ALL = [OPUS, SONNET, HAIKU]

const choose = (preferences: ModelPreferences | undefined, candidates: readonly Candidate[], own: Candidate = DEMO) =>
  chooseModel(preferences, candidates, own.model)
const hints = (...names: string[]): ModelPreferences => ({ hints: names.map((name) => ({ name })) })

describe('the model for a sampling request', () => {
  it.each<[string, ModelPreferences | undefined, readonly Candidate[], Candidate, Candidate]>([
    ['the person’s own without preferences', undefined, ALL, SONNET, SONNET],
    ['the first without preferences and without an own one', undefined, ALL, DEMO, OPUS],
    ['a part of a name', hints('sonnet'), ALL, OPUS, SONNET],
    ['whatever its case', hints('SONNET'), ALL, OPUS, SONNET],
    ['the first hint that matches', hints('llama', 'haiku', 'opus'), ALL, OPUS, HAIKU],
    ['the first of two that match', hints('opus', 'haiku'), ALL, SONNET, OPUS],
    ['the person’s own among those that match', hints('claude'), ALL, SONNET, SONNET],
    ['the like of another maker', hints('claude-3-haiku'), [GPT, MINI], GPT, MINI],
    ['the like of another maker, the other way round', hints('gpt-4o-mini'), ALL, OPUS, HAIKU],
    ['a later hint that matches before the like of an earlier', hints('haiku', 'gpt-5'), [MINI, GPT], MINI, MINI],
    ['a hint over a priority', { ...hints('haiku'), intelligencePriority: 1 }, ALL, OPUS, HAIKU],
    ['intelligence among equals', { ...hints('claude'), intelligencePriority: 1 }, ALL, HAIKU, OPUS],
    ['speed among equals', { ...hints('claude'), speedPriority: 0.9, intelligencePriority: 0.1 }, ALL, OPUS, HAIKU],
    ['cost without hints', { costPriority: 1 }, ALL, OPUS, HAIKU],
    ['a balance', { intelligencePriority: 0.9, speedPriority: 0.5, costPriority: 0.3 }, ALL, HAIKU, SONNET],
    ['the own one when priorities are out of range', { costPriority: 7, speedPriority: -1 }, ALL, OPUS, OPUS],
    ['the own one when priorities are no numbers', { costPriority: Number.NaN }, ALL, SONNET, SONNET],
    ['the own one when nothing is known of any', { speedPriority: 1 }, [LOCAL, DEMO], LOCAL, LOCAL],
    ['the own one when a hint means nothing', hints('zzz', ''), ALL, SONNET, SONNET],
    ['no demo for its qualities', { speedPriority: 1 }, [DEMO, SONNET], DEMO, SONNET],
  ])('is %s (SAMP-14, SAMP-15, SAMP-16)', (_what, preferences, candidates, own, expected) => {
    expect(choose(preferences, candidates, own).model).toEqual(expected.model)
  })

  it('follows hints before priorities, and priorities only between equals (SAMP-17, SAMP-18, TRAP-72)', () => {
    const wanted = { ...hints('opus'), costPriority: 1 }
    expect(choose(wanted, ALL).model).toEqual(OPUS.model)
    const versions = [candidate('claude-opus-4-5'), candidate('claude-haiku-4-5')]
    expect(choose({ ...hints('4-5'), costPriority: 1 }, versions).model.model).toBe('claude-haiku-4-5')
  })

  it('excludes models that cannot take the content, unless none can', () => {
    const blind = candidate('claude-sonnet-4-5', { unsuitable: 'It cannot see images.' })
    expect(choose(hints('sonnet'), [blind, HAIKU], HAIKU).model).toEqual(HAIKU.model)
    expect(choose(hints('sonnet'), [blind], blind).model).toEqual(blind.model)
  })

  it('comes with a reason in words', () => {
    expect(choose({ ...hints('sonnet'), speedPriority: 0.8 }, ALL).reason).toBe(
      'Hint “sonnet” → claude-sonnet-4-5; speed preferred.',
    )
    expect(choose(hints('gemini-2-flash'), ALL).reason).toBe(
      'Hint “gemini-2-flash” → claude-haiku-4-5, the closest of your models.',
    )
    expect(choose({ intelligencePriority: 1 }, ALL).reason).toBe('claude-opus-4-5; intelligence preferred.')
    expect(choose(hints('zzz'), ALL, SONNET).reason).toBe('Your own choice of model. None of your models fits the hint “zzz”.')
    expect(choose(undefined, [], SONNET)).toEqual({ model: SONNET.model, reason: 'Your own choice of model.' })
  })

  it('ignores hints with unknown keys (SAMP-19)', () => {
    const odd = { hints: [{ family: 'x' }, {}, { name: 'haiku', extra: 1 }] } as ModelPreferences
    expect(choose(odd, ALL).model).toEqual(HAIKU.model)
  })
})

describe('the table of models', () => {
  it.each([
    ['claude-3-5-haiku-20241022', 'small'],
    ['claude-sonnet-4-5-20250929', 'middle'],
    ['claude-opus-4-1-20250805', 'large'],
    ['gpt-5-nano', 'small'],
    ['gpt-4o', 'middle'],
    ['o3', 'large'],
    ['llama-3.1-8b', 'small'],
    ['llama3.1:70b', 'large'],
    ['my-own-model', undefined],
  ])('knows %s: %s', (id, tier) => {
    expect(familyOf(id)?.tier).toBe(tier)
  })

  it('has a price only where that maker serves the model', () => {
    expect(priceOf('anthropic', 'claude-sonnet-4-5')).toEqual({ input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 })
    expect(priceOf('openai-compatible', 'claude-sonnet-4-5')).toBeUndefined()
    expect(priceOf('demo', 'demo')).toEqual({ input: 0, output: 0 })
  })

  it('gives the size and type of images by family, also at providers of others’ models', () => {
    expect(imageLimits('anthropic', 'anything').edge).toBe(1568)
    expect(imageLimits('openai', 'anything').edge).toBe(2048)
    expect(imageLimits('openai-compatible', 'openai/gpt-5').edge).toBe(2048)
    expect(imageLimits('openai-compatible', 'qwen2.5-vl').types).toEqual(['image/png', 'image/jpeg'])
    // Base64 makes four of three, and five MiB of it are the most that Anthropic takes.
    expect(Math.ceil(imageLimits('anthropic', 'claude').bytes / 3) * 4).toBeLessThanOrEqual(5 * 1024 * 1024)
  })

  it('knows vision from the provider, else from the name', () => {
    expect(canSee({ vision: false }, 'gpt-5')).toBe(false)
    expect(canSee({ vision: true }, 'mistral-7b')).toBe(true)
    for (const id of [
      'anthropic/claude-sonnet-4.5',
      'gpt-4o-mini',
      'o3',
      'llava:13b',
      'qwen2.5vl:7b',
      'qwen/qwen3-vl-8b',
      'gemma3:12b',
      'llama3.2-vision',
      'o4-mini',
      'gpt-4-turbo',
      'mistral-small3.2',
      'minicpm-v:8b',
      'x-ai/grok-4',
      'z-ai/glm-4.5v',
    ]) {
      expect([id, canSee({}, id)]).toEqual([id, true])
    }
    for (const id of ['llama3.2', 'gpt-3.5-turbo', 'o3-mini', 'qwen3:8b', 'mistral-7b', 'scripted']) {
      expect([id, canSee(undefined, id)]).toEqual([id, false])
    }
  })
})
