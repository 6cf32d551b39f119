import { type Clock, delay } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { Problem } from '../../src-shared/contract/errors.ts'
import type { Launch, ServerId, ServerState } from '../../src-shared/contract/servers.ts'
import type { Client } from '../client/client.ts'
import { TransportError } from '../protocol/transport.ts'
import { explainFailure, isPassing, wantsSignIn } from './failure-explanations.ts'
import { InteractionExpired } from './interactions.ts'
import type { LaunchGate } from './launch-gate.ts'
import type { Redact } from './redact.ts'
import type { ServerLog } from './server-log.ts'
import type { IdentifiedLaunch, ServerTrust } from './server-trust.ts'

/** A launch as configured, with what trust needs to judge it. */
export interface PreparedLaunch extends IdentifiedLaunch {
  readonly launch: Launch
}

export interface SupervisorParts {
  readonly id: ServerId
  readonly name: string
  readonly clock: Clock
  /** The supervisor's runs end with it. */
  readonly lifetime: Lifetime
  readonly trust: ServerTrust
  readonly gate: LaunchGate
  readonly log: ServerLog
  /** One connection; everything of it ends with `lifetime`. */
  readonly connect: (launch: Launch, lifetime: Lifetime, onLaunched: () => void) => Promise<{ client: Client; redact: Redact }>
  readonly onState: (state: ServerState) => void
  /** A person has just allowed it to run. */
  readonly onAllowed: () => void
  /** The client once it is usable; undefined when it is no longer. */
  readonly onClient: (client: Client | undefined) => void
  /** The launch that runs or would run, and whether a changed one waits for an answer. */
  readonly onLaunch: (current: PreparedLaunch, pending: PreparedLaunch | undefined) => void
}

/** Restarts in a row before it is given up (LIFE-41). */
const MOST_RESTARTS = 5
/** Ready for this long counts as recovered. */
const RECOVERED_AFTER = 60_000
const FIRST_WAIT = 1000
/** A server that takes longer to start no longer keeps others from starting. */
const GATE_LIMIT = 5000
/** How many of the last stderr lines stand beside a failure. */
const STDERR_LINES = 12
/** Characters of each that travel with the state; the log has the whole. */
const STDERR_WIDTH = 300

/** One server's life: asks for trust, launches, restarts with back-off, stops; publishes every state it is in. */
export class ServerSupervisor {
  readonly #parts: SupervisorParts
  #current: PreparedLaunch
  #pending: PreparedLaunch | undefined
  #state: ServerState = { is: 'stopped', why: 'not-started' }
  /** From the wish to run until the end of it; undefined when nothing is wanted. */
  #run: Lifetime | undefined
  /** The question about a changed launch, while the old one runs on. */
  #asking: Lifetime | undefined
  /** Changes are taken one after another. */
  #changing: Promise<void> = Promise.resolve()
  /** Settles when the last run has let go of everything. */
  #settled: Promise<void> = Promise.resolve()

  constructor(parts: SupervisorParts, launch: PreparedLaunch) {
    this.#parts = parts
    this.#current = launch
  }

  get state(): ServerState {
    return this.#state
  }

  /** Wants it running. Nothing happens while it is. */
  start(): void {
    if (this.#parts.lifetime.ended || (this.#run && !this.#run.ended)) {
      if (this.#pending && !this.#asking) void this.#askAboutChange(this.#pending)
      return
    }
    if (this.#pending) this.#adopt(this.#pending)
    const run = new Lifetime(`run of ${this.#parts.name}`, this.#parts.lifetime)
    this.#run = run
    this.#settled = this.#live(run, this.#settled)
  }

  /** Ends what runs. Resolves when its process is gone. */
  async stop(why: Extract<ServerState, { is: 'stopped' }>['why']): Promise<void> {
    const run = this.#run
    const settled = this.#settled
    if (run && !run.ended) {
      if (this.#state.is !== 'asking') this.#enter({ is: 'stopping', since: this.#parts.clock.now() })
      await this.#asking?.end()
      await run.end(new DOMException('The server was stopped.', 'AbortError')).catch((error) => this.#remark(error))
      await settled
    }
    // Somebody may have started it again meanwhile.
    if (this.#run === run || !this.#run) this.#enter({ is: 'stopped', why })
  }

  async restart(): Promise<void> {
    await this.stop('stopped')
    this.start()
  }

  /** The configuration changed. What runs goes on until a person has answered (ruling 27). */
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
      const again = is === 'asking' || is === 'failed' || is === 'needs-sign-in' || isDenied(this.#state)
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

  async #live(run: Lifetime, previous: Promise<void>): Promise<void> {
    await previous
    try {
      if (!run.ended && (await this.#trusted(run.signal))) await this.#keepRunning(run)
    } catch (error) {
      if (!run.signal.aborted) this.#fail(error)
    } finally {
      await run.end().catch((error) => this.#remark(error))
      if (this.#run === run) this.#run = undefined
    }
  }

  /** Nothing is spawned or contacted before this says yes (ARCH-02, SEC-22). */
  async #trusted(signal: AbortSignal): Promise<boolean> {
    const { trust, id, name, clock } = this.#parts
    if (trust.covers(id, this.#current)) return true
    this.#enter({ is: 'asking', since: clock.now() })
    try {
      if (await trust.ask({ id, name }, this.#current, signal)) {
        this.#parts.onAllowed()
        return true
      }
      this.#enter({ is: 'stopped', why: 'denied' })
    } catch (error) {
      if (!(error instanceof InteractionExpired)) throw error
      this.#enter({ is: 'stopped', why: 'not-started' })
    }
    return false
  }

  async #keepRunning(run: Lifetime): Promise<void> {
    const { clock } = this.#parts
    let wasReady = false
    for (let restarts = 0; ; restarts++) {
      const outcome = await this.#runOnce(run, restarts)
      if (run.ended) return
      wasReady ||= outcome.readyFor !== undefined
      if ((outcome.readyFor ?? 0) >= RECOVERED_AFTER) restarts = 0
      const { problem, stderr } = outcome
      if (wantsSignIn(outcome.error)) {
        this.#enter({ is: 'needs-sign-in', since: clock.now(), problem })
        return
      }
      if (!wasReady || !isPassing(outcome.error) || restarts >= MOST_RESTARTS) {
        this.#enter({ is: 'failed', at: clock.now(), problem, stderr })
        return
      }
      const wait = isForgotten(outcome.error) && restarts === 0 ? 0 : FIRST_WAIT * 2 ** restarts
      const retryAt = clock.now() + wait
      this.#enter({
        is: 'restarting',
        at: clock.now(),
        attempt: restarts + 1,
        of: MOST_RESTARTS,
        problem: { ...problem, retryAt },
        stderr,
      })
      if (wait > 0) await delay(clock, wait, run.signal)
    }
  }

  /** From launch to the end of the connection, for whatever reason it ended. */
  async #runOnce(run: Lifetime, attempt: number): Promise<Outcome> {
    const { clock, gate, log, name } = this.#parts
    const connection = new Lifetime(`connection to ${name}`, run)
    let redact: Redact = (text) => log.clean(text)
    let readyAt: number | undefined
    let error: unknown
    this.#enter({ is: 'starting', since: clock.now(), step: 'launching', attempt })
    const firstLine = log.position
    const leave = await gate.enter(run.signal)
    const stopWaiting = clock.after(GATE_LIMIT, leave)
    try {
      const connected = await this.#parts.connect(this.#current.launch, connection, () => {
        this.#enter({ is: 'starting', since: clock.now(), step: 'handshake', attempt })
      })
      redact = connected.redact
      const { client } = connected
      this.#enter({ is: 'starting', since: clock.now(), step: 'listing', attempt })
      const gone = client.closed.then(() => true)
      if (!(await Promise.race([this.#list(client, connection.signal).then(() => false), gone]))) {
        leave()
        readyAt = clock.now()
        this.#parts.onClient(client)
        this.#enter({ is: 'ready', since: readyAt })
      }
      error = await client.closed
    } catch (thrown) {
      error = thrown
    } finally {
      stopWaiting()
      leave()
      if (readyAt !== undefined) this.#parts.onClient(undefined)
      await connection.end().catch((failure) => this.#remark(failure))
    }
    const stderr = log
      .since(firstLine, 'stderr')
      .slice(-STDERR_LINES)
      .map((line) => line.slice(0, STDERR_WIDTH))
    return {
      error,
      problem: explainFailure(error, {
        name,
        launch: this.#current.launch,
        stderr,
        oddities: log.since(firstLine, 'host'),
        redact,
      }),
      stderr,
      ...(readyAt !== undefined && { readyFor: clock.now() - readyAt }),
    }
  }

  /** A list that cannot be had is a problem of the catalog, not of the connection. */
  async #list(client: Client, signal: AbortSignal): Promise<void> {
    try {
      await client.catalog.load(signal)
    } catch (error) {
      if (!signal.aborted) this.#remark(error)
    }
  }

  #fail(error: unknown): void {
    const problem = explainFailure(error, { name: this.#parts.name, launch: this.#current.launch, stderr: [] })
    this.#enter({ is: 'failed', at: this.#parts.clock.now(), problem, stderr: [] })
  }

  #enter(state: ServerState): void {
    this.#state = state
    this.#parts.onState(state)
  }

  #remark(error: unknown): void {
    this.#parts.log.add('host', error instanceof Error ? error.message : String(error))
  }
}

interface Outcome {
  readonly error: unknown
  readonly problem: Problem
  readonly stderr: readonly string[]
  /** Milliseconds that it was ready; absent when it never was. */
  readonly readyFor?: number
}

const isForgotten = (error: unknown): boolean => error instanceof TransportError && error.code === 'session-lost'

const isDenied = (state: ServerState): boolean => state.is === 'stopped' && state.why === 'denied'
