import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { CallToolResult } from '../../../src-shared/mcp/primitives.ts'
import type { CallOptions } from '../../client/call-options.ts'
import type { CallInFlight, CallOrigin, CallsInFlight } from '../connection/calls-in-flight.ts'
import { OverdueCalls, type Patience } from '../connection/overdue-calls.ts'
import type { HostCore } from '../core/host-core.ts'
import { cleanError } from '../core/redact.ts'
import type { ConfiguredServers } from './configured-servers.ts'

interface ToolCallOptions extends Pick<CallOptions, 'signal' | 'onProgress' | 'onCancelling'> {
  /** With it a passed deadline is shown first, and ends the call only when nobody wants to wait. */
  readonly patience?: Patience
  /** The last look before it is sent once more; throws when it must not be. */
  readonly again?: () => Promise<void> | void
  /** The conversation that makes the call; absent when it is made by hand. */
  readonly origin?: CallOrigin
}

type CheckedResult = CallToolResult & { readonly warnings: readonly string[] }

/** How often one call may send a person elsewhere before its refusal stands. */
const MOST_VISITS = 3

/** Tool calls on their way to servers, whoever makes them. */
export class ServerCalls {
  /** Which of them wait for a person to say whether to wait on. */
  readonly overdue: OverdueCalls
  readonly #servers: ConfiguredServers
  readonly #inFlight: CallsInFlight

  constructor({ clock }: Pick<HostCore, 'clock'>, servers: ConfiguredServers, inFlight: CallsInFlight) {
    this.overdue = new OverdueCalls(clock)
    this.#servers = servers
    this.#inFlight = inFlight
  }

  async call(serverId: ServerId, name: string, args: JsonObject, options: ToolCallOptions): Promise<CheckedResult> {
    const { origin, patience, ...waiting } = options
    const { signal } = waiting
    const call: CallInFlight = { tool: name, signal, ...(origin && { origin }) }
    const inFlight = this.#inFlight.begin(serverId, call)
    const told = {
      ...waiting,
      onSent: inFlight.sent,
      ...(patience && { onOverdue: this.overdue.watch(patience) }),
    }
    try {
      for (let visits = 0; ; visits++) {
        const { client, record } = this.#servers.get(serverId)
        const { requestTimeout: timeout, maxRequestTime: maxTime } = record.options
        try {
          return await client.callTool(name, args, { timeout, maxTime, ...told })
        } catch (error) {
          const required = visits < MOST_VISITS ? client.requiredElicitations(error) : []
          if (required.length === 0) throw error
          // It has been answered: nobody waits for the server while the person is elsewhere.
          told.onOverdue?.(undefined)
          if (!(await this.#servers.features.visits(serverId, required, call))) throw error
          await options.again?.()
        }
      }
    } catch (error) {
      // Before a window or a model hears of it.
      const server = this.#servers.find(serverId)
      throw server ? cleanError(error, (text) => server.log.clean(text)) : error
    } finally {
      inFlight.end()
      if (patience) this.overdue.forget(patience.id)
    }
  }
}
