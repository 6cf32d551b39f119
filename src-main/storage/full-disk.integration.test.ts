import { describe, expect, it } from 'vitest'
import { canMount, runOnSmallDisk } from '../../e2e/support/storage/small-disk.ts'
import { temporaryFolder } from '../../e2e/support/storage/temporary-storage.ts'

describe.skipIf(!canMount())('a disk (needs Linux with namespaces)', () => {
  it('that is full is reported, loses nothing, and is forgotten once there is room', async () => {
    expect(JSON.parse(await runOnSmallDisk('true', await temporaryFolder(), './full-disk-child.ts'))).toEqual({
      full: { record: 'full', blob: 'full', secret: 'full', server: 'full' },
      room: { record: 'done', server: 'done' },
      left: { records: ['before', 'after'], secret: 'kept', servers: ['before', 'after'] },
    })
  })

  it('that is read-only is reported, with or without the folder', async () => {
    const readOnly = (folder: string) => runOnSmallDisk('mount -o remount,ro "$0"', folder, './storage-child.ts', 'try')
    const below = (folder: string) =>
      runOnSmallDisk('mount -o remount,ro "$0"', folder, './storage-child.ts', 'try', `${folder}/x`)
    expect(await readOnly(await temporaryFolder())).toBe('read-only')
    expect(await below(await temporaryFolder())).toBe('read-only')
  })
})
