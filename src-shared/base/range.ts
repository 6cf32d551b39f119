/** Whole numbers from `least` to `most`, both included. */
export interface Range {
  readonly least: number
  readonly most: number
}

export function fits(value: number, { least, most }: Range): boolean {
  return Number.isInteger(value) && value >= least && value <= most
}
