import { expect, it, onTestFinished } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { startModelApi } from '../../../e2e/support/model-api.ts'
import { until } from '../../../e2e/support/until.ts'
import { chatHost } from '../../../e2e/test-hosts/chat-host.ts'

it('a short rate limit is waited out, and shown meanwhile; a long one ends the reply, which Retry continues', async () => {
  const waits = ['600', '3']
  const api = await startModelApi(() => {
    const wait = waits.shift()
    const body = { error: { message: 'slow down please' } }
    return wait ? { failure: { status: 429, body, headers: { 'retry-after': wait } } } : { text: 'Back again.' }
  })
  onTestFinished(() => api.close())
  const clock = new ManualClock()
  const chat = await chatHost({ clock, api: { kind: 'openai-compatible', model: 'llama3.2', url: api.url } })
  const id = await chat.say('hello')
  await chat.idle(id)
  const window = await chat.follow(id)
  expect(window.value.turn).toMatchObject({
    status: 'failed',
    problem: {
      ...{ code: 'rate-limited', what: 'Scripted has reached its rate limit.', said: 'slow down please' },
      ...{ todo: 'Try again in 600 s.', retryAt: clock.now() + 600_000 },
    },
  })
  await chat.host.conversations.open(id, (one) => one.retry())
  const retry = await until(() => {
    // Windows get events in batches.
    clock.advance(1)
    return window.value.turn?.waiting?.retry
  }, 'the wait')
  expect(retry.reason).toBe('rate-limited')
  expect(window.value.turn?.status).toBe('running')
  expect(Math.round((retry.at - clock.now()) / 1000)).toBe(3)
  clock.advance(retry.at - clock.now())
  await until(() => {
    clock.advance(1)
    return window.value.turn?.status === 'finished'
  }, 'the end')
  expect(window.value.turn).not.toHaveProperty('waiting')
  expect(window.text).toContain('Back again.')
})
