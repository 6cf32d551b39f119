import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePoint } from '../../e2e/support/code-point.ts'
import { canonicalJson } from './json.ts'

describe('canonical JSON', () => {
  it('is equal for equal values only', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: codePoint }), (value) => {
        const again: unknown = JSON.parse(canonicalJson(value))
        expect(again).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(again)).toBe(canonicalJson(value))
      }),
    )
  })
})
