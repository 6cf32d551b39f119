import type { Attachment } from '../../../src-shared/contract/attachments.ts'
import type { ContextReport, Remedy, ServerCost } from '../../../src-shared/contract/context.ts'
import type { Message } from '../../../src-shared/contract/conversations.ts'
import { cut } from '../core/content-views.ts'

const REMEDIES = 3
/** Of a window: what frees less is not worth a click, unless it is enough. */
const MIN_SHARE = 0.01
/** A fork that frees less is not worth another conversation. */
const FORK_FREES = 500

interface Costs {
  /** Of all. */
  readonly total: number
  readonly window: number
  /** Empty while the model searches for tools: turning them off frees nothing then. */
  readonly servers: readonly ServerCost[]
  /** Those that wait. */
  readonly attachments: readonly Attachment[]
  readonly messages: ContextReport['messages']
  /** The messages themselves, as many and in the same order. */
  readonly said: readonly Message[]
}

/** The remedies that make most room in a conversation, largest first; a fork last, because it leaves the conversation. */
export function remediesOf({ total, window, servers, attachments, messages, said }: Costs): readonly Remedy[] {
  const over = total - window
  const least = Math.max(1, over > 0 ? Math.min(over, window * MIN_SHARE) : window * MIN_SHARE)
  const here = [...turningOff(servers), ...attachments.map(detaching)]
    .filter(({ frees }) => frees >= least)
    .sort((a, b) => b.frees - a.frees)
    .slice(0, REMEDIES)
  const fork = forking(messages, said)
  return fork ? [...here.slice(0, REMEDIES - 1), fork] : here
}

/** Whole servers first; where there is one alone, its dearest tools. */
function turningOff(servers: readonly ServerCost[]): readonly Remedy[] {
  const dear = servers.filter((server) => server.tokens > 0)
  if (dear.length > 1) {
    return dear.map(({ serverId, serverName, tokens }) => ({
      ...words('Turn off', 'Turned off', `“${cut(serverName, 60)}” here`),
      frees: tokens,
      does: { is: 'turn-off', serverId },
    }))
  }
  return dear.flatMap(({ serverId, tools }) =>
    tools
      .filter(({ state }) => state === 'offered')
      .map(({ tool, tokens }) => ({
        ...words('Turn off', 'Turned off', `“${cut(tool, 60)}” here`),
        frees: tokens,
        does: { is: 'turn-off', serverId, tool },
      })),
  )
}

const detaching = ({ id, title, tokens }: Attachment): Remedy => ({
  ...words('Remove', 'Removed', `“${cut(title, 60)}”`),
  frees: tokens,
  does: { is: 'detach', attachmentId: id },
})

/** Before the turn whose answers take most. What the person said there comes along in the composer, so only what followed is freed. */
function forking(messages: ContextReport['messages'], said: readonly Message[]): Remedy | undefined {
  const starts = said.flatMap(({ role, origin }, at) => (role === 'user' && !origin ? [at] : []))
  const answered = (start: number) =>
    sum(
      messages.slice(
        start + 1,
        starts.find((at) => at > start),
      ),
    )
  const dearest = starts.reduce<number | undefined>(
    (best, at) => (best === undefined || answered(at) > answered(best) ? at : best),
    undefined,
  )
  const message = dearest === undefined ? undefined : said[dearest]
  if (dearest === undefined || !message) return undefined
  const frees = sum(messages.slice(dearest + 1))
  if (frees < FORK_FREES) return undefined
  return { ...words('Fork', 'Forked', 'before the longest answer'), frees, does: { is: 'fork', messageId: message.id } }
}

const words = (now: string, then: string, what: string) => ({ label: `${now} ${what}`, done: `${then} ${what}` })

function sum(counted: readonly { readonly tokens: number }[]): number {
  return counted.reduce((total, { tokens }) => total + tokens, 0)
}
