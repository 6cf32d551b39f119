import { StorageError } from '../base/storage.ts'

/** The end of a page of conversations, opaque to windows. */
export function encodePage(sequence: number): string {
  return Buffer.from(String(sequence)).toString('base64url')
}

/** Throws StorageError `io` for what `encodePage` did not make. */
export function decodePage(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new StorageError('io', 'This page of conversations was not found. Go back to the newest.')
}
