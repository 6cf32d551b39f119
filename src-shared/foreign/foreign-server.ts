import type { ImportInput } from '../contract/imports.ts'
import type { ServerOptions } from '../contract/servers.ts'

/** How a server is reached, its texts still in the words of the host it comes from. */
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
  /** By the variable or header that gets it. */
  readonly fromEnvironment?: Readonly<Record<string, TakenFrom>>
  /** Plain sentences. */
  readonly notTaken: readonly string[]
  /** The project's folder that it stands for. */
  readonly project?: string
}

/** A variable of the person's environment; `after`: what stands before its value. */
export interface TakenFrom {
  readonly variable: string
  readonly after?: string
}

/** A definition of `${input:<id>}`. */
export type ForeignInput = Omit<ImportInput, 'id'>

/** The contents of a configuration. */
export interface ForeignConfig {
  readonly servers: readonly ForeignServer[]
  readonly inputs: ReadonlyMap<string, ForeignInput>
  readonly unusable: readonly { readonly called: string; readonly why: string }[]
}

/** Why a whole configuration cannot be read, as a sentence. */
export class ConfigError extends Error {}

/** The problem of one entry, as a sentence. */
export class EntryError extends Error {}
