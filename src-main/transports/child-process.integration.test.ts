import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import { describe, expect, it } from 'vitest'
import { OWNER_VARIABLE, processStartTime, reap } from './child-process.ts'

const STAY = ['-e', 'console.log(1); setInterval(() => {}, 1000)']
const STUBBORN = ['-e', `process.on('SIGTERM', () => {}); console.log(1); setInterval(() => {}, 1000)`]

async function start(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(execPath, args, { env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  const exit = once(child, 'exit')
  await once(child.stdout, 'data')
  return { pid: child.pid!, exit }
}

describe('cleaning up child processes', () => {
  it('ends a recorded process with the same start time, and one that ignores SIGTERM too', async () => {
    const [mild, stubborn] = await Promise.all([start(STAY), start(STUBBORN)])
    const records = await Promise.all(
      [mild, stubborn].map(async ({ pid }) => ({ pid, startedAt: (await processStartTime(pid)) ?? '' })),
    )
    expect(await reap(records, '', { termMs: 100 })).toBe(2)
    expect((await mild.exit)[1]).toBe('SIGTERM')
    expect((await stubborn.exit)[1]).toBe('SIGKILL')
  })

  it('spares a process that merely has the number of a recorded one', async () => {
    const { pid, exit } = await start(STAY)
    expect(
      await reap(
        [
          { pid, startedAt: 'another time' },
          { pid: 1, startedAt: '0' },
        ],
        '',
      ),
    ).toBe(0)
    expect(await processStartTime(pid)).toBeDefined()
    process.kill(pid, 'SIGKILL')
    await exit
    expect(await processStartTime(pid)).toBeUndefined()
  })

  it.runIf(process.platform === 'linux')('ends what has the marker of this data folder, and nothing else', async () => {
    const ours = await start(STAY, { [OWNER_VARIABLE]: 'folder-a' })
    const other = await start(STAY, { [OWNER_VARIABLE]: 'folder-ab' })
    expect(await reap([], 'folder-a', { termMs: 1000 })).toBe(1)
    await ours.exit
    expect(await processStartTime(other.pid)).toBeDefined()
    process.kill(other.pid, 'SIGKILL')
    await other.exit
  })
})
