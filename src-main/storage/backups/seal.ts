import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { StorageError } from '../base/storage.ts'

const SALT = 16
const IV = 12
const TAG = 16
/** Not read from the file, so that no file can choose the cost of opening it: 128 MB and about half a second. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }

/** Salt, nonce, tag, and the text under AES-256-GCM with a key that scrypt makes of the passphrase. */
export async function seal(text: string, passphrase: string): Promise<Buffer> {
  const salt = randomBytes(SALT)
  const iv = randomBytes(IV)
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt), iv)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([salt, iv, cipher.getAuthTag(), sealed])
}

/** Throws StorageError when the passphrase is wrong. */
export async function unseal(sealed: Buffer, passphrase: string): Promise<string> {
  const iv = sealed.subarray(SALT, SALT + IV)
  const decipher = createDecipheriv('aes-256-gcm', await keyOf(passphrase, sealed.subarray(0, SALT)), iv, { authTagLength: TAG })
  try {
    decipher.setAuthTag(sealed.subarray(SALT + IV, SALT + IV + TAG))
    return Buffer.concat([decipher.update(sealed.subarray(SALT + IV + TAG)), decipher.final()]).toString('utf8')
  } catch {
    throw new StorageError('io', 'This is not the passphrase that the backup was made with.')
  }
}

function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Keyboards encode accented letters differently; NFC makes them equal.
    scrypt(passphrase.normalize('NFC'), salt, 32, COST, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
