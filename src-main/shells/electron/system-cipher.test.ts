import { describe, expect, it } from 'vitest'
import { systemCipher } from './system-cipher.ts'

/** Chromium's, sealing with this mark. */
function store(mark: string, { available = true, fails = false } = {}) {
  return {
    isAsyncEncryptionAvailable: async () => available,
    encryptStringAsync: async (text: string) => {
      if (fails) throw new Error('the collection is locked')
      return Buffer.from(`${mark}${text}`)
    },
    decryptStringAsync: async (bytes: Buffer) => ({
      result: bytes.toString().slice(3),
      shouldReEncrypt: bytes.toString().slice(0, 3) !== mark,
    }),
  }
}

describe('the key store of the system', () => {
  it('counts on Linux only where a keyring or the portal encrypts, whatever Chromium reports (SEC-18)', async () => {
    expect(await systemCipher(store('v11'), 'linux')).toBeDefined()
    expect(await systemCipher(store('v12'), 'linux')).toBeDefined()
    for (const mark of ['v10', 'v13', 'abc', ''])
      expect([mark, await systemCipher(store(mark), 'linux')]).toEqual([mark, undefined])
    expect(await systemCipher(store('v11', { fails: true }), 'linux')).toBeUndefined()
  })

  it('counts on macOS and Windows wherever it exists', async () => {
    for (const os of ['darwin', 'win32']) {
      expect(await systemCipher(store('v10'), os)).toBeDefined()
      expect(await systemCipher(store('v10', { available: false }), os)).toBeUndefined()
    }
  })

  it('marks what another key encrypted for encrypting again', async () => {
    const linux = await systemCipher(store('v11'), 'linux')
    expect(await linux?.decrypt(Buffer.from('v10sk-1'))).toEqual({ text: 'sk-1', stale: true })
    expect(await linux?.decrypt(Buffer.from('v11sk-1'))).toEqual({ text: 'sk-1', stale: false })
    const mac = await systemCipher(store('v10'), 'darwin')
    expect(await mac?.decrypt(Buffer.from('v10sk-1'))).toEqual({ text: 'sk-1', stale: false })
  })
})
