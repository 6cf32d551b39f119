import type { TransportError } from '../../protocol/peer/transport.ts'

/** What the answer to the very first POST says about the server at this address. */
export type ProbeVerdict =
  /** It speaks Streamable HTTP. */
  | 'streamable-http'
  /** Maybe it only speaks HTTP+SSE: ask with GET. */
  | 'try-http-sse'
  /** It wants to know who asks; what it speaks is not known yet. */
  | 'authorize'
  /** Ask again later. */
  | 'wait'
  /** It is out of order, whatever it speaks. */
  | 'fail'

interface Row {
  readonly from: number
  readonly to: number
  readonly verdict: ProbeVerdict
}

/** By status; the first row that fits counts (TRAN-64, TRAN-65, TRAN-67, TRAP-23). */
export const FIRST_POST: readonly Row[] = [
  { from: 200, to: 299, verdict: 'streamable-http' },
  { from: 300, to: 399, verdict: 'fail' },
  { from: 401, to: 401, verdict: 'authorize' },
  { from: 403, to: 403, verdict: 'authorize' },
  { from: 429, to: 429, verdict: 'wait' },
  { from: 400, to: 499, verdict: 'try-http-sse' },
  { from: 500, to: 599, verdict: 'fail' },
]

export function verdictOf(status: number): ProbeVerdict {
  return FIRST_POST.find(({ from, to }) => status >= from && status <= to)?.verdict ?? 'fail'
}

/** An error without a status comes from the network, a certificate or a deadline: another transport would not help. */
export function verdictOfError(error: TransportError): ProbeVerdict {
  return error.code === 'http' && error.details.status !== undefined ? verdictOf(error.details.status) : 'fail'
}

const DEFAULT_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 10_000

/** How long a 429 asks us to wait, in ms and within reason. A date is taken for the default. */
export function waitOf(error: TransportError): number {
  const seconds = Number(error.details.headers?.['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, LONGEST_WAIT_MS) : DEFAULT_WAIT_MS
}
