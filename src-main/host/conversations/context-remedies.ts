import type { Attachment } from '../../../src-shared/contract/attachments.ts'
import type { ContextRemedy, ContextReport, ServerCost, UnusedServer } from '../../../src-shared/contract/context.ts'
import type { Message } from '../../../src-shared/contract/conversations.ts'
import type { Transcript } from '../../storage/base/storage.ts'
import { cut } from '../core/content-views.ts'

const MAX_REMEDIES = 3
/** Share of the window that a remedy has to free, unless less is enough. */
const MIN_SHARE = 0.01
/** Tokens that a fork has to free. */
const MIN_FORK = 500

interface Costs {
  readonly total: number
  readonly window: number
  /** Empty while the model searches for tools, because turning them off then frees nothing. */
  readonly servers: readonly ServerCost[]
  /** Waiting attachments. */
  readonly attachments: readonly Attachment[]
  readonly counted: ContextReport['messages']
  /** The counted messages themselves, in the same order. */
  readonly messages: readonly Message[]
}

/** The remedies that free most tokens, the largest first; a fork comes last, because it leaves the conversation. */
export function remediesOf({ total, window, servers, attachments, counted, messages }: Costs): readonly ContextRemedy[] {
  const over = total - window
  const least = Math.max(1, over > 0 ? Math.min(over, window * MIN_SHARE) : window * MIN_SHARE)
  const here = [...turningOff(servers), ...attachments.map(detaching)]
    .filter(({ frees }) => frees >= least)
    .sort((a, b) => b.frees - a.frees)
    .slice(0, MAX_REMEDIES)
  const fork = forking(counted, messages)
  return fork ? [...here.slice(0, MAX_REMEDIES - 1), fork] : here
}

/** Turns off servers, or tools when only one server has any. */
function turningOff(servers: readonly ServerCost[]): readonly ContextRemedy[] {
  const costly = servers.filter((server) => server.tokens > 0)
  if (costly.length > 1) {
    return costly.map(turningOffServer)
  }
  return costly.flatMap(({ serverId, tools }) =>
    tools
      .filter(({ state }) => state === 'offered')
      .map(({ tool, tokens }) => ({
        ...words('Turn off', 'Turned off', `“${cut(tool, 60)}” here`),
        frees: tokens,
        does: { is: 'turn-off', serverId, tool },
      })),
  )
}

const turningOffServer = ({ serverId, serverName, tokens }: ServerCost): ContextRemedy => ({
  ...words('Turn off', 'Turned off', `“${cut(serverName, 60)}” here`),
  frees: tokens,
  does: { is: 'turn-off', serverId },
})

/** Turns without a call after which tools count as unused. */
const UNUSED_TURNS = 20
/** Tokens in each round from which tools cost much. */
const COSTLY = 2_000

/** The server of these that costs most and had no call in the last turns; undefined in a shorter conversation. */
export function unusedServer(servers: readonly ServerCost[], { messages, toolCalls }: Transcript): UnusedServer | undefined {
  const turns = new Set([...new Set(messages.map(({ message }) => message.turnId))].slice(-UNUSED_TURNS))
  if (turns.size < UNUSED_TURNS) return undefined
  const recent = [...toolCalls.values()].filter(({ toolCall }) => turns.has(toolCall.turnId))
  const used = new Set(recent.map(({ toolCall }) => toolCall.serverId))
  const unused = servers.filter(({ serverId, tokens }) => tokens >= COSTLY && !used.has(serverId))
  const [most] = unused.sort((a, b) => b.tokens - a.tokens)
  if (!most) return undefined
  const { serverId, serverName } = most
  return { serverId, serverName, turns: UNUSED_TURNS, remedy: turningOffServer(most) }
}

const detaching = ({ id, title, tokens }: Attachment): ContextRemedy => ({
  ...words('Remove', 'Removed', `“${cut(title, 60)}”`),
  frees: tokens,
  does: { is: 'detach', attachmentId: id },
})

/** Forks before the turn with the longest answers. The person's message of that turn moves to the composer, so it frees nothing. */
function forking(counted: ContextReport['messages'], messages: readonly Message[]): ContextRemedy | undefined {
  const starts = messages.flatMap(({ role, origin }, at) => (role === 'user' && !origin ? [at] : []))
  const answered = (start: number) =>
    sum(
      counted.slice(
        start + 1,
        starts.find((at) => at > start),
      ),
    )
  const longest = starts.reduce<number | undefined>(
    (best, at) => (best === undefined || answered(at) > answered(best) ? at : best),
    undefined,
  )
  const message = longest === undefined ? undefined : messages[longest]
  if (longest === undefined || !message) return undefined
  const frees = sum(counted.slice(longest + 1))
  if (frees < MIN_FORK) return undefined
  return { ...words('Fork', 'Forked', 'before the longest answer'), frees, does: { is: 'fork', messageId: message.id } }
}

const words = (now: string, then: string, what: string) => ({ label: `${now} ${what}`, done: `${then} ${what}` })

export function sum(counted: readonly { readonly tokens: number }[]): number {
  return counted.reduce((total, { tokens }) => total + tokens, 0)
}
