import type { Message, MessagePart, ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ToolCallId } from '../../../src-shared/contract/ids.ts'
import { counted } from '../../ui/amounts.ts'
import { type CallStep, groupCalls, type StepGroup, type ThinkingPart } from '../calls/call-groups.ts'

/** The parts of a reply, in reading order. */
type ReplyPiece =
  | { readonly is: 'part'; readonly key: string; readonly message: Message; readonly part: MessagePart }
  | { readonly is: 'calls'; readonly key: string; readonly groups: readonly StepGroup[] }
  /** After a message that was stopped or failed. */
  | { readonly is: 'end'; readonly key: string; readonly message: Message }

export function replyPieces(messages: readonly Message[], calls: ReadonlyMap<ToolCallId, ToolCall>): readonly ReplyPiece[] {
  const pieces: ReplyPiece[] = []
  let steps: CallStep[] = []
  let thinking: { readonly key: string; readonly message: Message; readonly part: ThinkingPart }[] = []
  const flush = () => {
    const [first] = steps
    if (first) pieces.push({ is: 'calls', key: `calls ${first.call.id}`, groups: groupCalls(steps) })
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

/** Consecutive messages of one author in one turn, shown as one. */
interface TranscriptItem {
  readonly key: string
  readonly messages: readonly [Message, ...Message[]]
}

/** Messages of a prompt stay separate, since they name their origin. */
export function itemsOf(messages: readonly Message[]): readonly TranscriptItem[] {
  const items: { key: string; messages: [Message, ...Message[]] }[] = []
  const seen = new Map<string, number>()
  for (const message of messages) {
    const last = items.at(-1)
    if (last && isSameReply(last.messages[0], message)) {
      last.messages.push(message)
      continue
    }
    if (message.role === 'user' || message.origin) {
      items.push({ key: message.id, messages: [message] })
      continue
    }
    // The key names the turn, not the first message: that one changes when earlier messages are rendered.
    const nth = seen.get(message.turnId) ?? 0
    seen.set(message.turnId, nth + 1)
    items.push({ key: `${message.turnId} ${nth}`, messages: [message] })
  }
  return items
}

export const isSameReply = (before: Message, now: Message) =>
  before.role === 'assistant' && now.role === 'assistant' && before.turnId === now.turnId && !before.origin && !now.origin

/** The text after the last call, or all text when the reply ends with a call. */
export function finalWords(messages: readonly Message[]) {
  const parts = messages.flatMap((message) => message.parts)
  const lastCall = parts.findLastIndex(({ type }) => type === 'tool-call')
  const texts = (from: number) => parts.slice(from).filter((part) => part.type === 'text' && (part.whole || part.text.trim()))
  const final = texts(lastCall + 1)
  return (final.length > 0 ? final : texts(0)).filter((part) => part.type === 'text')
}

/** "Demo has replied after 15 tool calls, 2 failed." */
export function replyAnnouncement(model: string, calls: readonly ToolCall[]): string {
  if (calls.length === 0) return `${model} has replied.`
  const failed = calls.filter(({ status, result }) => status !== 'finished' || result?.isError).length
  return `${model} has replied after ${counted(calls.length, 'tool call')}${failed > 0 ? `, ${failed} failed` : ''}.`
}
