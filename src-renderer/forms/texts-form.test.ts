import { describe, expect, it } from 'vitest'
import { filledTexts, missingTexts, othersOf, type TextsField } from './TextsForm.tsx'

const fields: readonly TextsField[] = [
  { name: 'city', label: 'City', required: true },
  { name: 'state', label: 'State' },
  { name: '__proto__', label: 'Odd' },
]

describe('a form of texts', () => {
  it('names the required fields that are empty (PROMPT-06)', () => {
    expect([...missingTexts(fields, { state: 'x' })]).toEqual(['city'])
    expect([...missingTexts(fields, { city: 'Rome' })]).toEqual([])
  })

  it('passes as context only its other fields (COMP-05, COMP-15)', () => {
    const values = { city: 'Rome', state: 'Lazio', elsewhere: 'a secret' }
    expect(othersOf(fields, values, 'state')).toEqual({ city: 'Rome' })
    expect(filledTexts(fields, { ...values, state: '' })).toEqual({ city: 'Rome' })
  })
})
