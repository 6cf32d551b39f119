import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { FencePolicy } from '../../src-shared/contract/servers.ts'
import { temporaryFolder } from './server-host.ts'

const isLinux = process.platform === 'linux'

/** A place that the server `reach.mjs` is told to try. */
export type Place = Readonly<Record<string, string | number>>

/** A computer with secrets, other programs and services, and one folder each that may be read and changed. */
export async function guardedComputer() {
  const home = await temporaryFolder()
  const outside = await temporaryFolder()
  const [reading, writing] = [join(home, 'reading'), join(home, 'writing')]
  for (const folder of [
    reading,
    writing,
    join(home, '.ssh'),
    join(home, '.config/google-chrome'),
    join(home, 'notes'),
    join(home, 'bin'),
  ]) {
    await mkdir(folder, { recursive: true })
  }
  const secret = (path: string) => writeFile(join(home, path), 'secret').then(() => join(home, path))
  const files = {
    key: await secret('.ssh/id_ed25519'),
    browser: await secret('.config/google-chrome/Cookies'),
    note: await secret('notes/diary.txt'),
    profile: await secret('.bashrc'),
    plain: await secret('reading/plain.txt'),
    draft: await secret('writing/plain.txt'),
    temporary: join(outside, 'host.txt'),
    memory: `/dev/shm/parley-fence-${process.pid}`,
  }
  await writeFile(files.temporary, 'secret')
  if (isLinux) await writeFile(files.memory, 'secret')
  onTestFinished(() => rm(files.memory, { force: true }))
  await symlink(files.note, join(writing, 'way-out'))
  const other = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)', `parley-other-${process.pid}`], {
    stdio: 'ignore',
  })
  onTestFinished(() => void other.kill('SIGKILL'))
  const sockets = { path: join(outside, 'agent.sock'), abstract: `parley-fence-${process.pid}` }
  const port = await listening({ host: '127.0.0.1', port: 0 })
  const port6 = await listening({ host: '::1', port: 0 }).catch(() => undefined) // A system without IPv6.
  await listening({ path: sockets.path })
  if (isLinux) await listening({ path: `\0${sockets.abstract}` })
  await chmod(sockets.path, 0o777)
  const datagrams = createSocket('udp4')
  const datagramPort = await new Promise<number>((resolve) =>
    datagrams.bind(0, '127.0.0.1', () => resolve(datagrams.address().port)),
  )
  onTestFinished(() => void datagrams.close())
  return { home, outside, reading, writing, files, other: other.pid ?? 0, sockets, port, port6, datagramPort }
}

/** The port that it listens on, until the test ends. */
export async function listening(options: {
  readonly host?: string
  readonly port?: number
  readonly path?: string
}): Promise<number> {
  const server: Server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, resolve)
  })
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

export const policy = (network: FencePolicy['network'], ...folders: FencePolicy['folders']): FencePolicy => ({ network, folders })
