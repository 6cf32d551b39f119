import { isObject } from '../../../src-shared/base/json.ts'
import { StorageError, type StorageErrorCode } from './storage.ts'

const ADVICE: Partial<Record<StorageErrorCode, string>> = {
  full: 'The disk is full. Free some space and try again.',
  'read-only': 'Parley may not write there. Check the permissions of the data folder, or choose another one.',
  corrupt: 'The file is damaged.',
}

const SYSTEM_CODES: Readonly<Record<string, StorageErrorCode>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
}

/** Primary result codes of SQLite, https://www.sqlite.org/rescode.html */
const SQLITE_CODES: Readonly<Record<number, StorageErrorCode>> = { 8: 'read-only', 11: 'corrupt', 13: 'full', 26: 'corrupt' }

/** Turns an error of the file system or of SQLite into a StorageError; `what` is a sentence without its full stop. */
export function storageError(cause: unknown, what: string): StorageError {
  if (cause instanceof StorageError) return cause
  const code = codeOf(cause)
  const said = cause instanceof Error ? cause.message : String(cause)
  return new StorageError(code, `${what}: ${ADVICE[code] ?? said}`, { cause })
}

function codeOf(cause: unknown): StorageErrorCode {
  if (!isObject(cause)) return 'io'
  // The low byte of an extended result code is the primary one.
  if (typeof cause.errcode === 'number') return SQLITE_CODES[cause.errcode & 0xff] ?? 'io'
  return (typeof cause.code === 'string' && SYSTEM_CODES[cause.code]) || 'io'
}

/** True for a system error with one of these codes, such as `ENOENT`. */
export function isSystemError(error: unknown, ...codes: string[]): boolean {
  return isObject(error) && typeof error.code === 'string' && codes.includes(error.code)
}
