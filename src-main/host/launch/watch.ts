import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../../src-shared/base/clock.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import { askProgram } from '../../transports/ask-program.ts'
import { resolveCommand } from '../../transports/resolve-command.ts'
import type { Command } from './bubblewrap.ts'
import { straceOptions } from './watch-log.ts'

interface Computer {
  /** `process.platform` */
  readonly os: string
  readonly environment: NodeJS.ProcessEnv
  readonly clock: Clock
}

/** A start that is watched: the command to run, and its log. */
export interface WatchedStart {
  readonly command: Command
  /** Resolves at the end of the log, when the last process of the server has ended. */
  readonly ended: Promise<void>
  /** For a command that was not started: nothing comes any more. */
  close(): void
}

interface WatchOptions {
  readonly isFenced: boolean
  readonly onLog: (chunk: Buffer) => void
}

/** Starts programs so that their system calls are told. */
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
  if (os !== 'linux') return none('Parley can watch servers on Linux alone.')
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
      'strace may not watch programs on this system.',
      'It needs version 6 or newer, and permission to trace: kernel.yama.ptrace_scope below 3, in a container SYS_PTRACE.',
      trial?.output,
    )
  }
  const around = async (inner: Command, { isFenced, onLog }: WatchOptions): Promise<WatchedStart> => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-watch-'))
    const pipe = join(folder, 'log')
    await askProgram(mkfifo.path, ['-m', '600', pipe], place)
    const log = readPipe(pipe, onLog)
    const args = [...straceOptions(isFenced), '-o', pipe, '--', inner.command, ...inner.args]
    return {
      command: { ...inner, command: strace.path, args },
      ended: log.ended.finally(() => rm(folder, { recursive: true, force: true })),
      close: log.close,
    }
  }
  return { watch: { around } }
}

/** A named pipe, so that a log of any length needs no room: strace waits while it is full. */
function readPipe(pipe: string, onLog: (chunk: Buffer) => void) {
  // A pipe without a writer would end at once, so this end is held until strace has opened its own.
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  let holder: number | undefined = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
  const close = () => {
    if (holder !== undefined) closeSync(holder)
    holder = undefined
  }
  const socket = new Socket({ fd: reader, readable: true, writable: false })
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => close()) // `close` follows, and the log ends there.
  socket.on('data', (chunk: Buffer) => {
    close()
    onLog(chunk)
  })
  socket.on('end', close)
  return { ended, close }
}
