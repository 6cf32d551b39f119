import { isLoopbackHost } from '../../src-shared/base/hosts.ts'
import { isObject } from '../../src-shared/base/json.ts'
import { ModelError, type ModelErrorCode, type ModelProvider } from './model-provider.ts'

interface Served {
  /** The person's name for it: "Anthropic", "Ollama". */
  readonly name: string
  readonly address: string
  readonly model?: string
}

/** A provider that throws ModelErrors in place of the errors of its SDK. */
export function withModelErrors(served: Served, provider: ModelProvider): ModelProvider {
  return {
    async listModels(signal) {
      try {
        return await provider.listModels(signal)
      } catch (error) {
        throw toModelError(error, served, signal)
      }
    },

    async *stream(request, signal) {
      try {
        yield* provider.stream(request, signal)
      } catch (error) {
        throw toModelError(error, { ...served, model: request.model }, signal)
      }
    },
  }
}

/**
 * Both SDKs throw errors with `status`, `headers` and the parsed body in `error`; connection failures have no status and the system's
 * error as their cause. An abort becomes the signal's reason.
 */
function toModelError(error: unknown, served: Served, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  const own = modelErrorIn(error)
  if (own) return own
  if (!isObject(error))
    return new ModelError('broken-stream', `${served.name} failed.`, { todo: 'Try again.', said: String(error) })
  const status = typeof error.status === 'number' ? error.status : undefined
  const said = saidIn(error)
  if (status === undefined) return withoutStatus(error, served, said)
  const code = codeOf(status, error, said)
  const retryAfter = retryAfterIn(error.headers)
  return new ModelError(code, SENTENCES[code](served, status), {
    todo: todoFor(code, served, retryAfter),
    said,
    retryAfter,
    window: code === 'too-long' ? windowIn(said ?? '') : undefined,
    cause: error,
  })
}

/** Phrases that name a model's window: of OpenAI and compatible servers, of llama.cpp and LM Studio, and of Anthropic. */
const WINDOW_WORDS = [
  /maximum context length is ([\d,]+)/i,
  /context (?:length|size|window)(?: of)?(?: only)? \(?([\d,]+)/i,
  /> ([\d,]+) maximum/i,
]

function windowIn(said: string): number | undefined {
  const named = WINDOW_WORDS.map((words) => words.exec(said)?.[1]).find((digits) => digits !== undefined)
  const tokens = Number(named?.replaceAll(',', '') ?? Number.NaN)
  return tokens >= 256 && tokens <= 100_000_000 ? tokens : undefined
}

function withoutStatus(error: Record<string, unknown>, served: Served, said: string | undefined): ModelError {
  const errno = errnoIn(error)
  if (errno !== undefined || /Connection/.test(String(error.constructor?.name))) {
    return new ModelError('unreachable', SENTENCES.unreachable(served, 0), {
      todo: todoFor('unreachable', served, undefined),
      said: errno ?? said,
      cause: error,
    })
  }
  return new ModelError('broken-stream', SENTENCES['broken-stream'](served, 0), { todo: 'Try again.', said, cause: error })
}

function codeOf(status: number, error: Record<string, unknown>, said: string | undefined): ModelErrorCode {
  const code = String(error.code ?? error.errorCode ?? '')
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'unknown-model'
  if (status === 429) return 'rate-limited'
  // Anthropic and most local servers have no code for a prompt that is too long, only a message.
  if (
    status === 413 ||
    code === 'context_length_exceeded' ||
    (status === 400 && /too long|context (length|window|size)/i.test(said ?? ''))
  ) {
    return 'too-long'
  }
  if (status === 503 || status === 529) return 'overloaded'
  if (status >= 500) return 'server-error'
  return 'bad-request'
}

const SENTENCES: Record<ModelErrorCode, (served: Served, status: number) => string> = {
  'no-key': ({ name }) => `${name} needs an API key, and none is saved.`,
  unauthorized: ({ name }, status) => `${name} rejected the API key (HTTP ${status}).`,
  'rate-limited': ({ name }) => `${name} has reached its rate limit.`,
  overloaded: ({ name }) => `${name} is overloaded.`,
  'too-long': ({ name, model }) => `The conversation is too long for ${model ?? name}.`,
  'unknown-model': ({ name, model }) => `${name} does not know ${model ? `the model ${model}` : 'this address'}.`,
  unreachable: ({ name, address }) => `Can’t connect to ${name} at ${address}.`,
  redirected: ({ name, address }) => `${name} at ${address} redirects to another address.`,
  refused: ({ name }) => `${name} refused to answer.`,
  'bad-request': ({ name }, status) => `${name} did not accept the request (HTTP ${status}).`,
  'broken-stream': ({ name }) => `The reply of ${name} was cut off.`,
  'connection-lost': ({ name }) => `The connection to ${name} was lost in the middle of the reply.`,
  'server-error': ({ name }, status) => `${name} failed (HTTP ${status}).`,
}

function todoFor(code: ModelErrorCode, { name, address }: Served, retryAfter: number | undefined): string {
  switch (code) {
    case 'no-key':
    case 'unauthorized':
      return `Check the API key of ${name}.`
    case 'rate-limited':
      return retryAfter === undefined
        ? 'Try again in a minute, or check your plan.'
        : `Try again in ${Math.ceil(retryAfter / 1000)} s.`
    case 'too-long':
      return 'Make room with the token meter below, or choose a model with a larger window.'
    case 'unknown-model':
      return 'Choose another model, or check the address.'
    case 'unreachable':
      return URL.canParse(address) && isLoopbackHost(new URL(address).hostname)
        ? `Is ${name} running? Start it, or correct its address.`
        : 'Check the network connection and the address.'
    case 'bad-request':
      return 'See what it said, or try another model.'
    default:
      return 'Try again in a moment.'
  }
}

export function noKey(served: Served): ModelError {
  return new ModelError('no-key', SENTENCES['no-key'](served, 0), { todo: todoFor('no-key', served, undefined) })
}

export function brokenStream(served: Served, said?: string): ModelError {
  return new ModelError('broken-stream', SENTENCES['broken-stream'](served, 0), { todo: 'Try again.', said })
}

export function failedInStream(served: Served, code: string | undefined, said: string | undefined): ModelError {
  const known: Record<string, ModelErrorCode> = {
    rate_limit_exceeded: 'rate-limited',
    rate_limit_error: 'rate-limited',
    overloaded_error: 'overloaded',
    server_error: 'server-error',
    context_length_exceeded: 'too-long',
  }
  const kind = known[code ?? ''] ?? 'server-error'
  return new ModelError(kind, SENTENCES[kind](served, 200), { todo: todoFor(kind, served, undefined), said })
}

/** The provider's message from the body, or else the SDK's; at most 500 characters. */
function saidIn(error: Record<string, unknown>): string | undefined {
  const body = isObject(error.error) ? error.error : {}
  const inner = isObject(body.error) ? body.error : body
  const said = inner.message ?? error.message
  return typeof said === 'string' && said !== '' ? said.slice(0, 500) : undefined
}

/** Our own error among the causes: an SDK wraps errors of its fetch. */
function modelErrorIn(error: unknown, depth = 0): ModelError | undefined {
  if (error instanceof ModelError) return error
  return isObject(error) && depth <= 4 ? modelErrorIn(error.cause, depth + 1) : undefined
}

/** The system's error code among the causes. */
function errnoIn(error: unknown, depth = 0): string | undefined {
  if (!isObject(error) || depth > 4) return undefined
  return typeof error.code === 'string' && /^(E[A-Z]+|UND_ERR_\w+|CERT_\w+|\w*SIGNED\w*)$/.test(error.code)
    ? error.code
    : errnoIn(error.cause, depth + 1)
}

/** Milliseconds, from `retry-after-ms` or `retry-after` (seconds or a date; RFC 9110 section 10.2.3). */
function retryAfterIn(headers: unknown): number | undefined {
  if (!(headers instanceof Headers)) return undefined
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(ms)) return Math.max(0, ms)
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const seconds = Number(text)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}
