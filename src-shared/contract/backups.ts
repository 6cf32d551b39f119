/** Bytes in the data folder. */
export interface DataSizes {
  /** Conversations with their search index, the ledger, settings. */
  readonly database: number
  readonly blobs: number
  readonly secrets: number
  readonly servers: number
  /** The data from before each restore. */
  readonly earlier: number
}

/** Blobs that no conversation, project, rule or draft refers to, nor a copy of the database. */
export interface UnusedContent {
  readonly count: number
  readonly bytes: number
}

/** The contents of a backup, after unpacking and checking it. */
export interface BackupContents {
  /** The version of Parley that made it. */
  readonly by: string
  readonly at: number
  /** Made from this data folder and unchanged since: secrets and permissions stay. */
  readonly own: boolean
  readonly conversations: number
  readonly blobs: number
  readonly bytes: number
  readonly servers: readonly string[]
  readonly providers: readonly { readonly name: string; readonly address?: string }[]
  readonly proxy?: string
  /** Its settings trust additional certificate authorities. */
  readonly authorities: boolean
  readonly secrets: boolean
  /** Given to the model in every conversation. */
  readonly instructions: string
  /** With instructions and number of files for models. */
  readonly projects: readonly { readonly name: string; readonly instructions: string; readonly files: number }[]
  /** Gets the beginning of each conversation without a click, to write its title. */
  readonly titleModel?: { readonly model: string; readonly provider: string }
}

export interface BackupFile {
  /** A download link. */
  readonly url: string
  readonly name: string
  readonly bytes: number
  /** Secrets that only the other shell can decrypt. */
  readonly secretsLeftOut: number
  /** Blobs that could not be read. */
  readonly blobsLeftOut: number
}

/** Bytes of a backup per frame; a multiple of three, so that base64 needs no padding. */
export const BACKUP_PIECE = 576 * 1024
/** Characters of a passphrase. */
export const PASSPHRASE = { least: 8, most: 1000 }
