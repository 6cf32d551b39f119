import type { SafeStorage } from 'electron'
import type { SecretCipher } from '../../storage/secret-store.ts'

type Store = Pick<SafeStorage, 'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync'>

/** How Chromium marks on Linux what a keyring or the desktop's portal sealed. `v10` is a key that is the same on every computer. */
const KEYRINGS: readonly string[] = ['v11', 'v12']

/**
 * The system's key store; undefined where there is none. On Linux only what it seals tells: Chromium says that it can encrypt wherever
 * it is, and names a backend by the desktop alone, whether or not a keyring answers there. Ask once the app is ready.
 */
export async function systemCipher(store: Store, os: string): Promise<SecretCipher | undefined> {
  if (!(await store.isAsyncEncryptionAvailable())) return undefined
  if (os === 'linux' && !(await sealsByKeyring(store))) return undefined
  return {
    name: 'electron-safeStorage',
    encrypt: (text) => store.encryptStringAsync(text),
    async decrypt(bytes) {
      const { result, shouldReEncrypt } = await store.decryptStringAsync(Buffer.from(bytes))
      return { text: result, stale: shouldReEncrypt || (os === 'linux' && !byKeyring(bytes)) }
    },
  }
}

async function sealsByKeyring(store: Store): Promise<boolean> {
  try {
    return byKeyring(await store.encryptStringAsync('probe'))
  } catch (error) {
    console.error(`The keyring of this system keeps nothing: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

function byKeyring(sealed: Uint8Array): boolean {
  return KEYRINGS.includes(Buffer.from(sealed.subarray(0, 3)).toString('latin1'))
}
