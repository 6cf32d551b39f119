import { z } from 'zod'
import type { ImportReviewId, ServerId } from './ids.ts'
import { registryAddress } from './registries.ts'
import { type Given, line, MAX_TEXT_LENGTH, text, texts } from './schema-parts.ts'
import type { Launch, ServerOptions } from './servers.ts'

/** Hosts whose configurations are read and written. `project` is the `.mcp.json` that several of them read. */
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

/** A configuration in its usual place. Before a review, only its number of servers is shown. */
export interface FoundConfig {
  readonly host: OtherHost
  readonly path: string
  readonly servers: number
  /** Why it cannot be read, as a sentence. */
  readonly problem?: string
}

/** Configurations that `import.look` found, those in a project's folder, a text, a bundle, or an entry of a registry. */
export type ImportSource = Given<typeof importSource>
export const importSource = () =>
  z.union([
    z.strictObject({ found: z.array(line()).min(1).max(50) }),
    /** Absolute. Only the files of other hosts are read: `.mcp.json`, `.vscode/mcp.json`, … */
    z.strictObject({ folder: line() }),
    /** `name` is that of a dropped file. */
    z.strictObject({ text: text(MAX_TEXT_LENGTH), name: text(1000).exactOptional() }),
    /** A bundle that `import.receive` took, and the name of its file. */
    z.strictObject({ bundle: text(100), name: text(1000) }),
    /** An entry of a registry in the settings. `download` is the address of a bundle that it lists. */
    z.strictObject({
      registry: registryAddress(),
      server: text(500),
      version: text(200),
      download: text(4096).exactOptional(),
    }),
  ])

/** Bytes of a bundle per frame; a multiple of three, so that base64 needs no padding. */
export const BUNDLE_PIECE = 576 * 1024

/** A value that a configuration asks for, or one that was not found in its source. */
export interface ImportInput {
  /** Unique in the review, so that an input of several servers is asked for once. */
  readonly id: string
  /** From the configuration: rendered inert. */
  readonly label: string
  readonly secret: boolean
  readonly default?: string
  readonly choices?: readonly string[]
  /** An explanation by the publisher: rendered inert. */
  readonly hint?: string
  /** A text when absent. Booleans are `true` and `false`. */
  readonly kind?: 'number' | 'boolean' | 'folder' | 'file'
  /** One value in each line, each of which becomes an argument of its own. */
  readonly several?: true
  /** Without a value, the arguments and variables that contain it are left out. */
  readonly optional?: true
  /** It is a whole argument, so the program would take a value that begins with “-” for an option. */
  readonly alone?: true
  /** Part of an address, in which its value is encoded. */
  readonly encoded?: true
  readonly least?: number
  readonly most?: number
}

/** A server that somebody published, as a bundle or a server.json. Everything in it is the publisher's claim, rendered inert. */
export interface ReviewedPackage {
  readonly is: 'bundle' | 'entry'
  readonly title: string
  readonly version: string
  readonly description: string
  /** The author of a bundle, or the name of an entry, whose front part is the publisher. */
  readonly publisher: string
  /** The host that `registry.confirm` asks for the owner of the package. Absent where packages name no owner. */
  readonly knownAt?: string
  /** Steps after the installation, in the publisher's words; Parley carries out none of them. */
  readonly afterwards?: string
  /** “npm”, “address”, …; for a bundle the name of its file. */
  readonly source: string
  /** SHA-256 of a bundle. */
  readonly sha256?: string
  readonly files?: number
  readonly bytes?: number
  /** It carries a signature, which is not checked. */
  readonly signed?: true
  readonly tools: readonly string[]
  readonly privacyPolicies: readonly string[]
  /** Versions of programs that it wants: “node >=20”. */
  readonly needs: readonly string[]
  /** Sentences about what makes it more dangerous than others. */
  readonly alarms: readonly string[]
  /** The installed server that it updates, and the differences as sentences. */
  readonly updates?: { readonly serverId: ServerId; readonly changes: readonly string[] }
}

export interface ReviewedServer {
  readonly key: string
  /** Its name in the configuration: rendered inert. */
  readonly called: string
  /** An unused name, unique in the review. */
  readonly name: string
  readonly from: {
    /** Absent for a text of an unknown host. */
    readonly host?: OtherHost
    readonly path?: string
    /** The folder of the project that it is configured for. */
    readonly project?: string
  }
  /**
   * As it would be written. Values for the secret store are `{secret}` without their text; inputs are `${input:<id>}` in the other
   * values.
   */
  readonly launch: Launch
  readonly options: Partial<ServerOptions>
  /** `same`: a configured server has this launch. `repeated`: an earlier one of the review has it. */
  readonly here:
    | { readonly is: 'new' }
    | { readonly is: 'repeated'; readonly as: string }
    | { readonly is: 'same'; readonly as: ServerId }
    | { readonly is: 'name-taken' }
  readonly inputs: readonly ImportInput[]
  /** Variables and headers for the secret store. */
  readonly secrets: readonly string[]
  /** Secrets that would be readable in mcp.json: “argument 3”, “the address”. */
  readonly inTheClear: readonly string[]
  /** Settings of the other host that are not imported, as sentences. */
  readonly notTaken: readonly string[]
  /** Sentences. */
  readonly warnings: readonly string[]
  readonly package?: ReviewedPackage
}

/** Servers of other configurations. The host holds their secrets; the page never gets them. */
export interface ImportReview {
  readonly id: ImportReviewId
  readonly servers: readonly ReviewedServer[]
  /** Entries and whole configurations that cannot be imported; `why` is a sentence. */
  readonly unusable: readonly { readonly called: string; readonly path?: string; readonly why: string }[]
  /** Bundles that an entry of a registry lists; none is downloaded until the person chooses it. */
  readonly downloads?: readonly { readonly address: string; readonly from: ImportSource }[]
}

/** A server of a review as the person adds it. */
export type ImportChoice = Given<typeof importChoice>
export const importChoice = () =>
  z.strictObject({
    key: text(200),
    name: text(500),
    /** By input id. */
    inputs: texts(1000, 64 * 1024, 200),
    /** By default as in the review. */
    enabled: z.boolean().exactOptional(),
    /** Updates the installed server instead of adding one. */
    update: z.literal(true).exactOptional(),
  })

export interface ExportedConfig {
  readonly text: string
  readonly fileName: string
  /** The path at which that host reads it on this system. */
  readonly path?: string
  /** Settings that the other host lacks, and values to fill in there, as sentences. */
  readonly notes: readonly string[]
}
