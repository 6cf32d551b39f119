import { spawn } from 'node:child_process'
import path from 'node:path'
import type { Clock } from '../../src-shared/base/clock.ts'
import { killTree } from './child-process.ts'

/** Startup files of shells may be slow. */
const LIMIT_MS = 5_000
const MAX_OUTPUT = 256 * 1024
/** Milliseconds to reuse an answer. A program installed meanwhile is found after that. */
const CACHE_MS = 30_000
const MARK = '<parley-path>'

/** The PATH of the person's terminal; undefined when it is unknown. */
export type LoginPath = () => Promise<string | undefined>

/**
 * Asks the person's login shell, whose startup files set PATH: an app started from the Finder or a menu does not get it. Asked when
 * needed, with bounds of time and size.
 */
export function loginPath(environment: NodeJS.ProcessEnv, os: string, clock: Clock): LoginPath {
  let last: { readonly at: number; readonly path: Promise<string | undefined> } | undefined
  const { SHELL: shell = '' } = environment
  return () => {
    if (os === 'win32' || !path.posix.isAbsolute(shell)) return Promise.resolve(undefined)
    if (!last || clock.now() - last.at >= CACHE_MS) last = { at: clock.now(), path: askShell(shell, environment, clock) }
    return last.path
  }
}

function askShell(shell: string, environment: NodeJS.ProcessEnv, clock: Clock): Promise<string | undefined> {
  return new Promise((resolve) => {
    // `env` prints PATH in the same form from every shell.
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
      // Programs started by the startup files may keep the pipe open.
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
