import { StorageError } from '../base/storage.ts'

/** Where a page of conversations ended, opaque to whoever passes it back. */
export function encodePage(updatedAt: number, id: string): string {
  return Buffer.from(JSON.stringify([updatedAt, id])).toString('base64url')
}

/** Throws StorageError `io` for what `encodePage` did not make. */
export function decodePage(cursor: string): [updatedAt: number, id: string] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'string') return [value[0], value[1]]
  } catch {
    // Falls through to the same refusal.
  }
  throw new StorageError('io', 'There is no such page of conversations. Go back to the newest.')
}
