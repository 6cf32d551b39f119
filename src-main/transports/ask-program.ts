import { type Clock, within } from '../../src-shared/base/clock.ts'
import { ServerProcess } from './child-process.ts'

const LIMIT_MS = 5_000
const MAX_OUTPUT = 4096

/** Runs a program for its short output, such as its version; undefined when it cannot run or is too slow. */
export async function askProgram(
  path: string,
  args: readonly string[],
  { env, cwd, clock }: { readonly env: Readonly<Record<string, string>>; readonly cwd: string; readonly clock: Clock },
): Promise<{ readonly code: number | null; readonly output: string } | undefined> {
  const stop = { eofMs: 0, termMs: 500 }
  // A program that does not start has no output.
  const running = await ServerProcess.spawn({ command: path, args, env, cwd, clock, stop }).catch(() => undefined)
  if (!running) return undefined
  let output = ''
  for (const pipe of [running.stdout, running.stderr]) {
    pipe.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(0, MAX_OUTPUT)
    })
  }
  running.stdin.end()
  await within(clock, LIMIT_MS, running.exited)
  const { exit } = running
  await running.stop()
  return exit && { code: exit.code, output: output.trim() }
}
