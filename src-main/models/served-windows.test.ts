import { expect, it } from 'vitest'
import { listedWindow } from './served-windows.ts'

it.each([
  ['vLLM', { max_model_len: 8192 }, 8192],
  ['Groq', { context_window: 131_072 }, 131_072],
  ['OpenRouter', { context_length: 200_000 }, 200_000],
  ['Mistral', { max_context_length: 32_768 }, 32_768],
  ['llama.cpp', { meta: { n_ctx_train: 4096 } }, 4096],
  ['nobody', { id: 'x' }, undefined],
  ['a liar', { max_model_len: '8192', context_length: -1, meta: [] }, undefined],
  ['a boaster', { context_length: 1e300 }, undefined],
])('the window of a model is read from the list of %s', (_who, row, tokens) => {
  expect(listedWindow(row)).toBe(tokens)
})
