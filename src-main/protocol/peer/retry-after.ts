import type { TransportError } from './transport.ts'

const DEFAULT_WAIT_MS = 2_000
const MAX_WAIT_MS = 10_000

/** How long a 429 asks us to wait, in ms and within reason. A date is taken for the default. */
export function waitOf(error: TransportError): number {
  const seconds = Number(error.details.headers?.['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, MAX_WAIT_MS) : DEFAULT_WAIT_MS
}
