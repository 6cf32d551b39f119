import type { ConsentCall, GuardNote, Power } from '../../../src-shared/contract/consent.ts'
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

/** True if one may destroy something, spend money, or do what should not be allowed in passing. */
export const areGrave = (calls: readonly ConsentCall[]) =>
  calls.some(({ powers, grave }) => grave || powers.includes('destroys') || powers.includes('spends'))

/** The powers of calls of one tool; `possible` are those that no call surely has. */
export function combinedPowers(calls: readonly ConsentCall[]) {
  const powers = [...new Set(calls.flatMap((call) => call.powers))]
  const isPossible = (power: Power) => calls.every((call) => !call.powers.includes(power) || call.possible?.includes(power))
  return { powers, possible: powers.filter(isPossible) }
}

/** The reason why all of the calls are asked about; undefined where they have several. */
export function sharedReason([first, ...others]: readonly ConsentCall[]): string | undefined {
  return others.every(({ why }) => why === first?.why) ? first?.why : undefined
}

/** Guards that speak of what happens every day: they need no box. */
const EVERYDAY: readonly GuardNote['guard'][] = ['denied', 'new']
export const isEveryday = ({ guard }: GuardNote) => EVERYDAY.includes(guard)

/** Warnings that all of several calls have, which are said once; and the calls without them. */
export function withSharedWarnings(calls: readonly ConsentCall[]) {
  const [first, ...others] = calls
  const isSame = (a: GuardNote, b: GuardNote) => a.text === b.text && a.sources?.join() === b.sources?.join()
  const isShared = (guard: GuardNote) =>
    !isEveryday(guard) && !guard.argument && others.every(({ guards }) => guards.some((one) => isSame(one, guard)))
  const warnings = others.length > 0 && first ? first.guards.filter(isShared) : []
  const rest = ({ guards }: ConsentCall) => guards.filter((guard) => !warnings.some((one) => isSame(one, guard)))
  return { warnings, calls: calls.map((call) => ({ ...call, guards: rest(call) })) }
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
