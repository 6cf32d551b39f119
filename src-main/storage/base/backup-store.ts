import type { BackupContents, BackupFile, DataSizes } from '../../../src-shared/contract/backups.ts'

export interface BackupOptions {
  /** Encrypts the secrets in the backup; without it the backup has none. */
  readonly passphrase?: string
  readonly by: string
  readonly at: number
  readonly signal: AbortSignal
  onProgress(share: number): void
}

export interface MadeBackup extends Pick<BackupFile, 'bytes' | 'secretsLeftOut' | 'blobsLeftOut'> {
  readonly path: string
  readonly sha256: string
}

/** Backs up the whole data folder to one file, and restores it. Throws StorageError. */
export interface BackupStore {
  sizes(): Promise<DataSizes>
  /** Replaces the last backup. The file is removed by `forget`, and when the storage closes. */
  make(wanted: BackupOptions): Promise<MadeBackup>
  forget(): Promise<void>
  /** Receives a file in pieces. Without `upload` it starts a new one; returns its name. */
  receive(piece: Uint8Array, upload?: string): Promise<string>
  review(upload: string, signal: AbortSignal, onProgress: (share: number) => void): Promise<BackupContents>
  /** Plans that the next start restores it, its secrets only with the passphrase. */
  accept(passphrase?: string): Promise<void>
  /** Plans that the next start replaces the database by this copy. */
  acceptCopy(file: string): Promise<void>
  /** Removes the received file, and cancels a planned restore. */
  drop(): Promise<void>
  readonly waiting: boolean
  /** The folder of the earlier data, when this start restored a backup. */
  readonly restored?: string
  /** The same for a copy of the database. */
  readonly opened?: string
  /** The folder of a restored backup that this start undid since no host could start on it, and the error of that host. */
  readonly undone?: { readonly kept: string; readonly said?: string; readonly isDatabase?: true }
}
