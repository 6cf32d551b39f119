/** All bounds on what one server may send (SEC-23, SEC-24). */
export interface Limits {
  /** Bytes of one message on the wire. */
  readonly maxMessageBytes: number
  /** Levels of nesting in free-form values: schemas, structured content, log values. */
  readonly maxDepth: number
  /** Entries of one list over all its pages, blocks of one result, members of one batch. */
  readonly maxItems: number
  /** Pages of one list. */
  readonly maxPages: number
  /** UTF-16 units of one text of content. */
  readonly maxStringLength: number
  /** UTF-16 units of a name, title, description or address. */
  readonly maxLabelLength: number
  /** Decoded bytes of one image, audio or blob. */
  readonly maxBlobBytes: number
  /** Properties and elements of a log entry; a larger one is replaced by a notice. */
  readonly maxLogValues: number
  /** Applies to log entries, updates and unknown notifications; progress, cancellation and list changes are never dropped. */
  readonly notificationsPerSecond: number
  /** Open requests of the server, and inputs that one answer requires. */
  readonly maxServerRequests: number
  /** Requests of ours without an answer. */
  readonly maxPendingRequests: number
  /** Fields of one elicitation form. */
  readonly maxFormFields: number
}

export const DEFAULT_LIMITS: Limits = {
  maxMessageBytes: 64 * 1024 * 1024,
  maxDepth: 64,
  maxItems: 10_000,
  maxPages: 500,
  maxStringLength: 32 * 1024 * 1024,
  maxLabelLength: 64 * 1024,
  maxBlobBytes: 32 * 1024 * 1024,
  maxLogValues: 20_000,
  notificationsPerSecond: 500,
  maxServerRequests: 32,
  maxPendingRequests: 1_000,
  maxFormFields: 100,
}

/** Something exceeds one of the limits. */
export class LimitError extends Error {
  readonly limit: keyof Limits
  readonly allowed: number

  constructor(limit: keyof Limits, allowed: number, message: string) {
    super(message)
    this.name = 'LimitError'
    this.limit = limit
    this.allowed = allowed
  }
}
