import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { BoundedJson } from '../../../src-shared/contract/blobs.ts'
import type { ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { ConversationId, ServerId } from '../../../src-shared/contract/ids.ts'
import type { About, AnswerTo } from '../../../src-shared/contract/interactions.ts'
import type { OutsidePath } from '../../../src-shared/contract/roots.ts'
import { toolTitle } from '../../../src-shared/mcp/primitives.ts'
import { CallEnded, notOffered } from '../core/call-endings.ts'
import { boundedJson, cut, InlineBudget } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import { InteractionExpired, TooManyQuestions } from '../core/interactions.ts'
import type { AvailableTool } from '../servers/server-tools.ts'
import type { Servers } from '../servers/servers.ts'
import { type Consent, definitionOf } from './consent.ts'

/** Bytes of the arguments that a question carries inline. */
const QUESTION_ARGUMENTS = 12 * 1024
const DESCRIPTION_LIMIT = 4_000
/** How often one call may be asked about because its tool changed while the question was open. */
const ASK_LIMIT = 4

export interface PermissionParts extends Pick<HostCore, 'storage' | 'interactions' | 'state' | 'clock'> {
  readonly servers: Servers
  readonly consent: Consent
  readonly outside: MarkOutside
}

/** Paths among the arguments that lie outside the folders of server and conversation, to be marked in the question. */
export type MarkOutside = (serverId: ServerId, conversationId: ConversationId, args: JsonObject) => readonly OutsidePath[]

interface AskedFor {
  readonly conversationId: ConversationId
  readonly title: string
  readonly signal: AbortSignal
}

/** What a question shows of the call itself. */
interface Shown {
  readonly shown: BoundedJson
  readonly about: About
  readonly args: JsonObject
  readonly changed?: { readonly before?: string; readonly now: string }
}

interface Allowed {
  readonly tool: AvailableTool
  readonly by: NonNullable<ToolCall['allowedBy']>
}

/** The permission for one call: from a rule, or from the person who is shown exactly what would be sent (SEC-08). */
export class ToolPermission {
  readonly #parts: PermissionParts

  constructor(parts: PermissionParts) {
    this.#parts = parts
  }

  /** Returns when a rule or the person allows the call, for the tool as it is defined at that moment. `asking` is told once, before the question. */
  async obtain(call: ToolCall, args: JsonObject, context: AskedFor, asking: () => void): Promise<Allowed> {
    const about = this.#about(call, context)
    const shown = await boundedJson(args, this.#parts.storage.blobs, new InlineBudget(QUESTION_ARGUMENTS))
    let asked: AvailableTool | undefined
    let told = false
    for (let times = 0; times < ASK_LIMIT; ) {
      const ruled = await this.#byRule(call, context)
      if (ruled) return ruled
      if (!told) await asking()
      told = true
      await this.#parts.interactions.room(about, context.signal)
      // From here to the question nothing is awaited: what is decided is what is asked.
      const tool = this.#tool(call)
      const decision = this.#parts.consent.decide(tool, context.conversationId)
      if ('allow' in decision) continue
      const changed = decision.changed ?? changedSince(asked, tool)
      const answer = await this.#ask(call, tool, { shown, about, args, ...(changed && { changed }) }, context)
      if (!answer) continue
      times += 1
      asked = tool
      if (answer.decision === 'deny') throw new CallEnded('declined', DENIED)
      const now = this.#tool(call)
      if (!same(now, tool)) continue
      if (answer.remember === 'once') return (await this.#byRule(call, context)) ?? { tool: now, by: 'person' }
      await this.#remember(now, answer.remember, context)
      return { tool: now, by: 'person' }
    }
    throw new CallEnded('failed', keepsChanging(call))
  }

  /** The last look before the call is sent: what runs is what was allowed (SEC-26). */
  confirm(call: ToolCall, allowed: AvailableTool): void {
    if (!same(this.#tool(call), allowed)) throw new CallEnded('failed', keepsChanging(call))
  }

  /** Undefined when another call took the last room for a question. */
  async #ask(
    call: ToolCall,
    tool: AvailableTool,
    { shown, about, args, changed }: Shown,
    { signal, conversationId }: AskedFor,
  ): Promise<AnswerTo<'tool-consent'> | undefined> {
    const outside = this.#parts.outside(tool.serverId, conversationId, args)
    const question = {
      tool: tool.tool.name,
      title: cut(toolTitle(tool.tool), 200),
      description: cut(tool.tool.description ?? '', DESCRIPTION_LIMIT),
      arguments: shown,
      ...(call.unchecked && { unchecked: call.unchecked }),
      hints: tool.hints,
      toolCallId: call.id,
      fingerprint: tool.fingerprint,
      ...(changed && { changed }),
      ...(outside.length > 0 && { outside }),
    }
    try {
      return await this.#parts.interactions.ask('tool-consent', about, question, signal)
    } catch (error) {
      if (error instanceof TooManyQuestions) return undefined
      throw error instanceof InteractionExpired ? new CallEnded('declined', EXPIRED) : error
    }
  }

  async #byRule(call: ToolCall, context: AskedFor): Promise<Allowed | undefined> {
    const tool = this.#tool(call)
    const decision = this.#parts.consent.decide(tool, context.conversationId)
    if (!('allow' in decision)) return undefined
    // Counting a use is worth a try, not worth a failed call.
    await this.#parts.consent.used(decision.rule).catch(() => {})
    return { tool, by: decision.by }
  }

  async #remember(tool: AvailableTool, scope: 'conversation' | 'always', { conversationId }: AskedFor): Promise<void> {
    try {
      await this.#parts.consent.remember(tool, scope, conversationId)
    } catch (error) {
      this.#parts.state.notice(
        'warning',
        {
          code: 'rule-not-kept',
          what: `Your permission for “${tool.tool.name}” could not be saved. It held for this one call.`,
          ...(error instanceof Error && { said: cut(error.message, 600) }),
          todo: 'You will be asked again next time.',
        },
        this.#parts.clock.now(),
      )
    }
  }

  /** The tool as it is now: servers restart and change while a question is open. */
  #tool(call: ToolCall): AvailableTool {
    const tool = call.serverId && this.#parts.servers.tools.find(call.serverId, call.tool)
    if (!tool || tool.hidden) throw new CallEnded('failed', notOffered(call))
    return tool
  }

  #about(call: ToolCall, { conversationId, title }: AskedFor): About {
    const serverName = call.serverName ?? ''
    return {
      // The call was checked to belong to a server before anybody is asked.
      serverId: call.serverId as About['serverId'],
      serverName,
      origin: 'model',
      conversationId,
      toolCallId: call.id,
      cause: `The model wants to call “${cut(call.tool, 80)}” on “${cut(serverName, 80)}” in “${cut(title, 80)}”.`,
    }
  }
}

const DENIED: Problem = { code: 'denied', what: 'You did not allow this call. Nothing was sent.' }
const EXPIRED: Problem = {
  code: 'expired',
  what: 'Nobody answered in time, so the call was not made.',
  todo: 'Ask again, or set a longer time for questions in Settings.',
}

function keepsChanging(call: ToolCall): Problem {
  return {
    code: 'tool-changes',
    what: `“${call.tool}” kept changing while it was to be allowed. Nothing was sent.`,
    todo: 'Look at the server before you use it again.',
  }
}

function same(a: AvailableTool, b: AvailableTool): boolean {
  return a.fingerprint === b.fingerprint && a.launchIdentity === b.launchIdentity
}

function changedSince(asked: AvailableTool | undefined, now: AvailableTool): { before: string; now: string } | undefined {
  if (!asked || asked.fingerprint === now.fingerprint) return undefined
  return { before: definitionOf(asked), now: definitionOf(now) }
}
