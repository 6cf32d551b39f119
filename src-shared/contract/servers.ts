import { z } from 'zod'
import type { Icon } from '../mcp/content.ts'
import type { DeprecatedFeature, Implementation, LogLevel, Tool, ToolAnnotations } from '../mcp/primitives.ts'
import { type ServerSignIn, type SignInClient, type StoredCredential, signInConfig } from './authorization.ts'
import type { Problem } from './errors.ts'
import type { ServerId } from './ids.ts'
import type { SharedFolder } from './projects.ts'
import { type BudgetLeft, budgetLeft } from './sampling.ts'
import { type configValue, type Given, line, namedValues, text } from './schema-parts.ts'
import { type ServerTimeouts, serverTimeouts } from './settings.ts'

/** The built-in server that lets a newcomer make a first tool call. */
export const PLAYGROUND_ID = 'playground' as ServerId

/**
 * A value of a variable or header: in the clear, or by reference to the secret store. `text` is only ever sent towards the host;
 * `lift`: it goes to the secret store whatever its name.
 */
export type ConfigValue = Given<typeof configValue>

/**
 * How the `secret` of a value begins that stands in the clear in mcp.json though its name says that it is secret. Its text is not
 * sent; sending the reference back keeps it, and `server.liftSecrets` moves it to the secret store.
 */
export const IN_THE_CLEAR = 'in-the-clear:'

/** How a server is reached, as the person configured it. */
export type Launch = ServerConfig['launch'] | { readonly type: 'built-in' }

const launch = () => {
  return z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('local'),
      command: line(),
      args: z.array(text(64 * 1024)).max(1000),
      env: namedValues(),
      cwd: line().exactOptional(),
    }),
    z.strictObject({ type: z.literal('remote'), url: text(8192), headers: namedValues() }),
  ])
}

/** The server form's request: a launch whose secrets travel in, never out. */
export type ServerConfig = Given<typeof serverConfig>
export const serverConfig = () =>
  z.strictObject({
    name: text(500),
    launch: launch(),
    options: serverOptions().exactPartial().exactOptional(),
    signIn: signInConfig().exactOptional(),
  })

/** Servers that are added or removed in one go. */
export const MAX_AT_ONCE = 500

/** Options of one server; null means the default of the settings. */
const ownTimeouts = () => ({
  requestTimeout: serverTimeouts().shape.requestTimeout.nullable(),
  maxRequestTime: serverTimeouts().shape.maxRequestTime.nullable(),
  startTimeout: serverTimeouts().shape.startTimeout.nullable(),
})

/** How long a server is waited for, by its own options and else by the settings. Its maximum is never below its request timeout. */
export function timeoutsOf(own: Pick<ServerOptions, keyof ServerTimeouts>, all: ServerTimeouts): ServerTimeouts {
  const requestTimeout = own.requestTimeout ?? all.requestTimeout
  return {
    requestTimeout,
    maxRequestTime: own.maxRequestTime ?? Math.max(requestTimeout, all.maxRequestTime),
    startTimeout: own.startTimeout ?? all.startTimeout,
  }
}

/** Options that mcp.json has no place for; kept in the database by server id. */
export type ServerOptions = Given<typeof serverOptions>
export const serverOptions = () =>
  z.strictObject({
    enabled: z.boolean(),
    ...ownTimeouts(),
    /** Which revisions are spoken with it: what it answers for itself, those with a handshake, or 2026-07-28 alone. */
    era: z.enum(['auto', 'legacy', 'modern']),
    /** Speak elicitation as the draft pages have it. */
    draftProfile: z.boolean(),
    /**
     * Requests to use the person's model. Every one is asked about; `budget` is a ceiling beyond which they are refused unasked,
     * `off` is not even declared to the server from its next start on, and refused until then.
     */
    sampling: z.enum(['off', 'ask', 'budget']),
    /** With `budget`: requests sent to a model, and tokens read and written, in all for this server as it is launched. */
    samplingBudget: budgetLeft(),
    /** Questions are refused without showing them. */
    muted: z.boolean(),
    /** Tools that no model is offered. */
    hiddenTools: z.array(text(1000)).max(10_000),
  })

export const DEFAULT_SERVER_OPTIONS: ServerOptions = {
  enabled: true,
  requestTimeout: null,
  maxRequestTime: null,
  startTimeout: null,
  era: 'auto',
  draftProfile: false,
  sampling: 'ask',
  samplingBudget: { requests: 20, tokens: 100_000 },
  muted: false,
  hiddenTools: [],
}

export type ServerState =
  | { readonly is: 'stopped'; readonly why: 'not-enabled' | 'stopped' | 'denied' | 'not-started' }
  /** A server-trust question is open. */
  | { readonly is: 'asking'; readonly since: number }
  | {
      readonly is: 'starting'
      readonly since: number
      readonly step: 'launching' | 'installing' | 'handshake' | 'listing'
      readonly attempt: number
      /** While it is installed: the last line that the installer said. Rendered inert. */
      readonly said?: string
    }
  | { readonly is: 'ready'; readonly since: number }
  | { readonly is: 'failed'; readonly at: number; readonly problem: Problem; readonly stderr: readonly string[] }
  | {
      readonly is: 'restarting'
      readonly at: number
      readonly attempt: number
      readonly of: number
      readonly problem: Problem
      readonly stderr: readonly string[]
    }
  | { readonly is: 'stopping'; readonly since: number }
  /** It lets in only those who are signed in; `signIn` of its record says more. */
  | { readonly is: 'needs-sign-in'; readonly since: number; readonly problem: Problem }

/** The server's description of itself in its handshake: a claim, shown next to the configured name (LIFE-43). */
export interface ServerHello {
  readonly revision: string
  /** Absent when it does not say. */
  readonly serverInfo?: Implementation
  readonly capabilities: readonly string[]
  readonly instructions?: string
}

/** The rest of its description, by `server.about`: also a claim, and too large for the snapshot. */
export interface ServerAbout extends Pick<Implementation, 'description' | 'websiteUrl' | 'icons'> {
  /** Ids of the extensions of the protocol that it declares, at most 64. */
  readonly extensions?: readonly string[]
}

/** How much a server offers; the entries come by `catalog.tools` and its like, again whenever `version` changes. */
export interface CatalogCounts {
  readonly version: number
  readonly tools: number
  readonly resources: number
  readonly templates: number
  readonly prompts: number
  /** Lists that could not be read or were cut, in plain words. */
  readonly problems: readonly string[]
}

export interface ServerRecord {
  readonly id: ServerId
  readonly name: string
  readonly launch: Launch
  readonly builtIn: boolean
  readonly options: ServerOptions
  readonly state: ServerState
  /** Keyed hash of what is launched (decision 0007). */
  readonly launchIdentity: string
  readonly hello?: ServerHello
  /** In use on this connection. */
  readonly deprecated?: readonly DeprecatedFeature[]
  readonly catalog: CatalogCounts
  /** Why its entry in mcp.json cannot be used. */
  readonly problem?: Problem
  /** Folders that it is told of; absent while nobody has decided, an empty list when none is to be shared. */
  readonly folders?: readonly SharedFolder[]
  /** It asked for folders and was told of none, for nobody has decided. */
  readonly wantsFolders?: boolean
  /** Tools that nobody has said anything of, or of which the definition is another now. */
  readonly unmetTools?: number
  /** Sampling used so far, for the server as it is launched now. */
  readonly sampled?: BudgetLeft
  /** Absent while the server has asked for no sign-in. */
  readonly signIn?: ServerSignIn
  /** The client that signs in to it; a person in the browser when absent. */
  readonly signsInAs?: SignInClient
  /** Its sign-ins in the secret store; at most 50. */
  readonly credentials?: readonly StoredCredential[]
  /** The file's entry changed while the process runs; the new one waits for an answer. */
  readonly changePending?: boolean
}

/** A tool as the page shows it; schemas come by `catalog.tool`. */
export interface ToolEntry {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly hints: ToolHints
  /** Rough tokens that its definition costs in a model's window. */
  readonly tokens: number
  readonly hidden: boolean
  /** Why it cannot be offered to a model. */
  readonly unusable?: string
  /** The server keeps it for its own app. */
  readonly appOnly?: true
  /** Appeared or changed since this connection began. */
  readonly changed?: 'new' | 'changed'
  /** At most one, as a data address of at most 8 KiB. */
  readonly icons?: readonly Icon[]
}

/** The server's claims with the defaults filled in (TOOL-13). */
export interface ToolHints {
  readonly readOnly: boolean
  readonly destructive: boolean
  readonly idempotent: boolean
  readonly openWorld: boolean
}

export interface ToolDetails {
  readonly entry: ToolEntry
  readonly definition: Tool
  /** Arguments that travel as readable headers, too. */
  readonly mirrored?: readonly string[]
  /** How it reaches models, for each provider that is not sent it as the server has it. */
  readonly sent?: readonly SentForm[]
}

/** A tool as a provider is sent it, so that its API takes it. */
export interface SentForm {
  /** As the person named the provider. */
  readonly provider: string
  /** The tool's name for the model. */
  readonly name: string
  /** In plain sentences; names of the server's own stand in them. */
  readonly changes: readonly string[]
  /** Why it is not sent at all. */
  readonly leftOut?: string
}

/** Fills in what the server left out: absent hints read as the worst case (TOOL-13, TOOL-14). */
export function toolHints(annotations: ToolAnnotations | undefined): ToolHints {
  const readOnly = annotations?.readOnlyHint === true
  return {
    readOnly,
    destructive: !readOnly && annotations?.destructiveHint !== false,
    idempotent: !readOnly && annotations?.idempotentHint === true,
    openWorld: annotations?.openWorldHint !== false,
  }
}

export interface ServerLogLine {
  /** Rises by one per line of this server, across restarts of the connection. */
  readonly n: number
  readonly at: number
  readonly source: 'stderr' | 'log' | 'host'
  readonly level?: LogLevel
  readonly logger?: string
  readonly text: string
}

export interface TrafficEntry {
  readonly n: number
  readonly at: number
  readonly direction: 'sent' | 'received' | 'http' | 'stderr'
  /** Redacted. */
  readonly text: string
  readonly bytes: number
  readonly method?: string
  readonly id?: string
  /** The answer is an error. */
  readonly failed?: boolean
}

/** The details of a server-trust question: exactly what would run or be contacted (SEC-22). */
export type LaunchSummary =
  | {
      readonly type: 'local'
      /** As written. */
      readonly command: string
      /** The program that it resolves to; absent when it was not found. */
      readonly resolved?: string
      readonly args: readonly string[]
      /** Absolute. */
      readonly cwd: string
      readonly env: readonly LaunchVariable[]
      /** Files of code whose content belongs to what is allowed; absolute. */
      readonly code?: readonly string[]
      /** Why what runs can change without a question. */
      readonly open?: string
    }
  | { readonly type: 'remote'; readonly url: string; readonly host: string; readonly headers: readonly LaunchVariable[] }

export interface LaunchVariable {
  readonly name: string
  /** Absent when it lies in the secret store. */
  readonly value?: string
  /** The power of a variable of this name over a program, beyond its command line; absent where it is known to be harmless. */
  readonly can?: 'load-code' | 'change-downloads' | 'redirect-traffic' | 'unknown'
}
