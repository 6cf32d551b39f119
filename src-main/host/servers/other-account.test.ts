import { expect, it } from 'vitest'
import { isOtherAccount } from './other-account.ts'

it.each([
  [undefined, 'signed-in', true],
  ['needed', 'signed-in', true],
  ['waiting', 'signed-in', true],
  ['signed-in', undefined, true],
  ['signed-in', 'needed', true],
  ['signed-in', 'signed-in', false],
  ['signed-in', 'asking', false],
  ['signed-in', 'waiting', false],
  ['waiting', 'needed', false],
  ['needed', undefined, false],
] as const)('a change from %s to %s may mean another account: %s (V26-CACHE-7, V26-TOOL-9)', (before, now, other) => {
  expect(isOtherAccount(before, now)).toBe(other)
})
