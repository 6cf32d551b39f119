import { type Clock, timeLimit } from '../../../src-shared/base/clock.ts'
import type { ModelTrial } from '../../../src-shared/contract/settings.ts'
import { ModelError, type ModelProvider, type ModelRequest } from '../../models/model-provider.ts'
import { cut } from '../core/content-views.ts'
import { guardedStream, modelProblem } from './model-stream.ts'

const TIME_LIMIT = 60_000
const MAX_TOKENS = 500
const MAX_CHARACTERS = 400

/** Asks a model for one short sentence, and measures the time to its first word. Rejects only when aborted. */
export async function tryModel(
  model: string,
  { open, clock, signal }: { readonly open: () => Promise<ModelProvider>; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<ModelTrial> {
  using limit = timeLimit(clock, TIME_LIMIT, () => tooLong(model), signal)
  const request: ModelRequest = {
    model,
    system: '',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Say hello in one short sentence.' }] }],
    tools: [],
    maxTokens: MAX_TOKENS,
    purpose: 'title',
  }
  const began = clock.now()
  try {
    let answer = ''
    let firstWord: number | undefined
    for await (const delta of guardedStream(await open(), request, limit.signal, clock)) {
      if (delta.type !== 'text') continue
      firstWord ??= clock.now() - began
      answer += delta.text
      if (answer.length > MAX_CHARACTERS) break
    }
    return { model, answer: cut(answer.trim(), MAX_CHARACTERS), ...(firstWord !== undefined && { firstWord }) }
  } catch (error) {
    if (signal.aborted) throw error
    return { model, problem: modelProblem(error, clock.now()) }
  }
}

function tooLong(model: string): ModelError {
  return new ModelError('unreachable', `${cut(model, 80)} did not finish within ${TIME_LIMIT / 1000} seconds.`, {
    todo: 'Try again: a local model may still be loading. Or choose another model.',
  })
}
