import { describe, expect, it } from 'vitest'
import { allowedLabel } from './CallDetails.tsx'

describe('the label of who allowed a call', () => {
  it('gives the reason without repeating the person or rule', () => {
    expect(allowedLabel('person', 'You allowed it. No rule of yours covers this.')).toBe(
      'You allowed this call · No rule of yours covers this.',
    )
    expect(allowedLabel('free', 'A known server reads what you named.')).toBe(
      'Allowed without asking · A known server reads what you named.',
    )
    expect(allowedLabel('task-rule', undefined)).toBe('Allowed by your rule for this reply')
  })
})
