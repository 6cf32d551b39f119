import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { storageIn, temporaryFolder } from '../../../e2e/support/storage/temporary-storage.ts'
import { defaultDataFolder } from './data-folder.ts'

const asRoot = process.getuid?.() === 0
const modeOf = async (path: string) => (await stat(path)).mode & 0o777

describe('the data folder', () => {
  it('is where each system keeps application data', () => {
    expect(defaultDataFolder('linux', { HOME: '/home/ada' })).toBe('/home/ada/.local/share/Parley')
    expect(defaultDataFolder('linux', { HOME: '/home/ada', XDG_DATA_HOME: '/data' })).toBe('/data/Parley')
    expect(defaultDataFolder('linux', { HOME: '/home/ada', XDG_DATA_HOME: 'relative' })).toBe('/home/ada/.local/share/Parley')
    expect(defaultDataFolder('darwin', { HOME: '/Users/ada' })).toBe('/Users/ada/Library/Application Support/Parley')
    expect(defaultDataFolder('win32', { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' })).toBe(
      'C:\\Users\\ada\\AppData\\Roaming\\Parley',
    )
  })

  it('is created readable by its owner only, with everything in it (SEC-06)', async () => {
    const folder = join(await temporaryFolder(), 'deep', 'data')
    const storage = await storageIn(folder)
    await storage.secrets.set('key', 'value')
    await storage.blobs.put('content', 'text/plain')
    await storage.serverFile.put('echo', { type: 'local', command: 'echo', args: [], env: {} })
    expect(await modeOf(folder)).toBe(0o700)
    for (const name of await readdir(folder)) {
      expect(`${name} ${(await modeOf(join(folder, name))) & 0o077}`).toBe(`${name} 0`)
    }
  })

  it('is closed to others when it was open to them (SEC-06)', async () => {
    const folder = join(await temporaryFolder(), 'data')
    await mkdir(folder)
    await chmod(folder, 0o755)
    await storageIn(folder)
    expect(await modeOf(folder)).toBe(0o700)
  })

  it('reports a file in its place', async () => {
    const file = join(await temporaryFolder(), 'data')
    await writeFile(file, 'mine')
    await expect(storageIn(file)).rejects.toMatchObject({ code: 'io', message: expect.stringContaining('a file in the way') })
    await expect(storageIn(join(file, 'below'))).rejects.toMatchObject({ code: 'io' })
    expect(await readFile(file, 'utf8')).toBe('mine')
  })

  it('is never the home folder or a whole disk, whose permissions would change', async () => {
    const before = await modeOf(homedir())
    for (const folder of [homedir(), '/']) await expect(storageIn(folder)).rejects.toMatchObject({ code: 'io' })
    expect(await modeOf(homedir())).toBe(before)
  })

  it.skipIf(asRoot)('reports a missing permission to write (needs an account other than root)', async () => {
    const folder = join(await temporaryFolder(), 'data')
    await mkdir(folder)
    await chmod(folder, 0o500)
    await expect(storageIn(folder)).rejects.toMatchObject({ code: 'read-only', message: expect.stringContaining(folder) })
  })

  it('refuses a newer program’s data and leaves it unchanged', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'parley.json'), '{ "format": 99 }')
    await expect(storageIn(folder)).rejects.toMatchObject({
      code: 'newer-version',
      message: expect.stringContaining('format 99'),
    })
    expect(await readFile(join(folder, 'parley.json'), 'utf8')).toBe('{ "format": 99 }')
    expect(await readdir(folder)).not.toContain('parley.db')
  })
})
