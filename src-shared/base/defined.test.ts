import { expect, test } from 'vitest'
import { defined } from './defined.ts'

test('A record keeps its defined members, false and empty ones too', () => {
  const count: number | undefined = [].at(0)
  const given = { label: 'one', count, shown: false, empty: '', none: null }
  const kept = defined(given)
  expect(kept).toEqual({ label: 'one', shown: false, empty: '', none: null })
  expect('count' in kept).toBe(false)
})
