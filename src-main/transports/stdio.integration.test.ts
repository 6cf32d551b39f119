import { execPath } from 'node:process'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { RecordingSink } from '../../e2e/support/recording-sink.ts'
import { until } from '../../e2e/support/until.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { type Transport, TransportError } from '../protocol/peer/transport.ts'
import { OWNER_VARIABLE } from './child-process.ts'
import { type StdioOptions, startStdio } from './stdio.ts'

const open: Transport[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((transport) => transport.close()))
})

/** A server given as the text of a script. */
async function serve(script: string, options: Partial<StdioOptions> = {}) {
  const sink = new RecordingSink()
  const stderr: string[] = []
  const transport = startStdio({
    command: execPath,
    args: ['-e', script],
    env: {},
    cwd: '/',
    limits: { maxMessageBytes: 1 << 20 },
    clock: systemClock,
    stop: { eofMs: 150, termMs: 150 },
    onStderr: (line) => stderr.push(line),
    ...options,
  })
  open.push(transport)
  await transport.start(sink)
  return { transport, sink, stderr }
}

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const ECHO = 'process.stdin.pipe(process.stdout)'
/** For a process that ends by itself: its end is waited for, however slow the machine is. */
const atRest = () => ({ clock: new ManualClock() })
const STAY = 'setInterval(() => {}, 1000);'
/** Any message. */
const PING = { jsonrpc: '2.0' as const, id: 1, method: 'ping' }

describe('stdio', () => {
  it('launches the server as a child and carries messages both ways (TRAN-01, TRAN-02)', async () => {
    const { transport, sink } = await serve(
      `require('readline').createInterface(process.stdin).on('line', (l) => {
         const { id } = JSON.parse(l); console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { parent: process.ppid } })) })`,
    )
    expect(transport.kind).toBe('stdio')
    await transport.send(PING)
    expect((await sink.reply(1)).result).toEqual({ parent: process.pid })
  })

  it('writes one line a message, in order, and nothing else until the end of input (TRAN-03, TRAN-04, LIFE-38)', async () => {
    const { transport, stderr } = await serve(
      `
      let all = ''; process.stdin.setEncoding('utf8').on('data', (d) => { all += d })
      process.stdin.on('end', () => { console.error(JSON.stringify(all)); process.exit(0) })`,
      atRest(),
    )
    const messages = [1, 2, 3].map((id) => ({ jsonrpc: '2.0' as const, id, method: 'm', params: { text: 'a\nb\r\n\u2028ü' } }))
    await Promise.all(messages.map((message) => transport.send(message)))
    await transport.close()
    expect(JSON.parse(stderr.join(''))).toBe(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
  })

  it('passes a line with an array on as one value, for the peer to judge by revision (TRAN-09, TRAN-10)', async () => {
    const { sink } = await serve(`console.log('[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]'); ${STAY}`)
    await until(() => sink.values.length > 0)
    expect(sink.values).toEqual([
      [
        { jsonrpc: '2.0', method: 'a' },
        { jsonrpc: '2.0', method: 'b' },
      ],
    ])
  })

  it('tolerates CRLF, empty lines, a byte order mark and characters split between writes (TRAN-05, TRAP-33)', async () => {
    const { sink } = await serve(`
      const bytes = Buffer.from('\\ufeff{"a":"ü€𝄞"}\\r\\n\\r\\n{"b":1}\\r\\n')
      let at = 0; const step = () => { if (at < bytes.length) process.stdout.write(bytes.subarray(at, ++at), () => setImmediate(step)) }
      step(); ${STAY}`)
    await until(() => sink.values.length === 2)
    expect(sink.values).toEqual([{ a: 'ü€𝄞' }, { b: 1 }])
    expect(sink.remarks).toEqual([])
  })

  it('skips banner lines with a remark each, up to a bound, and keeps the session (TRAN-06)', async () => {
    const { sink } = await serve(
      `for (let i = 0; i < 1000; i++) console.log('Welcome! ' + 'x'.repeat(5000)); console.log('{"ok":1}'); ${STAY}`,
    )
    await until(() => sink.values.length === 1)
    expect(sink.values).toEqual([{ ok: 1 }])
    expect(sink.remarks[0]).toMatch(/^Not JSON on stdout: Welcome! x/)
    expect(sink.remarks.length).toBeLessThan(30)
    expect(Math.max(...sink.remarks.map((remark) => remark.length))).toBeLessThan(400)
  })

  it('shows stderr as lines, never as messages or failures (TRAN-07)', async () => {
    const { sink, stderr } = await serve(
      `console.error('{"jsonrpc":"2.0","method":"x"}'); console.error('Error: fine'); console.log('{}'); ${STAY}`,
    )
    await until(() => stderr.length === 2 && sink.values.length === 1)
    expect(stderr).toEqual(['{"jsonrpc":"2.0","method":"x"}', 'Error: fine'])
    expect(sink.values).toEqual([{}])
    expect(sink.ends).toEqual([])
  })

  it('drains 100 MB of stderr, keeping little of it, while messages continue (TRAN-08)', async () => {
    // So much is kept of a second; on this clock all of it comes in one, however slow the machine is.
    const { sink, stderr } = await serve(
      `const block = Buffer.alloc(1 << 20, 'e'); let n = 0
      const step = () => n++ < 100 ? process.stderr.write(block, step) : console.log('{"done":1}')
      step(); process.stdin.resume().on('end', () => process.exit(0))`,
      atRest(),
    )
    await until(() => sink.values.length === 1, 'the end of the flood')
    expect(Math.max(...stderr.map((line) => line.length))).toBeLessThanOrEqual(4096)
    expect(stderr).toHaveLength(1000)
  })

  it('fails the request of an oversized line only, and disconnects at the third within a minute (TRAN-11)', async () => {
    const big = `JSON.stringify({ jsonrpc: '2.0', id: n, result: { t: 'x'.repeat(2e6) } })`
    const { transport, sink } = await serve(`
      require('readline').createInterface(process.stdin).on('line', (l) => { const n = JSON.parse(l).id
        console.log(n === 2 ? '{"jsonrpc":"2.0","id":2,"result":{}}' : ${big}) })`)
    const ask = (id: number) => transport.send({ jsonrpc: '2.0', id, method: 'm' })
    await ask(1)
    await until(() => sink.losses.length === 1)
    await ask(2)
    await sink.reply(2)
    await ask(3)
    await ask(4)
    expect((await sink.end())?.code).toBe('too-large')
    expect(sink.losses.map(({ id, error }) => [id, error.code])).toEqual([1, 3, 4].map((id) => [id, 'too-large']))
  })

  it('names a missing command, a missing folder and an unusable file as spawn failures (TRAN-12)', async () => {
    const failures = [{ command: '/no/such/command' }, { cwd: '/no/such/folder' }, { command: '/etc/passwd' }, { args: ['a\0b'] }]
    for (const options of failures) {
      const error = await serve('', options).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(TransportError)
      expect((error as TransportError).code).toBe('spawn-failed')
      expect((error as TransportError).details.errno).toBeDefined()
    }
  })

  it('reports an early exit with its code or signal, and the last lines (TRAN-12)', async () => {
    const failing = await serve(`console.error('no licence'); process.exit(3)`, atRest())
    const end = await failing.sink.end()
    expect([end?.code, end?.details.exitCode, end?.details.stderr]).toEqual(['exited', 3, ['no licence']])
    expect(end?.message).toContain('no licence')
    await expect(failing.transport.send({ jsonrpc: '2.0', method: 'x' })).rejects.toMatchObject({ code: 'closed' })

    const killed = await serve(`process.kill(process.pid, 'SIGKILL')`, atRest())
    expect((await killed.sink.end())?.details).toMatchObject({ exitCode: null, exitSignal: 'SIGKILL' })
  })

  it('rejects a message to a closed pipe instead of crashing (TRAN-12)', async () => {
    const uncaught: unknown[] = []
    const note = (error: unknown) => uncaught.push(error)
    process.on('uncaughtException', note)
    onTestFinished(() => void process.off('uncaughtException', note))
    const { transport } = await serve(`require('fs').closeSync(0); console.log('{}'); setTimeout(() => {}, 1e6)`)
    const sends = until(async () => {
      return transport.send({ jsonrpc: '2.0', method: 'x', params: { pad: 'x'.repeat(1e5) } }).then(
        () => undefined,
        (error: unknown) => error,
      )
    })
    expect(await sends).toMatchObject({ code: 'closed' })
    // The pipe tells of the same error once more.
    await new Promise((resolve) => setImmediate(resolve))
    expect(uncaught).toEqual([])
  })

  it('refuses to queue messages for a server that does not read', async () => {
    const { transport } = await serve(STAY)
    const message = { jsonrpc: '2.0' as const, method: 'x', params: { pad: 'x'.repeat(300_000) } }
    const outcomes = Array.from({ length: 8 }, () => transport.send(message).catch((error: TransportError) => error.code))
    expect(await Promise.race(outcomes)).toBe('refused')
  })

  it('passes arguments and variables on unchanged, without a shell (TRAN-13)', async () => {
    const odd = ['$HOME', '`id`', '; exit 1', 'a b', '"q"', '*']
    const { sink } = await serve('', {
      args: ['-e', `console.log(JSON.stringify({ args: process.argv.slice(1), env: process.env })); ${STAY}`, ...odd],
      env: { ONLY: '$HOME' },
    })
    await until(() => sink.values.length > 0)
    expect(sink.values[0]).toEqual({ args: odd, env: { ONLY: '$HOME' } })
  })

  it('delivers everything written before the exit, even a last line without a newline', async () => {
    const { sink } = await serve(`
      let text = ''; for (let i = 0; i < 20000; i++) text += JSON.stringify({ i }) + '\\n'
      process.stdout.write(text + '{"last":1}', () => process.exit(0))`)
    const end = await sink.end()
    expect(sink.values.length).toBe(20_001)
    expect(sink.values.at(-1)).toEqual({ last: 1 })
    expect(end?.code).toBe('closed')
  })

  it('lets others work while one server floods', async () => {
    const { sink } = await serve(`
      const line = JSON.stringify({ pad: 'x'.repeat(100) }) + '\\n'; process.stdout.write(line.repeat(50000)); ${STAY}`)
    await until(() => sink.values.length > 0)
    let turns = 0
    while (sink.values.length < 50_000) {
      turns += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(turns).toBeGreaterThan(20)
  })

  it('keeps the order of a large message among small ones', async () => {
    const { sink } = await serve(
      `const { stdout } = process; stdout.write('{"n":1}\\n' + JSON.stringify({ n: 2, pad: 'x'.repeat(3 << 20) }) + '\\n{"n":3}\\n'); ${STAY}`,
      { limits: { maxMessageBytes: 8 << 20 } },
    )
    await until(() => sink.values.length === 3)
    expect(sink.values.map((value) => (value as { n: number }).n)).toEqual([1, 2, 3])
  })

  it('reads a large message that the end of the output ends', async () => {
    const { sink } = await serve(`process.stdout.write(JSON.stringify({ pad: 'x'.repeat(3 << 20) }), () => process.exit(0))`, {
      limits: { maxMessageBytes: 8 << 20 },
    })
    await sink.end()
    expect(sink.values).toEqual([{ pad: 'x'.repeat(3 << 20) }])
  })

  it('reports the process with its start time, and starts only once that is recorded', async () => {
    const spawned: { pid: number; startedAt: string }[] = []
    const noted = Promise.withResolvers<void>()
    let started = false
    const serving = serve(ECHO, {
      onSpawn: (process) => {
        spawned.push(process)
        return noted.promise
      },
    }).then(() => {
      started = true
    })
    await until(() => spawned.length === 1)
    expect(alive(spawned[0]!.pid)).toBe(true)
    expect(spawned[0]!.startedAt).not.toBe('')
    await new Promise((resolve) => setImmediate(resolve))
    expect(started).toBe(false)
    noted.resolve()
    await serving
  })

  it('reports what is sent, received and written to stderr', async () => {
    const tapped: string[] = []
    const { transport, sink } = await serve(`console.error('hm'); ${ECHO}`, {
      onTraffic: ({ direction, text }) => tapped.push(`${direction} ${text}`),
    })
    await transport.send({ jsonrpc: '2.0', method: 'x' })
    await until(() => sink.values.length === 1 && tapped.length === 3)
    expect(tapped.sort()).toEqual(['received {"jsonrpc":"2.0","method":"x"}', 'sent {"jsonrpc":"2.0","method":"x"}', 'stderr hm'])
  })
})

describe('ending a stdio server — 2025-11-25 basic/lifecycle#shutdown', () => {
  it('closes stdin first and lets a server exit by itself (LIFE-33)', async () => {
    const { transport, sink, stderr } = await serve(
      `
      process.on('SIGTERM', () => console.error('TERM')); process.stdin.resume().on('end', () => { console.error('EOF'); process.exit(0) })`,
      atRest(),
    )
    await transport.close()
    expect(stderr).toEqual(['EOF'])
    expect(sink.ends).toEqual([undefined])
  })

  it('sends SIGTERM to one that ignores the end of its input (LIFE-34, LIFE-27, V26-STDIO-7)', async () => {
    const { transport, sink, stderr } = await serve(
      `process.on('SIGTERM', () => { console.error('TERM'); process.exit(0) }); console.log('{}'); ${STAY}`,
      { stop: { eofMs: 150, termMs: 30_000 } },
    )
    await until(() => sink.values.length === 1)
    await transport.close()
    expect(stderr).toEqual(['TERM'])
  })

  it('kills one that ignores SIGTERM (LIFE-35)', async () => {
    const { transport, sink } = await serve(
      `process.on('SIGTERM', () => {}); console.log(JSON.stringify({ pid: process.pid })); ${STAY}`,
    )
    const { pid } = (await until(() => sink.values[0])) as { pid: number }
    await transport.close()
    await until(() => !running(pid), 'its end')
  })

  it('ends what the server started, in either order', async () => {
    const parent = (after: string) => `
      const child = require('child_process').spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); console.log('{}'); setInterval(() => {}, 1000)"], { stdio: 'inherit' })
      console.log(JSON.stringify({ pid: child.pid })); ${after}`
    for (const after of [
      STAY,
      `process.stdin.resume().on('end', () => process.exit(0))`,
      `process.stdin.once('data', () => process.exit(1))`,
    ]) {
      const { transport, sink } = await serve(parent(after))
      await until(() => sink.values.length === 2)
      const { pid } = sink.values.find((value) => Object.hasOwn(value as object, 'pid')) as { pid: number }
      if (after.includes('exit(1)')) {
        await transport.send(PING)
        await sink.end()
      } else await transport.close()
      await until(() => !running(pid), 'the end of the grandchild')
    }
  })

  it.runIf(process.platform === 'linux')(
    'ends what the server started in its own session or ignores SIGTERM, with that server alone',
    async () => {
      const deaf =
        "process.on('SIGTERM', () => {}); console.log(JSON.stringify({ pid: process.pid })); setInterval(() => {}, 1000)"
      const parent = (after: string) => `
        require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(deaf)}], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] }).unref(); ${after}`
      const pidOf = (sink: RecordingSink) => until(() => (sink.values[0] as { pid: number } | undefined)?.pid)
      const other = await serve(parent(STAY), { env: { [OWNER_VARIABLE]: 'folder/other' } })
      const bystander = await pidOf(other.sink)
      for (const after of [
        STAY,
        `process.stdin.resume().on('end', () => process.exit(0))`,
        `process.stdin.once('data', () => process.exit(1))`,
      ]) {
        const { transport, sink } = await serve(parent(after), { env: { [OWNER_VARIABLE]: 'folder/one' } })
        const pid = await pidOf(sink)
        if (after.includes('exit(1)')) {
          await transport.send(PING)
          await sink.end()
        }
        await transport.close()
        expect(running(pid)).toBe(false)
      }
      expect(running(bystander)).toBe(true)
      await other.transport.close()
      expect(running(bystander)).toBe(false)
    },
  )

  it('takes closing stdout and exiting with 0 for a normal end (LIFE-36)', async () => {
    const { sink } = await serve(`console.log('{}'); require('fs').closeSync(1)`, atRest())
    const end = await sink.end()
    expect([end?.code, end?.details.exitCode]).toEqual(['closed', 0])
  })

  it('stops a server that closed its output and stays', async () => {
    const { sink } = await serve(`console.error(process.pid); require('fs').closeSync(1); ${STAY}`)
    const end = await sink.end()
    expect(end?.code).toBe('closed')
    await until(() => !running(Number(end?.details.stderr?.[0])), 'its end')
  })

  it('closes while it starts, twice, and before it starts, without a leftover', async () => {
    const sink = new RecordingSink()
    const options = {
      command: execPath,
      args: ['-e', STAY],
      env: {},
      cwd: '/',
      limits: { maxMessageBytes: 1000 },
      clock: systemClock,
    }
    const transport = startStdio({ ...options, stop: { eofMs: 50, termMs: 50 }, onStderr: () => {} })
    const starting = transport.start(sink).catch((error: TransportError) => error.code)
    await Promise.all([transport.close(), transport.close()])
    expect(await starting).toBe('closed')
    expect(sink.ends.length).toBe(1)

    const never = startStdio({ ...options, onStderr: () => {} })
    await never.close()
    await expect(never.start(new RecordingSink())).rejects.toMatchObject({ code: 'closed' })
  })
})

/** A process that is dead but not buried does not run. */
function running(pid: number): boolean {
  if (!alive(pid)) return false
  const { readFileSync } = process.getBuiltinModule('node:fs')
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}
