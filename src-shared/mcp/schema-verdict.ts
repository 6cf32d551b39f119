/** The result of validating a value against a JSON Schema. */
export type SchemaVerdict =
  | { readonly is: 'valid' }
  | { readonly is: 'invalid'; readonly problems: readonly string[] }
  /** The schema itself cannot be used. */
  | { readonly is: 'unchecked'; readonly reason: string }

/** Validates a value against a server's schema; never rejects. */
export type CheckValue = (schema: object, value: unknown) => Promise<SchemaVerdict>
