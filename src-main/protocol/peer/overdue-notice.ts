/** A request is past its deadline and continues for one more idle time, in which the person can choose to wait. */
export interface OverdueNotice {
  readonly why: 'idle' | 'maximum'
  /** Milliseconds without activity, or since the request was sent. */
  readonly after: number
  /** The end of the wait by the clock; absent while deadlines are paused. */
  readonly endsAt?: number
  /** Grants the passed deadline once more from now. Does nothing on an outdated notice. */
  keepWaiting(): void
}

/** Called with the notice, again when its end changes, and with undefined when the request is no longer overdue. */
export type OnOverdue = (notice: OverdueNotice | undefined) => void
