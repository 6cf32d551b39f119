import { type ChildProcess, execFile, spawn as spawnDirectly } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import { type Clock, delay, systemClock, within } from '../../src-shared/base/clock.ts'
import { TransportError } from '../protocol/peer/transport.ts'

/** Milliseconds that a server gets after its stdin was closed, and again after SIGTERM. */
export interface StopTimes {
  readonly eofMs: number
  readonly termMs: number
}

export interface Exit {
  readonly code: number | null
  readonly signal: string | null
}

/** How a process is told apart from a later one that got the same number. */
export interface ProcessRecord {
  readonly pid: number
  readonly startedAt: string
}

/** The environment variable that marks every server of one data folder, and what it starts in turn. */
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
  #exit: Exit | undefined
  #stopped: Promise<Exit> | undefined

  private constructor(child: ChildProcess & { pid: number }, pipes: Pipes, clock: Clock, times: StopTimes) {
    this.pid = child.pid
    this.stdin = pipes.stdin
    this.stdout = pipes.stdout
    this.stderr = pipes.stderr
    this.#clock = clock
    this.#times = times
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
        ? new ServerProcess(child as ChildProcess & { pid: number }, { stdin, stdout, stderr }, options.clock, options.stop)
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

  /** End of input, then SIGTERM, then SIGKILL for the whole tree, with time between (LIFE-33, LIFE-34, LIFE-35). Ends once. */
  stop(): Promise<Exit> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<Exit> {
    this.stdin.end()
    if (!(await this.#exitsWithin(this.#times.eofMs))) {
      await killTree(this.pid, 'SIGTERM')
      if (!(await this.#exitsWithin(this.#times.termMs))) await killTree(this.pid, 'SIGKILL')
      await this.#exitsWithin(this.#times.termMs) // one stuck in the kernel is left to the system
    }
    await endSurvivors(this.pid, this.#times.termMs, this.#clock)
    return this.#exit ?? { code: null, signal: 'SIGKILL' }
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
    const force = signal === 'SIGKILL' ? ['/F'] : []
    await run('taskkill', ['/PID', String(pid), '/T', ...force], { windowsHide: true }).catch(() => {})
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

/** What a server started and left in its group when it went: SIGTERM, some time, SIGKILL. */
async function endSurvivors(group: number, termMs: number, clock: Clock): Promise<void> {
  if (windows || !signalQuietly(-group, 'SIGTERM')) return
  const end = clock.now() + termMs
  while (clock.now() < end && (await groupLives(group))) await delay(clock, 20, forever)
  signalQuietly(-group, 'SIGKILL')
}

async function groupLives(group: number): Promise<boolean> {
  if (!signalQuietly(-group, 0)) return false
  if (process.platform !== 'linux') return true
  // The dead whom nobody has buried still count as members for `kill`.
  for (const stat of await processStats()) if (stat.group === group && stat.state !== 'Z') return true
  return false
}

interface ProcessStat {
  readonly pid: number
  readonly state: string
  readonly group: number
  readonly startedAt: string
}

async function processStat(pid: number): Promise<ProcessStat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined)
  // The second field is the name in brackets and may itself hold spaces and brackets.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, , group] = fields ?? []
  const startedAt = fields?.[19] // field 22 of proc(5), in clock ticks since boot
  if (state === undefined || group === undefined || startedAt === undefined) return undefined
  return { pid, state, group: Number(group), startedAt }
}

async function processIds(): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => [])
  return names.filter((name) => /^\d+$/.test(name)).map(Number)
}

async function processStats(): Promise<readonly ProcessStat[]> {
  const stats = await Promise.all((await processIds()).map(processStat))
  return stats.filter((stat) => stat !== undefined)
}

/** When a process was started, in the system's own notation; undefined when there is none or it cannot be told. */
export async function processStartTime(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const stat = await processStat(pid)
    return stat && stat.state !== 'Z' ? stat.startedAt : undefined
  }
  const [command, args] = windows
    ? ['powershell.exe', ['-NoProfile', '-Command', `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`]]
    : ['ps', ['-o', 'lstart=', '-p', String(pid)]]
  const answer = await run(command, args, { env: { ...process.env, LC_ALL: 'C' }, windowsHide: true }).catch(() => undefined)
  return answer?.stdout.trim() || undefined
}

/**
 * Ends what an earlier host left behind: each recorded process that still has the same start time and, on Linux, every
 * process whose environment bears the marker. To be called before anything is spawned. Returns how many were ended.
 */
export async function reap(
  records: readonly ProcessRecord[],
  marker: string,
  options: { readonly clock?: Clock; readonly termMs?: number } = {},
): Promise<number> {
  const clock = options.clock ?? systemClock
  const left = new Map<number, string>()
  for (const { pid, startedAt } of records) {
    if (pid > 1 && pid !== process.pid && (await processStartTime(pid)) === startedAt) left.set(pid, startedAt)
  }
  for (const { pid, startedAt } of await markedProcesses(marker)) left.set(pid, startedAt)

  const end = clock.now() + (options.termMs ?? 2000)
  const alive = async () => {
    const starts = await Promise.all([...left].map(async ([pid, at]) => (await processStartTime(pid)) === at))
    return [...left.keys()].filter((_, index) => starts[index])
  }
  for (const pid of left.keys()) await killTree(pid, 'SIGTERM')
  while (clock.now() < end && (await alive()).length > 0) await delay(clock, 50, forever)
  for (const pid of await alive()) await killTree(pid, 'SIGKILL')
  return left.size
}

async function markedProcesses(marker: string): Promise<readonly ProcessStat[]> {
  if (process.platform !== 'linux' || marker === '') return []
  const wanted = `${OWNER_VARIABLE}=${marker}`
  const marked: ProcessStat[] = []
  for (const pid of await processIds()) {
    if (pid === process.pid) continue
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    if (!environment.split('\0').includes(wanted)) continue
    const stat = await processStat(pid)
    if (stat && stat.state !== 'Z') marked.push(stat)
  }
  return marked
}
