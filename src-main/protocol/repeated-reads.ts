import { TransportError } from './peer/transport.ts'
import type { Params } from './shapes/json-rpc.ts'

/** Requests that change nothing: one whose answer was lost is made once more, of itself (V26-HTTP-24). */
const READS: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
])
const BROKEN_OFF: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Asks, unless `first` did already, and asks a second time, as a new request, when it only reads and its answer was lost on the way. */
export async function repeatedIfRead(
  method: string,
  signal: AbortSignal,
  ask: () => Promise<Params>,
  first = ask(),
): Promise<Params> {
  try {
    return await first
  } catch (error) {
    if (!READS.has(method) || !isLost(error) || signal.aborted) throw error
    return ask()
  }
}

/** Its stream or connection ended before the answer; a pipe that ends takes all with it, and says so otherwise. */
function isLost(error: unknown): boolean {
  if (!(error instanceof TransportError)) return false
  return error.code === 'closed' || (error.code === 'unreachable' && BROKEN_OFF.has(error.details.errno))
}
