import { exactTime, isTime, relativeTime, useNow } from './time.ts'

/** The age, with the exact time on hover. `at` in milliseconds since the epoch. */
export function RelativeTime({ at }: { readonly at: number }) {
  const now = useNow(30_000)
  return (
    <time dateTime={isTime(at) ? new Date(at).toISOString() : undefined} title={exactTime(at)}>
      {relativeTime(at, now)}
    </time>
  )
}
