import type { Message, MessagePart, ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ToolCallId } from '../../../src-shared/contract/ids.ts'
import { isSight } from '../../content/ToolResult.tsx'
import { counted } from '../../ui/amounts.ts'

type Thinking = Extract<MessagePart, { type: 'thinking' }>

/** A call where it stands in its reply. */
export interface CallStep {
  readonly call: ToolCall
  /** The message that wanted it: the calls of one message are one round. */
  readonly message: Message
  /** The model's thinking between the call before it and this one. */
  readonly thinking: readonly Thinking[]
}

/** Calls that stand together: one alone, or several under one line. */
export interface CallGroup {
  /** The id of its first call, the same when more join. */
  readonly key: string
  readonly steps: readonly CallStep[]
}

/** What a reply is made of, in the order in which it is read. */
export type ReplyPiece =
  | { readonly is: 'part'; readonly key: string; readonly message: Message; readonly part: MessagePart }
  | { readonly is: 'calls'; readonly key: string; readonly groups: readonly CallGroup[] }
  /** A message that did not end well. */
  | { readonly is: 'end'; readonly key: string; readonly message: Message }

/** From this many on, calls gather under one line. */
export const GATHERED = 3

export function piecesOf(messages: readonly Message[], calls: ReadonlyMap<ToolCallId, ToolCall>): readonly ReplyPiece[] {
  const pieces: ReplyPiece[] = []
  let steps: CallStep[] = []
  let thinking: { readonly key: string; readonly message: Message; readonly part: Thinking }[] = []
  const flush = () => {
    const [first] = steps
    if (first) pieces.push({ is: 'calls', key: `calls ${first.call.id}`, groups: gathered(steps) })
    for (const held of thinking) pieces.push({ is: 'part', ...held })
    steps = []
    thinking = []
  }
  for (const message of messages) {
    for (const [index, part] of message.parts.entries()) {
      const key = `${message.id}:${index}`
      if (part.type === 'tool-call') {
        const call = calls.get(part.toolCallId)
        if (!call) continue
        steps.push({ call, message, thinking: thinking.map((held) => held.part) })
        thinking = []
      } else if (part.type === 'thinking' && steps.length > 0) {
        thinking.push({ key, message, part })
      } else if (part.type !== 'text' || part.whole || part.text.trim() !== '') {
        flush()
        pieces.push({ is: 'part', key, message, part })
      }
    }
    if (message.status === 'stopped' || message.problem) {
      flush()
      pieces.push({ is: 'end', key: `${message.id}:end`, message })
    }
  }
  flush()
  return pieces
}

/** Neighbours of one round or of one tool together, where none of them needs a look by itself. */
export function gathered(steps: readonly CallStep[]): readonly CallGroup[] {
  const open = new Set(steps.filter(({ call }) => isUnderWay(call)).map(({ message }) => message.id))
  // A round gathers when all of it has ended, so that lines do not come and go while it runs.
  const quiet = ({ call, message }: CallStep) => endedWell(call) && !open.has(message.id)
  const groups: CallGroup[] = []
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

/** Nothing of it has to be seen unless one wants to. */
export const endedWell = ({ status, result }: ToolCall) =>
  status === 'finished' && !result?.isError && (result?.warnings.length ?? 0) === 0 && !hasSights(result)

export function hasSights(result: ToolCall['result']): boolean {
  return result?.content.some(isSight) ?? false
}

/** What a group is called: "6 calls of read_text_file", or "6 calls" and the tools. */
export function groupWords(steps: readonly CallStep[]): { readonly count: string; readonly tools: string } {
  const tools = [...new Set(steps.map(({ call }) => call.tool))]
  const more = tools.length - MOST_NAMED
  const named = more > 1 ? `${tools.slice(0, MOST_NAMED).join(', ')} and ${more} more` : tools.join(', ')
  return tools.length === 1
    ? { count: `${steps.length} calls of`, tools: named }
    : { count: `${steps.length} calls`, tools: named }
}

const MOST_NAMED = 4

/** Consecutive messages of one author in one turn, which are read as one. */
export interface TranscriptItem {
  readonly key: string
  readonly messages: readonly [Message, ...Message[]]
}

/** What of a prompt comes with its origin stands by itself. */
export function itemsOf(messages: readonly Message[]): readonly TranscriptItem[] {
  const items: { key: string; messages: [Message, ...Message[]] }[] = []
  const seen = new Map<string, number>()
  for (const message of messages) {
    const last = items.at(-1)
    if (last && goesOn(last.messages[0], message)) {
      last.messages.push(message)
      continue
    }
    // The turn and not its first message, which is another one when earlier ones are built.
    const nth = seen.get(message.turnId) ?? 0
    seen.set(message.turnId, nth + 1)
    const key = message.role === 'user' || message.origin ? message.id : `${message.turnId} ${nth}`
    items.push({ key, messages: [message] })
  }
  return items
}

export const goesOn = (before: Message, now: Message) =>
  before.role === 'assistant' && now.role === 'assistant' && before.turnId === now.turnId && !before.origin && !now.origin

/** The answer: what the model says after its last call; all that it says where it ends with a call. */
export function finalWords(messages: readonly Message[]) {
  const parts = messages.flatMap((message) => message.parts)
  const lastCall = parts.findLastIndex(({ type }) => type === 'tool-call')
  const texts = (from: number) => parts.slice(from).filter((part) => part.type === 'text' && (part.whole || part.text.trim()))
  const final = texts(lastCall + 1)
  return (final.length > 0 ? final : texts(0)).filter((part) => part.type === 'text')
}

/** "Demo has replied after 15 tool calls, 2 without success." */
export function repliedWords(model: string, calls: readonly ToolCall[]): string {
  if (calls.length === 0) return `${model} has replied.`
  const failed = calls.filter(({ status, result }) => status !== 'finished' || result?.isError).length
  return `${model} has replied after ${counted(calls.length, 'tool call')}${failed > 0 ? `, ${failed} without success` : ''}.`
}
