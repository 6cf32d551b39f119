/** The result of validating a value against a JSON Schema. */
export type SchemaVerdict =
  | { readonly is: 'valid' }
  | { readonly is: 'invalid'; readonly problems: readonly string[] }
  /** The schema cannot judge, and why. */
  | { readonly is: 'unchecked'; readonly reason: string }

/** Judges a value by a schema that a server wrote; never rejects. */
export type CheckValue = (schema: object, value: unknown) => Promise<SchemaVerdict>
