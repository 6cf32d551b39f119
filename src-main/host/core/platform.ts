import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { BackupContents } from '../../../src-shared/contract/backups.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { Interaction } from '../../../src-shared/contract/interactions.ts'
import type { LaunchSummary } from '../../../src-shared/contract/servers.ts'
import type { DesktopPower } from '../../../src-shared/contract/setting-fields.ts'
import type { CertificateView } from '../../../src-shared/contract/settings.ts'
import type { SecretCipher } from '../../storage/secret-store.ts'

/** A call by hand that a person is asked about. */
export interface ToolCallByHand {
  /** Its name. */
  readonly server: string
  readonly tool: string
  readonly args: JsonObject
}

/** A launch that a person is asked about. */
export interface NamedLaunch {
  readonly name: string
  readonly launch: LaunchSummary
  /** Paths that it is to be told of. */
  readonly folders?: readonly string[]
}

/** A notification, and the target of a click on it. The words may be a server's. */
export interface News {
  readonly title: string
  readonly body: string
  readonly about?:
    | { readonly is: 'question'; readonly interaction: Interaction }
    | { readonly is: 'conversation'; readonly id: ConversationId }
}

/** Details that a person confirms before a backup with secrets leaves, and before one, or a copy of the database, replaces the present data. */
export type DataConfirmation =
  | { readonly is: 'give-secrets' }
  | { readonly is: 'restore'; readonly backup: BackupContents; readonly withSecrets: boolean }
  | { readonly is: 'open-copy'; readonly at: number }

/** Details that a person confirms before all traffic goes another way, or is shown to somebody else. */
export interface NetworkChange {
  /** Those that are new. */
  readonly authorities: readonly CertificateView[]
  /** The address of another proxy than the one before. */
  readonly proxy?: string
}

/** Each goes on in the background and never rejects: what came of it is told as an event. */
export interface Updates {
  check(): void
  download(): void
  install(): void
}

/** The few powers that a shell lends the host. */
export interface Platform {
  readonly shell: 'electron' | 'web'
  readonly version: string
  /** `process.platform`. */
  readonly os: string
  /** Of a desktop on this system. */
  readonly desktop?: readonly DesktopPower[]
  /** Where a feed of updates is configured. */
  readonly updates?: Updates
  /** Absent where the system has none: secrets then lie in an owner-only file. */
  readonly cipher?: SecretCipher
  /** Opens a web address outside. A person has seen it and said so. */
  openExternal(url: string): Promise<void>
  /** Null when the person cancelled. Undefined on a shell that asks in its own page. */
  pickFolder?(title: string): Promise<string | null>
  /**
   * Where server trust needs a confirmation that no page can give (decision 0012): of all of them, which are of one kind. Throws
   * HostError `refused` when they are too much to be read.
   */
  confirmTrust?(servers: readonly NamedLaunch[], signal: AbortSignal): Promise<boolean>
  /** Where a call by hand needs a confirmation that no page can give (decision 0003). */
  confirmCall?(call: ToolCallByHand, signal: AbortSignal): Promise<boolean>
  /** Where giving secrets out, or taking another state, needs a confirmation that no page can give. */
  confirmData?(what: DataConfirmation, signal: AbortSignal): Promise<boolean>
  /** Where who may read what is sent needs a confirmation that no page can give. */
  confirmNetwork?(change: NetworkChange, signal: AbortSignal): Promise<boolean>
  /** Shows a folder of ours in the system's own window. */
  showFolder?(path: string): Promise<void>
  /** Ends the program and starts it again. */
  restart?(): void
  /** Tells a person whose window is in the background. */
  notify?(news: News): void
  /** The proxy for a URL in PAC notation ('DIRECT', 'PROXY host:port'); the environment's when absent. */
  proxyFor?(url: string): Promise<string>
  /** A link by which the page can show a blob, or with `name` save it as a file of that name. */
  blobLink(blob: string, mimeType: string, name?: string): string
}
