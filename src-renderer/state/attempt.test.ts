import { expect, it } from 'vitest'
import { HostError } from '../../src-shared/contract/errors.ts'
import { attempt } from './attempt.ts'
import { useView } from './view-store.ts'

const failure = () => useView.getState().failure

it('an attempt returns its result, or shows at the top why it failed, until the next success', async () => {
  expect(await attempt(Promise.reject(new HostError('refused', 'It is busy.')))).toBeUndefined()
  expect(failure()).toBe('It is busy.')
  expect(await attempt(Promise.resolve(null))).toEqual([null])
  expect(failure()).toBeUndefined()
})

it('an action that the person cancelled shows no failure, and an error of the page hides its own text', async () => {
  expect(await attempt(Promise.reject(new DOMException('gone', 'AbortError')))).toBeUndefined()
  expect(failure()).toBeUndefined()
  await attempt(Promise.reject(new TypeError('x is not a function')))
  expect(failure()).toContain('Something went wrong in this window')
})
