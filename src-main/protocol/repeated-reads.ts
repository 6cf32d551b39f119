import { TransportError } from './peer/transport.ts'
import type { Params } from './shapes/json-rpc.ts'

/** Requests that change nothing, so that one with a lost answer is sent again (V26-HTTP-24). */
const READS: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'skills/list',
  'skills/get',
  'tasks/get',
  'tasks/result',
])
const BROKEN_OFF: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Sends a request, unless `first` has done so, and sends it again when it only reads and its answer was lost. */
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

/** True if the stream or connection ended before the answer. The end of a pipe is a different error, since it ends everything. */
function isLost(error: unknown): boolean {
  if (!(error instanceof TransportError)) return false
  return error.code === 'closed' || (error.code === 'unreachable' && BROKEN_OFF.has(error.details.errno))
}
