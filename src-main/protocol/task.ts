import { defined } from '../../src-shared/base/defined.ts'
import { isObject } from '../../src-shared/base/json.ts'
import type { CallToolResult } from '../../src-shared/mcp/content.ts'
import type { ServerCapabilities } from '../../src-shared/mcp/primitives.ts'
import { type InputRequest, inputRequestsOf } from './input-required.ts'
import { type Border, bounded, type Fields, object, ShapeError, warn } from './shapes/border.ts'
import { ProtocolError } from './shapes/json-rpc.ts'
import { callToolResult } from './shapes/result-shapes.ts'

const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const
type TaskStatus = (typeof STATUSES)[number]

/** A tool call that its server runs on its own time: in 2025-11-25 (utilities/tasks), and by the modern era's extension (SEP-2663). */
export interface Task {
  /** May give access to the task, so it is never shown, logged or exported (TASK-15). */
  readonly taskId: string
  readonly status: TaskStatus
  /** One line. */
  readonly statusMessage?: string
  /** Milliseconds since the epoch, by the server's clock. */
  readonly lastUpdatedAt?: number
  /** Milliseconds that the server keeps it; absent without a limit. */
  readonly ttl?: number
  /** The polling interval in milliseconds that the server asks for. */
  readonly pollInterval?: number
  /** A text for the model while the task runs; in a creating answer of 2025-11-25 alone. */
  readonly immediate?: string
  /** The next three are of the extension alone; 2025-11-25 has requests for them. */
  readonly result?: CallToolResult
  readonly error?: ProtocolError
  readonly inputRequests?: ReadonlyMap<string, InputRequest>
}

const MAX_ID_LENGTH = 1024
const MAX_MESSAGE_LENGTH = 512
const MAX_IMMEDIATE_LENGTH = 8 * 1024
const RELATED = 'io.modelcontextprotocol/related-task'
const IMMEDIATE = 'io.modelcontextprotocol/model-immediate-response'

export function isFinal({ status }: Task): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}

/** True if the server declares that tool calls may be tasks of 2025-11-25 (TASK-1). */
export function runsTasks({ tasks }: ServerCapabilities): boolean {
  const declared: Fields = { ...tasks }
  const { requests } = declared
  return isObject(requests) && isObject(requests.tools) && requests.tools.call !== undefined
}

/** A task in either form. Throws ShapeError or LimitError for an unusable one. */
export function task(value: unknown, border: Border): Task {
  const fields = object(value, 'task')
  const { taskId, statusMessage } = fields
  if (typeof taskId !== 'string' || taskId === '' || taskId.length > MAX_ID_LENGTH) {
    throw new ShapeError('taskId', 'must be a text of reasonable length')
  }
  const status = STATUSES.find((known) => known === fields.status)
  if (!status) throw new ShapeError('status', 'must be one of a task')
  const lastUpdatedAt = timeOf(fields.lastUpdatedAt, border)
  const { session } = border.traits
  const ttl = spanOf(session ? fields.ttl : fields.ttlMs)
  const pollInterval = spanOf(session ? fields.pollInterval : fields.pollIntervalMs)
  return {
    taskId,
    status,
    ...(typeof statusMessage === 'string' && statusMessage.trim() !== '' && { statusMessage: oneLine(statusMessage) }),
    ...defined({ lastUpdatedAt, ttl, pollInterval }),
  }
}

/** A task of the extension, which carries what it asks for and how it ended. */
export async function extensionTask(value: unknown, border: Border): Promise<Task> {
  const fields = object(value, 'task')
  const found = task(fields, border)
  if (found.status === 'input_required') return { ...found, inputRequests: inputRequestsOf(fields.inputRequests, border) }
  if (found.status === 'completed') return { ...found, result: await callToolResult(object(fields.result, 'result'), border) }
  if (found.status !== 'failed') return found
  const error = object(fields.error, 'error')
  bounded(error, 'error', border.limits)
  const { code, message } = error
  if (!Number.isInteger(code) || typeof message !== 'string') throw new ShapeError('error', 'must have a code and a message')
  return { ...found, error: new ProtocolError(Number(code), oneLine(message)) }
}

/** The task in the answer to `tools/call`. */
export function createdTask(result: Fields, border: Border): Task {
  const created = task(border.traits.session ? result.task : result, border)
  const immediate = border.traits.session && isObject(result._meta) ? result._meta[IMMEDIATE] : undefined
  return typeof immediate === 'string' ? { ...created, immediate: immediate.slice(0, MAX_IMMEDIATE_LENGTH) } : created
}

/** The task that a server's request or notification belongs to, if it names one. */
export function relatedTask({ _meta }: Fields): string | undefined {
  const related = isObject(_meta) ? _meta[RELATED] : undefined
  return isObject(related) && typeof related.taskId === 'string' ? related.taskId : undefined
}

function timeOf(value: unknown, border: Border): number | undefined {
  const time = typeof value === 'string' && value.length <= 64 ? Date.parse(value) : Number.NaN
  if (Number.isFinite(time)) return time
  warn(border, 'The task does not say when it was last updated.')
  return undefined
}

function spanOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

function oneLine(text: string): string {
  return text
    .slice(0, MAX_MESSAGE_LENGTH)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
}
