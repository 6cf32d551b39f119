import type { ImportInput } from '../contract/imports.ts'
import type { ServerOptions } from '../contract/servers.ts'

/** A launch with the other host's placeholders still in its texts. */
export type ForeignLaunch =
  | {
      readonly type: 'local'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
      readonly cwd?: string
    }
  | { readonly type: 'remote'; readonly url: string; readonly headers: Readonly<Record<string, string>> }

/** One server of another host's configuration. */
export interface ForeignServer {
  readonly name: string
  readonly launch: ForeignLaunch
  readonly options: Partial<ServerOptions>
  /** By the name of the variable or header that gets the value. */
  readonly fromEnvironment?: Readonly<Record<string, TakenFrom>>
  /** One sentence per setting that is not imported. */
  readonly notTaken: readonly string[]
  /** The folder of the project that the server is configured for. */
  readonly project?: string
}

/** A variable of the person's environment; its value is prefixed with `after`. */
export interface TakenFrom {
  readonly variable: string
  readonly after?: string
}

export type ForeignInput = Omit<ImportInput, 'id'>

export interface ForeignConfig {
  readonly servers: readonly ForeignServer[]
  readonly inputs: ReadonlyMap<string, ForeignInput>
  readonly unusable: readonly { readonly called: string; readonly why: string }[]
}

/** A whole configuration cannot be read; the message is a sentence. */
export class ConfigError extends Error {}

/** One entry cannot be used; the message is a sentence. */
export class EntryError extends Error {}
