import type { Message, MessagePart, ToolCall } from '../../../src-shared/contract/conversations.ts'
import { isMedia } from '../../content/ToolResult.tsx'
import { counted } from '../../ui/amounts.ts'
import { type FilesDone, filesDone, lineCountLabel, total } from './files-done.ts'

export type ThinkingPart = Extract<MessagePart, { type: 'thinking' }>

export interface CallStep {
  readonly call: ToolCall
  /** The message that made the call; the calls of one message are one round. */
  readonly message: Message
  /** The model's thinking between the previous call and this one. */
  readonly thinking: readonly ThinkingPart[]
}

/** One call with its own line, or several neighbours under one line. */
export interface StepGroup {
  /** The id of its first call, which stays the same when more calls join. */
  readonly key: string
  readonly steps: readonly CallStep[]
}

/** Fewer neighbours keep a line each. */
const MIN_GROUP = 3

/** Groups neighbouring calls of one round or one tool that ended alike, leaving out those that need attention. */
export function groupCalls(steps: readonly CallStep[]): readonly StepGroup[] {
  const roundsUnderWay = new Set(steps.filter(({ call }) => isUnderWay(call)).map(({ message }) => message.id))
  // A round is grouped only when all its calls have ended, so that lines do not come and go while it runs.
  const endOf = ({ call, message }: CallStep) => (roundsUnderWay.has(message.id) ? undefined : endingOf(call))
  const groups: StepGroup[] = []
  let taken = 0
  for (const [at, first] of steps.entries()) {
    if (at < taken) continue
    const ending = endOf(first)
    const endOfRun = (same: (step: CallStep) => boolean) => {
      const stop = steps.findIndex((step, index) => index > at && !(endOf(step) === ending && same(step)))
      return stop < 0 ? steps.length : stop
    }
    const end = ending === undefined ? at + 1 : Math.max(endOfRun(sameRound(first)), endOfRun(sameTool(first)))
    taken = end - at < MIN_GROUP ? at + 1 : end
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

/** The ending that calls of a group have in common: a good one, or the way in which the end of Parley cut them off. */
const endingOf = (call: ToolCall): string | undefined =>
  endedWell(call) ? 'well' : call.status === 'interrupted' && !call.received ? call.problem?.what : undefined

/** True if nothing about the call needs the person's attention. */
const endedWell = ({ app, status, result, unanswered }: ToolCall) =>
  status === 'finished' &&
  unanswered === undefined &&
  !result?.isError &&
  (result?.warnings.length ?? 0) === 0 &&
  app === undefined &&
  !hasMedia(result)

export function hasMedia(result: ToolCall['result']): boolean {
  return result?.content.some(isMedia) ?? false
}

/** The label of a group: "6 files read", "3 files edited +12 −4", and for other calls "6 calls of fetch" or "6 calls" and the tools. */
export function groupLabel(steps: readonly CallStep[]): { readonly count: string; readonly tools: string } {
  const calls = steps.map(({ call }) => ({ call, files: filesDone(call) }))
  const done = FILE_WORK.flatMap((did) => {
    const like = calls.flatMap(({ call, files }) => (files?.did === did ? [{ ...files, at: call.serverId }] : []))
    return like.length > 0 ? [filesLabel(did, like)] : []
  })
  const others = calls.flatMap(({ call, files }) => (files ? [] : [call.tool]))
  const tools = [...new Set(others)]
  const more = tools.length - MAX_NAMED
  const named = more > 1 ? `${tools.slice(0, MAX_NAMED).join(', ')} and ${more} more` : tools.join(', ')
  const rest = others.length > 0 ? [counted(others.length, 'call') + (tools.length === 1 ? ' of' : '')] : []
  return { count: [...done, ...rest].join(', '), tools: named }
}

const FILE_WORK = ['read', 'edited', 'written'] as const

function filesLabel(did: FilesDone['did'], calls: readonly (FilesDone & { readonly at: string | undefined })[]): string {
  const files = new Set(calls.flatMap(({ at, files }) => files.map((file) => `${at}\n${file}`)))
  const lines = calls.flatMap(({ lines }) => lines ?? [])
  const words = `${counted(files.size, 'file')} ${did}`
  if (lines.length === calls.length) return `${words} ${lineCountLabel(total(lines))}`
  return files.size < calls.length ? `${words} in ${calls.length} calls` : words
}

const MAX_NAMED = 4
