/** A request of ours is past its deadline and goes on for one more idle time, so that somebody can want to wait. */
export interface OverdueNotice {
  /** Which deadline passed: that without a sign of life, or that in all. */
  readonly why: 'idle' | 'maximum'
  /** Milliseconds without a sign of life, or since it was sent. */
  readonly after: number
  /** When it is given up, in the clock's time; absent while deadlines stand still. */
  readonly endsAt?: number
  /** Grants the deadline that passed once more, from now. Nothing happens when the notice is an old one. */
  keepWaiting(): void
}

/** Called with the notice, again when its end moves, and with undefined as soon as it is over and the request goes on. */
export type OnOverdue = (notice: OverdueNotice | undefined) => void
