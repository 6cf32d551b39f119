import { type ChildProcess, type ChildProcessWithoutNullStreams, execFile, spawn as spawnDirectly } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { Server } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import { type Clock, delay, systemClock, within } from '../../src-shared/base/clock.ts'
import { TransportError } from '../protocol/peer/transport.ts'
import { type ProcessStat, processIds, processStat, processStats } from './process-table.ts'
import { endTree, startTimeOf } from './system-programs.ts'

/** Milliseconds that a server gets after its stdin was closed, and again after SIGTERM. */
export interface StopTimes {
  readonly eofMs: number
  readonly termMs: number
}

/** Takes the socket that a program opened and handed over as it started; `ended` resolves when the program exits. */
export type TakeSocket = (listener: Server, ended: Promise<unknown>) => void

interface Exit {
  readonly code: number | null
  readonly signal: string | null
}

/** The start time distinguishes a process from a later one with the same pid. */
export interface ProcessRecord {
  readonly pid: number
  readonly startedAt: string
}

/**
 * The environment variable that marks a server and its descendants: the mark of the data folder, a slash, and the mark of the
 * launch.
 */
export const OWNER_VARIABLE = 'PARLEY_OWNER'

const windows = process.platform === 'win32'
const run = promisify(execFile)
const forever = new AbortController().signal

/** A running server process with its pipes, and the stages of stopping it. */
export class ServerProcess {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Settles when the process itself exits; its descendants may live on until `stop`. */
  readonly exited: Promise<Exit>
  readonly #clock: Clock
  readonly #times: StopTimes
  readonly #owner: string
  #exit: Exit | undefined
  #stopped: Promise<Exit> | undefined

  private constructor(
    child: ChildProcessWithoutNullStreams & { pid: number },
    { clock, stop, env }: { readonly clock: Clock; readonly stop: StopTimes; readonly env: Readonly<Record<string, string>> },
  ) {
    this.pid = child.pid
    this.stdin = child.stdin
    this.stdout = child.stdout
    this.stderr = child.stderr
    this.#clock = clock
    this.#times = stop
    this.#owner = env[OWNER_VARIABLE] ?? ''
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#exit = { code, signal }
        resolve(this.#exit)
      })
    })
  }

  /** Spawns without a shell, in a process group of its own. Rejects with TransportError `spawn-failed`. */
  static async spawn(options: {
    command: string
    args: readonly string[]
    env: Readonly<Record<string, string>>
    cwd: string
    clock: Clock
    stop: StopTimes
    takeSocket?: TakeSocket
  }): Promise<ServerProcess> {
    let child: ChildProcess
    try {
      // Only Windows needs cross-spawn, to run scripts as commands; loading it is slow.
      const spawn = windows ? (await import('cross-spawn')).default : spawnDirectly
      child = spawn(options.command, options.args, {
        cwd: options.cwd,
        env: { ...options.env },
        stdio: ['pipe', 'pipe', 'pipe', ...(options.takeSocket ? (['ipc'] as const) : [])],
        detached: !windows,
        windowsHide: true,
        shell: false,
      })
    } catch (error) {
      throw spawnFailed(options.command, options.cwd, error)
    }
    const { stdin, stdout, stderr } = child
    // Without a listener an early EPIPE would end the whole host.
    stdin?.on('error', () => {})
    const ready = new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    // Constructed before `spawn` is awaited, so that the exit of a very short process is not missed.
    const running =
      child.pid !== undefined && stdin && stdout && stderr
        ? new ServerProcess(child as ChildProcessWithoutNullStreams & { pid: number }, options)
        : undefined
    const { takeSocket } = options
    if (takeSocket && running) {
      child.once('message', (_message, handle) => {
        if (handle instanceof Server) takeSocket(handle, running.exited)
      })
    }
    try {
      await ready
    } catch (error) {
      throw spawnFailed(options.command, options.cwd, error)
    }
    child.on('error', () => {}) // a failed kill; the exit is what counts
    if (!running) throw spawnFailed(options.command, options.cwd, undefined)
    return running
  }

  get exit(): Exit | undefined {
    return this.#exit
  }

  /**
   * Closes stdin, then sends SIGTERM, then SIGKILL (LIFE-33, LIFE-34, LIFE-35) to the process and all its descendants, those in a
   * session of their own included.
   */
  stop(): Promise<Exit> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<Exit> {
    this.stdin.end()
    await this.#exitsWithin(this.#times.eofMs)
    await endAll(() => this.#living(), {
      clock: this.#clock,
      termMs: this.#times.termMs,
      wait: (ms) => this.#exitsWithin(ms),
    })
    return this.#exit ?? { code: null, signal: 'SIGKILL' }
  }

  async #living(): Promise<readonly Living[]> {
    const itself = { pid: this.pid, group: this.pid }
    if (windows) return this.#exit ? [] : [itself]
    const grouped = signalQuietly(-this.pid, 0)
    if (process.platform !== 'linux') return grouped ? [itself] : []
    const members = grouped ? (await processStats()).filter(({ group }) => group === this.pid) : []
    return distinct([...members, ...(await markedProcesses(this.#owner))])
  }

  async #exitsWithin(ms: number): Promise<boolean> {
    if (this.#exit) return true
    await within(this.#clock, ms, this.exited)
    return this.#exit !== undefined
  }
}

function spawnFailed(command: string, cwd: string, cause: unknown): TransportError {
  const errno = (cause as NodeJS.ErrnoException | undefined)?.code ?? 'unknown'
  const why: Readonly<Record<string, string>> = {
    ENOENT: `the command, its interpreter or the folder “${cwd}” does not exist`,
    EACCES: 'it is not allowed to be executed: check its permissions',
    EPERM: 'the system does not permit it',
    E2BIG: 'its arguments and variables are too long',
    EMFILE: 'too many files are open: stop some servers',
    EAGAIN: 'the system has no room for another process: stop some programs',
    ERR_INVALID_ARG_VALUE: 'the command, an argument or a variable holds a character that is not allowed',
  }
  return new TransportError('spawn-failed', `“${command}” could not be started: ${why[errno] ?? errno}.`, { errno }, { cause })
}

/** Signals a process and everything in its group (POSIX) or below it (Windows). */
export async function killTree(pid: number, signal: NodeJS.Signals): Promise<void> {
  if (windows) {
    const { program, args } = endTree(pid, process.env)
    // Fails when the process has ended already.
    await run(program, args, { windowsHide: true }).catch(() => {})
    return
  }
  if (!signalQuietly(-pid, signal)) signalQuietly(pid, signal)
}

/** False when there is no such process or group. Signal 0 only asks. */
function signalQuietly(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** A process to end; without /proc, a whole group by its leader. */
interface Living {
  readonly pid: number
  readonly group: number
  readonly startedAt?: string
}

const POLL_MS = 20
/** The first round sends SIGTERM, the others SIGKILL to processes started meanwhile. One stuck in the kernel after that is left. */
const ROUNDS = 4

/** Sends SIGTERM to all found processes, waits, then SIGKILL until none is found. Returns how many there were at first. */
async function endAll(
  find: () => Promise<readonly Living[]>,
  options: { readonly clock: Clock; readonly termMs: number; readonly wait?: (ms: number) => Promise<unknown> },
): Promise<number> {
  const { clock, termMs, wait } = options
  let first = 0
  for (let round = 0; round < ROUNDS; round++) {
    const found = await find()
    if (found.length === 0) break
    first ||= found.length
    const end = clock.now() + termMs
    await signalEach(found, round === 0 ? 'SIGTERM' : 'SIGKILL')
    await wait?.(termMs)
    while (clock.now() < end && (await someLive(found))) await delay(clock, POLL_MS, forever)
  }
  return first
}

/** Signals a group through its leader and no process twice: to many programs a second SIGTERM means to quit at once. */
async function signalEach(found: readonly Living[], signal: NodeJS.Signals): Promise<void> {
  const leaders = new Set(found.map(({ pid }) => pid))
  const receivers = found.filter(({ pid, group }) => pid === group || !leaders.has(group))
  await Promise.all(receivers.map(({ pid }) => killTree(pid, signal)))
}

async function someLive(found: readonly Living[]): Promise<boolean> {
  const alive = found.map(async ({ pid, group, startedAt }) => {
    if (startedAt !== undefined) return (await processStartTime(pid)) === startedAt
    return signalQuietly(windows ? pid : -group, 0)
  })
  return (await Promise.all(alive)).includes(true)
}

function distinct(stats: readonly ProcessStat[]): readonly ProcessStat[] {
  return [...new Map(stats.map((stat) => [stat.pid, stat])).values()]
}

/** The start time of a process in the system's own notation; undefined when it is not running or unknown. */
export async function processStartTime(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const stat = await processStat(pid)
    return stat && stat.state !== 'Z' ? stat.startedAt : undefined
  }
  const { program, args } = startTimeOf(pid, windows, process.env)
  const answer = await run(program, args, { env: { ...process.env, LC_ALL: 'C' }, windowsHide: true }).catch(() => undefined) // The process has ended.
  return answer?.stdout.trim() || undefined
}

/**
 * Ends processes that an earlier host left: each recorded one with the same start time and, on Linux, every one whose environment
 * has the owner's mark. Returns how many there were.
 */
export async function reap(
  records: readonly ProcessRecord[],
  owner: string,
  { clock = systemClock, termMs = 2000 }: { readonly clock?: Clock; readonly termMs?: number } = {},
): Promise<number> {
  const recorded = async (): Promise<readonly Living[]> => {
    const others = records.filter(({ pid }) => pid > 1 && pid !== process.pid)
    const same = await Promise.all(others.map(async ({ pid, startedAt }) => (await processStartTime(pid)) === startedAt))
    return others.filter((_, index) => same[index]).map((record) => ({ ...record, group: record.pid }))
  }
  const find = async () => {
    const marked = await markedProcesses(owner)
    const known = new Set(marked.map(({ pid }) => pid))
    return [...marked, ...(await recorded()).filter(({ pid }) => !known.has(pid))]
  }
  return endAll(find, { clock, termMs })
}

/** Every process with this mark, or one below it, in the environment that it was started with. */
async function markedProcesses(owner: string): Promise<readonly ProcessStat[]> {
  if (process.platform !== 'linux' || owner === '') return []
  const wanted = `${OWNER_VARIABLE}=${owner}`
  const isMarked = (entry: string) => entry === wanted || entry.startsWith(`${wanted}/`)
  const look = async (pid: number) => {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '') // The process has ended, or belongs to another user.
    const stat = environment.split('\0').some(isMarked) ? await processStat(pid) : undefined
    return stat && stat.state !== 'Z' ? stat : undefined
  }
  const found = await Promise.all((await processIds()).filter((pid) => pid !== process.pid).map(look))
  return found.filter((stat) => stat !== undefined)
}
