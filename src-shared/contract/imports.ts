import { z } from 'zod'
import type { ImportReviewId, ServerId } from './ids.ts'
import { type Given, line, MAX_TEXT_LENGTH, text, texts } from './schema-parts.ts'
import type { Launch, ServerOptions } from './servers.ts'

/** Hosts whose configurations are read and written, as people know them. `project`: the `.mcp.json` that several of them read. */
export const OTHER_HOSTS = {
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  vscode: 'VS Code',
  cursor: 'Cursor',
  windsurf: 'Windsurf',
  cline: 'Cline',
  zed: 'Zed',
  'lm-studio': 'LM Studio',
  goose: 'Goose',
  'gemini-cli': 'Gemini CLI',
  codex: 'Codex',
  project: '.mcp.json',
} as const
export type OtherHost = keyof typeof OTHER_HOSTS
export const otherHost = () => z.enum(Object.keys(OTHER_HOSTS) as [OtherHost, ...OtherHost[]])

/** A configuration in its usual place. Nothing but the number of its servers is told of it before a person asks for a review. */
export interface FoundConfig {
  readonly host: OtherHost
  readonly path: string
  readonly servers: number
  /** Why its servers cannot be told, as a sentence. */
  readonly problem?: string
}

/** The source of a review: configurations that `import.look` found, those in a project's folder, or a text. */
export type ImportSource = Given<typeof importSource>
export const importSource = () =>
  z.union([
    z.strictObject({ found: z.array(line()).min(1).max(50) }),
    /** Absolute. Only what hosts keep in a project is read of it: `.mcp.json`, `.vscode/mcp.json`, … */
    z.strictObject({ folder: line() }),
    /** `name`: of the file that was dropped. */
    z.strictObject({ text: text(MAX_TEXT_LENGTH), name: text(1000).exactOptional() }),
  ])

/** Something that a configuration asks for, or that it takes from elsewhere and that was not found there. */
export interface ImportInput {
  /** Of the review: one that several servers have is the same, and asked for once. */
  readonly id: string
  /** Text of the configuration. */
  readonly label: string
  readonly secret: boolean
  /** Filled in unless the person changes it. */
  readonly default?: string
  readonly choices?: readonly string[]
}

export interface ReviewedServer {
  readonly key: string
  /** As it stands there, whatever it holds: shown inert. */
  readonly called: string
  /** A name that is free, and different from all others of the review. */
  readonly name: string
  readonly from: {
    /** Absent for a text of no known host. */
    readonly host?: OtherHost
    readonly path?: string
    /** The project's folder that it stands for. */
    readonly project?: string
  }
  /**
   * As it would be written, whole. Values that go to the secret store are `{secret}`, without their text; what is asked for stands as
   * `${input:<id>}` in the others.
   */
  readonly launch: Launch
  readonly options: Partial<ServerOptions>
  /** `same`: a server is here already that is launched the same way. `repeated`: an earlier one of this review has the same configuration. */
  readonly here:
    | { readonly is: 'new' }
    | { readonly is: 'repeated'; readonly as: string }
    | { readonly is: 'same'; readonly as: ServerId }
    | { readonly is: 'name-taken' }
  readonly inputs: readonly ImportInput[]
  /** Variables and headers whose values go to the secret store. */
  readonly secrets: readonly string[]
  /** Where a secret would stand in mcp.json for all to read, in plain words: “argument 3”, “the address”. */
  readonly inTheClear: readonly string[]
  /** Settings of the other host that Parley does not take over, in plain sentences. */
  readonly notTaken: readonly string[]
  /** Points that a person should look at twice, in plain sentences. */
  readonly warnings: readonly string[]
}

/** Servers of other configurations, held in the host for a while: their secrets never come to the page. */
export interface ImportReview {
  readonly id: ImportReviewId
  readonly servers: readonly ReviewedServer[]
  /** Entries, and whole configurations, that cannot be taken; each with its reason as a sentence. */
  readonly unusable: readonly { readonly called: string; readonly path?: string; readonly why: string }[]
}

/** Servers of a review as the person lets them in. */
export type ImportChoice = Given<typeof importChoice>
export const importChoice = () =>
  z.strictObject({
    key: text(200),
    name: text(500),
    /** By the ids of its inputs. */
    inputs: texts(1000, 64 * 1024, 200),
    /** As the review has it when absent. */
    enabled: z.boolean().exactOptional(),
  })

/** The result of `server.export`. */
export interface ExportedConfig {
  readonly text: string
  readonly fileName: string
  /** Where that host looks for it on this system. */
  readonly path?: string
  /** Settings that the other host does not have, and values to fill in there; plain sentences. */
  readonly notes: readonly string[]
}
