import type { JsonObject } from '../../../src-shared/base/json.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { timeoutsOf } from '../../../src-shared/contract/servers.ts'
import type { CallToolResult } from '../../../src-shared/mcp/primitives.ts'
import type { CallOptions } from '../../client/call-options.ts'
import type { Client } from '../../client/client.ts'
import { type Round, RoundLost } from '../../client/round-error.ts'
import type { CallInFlight, CallOrigin, CallsInFlight } from '../connection/calls-in-flight.ts'
import { OverdueCalls, type OverdueWatch } from '../connection/overdue-calls.ts'
import type { HostCore } from '../core/host-core.ts'
import { cleanError } from '../core/redact.ts'
import type { ConfiguredServers } from './configured-servers.ts'

interface ToolCallOptions extends Pick<CallOptions, 'signal' | 'onProgress' | 'onCancelling' | 'onAsked'> {
  /** With it a passed deadline is shown first, and ends the call only when nobody wants to wait. */
  readonly patience?: OverdueWatch
  /** The last look before it is sent once more; throws when it must not be. */
  readonly again?: () => void | Promise<void>
  /** The conversation that makes the call; absent when it is made by hand. */
  readonly origin?: CallOrigin
  readonly onUnanswered?: CallInFlight['onUnanswered']
}

type CheckedResult = CallToolResult & { readonly warnings: readonly string[] }
type Ask<T> = (client: Client, options: CallOptions) => Promise<T>

/** How often one call may send a person elsewhere before its refusal stands. */
const MAX_VISITS = 3

/** Tool calls on their way to servers, by models and people, and the prompts and reads that a person waits for. */
export class ServerCalls {
  /** Which of them wait for a person to say whether to wait on. */
  readonly overdue: OverdueCalls
  readonly #settings: HostCore['settings']
  readonly #servers: ConfiguredServers
  readonly #inFlight: CallsInFlight

  constructor({ clock, settings }: Pick<HostCore, 'clock' | 'settings'>, servers: ConfiguredServers, inFlight: CallsInFlight) {
    this.overdue = new OverdueCalls(clock)
    this.#settings = settings
    this.#servers = servers
    this.#inFlight = inFlight
  }

  async call(serverId: ServerId, name: string, args: JsonObject, options: ToolCallOptions): Promise<CheckedResult> {
    const { origin, patience, onUnanswered, ...waiting } = options
    const { signal } = waiting
    const call: CallInFlight = { tool: name, signal, ...(origin && { origin }), ...(onUnanswered && { onUnanswered }) }
    const onOverdue = patience && this.overdue.watch(patience)
    const told = { ...waiting, ...(onOverdue && { onOverdue }) }
    try {
      for (let visits = 0; ; visits++) {
        try {
          return await this.#made(serverId, call, told, (client, how) => client.callTool(name, args, how))
        } catch (error) {
          const required = visits < MAX_VISITS ? (this.#servers.connected(serverId)?.requiredElicitations(error) ?? []) : []
          if (required.length === 0) throw error
          // It has been answered: nobody waits for the server while the person is elsewhere.
          onOverdue?.(undefined)
          if (!(await this.#servers.features.visits(serverId, required, call))) throw error
          await options.again?.()
        }
      }
    } catch (error) {
      // Before a window or a model hears of it.
      const server = this.#servers.find(serverId)
      throw server ? cleanError(error, (text) => server.log.clean(text)) : error
    } finally {
      if (patience) this.overdue.forget(patience.id)
    }
  }

  /** A prompt or a read that a person waits for: what the server asks meanwhile has it as its cause. */
  forPerson<T>(serverId: ServerId, what: Pick<CallInFlight, 'tool' | 'is' | 'signal'>, ask: Ask<T>): Promise<T> {
    return this.#made(serverId, what, { signal: what.signal }, ask)
  }

  /** Once, over however many rounds: when the connection is lost in between, over the next one (V26-MRTR-17). */
  async #made<T>(serverId: ServerId, call: CallInFlight, { again, ...told }: CallOptions, ask: Ask<T>): Promise<T> {
    const inFlight = this.#inFlight.begin(serverId, call)
    const server = this.#servers.get(serverId)
    const { launchIdentity, options } = server.record
    const { requestTimeout: timeout, maxRequestTime: maxTime } = timeoutsOf(options, this.#settings.current.serverTimeouts)
    let account: number | undefined
    let from: Round | undefined
    let { client } = server
    // The server's request state goes to nobody else (V26-MRTR-18).
    const sameOne = () => {
      const { name, launchIdentity: now } = server.record
      const sameAccount = account === undefined || account === server.authorization.account
      if (now === launchIdentity && sameAccount) return
      throw new HostError('conflict', `“${name}” restarted after it asked, or you signed in again, so your answer was not sent.`)
    }
    const how: CallOptions = {
      ...{ timeout, maxTime, ...told, onSent: inFlight.sent },
      onAsked: () => {
        account = server.authorization.account
        // It has been answered: nobody waits for the server while a person is asked.
        told.onOverdue?.(undefined)
        return told.onAsked?.()
      },
      again: async () => {
        sameOne()
        await again?.()
        sameOne()
      },
    }
    try {
      for (;;) {
        try {
          return await ask(client, { ...how, ...(from && { from }) })
        } catch (error) {
          if (!(error instanceof RoundLost)) throw error
          from = error.round
          client = await server.clientAfter(client, told.signal)
        }
      }
    } finally {
      inFlight.end()
    }
  }
}
