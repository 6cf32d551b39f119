/** A person's "no" to a question. */
export interface Decline {
  readonly decision: 'decline'
}
