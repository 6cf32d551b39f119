import { describe, expect, it } from 'vitest'
import { allowedWords } from './CallDetails.tsx'

describe('who allowed a call', () => {
  it('stands beside why, which says it once', () => {
    expect(allowedWords('person', 'You allowed it. Needs attention.')).toBe('You allowed this call · Needs attention.')
    expect(allowedWords('free', 'A known server reads what you named.')).toBe(
      'Allowed without asking · A known server reads what you named.',
    )
    expect(allowedWords('task-rule', undefined)).toBe('Allowed by your rule for this turn')
  })
})
