/** A request to the thread of schemas: judge a value, both as JSON. */
export interface SchemaJob {
  /** Names the schema: its SHA-256. */
  readonly key: string
  /** Only where the thread does not know it yet. */
  readonly schema?: string
  readonly value: string
  /** All that it knew is to be forgotten first. */
  readonly forget?: boolean
}
