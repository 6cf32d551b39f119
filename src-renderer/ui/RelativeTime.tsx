import { relativeTime, useNow } from './time.ts'

/** How long ago, with the exact moment on hover. `at` in milliseconds since the epoch. */
export function RelativeTime({ at }: { readonly at: number }) {
  const now = useNow(30_000)
  const date = new Date(at)
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString('en', { dateStyle: 'full', timeStyle: 'medium' })}>
      {relativeTime(at, now)}
    </time>
  )
}
