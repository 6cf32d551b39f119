import { expect, it } from 'vitest'
import type { ProviderId } from '../../../src-shared/contract/ids.ts'
import type { ProviderRecord } from '../../../src-shared/contract/settings.ts'
import { testLabel, trialLabel } from './provider-labels.ts'

const chat = (many: number) => Array.from({ length: many }, (_, n) => ({ id: `m${n}`, name: `m${n}` }))
const ready: ProviderRecord = {
  ...{ id: 'p' as ProviderId, kind: 'anthropic', name: 'Anthropic', key: 'saved', models: chat(12), state: 'ready', listed: 12 },
}
const failed = (code: string): ProviderRecord => ({ ...ready, state: 'idle', problem: { code, what: 'No.' } })

it('a provider’s test says whether the service was reached, the key accepted and how many models there are, and no more', () => {
  expect(testLabel(ready)).toBe('Connected. Key accepted. 12 chat models found.')
  expect(testLabel({ ...ready, kind: 'openai-compatible', models: chat(1) })).toBe(
    'Connected. Key not rejected. 1 chat model found.',
  )
  expect(testLabel({ ...ready, kind: 'openai-compatible', key: 'not-needed' })).toBe(
    'Connected. No key needed. 12 chat models found.',
  )
  expect(testLabel({ ...ready, models: chat(9) })).toBe('Connected. Key accepted. 9 chat models found.')
  expect(testLabel(failed('unreachable'))).toBe('Can’t connect.')
  expect(testLabel(failed('unauthorized'))).toBe('Connected, key rejected.')
  expect(testLabel(failed('server-error'))).toBe('Connected, but no models listed.')
  expect(testLabel({ ...ready, state: 'idle' })).toBeUndefined()
})

it('a test message says which model answered, when it began, and its text', () => {
  expect(trialLabel({ model: 'm', answer: 'Hi.', firstWord: 1240 })).toBe('m began to answer after 1.2 s: “Hi.”')
  expect(trialLabel({ model: 'm', answer: 'Hi.', firstWord: 20 })).toBe('m began to answer at once: “Hi.”')
  expect(trialLabel({ model: 'm', answer: '' })).toBe('m answered, but said nothing.')
})
