import type { Loss } from '../base/damage.ts'
import type { StorageErrorCode } from '../base/storage.ts'

export interface DatabaseFiles {
  /** Absolute. */
  readonly file: string
  /** The folder for copies from before migrations. */
  readonly copies: string
  /** Bytes beyond which the database counts as full; no limit when absent. */
  readonly maxBytes?: number
}

export interface DatabaseRequest {
  readonly id: number
  /** Absent in the last request: close, then end. */
  readonly call?: { readonly part: string; readonly method: string; readonly args: readonly unknown[] }
}

export type DatabaseResponse =
  | { readonly id: number; readonly result: unknown; readonly losses?: readonly Loss[] }
  | { readonly id: number; readonly failed: { readonly code: StorageErrorCode; readonly message: string } }

/** The id of the response that says whether the database could be opened. */
export const OPENED = 0
