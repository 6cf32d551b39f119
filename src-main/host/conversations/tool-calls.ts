import { randomUUID } from 'node:crypto'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { MessageId, ServerId, ToolCallId, TurnId } from '../../../src-shared/contract/ids.ts'
import type { ToolSwitches } from '../../../src-shared/contract/settings.ts'
import { toolTitle } from '../../../src-shared/mcp/primitives.ts'
import type { ModelToolCall, OfferedTool } from '../../models/model-provider.ts'
import { boundJson, boundText, cut, InlineBudget } from '../core/content-views.ts'
import type { NamedTool, NamedTools } from '../offerings/named-tools.ts'
import type { AvailableTool, OffServer } from '../servers/server-tools.ts'
import { serversSettled, unsettledServers } from '../servers/settled-servers.ts'
import { BUILT_IN_NAMES } from './built-in-tools.ts'
import type { CallExtras } from './model-history.ts'
import { RECORD_ARGUMENTS, RoundCalls, type RoundCallsParts, type RoundsTurn } from './round-calls.ts'

/** The tools that the model may call in one round, by wire names. */
export interface ToolOffer {
  readonly tools: readonly OfferedTool[]
  find(wireName: string): AvailableTool | undefined
}

interface ToolCallsParts extends RoundCallsParts {
  readonly tools: NamedTools
}

/** Offers tools to models, and makes records of the calls that they propose. */
export class ToolCalls {
  readonly #parts: ToolCallsParts

  constructor(parts: ToolCallsParts) {
    this.#parts = parts
  }

  /** Reads stale catalogs of the servers that are turned on before a turn. */
  freshen({ servers }: ToolSwitches): Promise<void> {
    return this.#parts.servers.catalogs.freshen((id) => !servers.includes(id))
  }

  /** Waits until the servers that are turned on have started; `onWait` gets those that have not. Rejects when aborted. */
  async settled(switches: ToolSwitches, signal: AbortSignal, onWait: (servers: readonly ServerId[]) => void): Promise<void> {
    const unsettled = unsettledServers(this.#parts, switches)
    if (unsettled.length === 0) return
    onWait(unsettled)
    await serversSettled(this.#parts, switches, signal)
  }

  /** `choose` leaves out tools that are turned off, and adds Parley's own. */
  offer(choose: (all: readonly NamedTool[]) => readonly OfferedTool[] = (all) => all.map(({ offered }) => offered)): ToolOffer {
    const all = this.#parts.tools.all()
    const tools = choose(all)
    const offered = new Set(tools.map(({ name }) => name))
    const byName = new Map(all.map((tool) => [tool.offered.name, tool.available]))
    return { tools, find: (name) => (offered.has(name) ? byName.get(name) : undefined) }
  }

  offServers(): readonly OffServer[] {
    return this.#parts.servers.tools.off()
  }

  /** Name of the published server that surely runs. */
  publishedName(serverId: ServerId): string | undefined {
    return this.#parts.servers.configured.find(serverId)?.published
  }

  rounds(turn: RoundsTurn): RoundCalls {
    return new RoundCalls(this.#parts, turn)
  }

  /** Removes rules that apply to this turn only. */
  endTurn(turnId: TurnId): Promise<void> {
    return this.#parts.consent.rules.endTurn(turnId)
  }

  /** The record of a call before it is judged. */
  async propose(
    call: ModelToolCall,
    offer: ToolOffer,
    place: { readonly turnId: TurnId; readonly messageId: MessageId },
  ): Promise<{ toolCall: ToolCall; extras: CallExtras }> {
    const tool = offer.find(call.name)
    const builtIn = !tool && BUILT_IN_NAMES.has(call.name) && offer.tools.some(({ name }) => name === call.name)
    const budget = new InlineBudget(RECORD_ARGUMENTS)
    const written = call.arguments
      ? await boundJson(call.arguments, this.#parts.storage.blobs, budget)
      : await boundText(call.broken ?? '', this.#parts.storage.blobs, budget).then(({ text, whole }) => ({
          json: text,
          ...(whole && { whole }),
        }))
    const toolCall: ToolCall = {
      id: randomUUID() as ToolCallId,
      ...place,
      ...(builtIn && { builtIn, serverName: 'Parley' }),
      ...(tool && { serverId: tool.serverId, serverName: tool.serverName, title: cut(toolTitle(tool.tool), 200) }),
      tool: cut(tool?.tool.name ?? call.name, 200),
      arguments: written,
      status: 'proposed',
      proposedAt: this.#parts.clock.now(),
    }
    const extras = { callId: call.id, wireName: call.name, ...(!call.arguments && { broken: true }) }
    return { toolCall, extras }
  }
}
