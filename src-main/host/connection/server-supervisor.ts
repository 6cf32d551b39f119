import { delay } from '../../../src-shared/base/clock.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { Launch, ServerState } from '../../../src-shared/contract/servers.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import type { HostCore } from '../core/host-core.ts'
import { InteractionExpired } from '../core/interactions.ts'
import { explainFailure, isPassing, needsAuthorization } from '../doctor/explain-failure.ts'
import type { LaunchRound, RoundPlace } from '../launch/launch-round.ts'
import type { ServerTrust } from '../launch/server-trust.ts'
import type { PreparedLaunch } from './prepare-launch.ts'
import { type ConnectionParts, runConnection } from './server-connection.ts'

interface SupervisorParts extends Omit<ConnectionParts, 'launch' | 'remark'>, Pick<HostCore, 'lifetime'> {
  readonly id: ServerId
  readonly trust: ServerTrust
  readonly onAllowed: () => void
  /** Resolves a launch as of now, since programs and scripts change. */
  readonly prepare: (launch: Launch) => Promise<PreparedLaunch>
  /** Receives the present launch, and the changed one that waits for an answer. */
  readonly onLaunch: (current: PreparedLaunch, pending: PreparedLaunch | undefined) => void
}

/** Restarts in a row before the server counts as failed (LIFE-41). */
const MAX_RESTARTS = 5
/** Milliseconds of readiness after which a server counts as recovered. */
const RECOVERED_AFTER = 60_000
const FIRST_WAIT = 1000

/** Keeps one server running: asks for trust, launches, restarts with back-off, stops. */
export class ServerSupervisor {
  readonly #parts: SupervisorParts
  #current: PreparedLaunch
  #pending: PreparedLaunch | undefined
  #state: ServerState
  /** The state before its entry in mcp.json became invalid. */
  #before: ServerState | undefined
  /** Begins with `start` and ends with the run; undefined while the server is stopped. */
  #run: Lifetime | undefined
  /** The question about a changed launch, while the old one still runs. */
  #asking: Lifetime | undefined
  /** Queue of configuration changes. */
  #changing: Promise<void> = Promise.resolve()
  /** Settles when the last run has released everything. */
  #settled: Promise<void> = Promise.resolve()

  constructor(parts: SupervisorParts, launch: PreparedLaunch, state: ServerState) {
    this.#parts = parts
    this.#current = launch
    this.#state = state
  }

  get state(): ServerState {
    return this.#state
  }

  /** Resolves the launch and its permission without starting it. */
  async examine(): Promise<Pick<PreparedLaunch, 'program'> & { readonly allowed: boolean }> {
    const now = await this.#parts.prepare(this.#current.launch)
    return { allowed: this.#parts.trust.covers(this.#parts.id, now), ...(now.program && { program: now.program }) }
  }

  /** Replaces the problem of a failed server with the doctor's finding. */
  foundOut(problem: Problem): void {
    const state = this.#state
    if (state.is === 'failed' && JSON.stringify(state.problem) !== JSON.stringify(problem)) this.#enter({ ...state, problem })
  }

  /** Shows that its entry in mcp.json is invalid, or with undefined that it is valid again. A running server keeps running. */
  refused(problem: Problem | undefined): void {
    const before = this.#before ?? this.#state
    if (before.is !== 'stopped' && before.is !== 'failed' && before.is !== 'idle') return
    if (problem) this.#enter({ is: 'failed', at: this.#parts.clock.now(), problem, stderr: [] })
    else if (this.#before) this.#enter(this.#before)
    this.#before = problem && before
  }

  /** Starts it unless it runs. A round asks for permission together with the other servers. */
  start(round?: LaunchRound): void {
    if (this.#parts.lifetime.ended || this.underWay) {
      if (this.#pending && !this.#asking) void this.#askAboutChange(this.#pending)
      return
    }
    if (this.#pending) this.#adopt(this.#pending)
    const run = new Lifetime(`run of ${this.#parts.name}`, this.#parts.lifetime)
    this.#run = run
    this.#settled = this.#live(run, this.#settled, round?.enter())
  }

  /** True from its start until its run ends. */
  get underWay(): boolean {
    return this.#run !== undefined && !this.#run.ended
  }

  /** True if it can start without a question. */
  get allowed(): boolean {
    return this.#parts.trust.covers(this.#parts.id, this.#current)
  }

  /** True while the answer about a changed launch is awaited. */
  get changing(): boolean {
    return this.#pending !== undefined
  }

  /** Ends its run, if there is one, until it is needed. It may be started again at once; the next run waits for the end of this one. */
  rest(why: Extract<ServerState, { is: 'idle' }>['why']): void {
    this.#enter({ is: 'idle', since: this.#parts.clock.now(), why })
    this.#run?.end(new DOMException('The server was not used.', 'AbortError')).catch((error) => this.#remark(error))
  }

  /** Resolves when the server's process is gone. */
  async stop(why: Extract<ServerState, { is: 'stopped' }>['why']): Promise<void> {
    const run = this.#run
    const settled = this.#settled
    if (run) {
      if (!run.ended && this.#state.is !== 'asking') this.#enter({ is: 'stopping', since: this.#parts.clock.now() })
      await this.#asking?.end()
      await run.end(new DOMException('The server was stopped.', 'AbortError')).catch((error) => this.#remark(error))
      await settled
    }
    // It may have been started again meanwhile.
    if (this.#run === run || !this.#run) this.#enter({ is: 'stopped', why })
  }

  /** Restarts it without a state in which its calls fail: they wait for the new process. */
  renew(): void {
    this.rest('not-needed')
    this.start()
  }

  async restart(): Promise<void> {
    await this.stop('stopped')
    this.start()
  }

  /** Takes a changed configuration. A running server keeps running until the person has answered. */
  change(next: PreparedLaunch): Promise<void> {
    this.#changing = this.#changing.then(() => this.#change(next)).catch((error) => this.#remark(error))
    return this.#changing
  }

  async #change(next: PreparedLaunch): Promise<void> {
    await this.#asking?.end(new DOMException('The configuration changed again.', 'AbortError'))
    const { is } = this.#state
    if (next.identity === this.#current.identity) {
      this.#adopt(next)
      if (is === 'failed' || is === 'needs-sign-in') this.start()
    } else if (is === 'ready' || is === 'starting' || is === 'restarting') {
      void this.#askAboutChange(next)
    } else {
      const again = is === 'asking' || is === 'idle' || is === 'failed' || is === 'needs-sign-in' || isDenied(this.#state)
      if (is === 'asking') await this.stop('not-started')
      this.#adopt(next)
      if (again) this.start()
    }
  }

  /** Never rejects. */
  async #askAboutChange(next: PreparedLaunch): Promise<void> {
    const asking = new Lifetime(`question about ${this.#parts.name}`, this.#run)
    this.#asking = asking
    this.#pending = next
    this.#parts.onLaunch(this.#current, next)
    try {
      const { trust } = this.#parts
      const allowed = trust.covers(this.#parts.id, next) || (await trust.ask(this.#parts, next, asking.signal))
      if (this.#asking !== asking) return
      this.#asking = undefined
      if (allowed) await this.#switchTo(next)
      else {
        this.#adopt(next)
        await this.stop('denied')
      }
    } catch (error) {
      if (!asking.signal.aborted && !(error instanceof InteractionExpired)) this.#remark(error)
    } finally {
      if (this.#asking === asking) this.#asking = undefined
      await asking.end()
    }
  }

  async #switchTo(next: PreparedLaunch): Promise<void> {
    await this.stop('stopped')
    this.#adopt(next)
    this.#parts.onAllowed()
    this.start()
  }

  #adopt(next: PreparedLaunch): void {
    this.#current = next
    this.#pending = undefined
    this.#parts.onLaunch(next, undefined)
  }

  async #live(run: Lifetime, previous: Promise<void>, place: RoundPlace | undefined): Promise<void> {
    await previous
    let last: ServerState | undefined
    try {
      if (!run.ended) last = await this.#keepRunning(run, place)
    } catch (error) {
      last = this.#failed(error)
    }
    place?.leave()
    const wasEnded = run.ended
    const ended = run.end().catch((error) => this.#remark(error))
    // It may be started again as soon as this state is shown; the next run waits for the end of this one.
    if (last && !wasEnded) this.#enter(last)
    await ended
    if (this.#run === run) this.#run = undefined
  }

  /** Resolves the launch again, since its command may now lead to another program. */
  async #resolveAgain(): Promise<void> {
    const now = await this.#parts.prepare(this.#current.launch)
    const { identity, published } = this.#current
    const differs = now.identity !== identity || now.published !== published
    this.#current = now
    if (differs) this.#parts.onLaunch(now, this.#pending)
  }

  /**
   * Returns undefined once the launch is trusted; nothing is spawned or contacted before (ARCH-02, SEC-22). A question may be open for
   * hours, so the launch is resolved again after a yes, and asked about again if it changed.
   */
  async #untrusted(run: Lifetime, place: RoundPlace | undefined): Promise<ServerState | undefined> {
    const { trust, id, name, clock, onAllowed } = this.#parts
    for (let asked = false; ; asked = true) {
      await this.#resolveAgain()
      if (run.ended) return undefined
      if (trust.covers(id, this.#current)) {
        place?.leave()
        if (asked) onAllowed()
        return undefined
      }
      this.#enter({ is: 'asking', since: clock.now() })
      try {
        if (await trust.ask({ id, name }, this.#current, run.signal, place)) continue
        return { is: 'stopped', why: 'denied' }
      } catch (error) {
        if (!(error instanceof InteractionExpired)) throw error
        return { is: 'stopped', why: 'not-started' }
      }
    }
  }

  /** Resolves with the state in which the server ended by itself. */
  async #keepRunning(run: Lifetime, place: RoundPlace | undefined): Promise<ServerState | undefined> {
    const { clock } = this.#parts
    let wasReady = false
    for (let restarts = 0; ; restarts++) {
      if (this.#parts.trust.covers(this.#parts.id, this.#current)) {
        this.#enter({ is: 'starting', since: clock.now(), step: 'launching', attempt: restarts })
      }
      const refused = await this.#untrusted(run, place)
      if (refused || run.ended) return refused
      const outcome = await runConnection(run, restarts, {
        ...this.#parts,
        launch: () => this.#current,
        onState: (state) => this.#enter(state),
        remark: (error) => this.#remark(error),
      })
      if (run.ended) return undefined
      wasReady ||= outcome.readyFor !== undefined
      if ((outcome.readyFor ?? 0) >= RECOVERED_AFTER) restarts = 0
      const { problem, stderr } = outcome
      if (needsAuthorization(outcome.error)) {
        return { is: 'needs-sign-in', since: clock.now(), problem }
      }
      // A server that lost our session gets a new one (TRAN-53), but only once before it was ever ready.
      const passes = wasReady ? isPassing(outcome.error) && restarts < MAX_RESTARTS : isForgotten(outcome.error) && restarts === 0
      if (!passes) {
        return { is: 'failed', at: clock.now(), problem, stderr }
      }
      const wait = isForgotten(outcome.error) && restarts === 0 ? 0 : FIRST_WAIT * 2 ** restarts
      const retryAt = clock.now() + wait
      this.#enter({
        is: 'restarting',
        at: clock.now(),
        attempt: restarts + 1,
        of: MAX_RESTARTS,
        problem: { ...problem, retryAt },
        stderr,
      })
      if (wait > 0) await delay(clock, wait, run.signal)
    }
  }

  #failed(error: unknown): ServerState {
    const problem = explainFailure(error, { name: this.#parts.name, launch: this.#current.launch, stderr: [] })
    return { is: 'failed', at: this.#parts.clock.now(), problem, stderr: [] }
  }

  #enter(state: ServerState): void {
    this.#state = state
    this.#before = undefined
    this.#parts.onState(state)
  }

  #remark(error: unknown): void {
    this.#parts.log.add('host', error instanceof Error ? error.message : String(error))
  }
}

const isForgotten = (error: unknown): boolean => error instanceof TransportError && error.code === 'session-lost'

const isDenied = (state: ServerState): boolean => state.is === 'stopped' && state.why === 'denied'
