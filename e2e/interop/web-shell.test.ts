import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { HostFrame } from '../../src-shared/contract/channel.ts'
import { node, root, ShellProcess } from '../shells/shell-process.ts'
import { until } from '../support/until.ts'

const LINK = /http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]+/
let folder: string
let started: ShellProcess[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-web-'))
  started = []
})

afterEach(async () => {
  await Promise.all(started.map((shell) => shell.kill9()))
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** The built web shell on this test's folder. */
function start(args: readonly string[] = ['--no-open'], env: Record<string, string> = {}): ShellProcess {
  const shell = new ShellProcess(node, [join(root, 'out', 'main', 'web.js'), '--data', join(folder, 'data'), ...args], env)
  started.push(shell)
  return shell
}

/** Uses a link as the page does. */
async function sessionFor(link: string): Promise<{ origin: string; status: number; secret: string }> {
  const { origin, hash } = new URL(link)
  const secret = randomBytes(32).toString('base64url')
  const response = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ token: hash.slice('#t='.length), secret }),
  })
  return { origin, status: response.status, secret }
}

async function welcome(link: string): Promise<Extract<HostFrame, { t: 'welcome' }>> {
  const { origin, secret } = await sessionFor(link)
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/channel`, ['parley.1', `session.${secret}`], { origin })
  try {
    return await new Promise((resolve, reject) => {
      socket.on('error', reject)
      socket.on('open', () => socket.send(JSON.stringify({ t: 'hello', contract: 1 })))
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data)) as HostFrame
        if (frame.t === 'welcome') resolve(frame)
      })
    })
  } finally {
    socket.close()
  }
}

describe('the web shell', () => {
  it('prints one link, which opens one session, which is welcomed by the host', async () => {
    const shell = start()
    const [link] = await shell.printed(LINK)
    const frame = await welcome(link)
    expect(frame.snapshot).toMatchObject({ shell: 'web', dataFolder: join(folder, 'data') })
    expect((await sessionFor(link)).status).toBe(401)
    expect(shell.output().trim().split('\n')).toHaveLength(1)
  })

  it('prints a fresh link at Enter', async () => {
    const shell = start()
    const [first] = await shell.printed(LINK)
    const before = shell.output().length
    shell.child.stdin?.write('\n')
    const [second] = await shell.printed(LINK, before)
    expect(second).not.toBe(first)
    expect((await sessionFor(first)).status).toBe(204)
    expect((await sessionFor(second)).status).toBe(204)
  })

  it('ends with 0 at SIGTERM and at Ctrl+C, and releases the folder', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const shell = start()
      await shell.printed(LINK)
      expect(await shell.stop(signal)).toBe(0)
    }
    await start().printed(LINK)
  })

  it('starts after a kill -9 of an earlier one', async () => {
    const shell = start()
    await shell.printed(LINK)
    await shell.kill9()
    await start().printed(LINK)
  })

  it('names the holder of the folder in one line, without its token, and ends with 1', async () => {
    const first = start()
    const [link] = await first.printed(LINK)
    const second = start()
    expect(await second.ended()).toBe(1)
    expect(second.output().trim().split('\n')).toHaveLength(1)
    expect(second.output()).toContain(String(first.pid))
    expect(second.output()).toContain(new URL(link).origin)
    expect(second.output()).not.toContain('#t=')
  })

  it('ends with 1 and says so when its port is taken or an option is unknown', async () => {
    const taken: Server = createServer().listen(0, '127.0.0.1')
    await until(() => taken.listening)
    const { port } = taken.address() as { port: number }
    const shell = start(['--no-open', '--port', String(port)])
    expect(await shell.ended()).toBe(1)
    expect(shell.output()).toBe(
      `Parley did not start: port ${port} is taken by another program: choose another with --port, or leave --port out for any free one\n`,
    )
    await new Promise((resolve) => taken.close(resolve))
    for (const args of [['--colour'], ['--port', '70000'], ['--data', '']]) {
      const wrong = start(args)
      expect(await wrong.ended()).toBe(1)
      expect(wrong.output()).toMatch(/^Parley did not start: /)
    }
  })

  it('opens the browser with a file that only its owner can read, never with a command line (SEC-06)', async () => {
    const [bin, temp] = [join(folder, 'bin'), join(folder, 'temp')]
    await mkdir(bin)
    await mkdir(temp)
    await writeFile(join(bin, 'xdg-open'), `#!/bin/sh\necho "$@" > "\${0%/*}/../opened"\n`)
    await chmod(join(bin, 'xdg-open'), 0o755)
    const shell = start([], { DISPLAY: ':99', PATH: `${bin}:${process.env.PATH}`, TMPDIR: temp })
    const [link] = await shell.printed(LINK)
    const opened = await until(() => readFile(join(folder, 'opened'), 'utf8').catch(() => ''))
    expect(opened).toMatch(/^file:\/\/.*\.html\n$/)
    const file = fileURLToPath(opened.trim())
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(file, '..'))).mode & 0o777).toBe(0o700)
    expect(await readFile(file, 'utf8')).toContain(link)
    await shell.stop()
    expect(await readdir(temp)).toEqual([])
  })
})
