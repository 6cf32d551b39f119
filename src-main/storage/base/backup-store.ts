import type { BackupContents, BackupFile, DataSizes } from '../../../src-shared/contract/backups.ts'

export interface BackupWanted {
  /** Secrets are in it, sealed with this; none are without it. */
  readonly passphrase?: string
  /** Of this program. */
  readonly by: string
  readonly at: number
  readonly signal: AbortSignal
  onProgress(share: number): void
}

export interface MadeBackup extends Pick<BackupFile, 'bytes' | 'secretsLeftOut' | 'blobsLeftOut'> {
  readonly path: string
  readonly sha256: string
}

/** The whole data folder as one file, and back. Throws StorageError with sentences for the person. */
export interface BackupStore {
  sizes(): Promise<DataSizes>
  /** Replaces the one made before, which is gone with `forget` or at the end. */
  make(wanted: BackupWanted): Promise<MadeBackup>
  forget(): Promise<void>
  /** Takes a file in pieces; without a name it starts a new one and returns the name. */
  receive(piece: Uint8Array, upload?: string): Promise<string>
  /** Unpacks and checks what was received. */
  review(upload: string, signal: AbortSignal, onProgress: (share: number) => void): Promise<BackupContents>
  /** Puts it in place at the next start. Its secrets only with the passphrase. */
  accept(passphrase?: string): Promise<void>
  /** Puts a copy of the database in its place at the next start. */
  acceptCopy(file: string): Promise<void>
  /** Throws away what was received, also what was accepted and is not yet in place. */
  drop(): Promise<void>
  /** One waits for the next start. */
  readonly waiting: boolean
  /** Where the state from before lies whole, when this start put a backup in place. */
  readonly restored?: string
  /** The same of a copy of the database. */
  readonly opened?: string
  /** Where the content of a backup lies that no host could run on, when this start took it out again; and what that host said. */
  readonly undone?: { readonly kept: string; readonly said?: string; readonly isDatabase?: true }
}
