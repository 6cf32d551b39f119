import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '../support/until.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
/** The project's Node, even if another runs the tests. */
export const node = join(bin, process.platform === 'win32' ? 'node.cmd' : 'node')

export interface ProcessOptions {
  /** With a channel for messages. */
  readonly ipc?: boolean
  /** Replaces this process's environment. */
  readonly environment?: NodeJS.ProcessEnv
  /** Milliseconds to wait for output; 30 s by default. */
  readonly patience?: number
}

/** A started program with its output. */
export class ShellProcess {
  readonly child: ChildProcess
  readonly #ended: Promise<number | null>
  readonly #patience: number
  #leaving = false
  #output = ''

  constructor(command: string, args: readonly string[], env: Readonly<Record<string, string>>, options: ProcessOptions = {}) {
    this.#patience = options.patience ?? 30_000
    const pipes = options.ipc ? (['pipe', 'pipe', 'pipe', 'ipc'] as const) : (['pipe', 'pipe', 'pipe'] as const)
    this.child = spawn(command, args, {
      cwd: root,
      // A process group of its own, so that killing it also ends npm's child.
      detached: true,
      stdio: [...pipes],
      env: { ...(options.environment ?? process.env), FORCE_COLOR: undefined, NODE_OPTIONS: undefined, ...env },
    })
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#output += text))
    this.#ended = new Promise((resolve) => {
      this.child.once('error', (error) => {
        this.#output += String(error)
        resolve(null)
      })
      this.child.once('exit', (code) => resolve(code))
    })
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null && this.child.pid !== undefined
  }

  /** True once it was told to end, or has ended. */
  get leaving(): boolean {
    return this.#leaving || !this.running
  }

  output(): string {
    return this.#output
  }

  /** Waits for a match in its output; throws with the output when the program ends or stays silent. */
  async printed(pattern: RegExp, after = 0): Promise<RegExpExecArray> {
    const match = () => pattern.exec(this.#output.slice(after))
    try {
      const found = await until(() => match() ?? (this.running ? undefined : 'ended'), `${pattern}`, this.#patience)
      if (found !== 'ended') return found
    } catch {}
    throw new Error(`The shell did not print ${pattern}. It printed:\n${this.#output}`)
  }

  /** Sends a signal as a terminal or a system would; resolves with the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.#leaving = true
    if (this.running) this.child.kill(signal)
    return this.#ended
  }

  ended(): Promise<number | null> {
    return this.#ended
  }

  async kill9(): Promise<void> {
    this.#leaving = true
    // Windows has no process groups.
    if (process.platform === 'win32') this.child.kill('SIGKILL')
    else if (this.pid > 0) killGroup(this.pid)
    await this.#ended
  }
}

/** A group may outlive its first process. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
