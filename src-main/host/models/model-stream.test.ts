import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { until } from '../../../e2e/support/until.ts'
import { ScriptedProvider, type Step } from '../../../e2e/test-hosts/scripted-provider.ts'
import type { ModelRetry } from '../../../src-shared/contract/conversations.ts'
import { type ModelDelta, ModelError, type ModelProvider, type ModelRequest } from '../../models/model-provider.ts'
import { guardedStream, modelProblem } from './model-stream.ts'

const request: ModelRequest = { model: 'scripted', system: '', messages: [], tools: [] }

async function all(
  provider: ModelProvider,
  clock = new ManualClock(),
  signal = new AbortController().signal,
  onRetry: (retry: ModelRetry | undefined) => void = () => {},
) {
  const deltas: ModelDelta[] = []
  for await (const delta of guardedStream(provider, request, signal, clock, onRetry)) deltas.push(delta)
  return deltas
}

describe('a guarded stream', () => {
  it('passes on the model’s text and leaves no timer', async () => {
    const clock = new ManualClock()
    const deltas = await all(new ScriptedProvider(['a', { thinking: 'b' }]), clock)
    expect(deltas.map((delta) => delta.type)).toEqual(['text', 'thinking', 'done'])
    expect(clock.pending).toBe(0)
  })

  it('ends when a model is silent for five minutes', async () => {
    const clock = new ManualClock()
    const provider = new ScriptedProvider([{ wait: new Promise(() => {}) }])
    const reading = all(provider, clock).catch((error: unknown) => error)
    await until(() => provider.requests.length === 1)
    clock.advance(300_000)
    expect(await reading).toMatchObject({ code: 'unreachable' })
    expect(clock.pending).toBe(0)
  })

  it('does not wait for a provider that ignores its signal', async () => {
    const deaf: ModelProvider = {
      listModels: async () => [],
      stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
    }
    const controller = new AbortController()
    const reading = all(deaf, new ManualClock(), controller.signal).catch((error: unknown) => error)
    controller.abort('stop')
    expect(await reading).toBe('stop')
  })

  it.each<[string, Step[]]>([
    ['text', Array.from({ length: 5 }, () => 'x'.repeat(1024 * 1024))],
    ['calls', Array.from({ length: 65 }, () => ({ call: 'echo' }))],
    ['parts', Array.from({ length: 600 }, (_, at) => (at % 2 ? 'a' : { thinking: 'b' }))],
    ['broken arguments', [{ call: 'echo', broken: 'x'.repeat(3 * 1024 * 1024) }]],
  ])('ends a flood of %s', async (_what, steps) => {
    await expect(all(new ScriptedProvider(steps))).rejects.toMatchObject({ code: 'broken-stream' })
  })
})

describe('a request that a provider postpones', () => {
  const limited = (retryAfter: number | undefined) =>
    new ModelError('rate-limited', 'Too many requests.', { todo: 'Wait.', said: '429', retryAfter })

  it('is repeated at the provider’s time, and the wait is shown before and after', async () => {
    const clock = new ManualClock()
    const provider = new ScriptedProvider([{ fail: limited(20_000) }], ['Here.'])
    const told: unknown[] = []
    const reading = all(provider, clock, undefined, (retry) => told.push(retry))
    await until(() => told.length === 1)
    clock.advance(19_999)
    expect(provider.requests).toHaveLength(1)
    const at = clock.now() + 1
    clock.advance(1)
    expect((await reading).map((delta) => delta.type)).toEqual(['text', 'done'])
    expect(told).toEqual([{ at, reason: 'rate-limited' }, undefined])
  })

  it('ends at once when the person stops it', async () => {
    const controller = new AbortController()
    const told: unknown[] = []
    const provider = new ScriptedProvider([{ fail: limited(20_000) }])
    const reading = all(provider, new ManualClock(), controller.signal, (retry) => told.push(retry)).catch(
      (error: unknown) => error,
    )
    await until(() => told.length === 1)
    controller.abort('stop')
    expect(await reading).toBe('stop')
  })

  it.each([
    ['without a time', undefined],
    ['for more than a minute', 61_000],
  ])('%s fails, so that the person decides', async (_how, retryAfter) => {
    await expect(all(new ScriptedProvider([{ fail: limited(retryAfter) }]))).rejects.toMatchObject({ code: 'rate-limited' })
  })

  it('fails at the third refusal, or in the middle of a reply', async () => {
    const clock = new ManualClock()
    const refused = [{ fail: limited(10) }]
    const provider = new ScriptedProvider(refused, refused, refused, ['Here.'])
    const waits: unknown[] = []
    const reading = all(provider, clock, undefined, (retry) => retry && waits.push(retry)).catch((error: unknown) => error)
    for (const wait of [1, 2]) {
      await until(() => waits.length === wait)
      clock.advance(10)
    }
    expect(await reading).toMatchObject({ code: 'rate-limited' })
    expect(provider.requests).toHaveLength(3)
    await expect(all(new ScriptedProvider(['Half', { fail: limited(0) }]))).rejects.toMatchObject({ code: 'rate-limited' })
  })
})

describe('the shown failure of a model', () => {
  it('says what failed, the message, what to do and when to try again', () => {
    const error = new ModelError('rate-limited', 'Too many requests.', { todo: 'Wait.', said: '429', retryAfter: 2_000 })
    expect(modelProblem(error, 1_000)).toEqual({
      code: 'rate-limited',
      what: 'Too many requests.',
      said: '429',
      todo: 'Wait.',
      retryAt: 3_000,
    })
  })

  it('has no internal text of an unexpected error', () => {
    expect(JSON.stringify(modelProblem(new Error('key sk-123'), 0))).not.toContain('sk-123')
  })
})
