import { defined } from '../../../src-shared/base/defined.ts'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { type BlockedReach, timeoutsOf } from '../../../src-shared/contract/servers.ts'
import type { CallToolResult } from '../../../src-shared/mcp/content.ts'
import type { CallOptions } from '../../client/call-options.ts'
import type { Client } from '../../client/client.ts'
import { type Round, RoundLost } from '../../client/round-error.ts'
import { TaskLost, type TaskOptions } from '../../client/task-run.ts'
import { isLessOffline, type Offline } from '../../consent/powers.ts'
import { RequestError } from '../../protocol/shapes/json-rpc.ts'
import type { CallInFlight, CallOrigin, CallsInFlight } from '../connection/calls-in-flight.ts'
import { OverdueCalls, type OverdueWatch } from '../connection/overdue-calls.ts'
import { cut } from '../core/content-views.ts'
import { fingerprintOf } from '../core/fingerprint.ts'
import type { HostCore } from '../core/host-core.ts'
import { cleanError } from '../core/redact.ts'
import type { ConfiguredServer } from './configured-server.ts'
import type { ConfiguredServers } from './configured-servers.ts'

interface ToolCallOptions extends Pick<CallOptions, 'signal' | 'onProgress' | 'onCancelling' | 'onAsked' | keyof TaskOptions> {
  /** Shows a passed deadline, and lets the person keep waiting before the call ends. */
  readonly overdue?: OverdueWatch
  /** Checks the call before it is sent again; throws to stop it. */
  readonly again?: () => void | Promise<void>
  /** The conversation that makes the call; absent for a call by hand. */
  readonly origin?: CallOrigin
  readonly onUnanswered?: CallInFlight['onUnanswered']
  /** Runs before the call ends if the fence of its server kept something from it meanwhile. */
  readonly onBlocked?: (reaches: readonly BlockedReach[]) => void
  /** As it was when the call was allowed. */
  readonly offline?: Offline | undefined
}

type PersonRequest = Pick<CallInFlight, 'tool' | 'signal'> & { readonly is: 'prompt' | 'read' }
type CheckedResult = CallToolResult & { readonly warnings: readonly string[] }
type Ask<T> = (client: Client, options: CallOptions) => Promise<T>

const OTHER_SERVER = 'The server was replaced, so it was not asked for the result.'
/** Times that one call may send a person to other addresses. */
const MAX_VISITS = 3

/** A server offers another tool than the one that was decided about. Nothing was sent. */
export class ToolChanged extends HostError {
  constructor(serverName: string, tool: string, gone: boolean) {
    const what = gone ? 'does not offer' : 'has changed'
    super('conflict', `“${cut(serverName, 80)}” ${what} “${cut(tool, 80)}” since it last ran. Nothing was sent.`)
  }
}

/** Sends tool calls, prompts and reads to servers, with their timeouts and their cause. */
export class ServerCalls {
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
    const { origin, overdue, onUnanswered, onBlocked, offline, ...callOptions } = options
    const { signal } = callOptions
    const call: CallInFlight = { tool: name, signal, ...defined({ origin, onUnanswered }) }
    const onOverdue = overdue && this.overdue.watch(overdue)
    const watched = {
      ...callOptions,
      ...(onOverdue && { onOverdue }),
      ...(overdue && {
        mayAskOn: (times: number, waiting: AbortSignal) => this.overdue.mayAskOn(overdue, times, waiting),
      }),
    }
    const asTask = this.#servers.find(serverId)?.record.options.backgroundTools.includes(name)
    const collected = this.#servers.find(serverId)?.refusals.collect()
    const tellBlocked = async (error?: string) => {
      const reaches = (await collected?.(error)) ?? []
      if (reaches.length > 0) onBlocked?.(reaches)
    }
    try {
      for (let visits = 0; ; visits++) {
        const asDecided = options.task ? () => {} : this.#unchanged(serverId, name, offline)
        try {
          const ask: Ask<CheckedResult> = (client, how) => client.callTool(name, args, { ...how, asTask })
          const result = await this.#request(serverId, call, watched, ask, asDecided)
          await tellBlocked(result.isError ? textsOf(result) : undefined)
          return result
        } catch (error) {
          const required = visits < MAX_VISITS ? (this.#servers.connected(serverId)?.requiredElicitations(error) ?? []) : []
          if (required.length === 0) throw error
          // The server has answered, so the call is not overdue while the person is elsewhere.
          onOverdue?.(undefined)
          if (!(await this.#servers.features.visits(serverId, required, call))) throw error
          await options.again?.()
        }
      }
    } catch (error) {
      // Redacted before a window or a model sees it.
      const server = this.#servers.find(serverId)
      if (!signal.aborted) await tellBlocked(error instanceof Error ? error.message : undefined)
      throw server ? cleanError(error, (text) => server.log.clean(text)) : error
    } finally {
      if (overdue) this.overdue.forget(overdue.id)
    }
  }

  /** Returns a check that throws if the tool, its launch or its fence has changed since, as a start may bring. */
  #unchanged(serverId: ServerId, name: string, offline: Offline | undefined): () => void {
    const server = this.#servers.get(serverId)
    const print = () => {
      const found = server.tools().find(({ tool }) => tool.name === name)
      return found && `${server.record.launchIdentity} ${fingerprintOf(found.tool)}`
    }
    const before = print()
    return () => {
      const now = print()
      if (now !== before) throw new ToolChanged(server.record.name, name, now === undefined)
      if (isLessOffline(offline, server.offline)) throw fenceOpened(server)
    }
  }

  /** Sends a prompt or a read that a person waits for. It is the cause of the server's questions, and lets it ask for a sign-in. */
  async forPerson<T>(serverId: ServerId, call: PersonRequest, ask: Ask<T>): Promise<T> {
    const wanted = call.is === 'prompt' ? `You chose the prompt “${cut(call.tool, 80)}”` : `You read “${cut(call.tool, 80)}”`
    const answered = this.#servers.get(serverId).authorization.awaited(`${wanted}, and it requires sign-in.`)
    try {
      return await this.#request(serverId, call, { signal: call.signal }, ask)
    } finally {
      answered()
    }
  }

  /**
   * Sends a request with all its rounds, over the next connection when one is lost in between (V26-MRTR-17). An idle server is started;
   * `onStarted` throws to send nothing.
   */
  async #request<T>(serverId: ServerId, call: CallInFlight, options: CallOptions, ask: Ask<T>, onStarted = () => {}): Promise<T> {
    const server = this.#servers.get(serverId)
    const release = server.hold()
    try {
      const client = options.task ? await server.clients.returning(options.signal) : await server.clients.started(options.signal)
      onStarted()
      return await this.#ask(server, client, call, options, ask)
    } finally {
      release()
    }
  }

  async #ask<T>(
    server: ConfiguredServer,
    first: Client,
    call: CallInFlight,
    { again, ...options }: CallOptions,
    ask: Ask<T>,
  ): Promise<T> {
    const inFlight = this.#inFlight.begin(server.id, call)
    const { requestTimeout, maxRequestTime } = timeoutsOf(server.record.options, this.#settings.current.serverTimeouts)
    const same = sameServer(server)
    let inTask = false
    const how: CallOptions = {
      timeout: requestTimeout,
      maxTime: maxRequestTime,
      ...options,
      onSent: inFlight.sent,
      onAsked: () => {
        same.asked()
        // The server has answered, so the call is not overdue while a person is asked.
        options.onOverdue?.(undefined)
        return options.onAsked?.()
      },
      onTask: async (news) => {
        if (!inTask) {
          inTask = true
          await server.session.taskBegan()
        }
        await options.onTask?.(news)
      },
      signedIn: (waiting) => server.authorization.signedIn(waiting),
      again: async () => {
        same.check()
        await again?.()
        same.check()
      },
    }
    try {
      return await askUntilAnswered(server, first, how, ask)
    } finally {
      const { signal, leavesTask } = options
      if (inTask) server.session.taskEnded({ goesOn: signal.aborted && leavesTask?.(signal.reason) === true })
      inFlight.end()
    }
  }
}

const textsOf = ({ content }: CallToolResult) => content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')

const fenceOpened = ({ record }: ConfiguredServer) =>
  new HostError('conflict', `The fence of “${cut(record.name, 80)}” was opened since this call was allowed. Nothing was sent.`)

/** The server's request state must go to no other server or account (V26-MRTR-18). */
function sameServer(server: ConfiguredServer) {
  const { launchIdentity } = server.record
  const { offline } = server
  let account: number | undefined
  return {
    asked() {
      account = server.authorization.account
    },
    /** Throws HostError `conflict`. */
    check() {
      const { name, launchIdentity: now } = server.record
      const sameAccount = account === undefined || account === server.authorization.account
      if (isLessOffline(offline, server.offline)) throw fenceOpened(server)
      if (now === launchIdentity && sameAccount) return
      throw new HostError('conflict', `“${name}” restarted after it asked, or you signed in again, so your answer was not sent.`)
    },
  }
}

/** Sends the request, and continues its rounds or its task over the next connection when one is lost. */
async function askUntilAnswered<T>(server: ConfiguredServer, first: Client, how: CallOptions, ask: Ask<T>): Promise<T> {
  const { launchIdentity } = server.record
  const { signal } = how
  let client = first
  let { task } = how
  let from: Round | undefined
  for (;;) {
    try {
      return await ask(client, { ...how, task, ...(from && { from }) })
    } catch (error) {
      if (error instanceof RoundLost) {
        from = error.round
        client = await server.clients.after(client, signal)
      } else if (error instanceof TaskLost) {
        task = error.ref
        client = await server.clients.returning(signal, client)
        if (server.record.launchIdentity !== launchIdentity) throw new RequestError('task-lost', 'tools/call', OTHER_SERVER)
      } else throw error
    }
  }
}
