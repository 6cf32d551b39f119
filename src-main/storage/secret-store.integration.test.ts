import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { storageIn, temporaryFolder } from '../../e2e/support/storage/temporary-storage.ts'
import { type SecretCipher, SecretsFile } from './secret-store.ts'

/** A keychain of the system: what it gives back is not what it was given. */
const keychain = (name: string, key = 0x2a): SecretCipher => ({
  name,
  encrypt: async (text) => Buffer.from(text).map((byte) => byte ^ key),
  decrypt: async (bytes) => {
    const text = Buffer.from(bytes.map((byte) => byte ^ key)).toString()
    if (!text.startsWith('sk-')) throw new Error(`wrong key for ${text}`)
    return { text, stale: false }
  },
})

describe('secrets', () => {
  it('reach the disk only encrypted (SEC-18, AUTH-19)', async () => {
    const folder = await temporaryFolder()
    const storage = await storageIn(folder, { shell: 'electron', cipher: keychain('keychain') })
    await storage.secrets.set('provider/a', 'sk-hush')
    const file = await readFile(join(folder, 'secrets.json'), 'utf8')
    expect(file).not.toContain('sk-hush')
    expect(file).not.toContain(Buffer.from('sk-hush').toString('base64'))
    await storage.close()
    const again = await storageIn(folder, { shell: 'electron', cipher: keychain('keychain') })
    expect(await again.secrets.get('provider/a')).toBe('sk-hush')
    expect(await again.secrets.state('provider/a')).toBe('saved')
  })

  it('encrypted with another key are encrypted again when read, in the same place (SEC-18)', async () => {
    const path = join(await temporaryFolder(), 'secrets.json')
    const earlier = keychain('keychain', 0x11)
    await (await SecretsFile.open(path, earlier)).setAll(
      new Map([
        ['a', 'sk-1'],
        ['b', 'sk-2'],
      ]),
    )
    await (await SecretsFile.open(path, undefined)).set('a', 'sk-web')
    const values = async () => JSON.parse(await readFile(path, 'utf8')).secrets
    const before = await values()
    const decrypt = async (bytes: Uint8Array) => ({ ...(await earlier.decrypt(bytes)), stale: true })
    const now = await SecretsFile.open(path, { ...keychain('keychain'), decrypt })
    expect(await now.get('b')).toBe('sk-2')
    const after = await values()
    expect(after.a).toEqual(before.a)
    expect(after.b).toHaveLength(1)
    expect(after.b[0].value).not.toBe(before.b[0].value)
    expect(await (await SecretsFile.open(path, keychain('keychain'))).get('b')).toBe('sk-2')
  })

  it('are in an owner-only file where there is no cipher, and its mode is repaired (SEC-06, AUTH-19)', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'secrets.json')
    await (await SecretsFile.open(path, undefined)).set('a', 'sk-1')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await chmod(path, 0o644)
    const again = await SecretsFile.open(path, undefined)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await again.get('a')).toBe('sk-1')
  })

  it('of another shell are named as such and never overwritten', async () => {
    const path = join(await temporaryFolder(), 'secrets.json')
    await (await SecretsFile.open(path, keychain('keychain'))).set('a', 'sk-desktop')
    const web = await SecretsFile.open(path, undefined)
    expect(await web.state('a')).toBe('saved-elsewhere')
    await expect(web.get('a')).rejects.toMatchObject({
      code: 'secret-elsewhere',
      message: expect.stringContaining('desktop app'),
    })
    await web.set('b', 'sk-other')
    await web.set('a', 'sk-web')
    expect(await web.get('a')).toBe('sk-web')
    const kept = JSON.parse(await readFile(path, 'utf8')).secrets.a
    expect(kept.map((entry: { store: string }) => entry.store)).toEqual(['keychain', 'file'])
    // The latest that a shell can open counts there.
    const desktop = await SecretsFile.open(path, keychain('keychain'))
    expect(await desktop.get('a')).toBe('sk-web')
    await desktop.set('a', 'sk-new')
    expect(await desktop.get('a')).toBe('sk-new')
    expect(await (await SecretsFile.open(path, undefined)).get('a')).toBe('sk-web')
  })

  it('are gone from every store once removed', async () => {
    const path = join(await temporaryFolder(), 'secrets.json')
    await (await SecretsFile.open(path, keychain('keychain'))).set('a', 'sk-1')
    const web = await SecretsFile.open(path, undefined)
    await web.set('a', 'sk-2')
    await web.remove('a')
    await web.remove('never there')
    expect(await web.get('a')).toBeUndefined()
    expect(await web.state('a')).toBe('missing')
    expect(JSON.parse(await readFile(path, 'utf8')).secrets).toEqual({})
  })

  it('that the cipher cannot open can be entered again, and are not quoted', async () => {
    const path = join(await temporaryFolder(), 'secrets.json')
    await (await SecretsFile.open(path, keychain('keychain'))).set('a', 'sk-1')
    const reset = await SecretsFile.open(path, keychain('keychain', 0x11))
    const error: unknown = await reset.get('a').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'secret-elsewhere',
      message: 'A saved value could not be opened by keychain. Enter it again.',
    })
    await reset.set('a', 'sk-2')
    expect(await reset.get('a')).toBe('sk-2')
  })

  it('set in parallel are all kept', async () => {
    const path = join(await temporaryFolder(), 'secrets.json')
    const secrets = await SecretsFile.open(path, undefined)
    await Promise.all(Array.from({ length: 30 }, (_, n) => secrets.set(`s${n}`, `v${n}`)))
    const again = await SecretsFile.open(path, undefined)
    for (let n = 0; n < 30; n += 1) expect(await again.get(`s${n}`)).toBe(`v${n}`)
    expect(await again.get('__proto__')).toBeUndefined()
    await again.set('__proto__', 'odd')
    expect(await (await SecretsFile.open(path, undefined)).get('__proto__')).toBe('odd')
  })

  it('share one random key of the folder, the same in every shell', async () => {
    const path = join(await temporaryFolder(), 'secrets.json')
    const desktop = await SecretsFile.open(path, keychain('keychain'))
    const [first, second] = await Promise.all([desktop.folderKey(), desktop.folderKey()])
    expect(first).toHaveLength(32)
    expect(second).toEqual(first)
    expect(await (await SecretsFile.open(path, undefined)).folderKey()).toEqual(first)
    const other = await SecretsFile.open(join(await temporaryFolder(), 'secrets.json'), undefined)
    expect(await other.folderKey()).not.toEqual(first)
  })

  it('in an unparsable file are not overwritten', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'secrets.json')
    for (const content of ['{ "version": 1, "secrets": {', '[]', '{ "version": 1, "secrets": { "a": [{}] } }']) {
      await writeFile(path, content)
      await expect(storageIn(folder)).rejects.toMatchObject({ code: 'unparsable', message: expect.stringContaining(path) })
      expect(await readFile(path, 'utf8')).toBe(content)
    }
    await writeFile(path, '{ "version": 2, "secrets": {} }')
    await expect(storageIn(folder)).rejects.toMatchObject({ code: 'newer-version' })
  })
})
