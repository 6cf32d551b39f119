/** A larger schema is no form that a person can fill in. */
export const FORM_LIMITS = {
  fields: 100,
  options: 500,
  labelLength: 500,
  descriptionLength: 4_000,
  patternLength: 1_000,
  /** Characters of one typed value. */
  valueLength: 100_000,
} as const
