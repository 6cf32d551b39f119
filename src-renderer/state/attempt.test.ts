import { expect, it } from 'vitest'
import { HostError } from '../../src-shared/contract/errors.ts'
import { attempt } from './attempt.ts'
import { useView } from './view-store.ts'

const failure = () => useView.getState().failure

it('what a person tried gives what came of it, or says at the top why nothing did, until the next thing works', async () => {
  expect(await attempt(Promise.reject(new HostError('refused', 'It is busy.')))).toBeUndefined()
  expect(failure()).toBe('It is busy.')
  expect(await attempt(Promise.resolve(null))).toEqual([null])
  expect(failure()).toBeUndefined()
})

it('an action that the person cancelled shows no failure, and an error of the page hides its own words', async () => {
  expect(await attempt(Promise.reject(new DOMException('gone', 'AbortError')))).toBeUndefined()
  expect(failure()).toBeUndefined()
  await attempt(Promise.reject(new TypeError('x is not a function')))
  expect(failure()).toContain('Something went wrong in this window')
})
