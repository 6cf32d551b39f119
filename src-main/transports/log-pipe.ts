import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../src-shared/base/clock.ts'
import { askProgram } from './ask-program.ts'

/** A named pipe that another program writes its log to. */
export interface LogPipe {
  readonly path: string
  /** Resolves at the end of the log. */
  readonly ended: Promise<void>
  /** Ends the log of a program that could not be started. */
  close(): void
}

/** A pipe needs no room for a log of any length: its writer waits while it is full. `mkfifo` is the path of that program. */
export async function openLogPipe(mkfifo: string, clock: Clock, onLog: (chunk: Buffer) => void): Promise<LogPipe> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-log-'))
  const path = join(folder, 'log')
  await askProgram(mkfifo, ['-m', '600', path], { env: {}, cwd: '/', clock })
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  // A pipe without a writer would end at once, so this end is held until the program has opened its own.
  let holder: number | undefined = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  const close = () => {
    if (holder !== undefined) closeSync(holder)
    holder = undefined
  }
  const socket = new Socket({ fd: reader, readable: true, writable: false })
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', close) // `close` follows, and the log ends there.
  socket.on('end', close)
  socket.on('data', (chunk: Buffer) => {
    close()
    onLog(chunk)
  })
  return { path, ended: ended.finally(() => rm(folder, { recursive: true, force: true })), close }
}
