import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { BackupContents } from '../../../src-shared/contract/backups.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { Interaction } from '../../../src-shared/contract/interactions.ts'
import type { LaunchSummary } from '../../../src-shared/contract/servers.ts'
import type { DesktopPower } from '../../../src-shared/contract/setting-fields.ts'
import type { CertificateView } from '../../../src-shared/contract/settings.ts'
import type { SecretCipher } from '../../storage/secret-store.ts'

/** A call by hand that a person has to confirm. */
export interface ToolCallByHand {
  readonly server: string
  readonly tool: string
  readonly args: JsonObject
}

export interface NamedLaunch {
  readonly name: string
  readonly launch: LaunchSummary
  /** Paths of the folders that the server will be told of. */
  readonly folders?: readonly string[]
}

/** A notification, and the target of a click on it. Title and body may be a server's words. */
export interface News {
  readonly title: string
  readonly body: string
  readonly about?:
    | { readonly is: 'question'; readonly interaction: Interaction }
    | { readonly is: 'conversation'; readonly id: ConversationId }
}

/** Confirmed before a backup with secrets is made, and before a backup or a copy of the database replaces the present data. */
export type DataConfirmation =
  | { readonly is: 'give-secrets' }
  | { readonly is: 'restore'; readonly backup: BackupContents; readonly withSecrets: boolean }
  | { readonly is: 'open-copy'; readonly at: number }

/** Confirmed before traffic takes another proxy, or another authority can read it. */
export interface NetworkChange {
  /** The added ones. */
  readonly authorities: readonly CertificateView[]
  /** Address of the new proxy. */
  readonly proxy?: string
}

/** Each runs in the background and never fails: the result is an event. */
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
  /** Bytes of memory of this computer. */
  readonly memory: number
  /** Absent on the web shell. */
  readonly desktop?: readonly DesktopPower[]
  /** Present where an update feed is configured. */
  readonly updates?: Updates
  /** Absent where the system has none; secrets are then in an owner-only file. */
  readonly cipher?: SecretCipher
  /** Opens a web address that a person has seen and allowed. */
  openExternal(url: string): Promise<void>
  /** Null when the person cancelled. Absent on a shell that asks in its page. */
  pickFolder?(title: string): Promise<string | null>
  /** As `pickFolder`, for a file. */
  pickFile?(title: string): Promise<string | null>
  /**
   * Present where server trust needs a confirmation that no page can give (decision 0012). The servers are all local or all remote.
   * Throws HostError `refused` when they are too many to be read.
   */
  confirmTrust?(servers: readonly NamedLaunch[], signal: AbortSignal): Promise<boolean>
  /** Present where a call by hand needs a confirmation that no page can give (decision 0003). */
  confirmCall?(call: ToolCallByHand, signal: AbortSignal): Promise<boolean>
  /** Present where giving out secrets, or replacing the data, needs a confirmation that no page can give. */
  confirmData?(what: DataConfirmation, signal: AbortSignal): Promise<boolean>
  /** Present where a change of proxy or authorities needs a confirmation that no page can give. */
  confirmNetwork?(change: NetworkChange, signal: AbortSignal): Promise<boolean>
  /** Opens one of Parley's folders in the system's file manager. */
  showFolder?(path: string): Promise<void>
  restart?(): void
  /** Notifies a person whose window is in the background. */
  notify?(news: News): void
  /** The proxy for a URL in PAC notation ('DIRECT', 'PROXY host:port'); the environment's when absent. */
  proxyFor?(url: string): Promise<string>
  /** A link that shows a blob in the page, or with `name` saves it as a file of that name. */
  blobLink(blob: string, mimeType: string, name?: string): string
}
