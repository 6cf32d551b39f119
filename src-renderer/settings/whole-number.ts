/** What was typed, when it is a whole number within bounds. */
export function wholeNumber(typed: string, minimum: number, maximum: number): number | undefined {
  const number = Number(typed)
  const fits = typed.trim() !== '' && Number.isInteger(number) && number >= minimum && number <= maximum
  return fits ? number : undefined
}
