import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { until } from '../../e2e/support/until.ts'
import { type LockHolder, StorageError } from '../storage/base/storage.ts'
import { afterRuns } from './after-runs.ts'

const { signal } = new AbortController()
const heldBy = (shell: LockHolder['shell']) =>
  new StorageError('locked', `held by ${shell}`, { holder: { pid: 1, shell, closing: false } })

/** A folder that each of the holders has open at one look; how often it was tried, and how often the wait was told. */
function folderOf(...holders: readonly LockHolder['shell'][]) {
  const clock = new ManualClock()
  const left = [...holders]
  const folder = { clock, signal, tried: 0, told: 0, onWait: () => void folder.told++ }
  const open = async () => {
    folder.tried++
    const shell = left.shift()
    if (shell) throw heldBy(shell)
    return 'open'
  }
  return { folder, open }
}

describe('a data folder that a prompt of the command line has open', () => {
  it('is opened once the prompts have ended, and the wait is told once', async () => {
    const { folder, open } = folderOf('run', 'run')
    const opened = afterRuns(open, folder)
    await until(() => {
      folder.clock.advance(500)
      return folder.tried === 3
    }, 'the last look')
    expect([await opened, folder.told]).toEqual(['open', 1])
  })

  it('is given up after the limit, with the reason', async () => {
    const { folder, open } = folderOf('run', 'run', 'run')
    const seen = expect(afterRuns(open, { ...folder, limit: 400 })).rejects.toThrow('held by run')
    await until(() => folder.told === 1, 'the wait')
    folder.clock.advance(500)
    await seen
    expect(folder.tried).toBe(2)
  })

  it('is not waited for when the person stops', async () => {
    const stop = new AbortController()
    const { folder, open } = folderOf('run', 'run')
    const opened = afterRuns(open, { ...folder, signal: stop.signal, onWait: () => stop.abort(new Error('Stopped.')) })
    await expect(opened).rejects.toThrow('Stopped.')
  })
})

it('a data folder that another Parley has open is not waited for', async () => {
  const { folder, open } = folderOf('web')
  await expect(afterRuns(open, folder)).rejects.toThrow('held by web')
  expect(folder.tried).toBe(1)
})
