import { delay } from '../../../src-shared/base/clock.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import type { EventStream } from './event-stream.ts'
import { type HttpResponse, mediaType, succeeded } from './http-fetch.ts'
import { ACCEPT_STREAM, asTransportError, type HttpSession } from './http-session.ts'

/** The most connections in a row without an event. */
const MAX_FAILURES = 5

/** `again`: another attempt may help. */
type Opened = { readonly response: HttpResponse } | { readonly error: TransportError; readonly again: boolean }

/** Requests a stream, without a deadline: some servers send no header before the first event. Rejects only when aborted. */
export async function openStream(session: HttpSession, lastEventId: string | undefined, signal: AbortSignal): Promise<Opened> {
  let response: HttpResponse
  try {
    response = await session.request({ method: 'GET', accept: ACCEPT_STREAM, lastEventId, aside: true, signal })
  } catch (cause) {
    signal.throwIfAborted()
    const error = asTransportError(cause)
    return { error, again: error.code === 'unreachable' || error.code === 'closed' }
  }
  if (response.status === 200 && mediaType(response) === ACCEPT_STREAM) {
    session.takesGet = true
    return { response }
  }
  if (response.status === 404 && session.id !== undefined) {
    if (lastEventId === undefined) session.takesGet ??= false
    if (session.takesGet !== false) {
      session.discard(response)
      return { error: sessionLost(404), again: false }
    }
  }
  if (succeeded(response)) {
    session.discard(response)
    const text = 'The server answered the request for a stream with something else.'
    return { error: new TransportError('malformed', text), again: false }
  }
  const { error } = await session.refusal(response, 'the request for a stream', signal)
  return { error, again: response.status >= 500 || response.status === 429 }
}

interface Following {
  readonly session: HttpSession
  readonly stream: EventStream
  readonly first: Opened
  readonly done: () => boolean
  /** True for the stream of a reply, which without a cursor cannot be connected again (TRAN-37). */
  readonly isReply: boolean
  readonly onWait?: (ms: number) => void
  readonly signal: AbortSignal
}

/** Reads a stream over as many connections as needed (TRAN-46). Resolves with the error that ended it; undefined when done or aborted. */
export async function followStream({
  session,
  stream,
  first,
  done,
  isReply,
  onWait,
  signal,
}: Following): Promise<TransportError | undefined> {
  let opened = first
  let failures = 0
  let refusals = 0
  try {
    for (;;) {
      const before = stream.received
      if ('response' in opened) {
        refusals = 0
        await stream.read(opened.response, signal)
      } else if (!opened.again || refusals++ === MAX_FAILURES) return opened.error
      failures = stream.received > before ? 0 : failures + 1
      if (done() || signal.aborted) return undefined
      if (isReply && stream.lastEventId === undefined) return lostReply('and cannot be resumed')
      if (isReply && failures > MAX_FAILURES) return lostReply(`and ${failures} attempts to resume it failed`)
      const wait = stream.waitBefore(failures)
      onWait?.(wait)
      await delay(session.options.clock, wait, signal)
      opened = await openStream(session, stream.lastEventId, signal)
    }
  } catch {
    return undefined // Only an abort rejects.
  }
}

export function sessionLost(status: number): TransportError {
  const text = 'The server no longer knows this session. Calls in progress may or may not have run.'
  return new TransportError('session-lost', text, { status })
}

function lostReply(why: string): TransportError {
  return new TransportError('closed', `The reply's stream ended before the reply ${why}. The call may have been carried out.`)
}
