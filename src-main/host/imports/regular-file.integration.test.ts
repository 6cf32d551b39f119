import { execFile } from 'node:child_process'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import { readRegularFile } from './regular-file.ts'

describe('a configuration on disk', () => {
  it('is read through links, too, and is absent where there is no file', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'a'), '\uFEFF{"ü":1}')
    await symlink(join(folder, 'a'), join(folder, 'link'))
    expect(await readRegularFile(join(folder, 'link'))).toBe('{"ü":1}')
    expect(await readRegularFile(join(folder, 'none'))).toBeUndefined()
    expect(await readRegularFile(join(folder, 'a', 'below'))).toBeUndefined()
  })

  it.skipIf(process.platform === 'win32')('is refused in words when it is not a text file, and nobody waits', async () => {
    const folder = await temporaryFolder()
    const at = (name: string) => join(folder, name)
    await mkdir(at('folder'))
    await symlink(at('loop'), at('loop'))
    await promisify(execFile)('mkfifo', [at('pipe')])
    await writeFile(at('bytes'), Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))
    await writeFile(at('huge'), Buffer.alloc(16 * 1024 * 1024 + 1, 0x20))
    await expect(readRegularFile(at('folder'))).rejects.toThrow('It is a folder, not a file.')
    await expect(readRegularFile(at('loop'))).rejects.toThrow('It is a link that leads back to itself.')
    await expect(readRegularFile(at('pipe'))).rejects.toThrow('It is a pipe or a device, not a file.')
    await expect(readRegularFile('/dev/zero')).rejects.toThrow('It is a pipe or a device, not a file.')
    await expect(readRegularFile(at('bytes'))).rejects.toThrow('It is not text in UTF-8.')
    await expect(readRegularFile(at('huge'))).rejects.toThrow('It is larger than 16 MiB.')
    await expect(readRegularFile(join(folder, 'x'.repeat(300)))).rejects.toThrow('Its path is too long.')
  })

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'is refused in words when the person may not read it',
    async () => {
      const folder = await temporaryFolder()
      await writeFile(join(folder, 'closed'), '{}')
      await chmod(join(folder, 'closed'), 0)
      await expect(readRegularFile(join(folder, 'closed'))).rejects.toThrow('You do not have permission to read it.')
    },
  )
})
