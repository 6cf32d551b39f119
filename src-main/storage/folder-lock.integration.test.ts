import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { startChild, storageIn, temporaryFolder } from '../../e2e/support/storage/temporary-storage.ts'
import { until } from '../../e2e/support/until.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { openStorage } from './open-storage.ts'

describe('the lock of the data folder', () => {
  it('names its holder and place to a second process, without a token', async () => {
    const folder = await temporaryFolder()
    const { child, nextLine } = startChild('hold', folder)
    expect(await nextLine()).toBe('holding')
    const holder = { pid: child.pid, shell: 'electron', address: 'http://127.0.0.1:4321', closing: false }
    await expect(storageIn(folder)).rejects.toMatchObject({
      code: 'locked',
      holder,
      message: expect.stringMatching(/desktop app at http:\/\/127\.0\.0\.1:4321 \(process \d+\)/),
    })
    expect(await readFile(join(folder, 'lock.json'), 'utf8')).not.toContain('hush')
  })

  it('is free as soon as its holder is killed', async () => {
    const folder = await temporaryFolder()
    const { child, nextLine } = startChild('hold', folder)
    await nextLine()
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exited
    const storage = await storageIn(folder)
    expect(JSON.parse(await readFile(join(folder, 'lock.json'), 'utf8'))).toMatchObject({ pid: process.pid, shell: 'web' })
    await storage.close()
  })

  it('waits for a holder that is closing', async () => {
    const folder = await temporaryFolder()
    const { child, nextLine } = startChild('hold', folder)
    await nextLine()
    child.stdin?.write('close\n')
    expect(await nextLine()).toBe('closing')
    const second = storageIn(folder)
    child.stdin?.end()
    await expect(second).resolves.toMatchObject({ folder })
  })

  it('gives up on a holder that says it is closing and does not', async () => {
    const folder = await temporaryFolder()
    const first = await storageIn(folder)
    await first.closing()
    const clock = new ManualClock()
    const lifetime = new Lifetime('second')
    const second = openStorage({ folder, shell: 'web', clock, lifetime, waitForClosing: 10_000 })
    let settled = false
    const refused = expect(second.finally(() => (settled = true))).rejects.toMatchObject({
      code: 'locked',
      holder: { closing: true },
    })
    while (!settled && clock.now() < 20_000) {
      await until(() => settled || clock.pending > 0)
      clock.advance(100)
    }
    await refused
    expect(clock.now()).toBeGreaterThanOrEqual(10_000)
    await lifetime.end()
  })

  it('stops waiting when its own lifetime ends', async () => {
    const folder = await temporaryFolder()
    await (await storageIn(folder)).closing()
    const clock = new ManualClock()
    const lifetime = new Lifetime('second')
    const second = openStorage({ folder, shell: 'web', clock, lifetime })
    const refused = expect(second).rejects.toMatchObject({ name: 'AbortError' })
    await until(() => clock.pending > 0)
    await lifetime.end()
    await refused
    expect(clock.pending).toBe(0)
  })

  it('ignores what a dead process left', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'lock.json'), JSON.stringify({ pid: 2 ** 22 + 1, shell: 'web', closing: false }))
    await expect(storageIn(folder)).resolves.toBeDefined()
  })

  it('holds even after a second start in the same process was refused', async () => {
    const folder = await temporaryFolder()
    const storage = await storageIn(folder, { address: 'http://127.0.0.1:1/' })
    await expect(storageIn(folder)).rejects.toMatchObject({ code: 'locked' })
    await storage.announce('http://127.0.0.1:2/?token=hush')
    const { child } = startChild('hold', folder)
    const exitCode = await new Promise((resolve) => child.once('exit', resolve))
    expect(exitCode).not.toBe(0)
    await expect(storageIn(folder)).rejects.toMatchObject({ holder: { address: 'http://127.0.0.1:2' } })
  })

  it('is free once the storage is closed, even twice', async () => {
    const folder = await temporaryFolder()
    const first = await storageIn(folder)
    await Promise.all([first.close(), first.close()])
    await expect(storageIn(folder)).resolves.toBeDefined()
  })
})
