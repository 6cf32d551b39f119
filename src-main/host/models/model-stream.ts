import { type Clock, delay } from '../../../src-shared/base/clock.ts'
import { orAborted } from '../../../src-shared/base/or-aborted.ts'
import type { ModelRetry } from '../../../src-shared/contract/conversations.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import { type ModelDelta, ModelError, type ModelProvider, type ModelRequest } from '../../models/model-provider.ts'
import { cut } from '../core/content-views.ts'

/** Milliseconds without a delta after which the stream ends. */
const SILENCE = 300_000
/** Characters of one reply, and calls in it. */
const REPLY_LIMIT = 4 * 1024 * 1024
const CALL_LIMIT = 64
const ARGUMENTS_LIMIT = 2 * 1024 * 1024
/** Changes between text and thinking in one reply. */
const PART_LIMIT = 400

/** Times that a postponed request is repeated without the person. */
const MAX_RETRIES = 2
/** Longest delay, in milliseconds, that is waited for without the person. */
const MAX_RETRY_DELAY = 60_000

/**
 * A model's reply, bounded in size and silence; ends with `done` or throws. A request that the provider postpones is repeated after the
 * delay it names; `onRetry` is called before that delay, and with undefined after it.
 */
export async function* guardedStream(
  provider: ModelProvider,
  request: ModelRequest,
  signal: AbortSignal,
  clock: Clock,
  onRetry: (retry: ModelRetry | undefined) => void = () => {},
): AsyncGenerator<ModelDelta> {
  for (let retries = 0; ; retries++) {
    let begun = false
    try {
      for await (const delta of boundedStream(provider, request, signal, clock)) {
        begun = true
        yield delta
      }
      return
    } catch (error) {
      if (begun && error instanceof ModelError && error.code === 'unreachable' && error.cause !== undefined) throw lost(error)
      const retry = begun || retries === MAX_RETRIES ? undefined : retryAfter(error)
      if (!retry) throw error
      onRetry({ at: clock.now() + retry.ms, reason: retry.reason })
      await delay(clock, retry.ms, signal)
      onRetry(undefined)
    }
  }
}

function retryAfter(error: unknown): { readonly ms: number; readonly reason: ModelRetry['reason'] } | undefined {
  if (!(error instanceof ModelError) || error.retryAfter === undefined || error.retryAfter > MAX_RETRY_DELAY) return undefined
  if (error.code !== 'rate-limited' && error.code !== 'overloaded') return undefined
  return { ms: error.retryAfter, reason: error.code }
}

async function* boundedStream(
  provider: ModelProvider,
  request: ModelRequest,
  signal: AbortSignal,
  clock: Clock,
): AsyncGenerator<ModelDelta> {
  const silence = new AbortController()
  const listen = () => clock.after(SILENCE, () => silence.abort(silent()))
  let hush = listen()
  let size = 0
  let calls = 0
  let parts = 0
  let last: ModelDelta['type'] | undefined
  try {
    const both = AbortSignal.any([signal, silence.signal])
    const deltas = provider.stream(request, both)[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { value: delta, done } = await orAborted(deltas.next(), both)
        if (done) break
        hush()
        hush = listen()
        if (delta.type === 'text' || delta.type === 'thinking') size += delta.text.length
        if (delta.type !== last) parts += 1
        last = delta.type
        if (delta.type === 'tool-call') {
          calls += 1
          size += JSON.stringify(delta.call.arguments ?? {}).length + (delta.call.broken?.length ?? 0)
        }
        if (size > REPLY_LIMIT || calls > CALL_LIMIT || parts > PART_LIMIT + calls * 2) throw flooding()
        if (delta.type === 'tool-call' && (delta.call.broken?.length ?? 0) > ARGUMENTS_LIMIT) throw flooding()
        yield delta
        if (delta.type === 'done') return
      }
    } finally {
      // The provider may never end its stream, so nothing waits for it.
      void Promise.resolve(deltas.return?.()).catch(() => {})
    }
    throw parts > 0 ? lost() : new ModelError('broken-stream', 'The reply was cut off.', { todo: 'Try again.' })
  } finally {
    hush()
  }
}

function silent(): ModelError {
  return new ModelError('unreachable', `The model sent nothing for ${SILENCE / 60_000} minutes.`, {
    todo: 'Try again, or choose another model.',
  })
}

function lost(cause?: ModelError): ModelError {
  return new ModelError('connection-lost', 'The connection was lost in the middle of the reply.', {
    todo: 'Continue resumes from there.',
    said: cause?.said,
    cause,
  })
}

function flooding(): ModelError {
  return new ModelError('broken-stream', 'The reply was too large and was stopped.', { todo: 'Try again.' })
}

/** Explains to the person why a model could not answer. */
export function modelProblem(error: unknown, now: number): Problem {
  if (!(error instanceof ModelError)) {
    return { code: 'internal', what: 'The turn failed inside Parley.', todo: 'Try again. If it happens again, report it.' }
  }
  return {
    code: error.code,
    what: error.message,
    ...(error.said !== undefined && { said: cut(error.said, 600) }),
    todo: error.todo,
    ...(error.retryAfter !== undefined && { retryAt: now + error.retryAfter }),
  }
}
