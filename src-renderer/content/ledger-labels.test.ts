import { describe, expect, it } from 'vitest'
import { checkLabel, outcomeLabel } from './ledger-labels.ts'

describe('the texts of the ledger', () => {
  it('say plainly what the check found', () => {
    expect(checkLabel({ entries: 1_204, bytes: 1_230_000 })).toBe('1,204 entries (1.2 MB), unbroken.')
    expect(checkLabel({ entries: 1, bytes: 300 })).toBe('1 entry (300 bytes), unbroken.')
    expect(checkLabel({ entries: 16, bytes: 9, broken: { number: 17, is: 'changed' } })).toBe(
      'Entry 17 was changed after it was written.',
    )
    expect(checkLabel({ entries: 1_999, bytes: 9, broken: { number: 2_000, is: 'missing' } })).toBe(
      'Entry 2,000 was removed after it was written.',
    )
  })

  it('name the outcome of a call by its status, even an unknown one', () => {
    expect(['finished', 'declined: denied', 'failed: server-gone', 'error'].map(outcomeLabel)).toEqual([
      'done',
      'not sent',
      'failed',
      'error',
    ])
    expect(outcomeLabel('constructor')).toBe('constructor')
  })
})
