/** How much lies in the data folder, in bytes. */
export interface DataSizes {
  /** Conversations with their search, the ledger, settings. */
  readonly database: number
  readonly blobs: number
  readonly secrets: number
  readonly servers: number
  /** States from before restoring, kept whole. */
  readonly earlier: number
}

/** Content that nothing mentions any more: no conversation, project, rule or draft, and no copy of the database. */
export interface UnusedContent {
  readonly count: number
  readonly bytes: number
}

/** The contents of a backup, found by unpacking and checking all of it. */
export interface BackupContents {
  /** The version of Parley that made it. */
  readonly by: string
  readonly at: number
  /** Made from this very data folder and unchanged since: its own secrets and what was allowed stay. */
  readonly own: boolean
  readonly conversations: number
  readonly blobs: number
  readonly bytes: number
  readonly servers: readonly string[]
  readonly providers: readonly { readonly name: string; readonly address?: string }[]
  /** The address of the proxy that its settings name. */
  readonly proxy?: string
  /** Its settings add certificate authorities. */
  readonly authorities: boolean
  readonly secrets: boolean
  /** Given to the model in every conversation. */
  readonly instructions: string
  /** The instructions of each for its models, and the number of files that it gives them. */
  readonly projects: readonly { readonly name: string; readonly instructions: string; readonly files: number }[]
  /** Sent the beginning of each conversation without a click, to write its title. */
  readonly titleModel?: { readonly model: string; readonly provider: string }
}

export interface BackupFile {
  /** A link that saves it. */
  readonly url: string
  readonly name: string
  readonly bytes: number
  /** Secrets that only another shell can open. */
  readonly secretsLeftOut: number
  /** Contents that were damaged already. */
  readonly blobsLeftOut: number
}

/** Bytes of a backup that one frame takes; a multiple of three. */
export const BACKUP_PIECE = 576 * 1024
/** Characters of a passphrase. */
export const PASSPHRASE = { least: 8, most: 1000 }
