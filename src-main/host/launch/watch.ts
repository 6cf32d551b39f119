import type { Clock } from '../../../src-shared/base/clock.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import { askProgram } from '../../transports/ask-program.ts'
import { type LogPipe, openLogPipe } from '../../transports/log-pipe.ts'
import { resolveCommand } from '../../transports/resolve-command.ts'
import type { Command } from './fenced-command.ts'
import { straceOptions } from './watch-log.ts'

interface Computer {
  /** `process.platform` */
  readonly os: string
  readonly environment: NodeJS.ProcessEnv
  readonly clock: Clock
}

interface WatchedStart extends Pick<LogPipe, 'ended' | 'close'> {
  readonly command: Command
}

interface WatchOptions {
  readonly isFenced: boolean
  readonly onLog: (chunk: Buffer) => void
}

/** Starts programs so that their system calls are reported. */
export interface Watch {
  around(inner: Command, options: WatchOptions): Promise<WatchedStart>
}

/** The watch of this computer, or the reason why there is none. */
export type FoundWatch = { readonly watch: Watch } | { readonly none: Problem }

/** Tries strace with a program that does nothing: a container or a setting of the system may forbid it. */
export async function findWatch({ os, environment, clock }: Computer): Promise<FoundWatch> {
  const none = (what: string, todo?: string, said?: string): FoundWatch => ({
    none: { code: 'no-watch', what, ...(said && { said }), ...(todo && { todo }) },
  })
  if (os !== 'linux') return none('Parley can watch servers only on Linux.')
  const strace = await resolveCommand('strace', environment, '/', os)
  const mkfifo = await resolveCommand('mkfifo', environment, '/', os)
  if (!('path' in strace && 'path' in mkfifo)) {
    return none(
      'Watching needs strace, which is not installed.',
      'Install the package “strace” of your system, for example with: sudo apt install strace',
    )
  }
  const place = { env: {}, cwd: '/', clock }
  const options = straceOptions(true).filter((option) => option !== '-D')
  const trial = await askProgram(strace.path, [...options, '-o', '/dev/null', '/usr/bin/true'], place)
  if (trial?.code !== 0) {
    return none(
      'strace is not allowed to watch programs on this system.',
      'It needs version 6 or newer, and permission to trace: kernel.yama.ptrace_scope below 3, in a container SYS_PTRACE.',
      trial?.output,
    )
  }
  const around = async (inner: Command, { isFenced, onLog }: WatchOptions): Promise<WatchedStart> => {
    const log = await openLogPipe(mkfifo.path, clock, onLog)
    const args = [...straceOptions(isFenced), '-o', log.path, '--', inner.command, ...inner.args]
    return { command: { ...inner, command: strace.path, args }, ended: log.ended, close: log.close }
  }
  return { watch: { around } }
}
