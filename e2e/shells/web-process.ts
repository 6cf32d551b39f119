import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '../support/until.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const node = join(root, 'node_modules', '.bin', 'node')

/** The built web shell as a process of its own. */
export interface WebProcess {
  readonly pid: number
  /** The printed link, with a one-time token. */
  readonly link: string
  /** Presses Enter in its terminal; resolves with the link that it then prints. */
  freshLink(): Promise<string>
  /** Its whole output on both streams. */
  output(): string
  /** Kills it without warning, as the system would. */
  kill9(): Promise<void>
  /** SIGTERM, and waits. Resolves with the exit code. */
  quit(): Promise<number | null>
}

/**
 * Starts the web shell of a build on a data folder; rejects with what it wrote when it ends instead of opening. `answer` gets the page of
 * what it asks before that.
 */
export async function startWebProcess(
  folder: string,
  env: Record<string, string> = {},
  out = join(root, 'out'),
  answer?: (link: string) => Promise<unknown>,
): Promise<WebProcess> {
  const child = spawn(node, [join(out, 'main', 'web.js'), '--no-open', '--port', '0', '--data', folder], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let output = ''
  let asked = false
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const link = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const found = /is open at (http:\S+)/.exec(output)
      if (found?.[1]) resolve(found[1])
      const question = /Choose what to do at (http:\S+)/.exec(output)
      if (question?.[1] && answer && !asked) {
        asked = true
        answer(question[1]).catch(reject)
      }
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', reject)
    void exited.then((code) => reject(new Error(`The web shell ended with ${code}: ${output}`)))
  })
  return {
    pid: child.pid ?? 0,
    link,
    freshLink: () => {
      const before = output.length
      child.stdin.write('\n')
      return until(() => /(http:\S+)\n/.exec(output.slice(before))?.[1], 'a fresh link')
    },
    output: () => output,
    kill9: () => end(child, 'SIGKILL', exited).then(() => {}),
    quit: () => end(child, 'SIGTERM', exited),
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals, exited: Promise<number | null>): Promise<number | null> {
  child.kill(signal)
  return exited
}

export interface LivingProcess {
  readonly pid: number
  /** Clock ticks since boot, which identify a process together with its pid. */
  readonly started: string
  readonly command: string
}

/** Every living process for which `wanted` is true, by /proc. */
export function processes(wanted: (process: LivingProcess & { readonly parent: number }) => boolean): LivingProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        const [state, parent, started] = [fields[0], Number(fields[1]), fields[19] ?? '']
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        const found = { pid: Number(name), started, command, parent }
        return state !== 'Z' && wanted(found) ? [found] : []
      } catch {
        return []
      }
    })
}

/** True if exactly this process still lives. */
export const lives = ({ pid, started }: LivingProcess) =>
  processes((other) => other.pid === pid && other.started === started).length > 0
