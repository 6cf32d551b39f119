import { describe, expect, it } from 'vitest'
import { checkWords, outcomeWord } from './ledger-words.ts'

describe('the words of the ledger', () => {
  it('say plainly what the check found', () => {
    expect(checkWords({ entries: 1_204, bytes: 1_230_000 })).toBe('1,204 entries (1.2 MB), unbroken.')
    expect(checkWords({ entries: 1, bytes: 300 })).toBe('1 entry (300 bytes), unbroken.')
    expect(checkWords({ entries: 16, bytes: 9, broken: { number: 17, is: 'changed' } })).toBe(
      'Entry 17 was changed after it was written.',
    )
    expect(checkWords({ entries: 1_999, bytes: 9, broken: { number: 2_000, is: 'missing' } })).toBe(
      'Entry 2,000 was removed after it was written.',
    )
  })

  it('name what came of a call by its status, and an unknown one as it is', () => {
    expect(['finished', 'declined: denied', 'failed: server-gone', 'error'].map(outcomeWord)).toEqual([
      'done',
      'not sent',
      'failed',
      'error',
    ])
    expect(outcomeWord('constructor')).toBe('constructor')
  })
})
