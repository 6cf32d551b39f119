import type { TransportError } from './transport.ts'

const DEFAULT_WAIT_MS = 2_000
const MAX_WAIT_MS = 10_000

/** Milliseconds to wait after a 429, at most ten seconds. A date counts as the default. */
export function waitOf(error: TransportError): number {
  const seconds = Number(error.details.headers?.['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, MAX_WAIT_MS) : DEFAULT_WAIT_MS
}
