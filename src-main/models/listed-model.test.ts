import { expect, it } from 'vitest'
import { anthropicTraits, listedModel } from './listed-model.ts'

it.each([
  ['OpenAI', { id: 'gpt-5', object: 'model', owned_by: 'system' }, { id: 'gpt-5', name: 'gpt-5' }],
  [
    'OpenRouter',
    {
      id: 'anthropic/claude-sonnet-4.5',
      name: 'Anthropic: Claude Sonnet 4.5',
      context_length: 1_000_000,
      architecture: { input_modalities: ['text', 'image', 'file'], output_modalities: ['text'] },
      supported_parameters: ['max_tokens', 'tools', 'reasoning'],
      pricing: { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003' },
    },
    {
      id: 'anthropic/claude-sonnet-4.5',
      name: 'Anthropic: Claude Sonnet 4.5',
      contextWindow: 1_000_000,
      vision: true,
      tools: true,
      price: { input: 3, output: 15, cacheRead: 0.3 },
    },
  ],
  [
    'Mistral',
    {
      id: 'mistral-small-latest',
      name: 'mistral-small-2506',
      capabilities: { completion_chat: true, function_calling: true, vision: true },
    },
    { id: 'mistral-small-latest', name: 'mistral-small-2506', vision: true, tools: true },
  ],
  ['OpenRouter, a painter', { id: 'a/painter', architecture: { output_modalities: ['image'] } }, undefined],
  ['Mistral, embeddings', { id: 'codestral-embed', capabilities: { completion_chat: false } }, undefined],
  ['Together, reranking', { id: 'Salesforce/Llama-Rank-V1', type: 'rerank' }, undefined],
  [
    'a liar',
    {
      id: 'x',
      name: 5,
      architecture: [],
      capabilities: 'all',
      supported_parameters: {},
      pricing: { prompt: '-1', completion: 'NaN' },
    },
    { id: 'x', name: 'x' },
  ],
  ['nobody', { name: 'no id' }, undefined],
])('a model is read as %s lists it', (_who, row, model) => {
  expect(listedModel(row)).toEqual(model)
})

it('an Anthropic model has the abilities that the list gives, and none where it is silent', () => {
  const yes = { supported: true }
  const no = { supported: false }
  const effort = { supported: true, low: yes, medium: yes, high: yes, xhigh: null, max: no }
  const thinking = { supported: true, types: { adaptive: yes, enabled: no } }
  expect(anthropicTraits({ image_input: no, effort, thinking })).toEqual({
    vision: false,
    efforts: ['low', 'medium', 'high'],
    adaptive: true,
  })
  expect(anthropicTraits({ effort: { ...effort, supported: false } })).toEqual({ efforts: [] })
  expect(anthropicTraits(null)).toEqual({})
})
