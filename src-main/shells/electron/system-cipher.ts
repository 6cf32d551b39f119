import type { SafeStorage } from 'electron'
import type { SecretCipher } from '../../storage/secret-store.ts'

type Store = Pick<SafeStorage, 'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync'>

/** Chromium's prefixes on Linux for encryption by a keyring or portal. `v10` is a fixed key, the same on every computer. */
const KEYRINGS: readonly string[] = ['v11', 'v12']

/**
 * The system's key store, if there is one. On Linux it is recognized by a trial encryption: Chromium always claims to encrypt, and
 * names a backend by the desktop alone. Call it once the app is ready.
 */
export async function systemCipher(store: Store, os: string): Promise<SecretCipher | undefined> {
  if (!(await store.isAsyncEncryptionAvailable())) return undefined
  if (os === 'linux' && !(await encryptsByKeyring(store))) return undefined
  return {
    name: 'electron-safeStorage',
    encrypt: (text) => store.encryptStringAsync(text),
    async decrypt(bytes) {
      const { result, shouldReEncrypt } = await store.decryptStringAsync(Buffer.from(bytes))
      return { text: result, stale: shouldReEncrypt || (os === 'linux' && !byKeyring(bytes)) }
    },
  }
}

async function encryptsByKeyring(store: Store): Promise<boolean> {
  try {
    return byKeyring(await store.encryptStringAsync('probe'))
  } catch (error) {
    console.error(`The keyring of this system does not work: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

function byKeyring(sealed: Uint8Array): boolean {
  return KEYRINGS.includes(Buffer.from(sealed.subarray(0, 3)).toString('latin1'))
}
