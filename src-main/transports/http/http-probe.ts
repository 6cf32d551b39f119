import type { TransportError } from '../../protocol/peer/transport.ts'

/** The kind of server at this address, from its answer to the very first POST. */
type ProbeVerdict =
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

/** By status; the first row that fits counts (TRAN-64, TRAN-65, TRAN-67, V26-NEG-18). */
export const FIRST_POST: readonly Row[] = [
  { from: 200, to: 299, verdict: 'streamable-http' },
  { from: 300, to: 399, verdict: 'fail' },
  { from: 401, to: 401, verdict: 'authorize' },
  { from: 403, to: 403, verdict: 'authorize' },
  { from: 429, to: 429, verdict: 'wait' },
  { from: 400, to: 400, verdict: 'try-http-sse' },
  { from: 404, to: 405, verdict: 'try-http-sse' },
  { from: 400, to: 499, verdict: 'fail' },
  { from: 500, to: 599, verdict: 'fail' },
]

export function probeVerdict(status: number): ProbeVerdict {
  return FIRST_POST.find(({ from, to }) => status >= from && status <= to)?.verdict ?? 'fail'
}

/** An error without a status comes from the network, a certificate or a deadline: another transport would not help. */
export function verdictOfError(error: TransportError): ProbeVerdict {
  const { status, body = '' } = error.details
  if (error.code !== 'http' || status === undefined || MODERN_ERROR.test(body)) return 'fail'
  return probeVerdict(status)
}

/** Codes that only a server of 2026-07-28 gives, which has no older stream (V26-NEG-17). */
const MODERN_ERROR = /"code"\s*:\s*-3202[0-2]\b/
