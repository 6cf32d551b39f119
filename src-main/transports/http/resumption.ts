import { delay } from '../../../src-shared/base/clock.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import type { EventStream } from './event-stream.ts'
import { type HttpResponse, mediaType, succeeded } from './http-fetch.ts'
import { ACCEPT_STREAM, asTransportError, type HttpSession } from './http-session.ts'

/** Connections in a row that bring nothing, until a stream is given up. */
const MAX_FAILURES = 5

/** A connection to a stream, or why there is none; `again` when another attempt may help. */
type Opened = { readonly response: HttpResponse } | { readonly error: TransportError; readonly again: boolean }

/**
 * Asks for a stream. There is no deadline: some servers send not even a header before the first event. Rejects only when aborted.
 */
export async function openStream(session: HttpSession, lastEventId: string | undefined, signal: AbortSignal): Promise<Opened> {
  let response: HttpResponse
  try {
    const resume = lastEventId === undefined ? {} : { lastEventId }
    response = await session.request({ method: 'GET', accept: ACCEPT_STREAM, ...resume, aside: true, signal })
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
  /** Its first connection, or the failure of that. */
  readonly first: Opened
  /** The stream has brought what it was opened for. */
  readonly done: () => boolean
  /** It answers a request: another connection without a cursor would be another stream (TRAN-37). */
  readonly isReply: boolean
  /** Told before each pause. */
  readonly onWait?: (ms: number) => void
  readonly signal: AbortSignal
}

/** Reads a stream over as many connections as it takes (TRAN-46). Resolves with why it was given up; undefined when it is done or aborted. */
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
    return undefined // aborted: nothing else rejects
  }
}

export function sessionLost(status: number): TransportError {
  const text = 'The server no longer knows this session. Calls in progress may or may not have run.'
  return new TransportError('session-lost', text, { status })
}

function lostReply(why: string): TransportError {
  return new TransportError('closed', `The reply's stream ended before the reply ${why}. The call may have been carried out.`)
}
