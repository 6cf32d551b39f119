import { spawn } from 'node:child_process'
import path from 'node:path'
import type { Clock } from '../../src-shared/base/clock.ts'
import { killTree } from './child-process.ts'

/** Start-up files of shells may do a lot; a person waits for them once. */
const LIMIT_MS = 5_000
const MAX_OUTPUT = 256 * 1024
/** An answer holds this long: what a person installs now is found at the next attempt after it. */
const HOLDS_MS = 30_000
const MARK = '<parley-path>'

/** PATH as a terminal of the person has it; undefined where there is none to ask, or it does not say. */
export type LoginPath = () => Promise<string | undefined>

/**
 * Asks the person's login shell, which reads the files in which people say where their programs lie: an app that was started from
 * the Finder or a menu is not told. Asked when it is needed, within bounds of time and size, and not again for a while.
 */
export function loginPath(environment: NodeJS.ProcessEnv, os: string, clock: Clock): LoginPath {
  let last: { readonly at: number; readonly path: Promise<string | undefined> } | undefined
  const { SHELL: shell = '' } = environment
  return () => {
    if (os === 'win32' || !path.posix.isAbsolute(shell)) return Promise.resolve(undefined)
    if (!last || clock.now() - last.at >= HOLDS_MS) last = { at: clock.now(), path: askShell(shell, environment, clock) }
    return last.path
  }
}

function askShell(shell: string, environment: NodeJS.ProcessEnv, clock: Clock): Promise<string | undefined> {
  return new Promise((resolve) => {
    // `env` writes PATH the same way in every shell; a shell's own list has another form in some.
    const script = `echo '${MARK}'; /usr/bin/env; echo '${MARK}'`
    const child = spawn(shell, ['-ilc', script], { env: environment, stdio: ['ignore', 'pipe', 'ignore'], detached: true })
    let output = ''
    const settle = () => {
      cancel()
      if (child.pid !== undefined) void killTree(child.pid, 'SIGKILL')
      child.stdout.destroy()
      resolve(pathIn(output))
    }
    const cancel = clock.after(LIMIT_MS, settle)
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      // Programs that start-up files leave running may keep the pipe open.
      if (output.length > MAX_OUTPUT || output.split(MARK).length > 2) settle()
    })
    child.once('error', settle).once('close', settle)
  })
}

function pathIn(output: string): string | undefined {
  const [, variables = '', ...rest] = output.split(MARK)
  const found = rest.length > 0 ? /^PATH=(.+)$/m.exec(variables)?.[1] : undefined
  const folders = found?.split(':').filter((folder) => path.posix.isAbsolute(folder))
  return folders?.length ? folders.join(':') : undefined
}
