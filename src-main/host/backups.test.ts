import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { memoryStorage } from '../../e2e/support/storage/memory-storage.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { BackupContents } from '../../src-shared/contract/backups.ts'
import { emptySnapshot } from '../../src-shared/contract/events.ts'
import type { BackupStore } from '../storage/base/backup-store.ts'
import { Backups } from './backups.ts'
import { HostState } from './core/host-state.ts'
import type { Platform } from './core/platform.ts'
import { TransientBlobs } from './core/transient-blobs.ts'

const contents: BackupContents = {
  ...{ by: '1', at: 1, own: false, conversations: 0, blobs: 0, bytes: 0, servers: [], providers: [] },
  ...{ authorities: false, secrets: true, instructions: '', projects: [] },
}

function open(confirmData?: Platform['confirmData'], change: Partial<BackupStore> = {}) {
  const storage = memoryStorage()
  const make = vi.fn(async () => ({ path: '/made', sha256: 'a'.repeat(64), bytes: 1, secretsLeftOut: 0, blobsLeftOut: 0 }))
  const accept = vi.fn(async () => {})
  const store: BackupStore = { ...storage.backups, make, accept, review: async () => contents, ...change }
  const platform: Platform = {
    ...{
      shell: 'web',
      version: '1.2.3',
      os: 'linux',
      memory: 1,
      openExternal: async () => {},
      ...(confirmData && { confirmData }),
    },
    blobLink: (blob, _type, name) => `/${blob}?${name}`,
  }
  const lifetime = new Lifetime('test')
  onTestFinished(() => lifetime.end())
  const state = new HostState(emptySnapshot)
  const held = { ...storage, backups: store, blobs: new TransientBlobs(storage.blobs) }
  const backups = new Backups({ storage: held, platform, clock: systemClock, state, lifetime })
  return { backups, make, accept, state }
}
const { signal } = new AbortController()

describe('backups', () => {
  it('need a confirmation that no page can give, where there is one, for secrets and for restoring', async () => {
    const { backups, make, accept } = open(async () => false)
    await expect(backups.make('a passphrase', signal)).rejects.toThrow('Denied. No backup was made.')
    expect(make).not.toHaveBeenCalled()
    await backups.review('upload', signal)
    await expect(backups.restore(undefined, signal)).rejects.toThrow('Denied. Nothing was restored.')
    expect(accept).not.toHaveBeenCalled()
    const { url } = await backups.make(undefined, signal)
    expect(url).toMatch(/^\/a{64}\?Parley \d{4}-\d\d-\d\d\.parley-backup$/)
    expect(backups.fileOf('a'.repeat(64))).toBe('/made')
    expect(backups.fileOf('b'.repeat(64))).toBeUndefined()
  })

  it('are restored only after they were shown, and unchanged', async () => {
    const shown: unknown[] = []
    const { backups, accept } = open(async (what) => {
      await expect(backups.review('another', signal)).rejects.toThrow('Another backup is already running.')
      return shown.push(what) > 0
    })
    await expect(backups.restore('pass', signal)).rejects.toThrow('No backup was reviewed.')
    await backups.review('upload', signal)
    await backups.receive('', undefined).catch(() => {})
    await expect(backups.restore('pass', signal)).rejects.toThrow('No backup was reviewed.')
    await backups.review('upload', signal)
    await backups.restore('pass', signal)
    expect(accept).toHaveBeenCalledWith('pass')
    expect(shown).toEqual([{ is: 'restore', backup: contents, withSecrets: true }])
  })

  it('are made one at a time', async () => {
    const { backups } = open(undefined, { make: () => new Promise(() => {}) })
    void backups.make(undefined, signal)
    expect(backups.share).toBe(0)
    await expect(backups.make(undefined, signal)).rejects.toThrow('Another backup is already running.')
  })

  it('are mentioned at the next start after a restore, with the place of the earlier state', () => {
    const { state } = open(undefined, { restored: '/data/earlier/then' })
    const [notice] = state.snapshot.notices
    expect(notice?.problem.todo).toContain('/data/earlier/then')
  })
})
