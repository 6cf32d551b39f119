import type { Message, MessagePart, ToolCall } from '../../../src-shared/contract/conversations.ts'
import { isMedia } from '../../content/ToolResult.tsx'

export type Thinking = Extract<MessagePart, { type: 'thinking' }>

/** A call where it stands in its reply. */
export interface CallStep {
  readonly call: ToolCall
  /** The message that made the call; the calls of one message are one round. */
  readonly message: Message
  /** The model's thinking between the call before it and this one. */
  readonly thinking: readonly Thinking[]
}

/** Calls that stand together: one alone, or several under one line. */
export interface CallRunGroup {
  /** The id of its first call, the same when more join. */
  readonly key: string
  readonly steps: readonly CallStep[]
}

/** From this many on, calls gather under one line. */
const GATHERED = 3

/** Neighbours of one round or of one tool together, where none of them needs a look by itself. */
export function gathered(steps: readonly CallStep[]): readonly CallRunGroup[] {
  const open = new Set(steps.filter(({ call }) => isUnderWay(call)).map(({ message }) => message.id))
  // A round gathers when all of it has ended, so that lines do not come and go while it runs.
  const quiet = ({ call, message }: CallStep) => endedWell(call) && !open.has(message.id)
  const groups: CallRunGroup[] = []
  let taken = 0
  for (const [at, first] of steps.entries()) {
    if (at < taken) continue
    const reach = (same: (step: CallStep) => boolean) => {
      const stop = steps.findIndex((step, index) => index > at && !(quiet(step) && same(step)))
      return stop < 0 ? steps.length : stop
    }
    const end = quiet(first) ? Math.max(reach(sameRound(first)), reach(sameTool(first))) : at + 1
    taken = end - at < GATHERED ? at + 1 : end
    groups.push({ key: first.call.id, steps: steps.slice(at, taken) })
  }
  return groups
}

const sameRound = (first: CallStep) => (step: CallStep) => step.message.id === first.message.id
const sameTool =
  ({ call }: CallStep) =>
  (step: CallStep) =>
    step.call.tool === call.tool && step.call.serverId === call.serverId

export const isUnderWay = ({ status }: ToolCall) => status === 'proposed' || status === 'asking' || status === 'running'

/** True if nothing about the call needs the person's attention. */
const endedWell = ({ status, result, unanswered }: ToolCall) =>
  status === 'finished' &&
  unanswered === undefined &&
  !result?.isError &&
  (result?.warnings.length ?? 0) === 0 &&
  !hasMedia(result)

export function hasMedia(result: ToolCall['result']): boolean {
  return result?.content.some(isMedia) ?? false
}

/** The label of a group: "6 calls of read_text_file", or "6 calls" and the tools. */
export function groupWords(steps: readonly CallStep[]): { readonly count: string; readonly tools: string } {
  const tools = [...new Set(steps.map(({ call }) => call.tool))]
  const more = tools.length - MAX_NAMED
  const named = more > 1 ? `${tools.slice(0, MAX_NAMED).join(', ')} and ${more} more` : tools.join(', ')
  return tools.length === 1
    ? { count: `${steps.length} calls of`, tools: named }
    : { count: `${steps.length} calls`, tools: named }
}

const MAX_NAMED = 4
