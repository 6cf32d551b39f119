import type { ConsentCall } from '../../../src-shared/contract/consent.ts'
import type { ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { AnswerTo } from '../../../src-shared/contract/interactions.ts'

/** Calls of one tool of one server. */
export interface CallGroup {
  readonly key: string
  readonly first: ConsentCall
  readonly calls: readonly ConsentCall[]
}

/** In the order in which the tools are first called. */
export function groupsOf(calls: readonly ConsentCall[]): readonly CallGroup[] {
  const groups = new Map<string, CallGroup>()
  for (const call of calls) {
    const key = `${call.serverId}\n${call.tool}`
    const group = groups.get(key)
    groups.set(key, group ? { ...group, calls: [...group.calls, call] } : { key, first: call, calls: [call] })
  }
  return [...groups.values()]
}

/** Names of the servers that the calls go to, each once. */
export const serversOf = (calls: readonly ConsentCall[]): readonly string[] => [
  ...new Map(calls.map(({ serverId, serverName }) => [serverId, serverName])).values(),
]

/** Arguments that its warnings speak of. */
export const markedIn = ({ guards }: Pick<ConsentCall, 'guards'>): readonly string[] =>
  guards.flatMap(({ argument }) => argument ?? [])

export const mayDestroy = (calls: readonly ConsentCall[]) => calls.some(({ powers }) => powers.includes('destroys'))

/** The reason why all of the calls are asked about; undefined where they have several. */
export function sharedReason([first, ...others]: readonly ConsentCall[]): string | undefined {
  return others.every(({ why }) => why === first?.why) ? first?.why : undefined
}

/** Ticked calls are allowed, with the chosen rule; the others are denied. Undefined when nothing is ticked. */
export function allowing(
  calls: readonly ConsentCall[],
  unticked: readonly ToolCallId[],
  offer?: string,
): AnswerTo<'tool-consent'> | undefined {
  const ticked = calls.map(({ toolCallId }) => toolCallId).filter((id) => !unticked.includes(id))
  if (ticked.length === 0) return undefined
  return { decision: 'allow', calls: ticked, ...(offer !== undefined && { offer }) }
}
