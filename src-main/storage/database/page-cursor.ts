import { StorageError } from '../base/storage.ts'

/** Where a page of conversations ended, opaque to the page. */
export function encodePage(sequence: number): string {
  return Buffer.from(String(sequence)).toString('base64url')
}

/** Throws StorageError `io` for what `encodePage` did not make. */
export function decodePage(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new StorageError('io', 'Page not found of conversations. Go back to the newest.')
}
