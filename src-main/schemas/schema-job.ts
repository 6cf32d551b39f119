/** Asks the thread to validate a value; both are JSON texts. */
export interface SchemaJob {
  /** SHA-256 of the schema. */
  readonly key: string
  /** Absent when the thread knows the schema. */
  readonly schema?: string
  readonly value: string
  /** True to drop all known schemas first. */
  readonly forget?: boolean
}
