import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './storage-for-tests.ts'

// A private mount namespace: the small disk is gone with the process, however that ends.
const unshare = ['unshare', '--map-root-user', '--mount', 'sh', '-c'] as const
const mount = 'mount -t tmpfs -o size=2m tmpfs "$0"'

function canMount(): boolean {
  try {
    execFileSync(unshare[0], [...unshare.slice(1), mount, '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('a full disk', () => {
  it.skipIf(!canMount())(
    'is named, loses nothing, and is forgotten once there is room (needs Linux with namespaces)',
    async () => {
      const folder = await temporaryFolder()
      const script = new URL('./full-disk-child.ts', import.meta.url).pathname
      const run = [...unshare.slice(1), `${mount} && exec "$1" "$2" "$0"`, folder, process.execPath, script]
      const { stdout } = await promisify(execFile)(unshare[0], run)
      expect(JSON.parse(stdout)).toEqual({
        full: { record: 'full', blob: 'full', secret: 'full', server: 'full' },
        room: { record: 'done', server: 'done' },
        left: { records: ['before', 'after'], secret: 'kept', servers: ['before', 'after'] },
      })
    },
  )
})
