import { fits, type Range } from '../../src-shared/base/range.ts'

/** What was typed, when it is a whole number within the range. */
export function wholeNumber(typed: string, range: Range): number | undefined {
  const number = Number(typed)
  return typed.trim() !== '' && fits(number, range) ? number : undefined
}
