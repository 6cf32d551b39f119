/** Nobody can fill in the form of a larger schema. */
export const FORM_LIMITS = {
  fields: 100,
  options: 500,
  labelLength: 500,
  descriptionLength: 4_000,
  patternLength: 1_000,
  /** Characters of one typed value. */
  valueLength: 100_000,
} as const
