import { type ChildProcess, execFile, spawn as spawnDirectly } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import { type Clock, delay, systemClock, within } from '../../src-shared/base/clock.ts'
import { TransportError } from '../protocol/peer/transport.ts'
import { endTree, startTimeOf } from './system-programs.ts'

/** Milliseconds that a server gets after its stdin was closed, and again after SIGTERM. */
export interface StopTimes {
  readonly eofMs: number
  readonly termMs: number
}

interface Exit {
  readonly code: number | null
  readonly signal: string | null
}

/** How a process is told apart from a later one that got the same number. */
export interface ProcessRecord {
  readonly pid: number
  readonly startedAt: string
}

/**
 * The environment variable that marks every server and what it starts in turn: the data folder's mark, a slash, and one of this
 * launch alone.
 */
export const OWNER_VARIABLE = 'PARLEY_OWNER'

const windows = process.platform === 'win32'
const run = promisify(execFile)
const forever = new AbortController().signal

/** A running server: its pipes, its end, and the staged way to bring that about. */
export class ServerProcess {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Settles when the process itself is gone; what it started may live on until `stop`. */
  readonly exited: Promise<Exit>
  readonly #clock: Clock
  readonly #times: StopTimes
  readonly #owner: string
  #exit: Exit | undefined
  #stopped: Promise<Exit> | undefined

  private constructor(
    child: ChildProcess & { pid: number },
    pipes: Pipes,
    { clock, stop, env }: { readonly clock: Clock; readonly stop: StopTimes; readonly env: Readonly<Record<string, string>> },
  ) {
    this.pid = child.pid
    this.stdin = pipes.stdin
    this.stdout = pipes.stdout
    this.stderr = pipes.stderr
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
  }): Promise<ServerProcess> {
    let child: ChildProcess
    try {
      // Only Windows needs help with scripts as commands; elsewhere it would be a third of this room's loading time.
      const spawn = windows ? (await import('cross-spawn')).default : spawnDirectly
      child = spawn(options.command, options.args, {
        cwd: options.cwd,
        env: { ...options.env },
        stdio: ['pipe', 'pipe', 'pipe'],
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
    // A child that is gone before `spawn` is heard must not be missed: the constructor listens for its exit first.
    const running =
      child.pid !== undefined && stdin && stdout && stderr
        ? new ServerProcess(child as ChildProcess & { pid: number }, { stdin, stdout, stderr }, options)
        : undefined
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
   * End of input, then SIGTERM, then SIGKILL (LIFE-33, LIFE-34, LIFE-35) for it and for all that it started, in a session of its own
   * too. Ends once.
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

interface Pipes {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
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

/** Signals a process and everything in its group (POSIX) or below it (Windows). One that is gone already is no error. */
export async function killTree(pid: number, signal: NodeJS.Signals): Promise<void> {
  if (windows) {
    const { program, args } = endTree(pid, process.env)
    // It has ended already, which its exit tells.
    await run(program, args, { windowsHide: true }).catch(() => {})
    return
  }
  if (!signalQuietly(-pid, signal)) signalQuietly(pid, signal)
}

/** False when there was nobody to hear it. Signal 0 only asks. */
function signalQuietly(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** Processes to end. Where there is no /proc it is a whole group, by the number of its leader. */
interface Living {
  readonly pid: number
  readonly group: number
  readonly startedAt?: string
}

/** Between two looks whether all have ended, in ms. */
const LOOK_MS = 20
/** One signal to ask, the others for what is started meanwhile. What is stuck in the kernel after that is left to the system. */
const ROUNDS = 4

/** SIGTERM for all that is found, some time, then SIGKILL until nothing is found any more. Returns how many there were at first. */
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
    while (clock.now() < end && (await someLive(found))) await delay(clock, LOOK_MS, forever)
  }
  return first
}

/** A group is told by its leader, and nobody is told twice: many programs take a second SIGTERM for impatience. */
async function signalEach(found: readonly Living[], signal: NodeJS.Signals): Promise<void> {
  const leaders = new Set(found.map(({ pid }) => pid))
  const told = found.filter(({ pid, group }) => pid === group || !leaders.has(group))
  await Promise.all(told.map(({ pid }) => killTree(pid, signal)))
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

interface ProcessStat {
  readonly pid: number
  readonly state: string
  readonly group: number
  readonly startedAt: string
}

async function processStat(pid: number): Promise<ProcessStat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined) // It has ended.
  // The second field is the name in brackets and may itself hold spaces and brackets.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, , group] = fields ?? []
  const startedAt = fields?.[19] // field 22 of proc(5), in clock ticks since boot
  if (state === undefined || group === undefined || startedAt === undefined) return undefined
  return { pid, state, group: Number(group), startedAt }
}

async function processIds(): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []) // A system without it.
  return names.filter((name) => /^\d+$/.test(name)).map(Number)
}

async function processStats(): Promise<readonly ProcessStat[]> {
  const stats = await Promise.all((await processIds()).map(processStat))
  // The dead whom nobody has buried are still listed.
  return stats.filter((stat): stat is ProcessStat => stat !== undefined && stat.state !== 'Z')
}

/** When a process was started, in the system's own notation; undefined when there is none or it cannot be told. */
export async function processStartTime(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const stat = await processStat(pid)
    return stat && stat.state !== 'Z' ? stat.startedAt : undefined
  }
  const { program, args } = startTimeOf(pid, windows, process.env)
  // It has ended.
  const answer = await run(program, args, { env: { ...process.env, LC_ALL: 'C' }, windowsHide: true }).catch(() => undefined)
  return answer?.stdout.trim() || undefined
}

/**
 * Ends what a host left behind: each recorded process that still has the same start time and, on Linux, every process whose
 * environment bears the owner's mark. Returns how many there were.
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

/** Every process with this mark, or with one below it; by `/proc`, which says what stood in the environment when it was started. */
async function markedProcesses(owner: string): Promise<readonly ProcessStat[]> {
  if (process.platform !== 'linux' || owner === '') return []
  const wanted = `${OWNER_VARIABLE}=${owner}`
  const bears = (entry: string) => entry === wanted || entry.startsWith(`${wanted}/`)
  const look = async (pid: number) => {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '') // It has ended, or is another user's.
    const stat = environment.split('\0').some(bears) ? await processStat(pid) : undefined
    return stat && stat.state !== 'Z' ? stat : undefined
  }
  const found = await Promise.all((await processIds()).filter((pid) => pid !== process.pid).map(look))
  return found.filter((stat) => stat !== undefined)
}
