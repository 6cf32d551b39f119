import { z } from 'zod'
import type { Icon } from '../mcp/content.ts'
import type { DeprecatedFeature, Implementation, LogLevel, Tool, ToolAnnotations } from '../mcp/primitives.ts'
import { type ServerSignIn, type SignInClient, type StoredCredential, signInConfig } from './authorization.ts'
import type { Problem } from './errors.ts'
import type { ServerId } from './ids.ts'
import type { SharedFolder } from './projects.ts'
import { type BudgetLeft, budgetLeft } from './sampling.ts'
import { type configValue, type Given, id, line, namedValues, text } from './schema-parts.ts'
import { type ServerTimeouts, serverTimeouts } from './settings.ts'

/** The built-in server for a first tool call. */
export const PLAYGROUND_ID = 'playground' as ServerId

/**
 * A value of a variable or header. Secret `text` only travels to the host; `lift` puts it into the secret store whatever its name.
 */
export type ConfigValue = Given<typeof configValue>

/**
 * Prefix of `secret` for a value in mcp.json whose name looks secret. The page does not get its text; sending the reference back keeps
 * it, and `server.liftSecrets` moves it to the secret store.
 */
export const IN_THE_CLEAR = 'in-the-clear:'

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

/** The server form's values. Secrets only travel to the host. */
export type ServerConfig = Given<typeof serverConfig>
export const serverConfig = () =>
  z.strictObject({
    name: text(500),
    launch: launch(),
    options: serverOptions().exactPartial().exactOptional(),
    signIn: signInConfig().exactOptional(),
  })

/** Servers added or removed at once. */
export const MAX_AT_ONCE = 500

/** Null means the default of the settings. */
const ownTimeouts = () => ({
  requestTimeout: serverTimeouts().shape.requestTimeout.nullable(),
  maxRequestTime: serverTimeouts().shape.maxRequestTime.nullable(),
  startTimeout: serverTimeouts().shape.startTimeout.nullable(),
})

/** Time limits from its own options, else from the settings. The maximum is never below the request timeout. */
export function timeoutsOf(own: Pick<ServerOptions, keyof ServerTimeouts>, all: ServerTimeouts): ServerTimeouts {
  const requestTimeout = own.requestTimeout ?? all.requestTimeout
  return {
    requestTimeout,
    maxRequestTime: own.maxRequestTime ?? Math.max(requestTimeout, all.maxRequestTime),
    startTimeout: own.startTimeout ?? all.startTimeout,
  }
}

export const FENCED_FOLDERS = 64
export const FENCED_HOSTS = 64

/** The reach of a fenced server beside the system's programs, its own code, and a home folder of its own. */
export type FencePolicy = Given<typeof fencePolicy>
export const fencePolicy = () =>
  z.strictObject({
    network: z.union([z.enum(['none', 'any']), z.strictObject({ hosts: z.array(fencedHost()).max(FENCED_HOSTS) })]),
    folders: z.array(z.strictObject({ path: text(4096), write: z.boolean() })).max(FENCED_FOLDERS),
  })

/** Fences of several servers at once. */
export const serverFences = () => z.array(z.strictObject({ serverId: id<ServerId>(), fence: fencePolicy() })).max(MAX_AT_ONCE)

/** Something that a fence blocked. Names are the server's own: shown inert. */
export type BlockedReach = Given<typeof blockedReach>
export const blockedReach = () =>
  z.strictObject({
    kind: z.enum(['host', 'folder', 'network']),
    /** A host in the spelling that would allow it, or a path; `*` for the network. */
    name: text(4096),
    /** It would have changed files there. */
    write: z.literal(true).exactOptional(),
    /** Read from an error of the server; otherwise the fence itself refused it. */
    guessed: z.literal(true).exactOptional(),
    /** No fence can be opened for it. */
    closed: z.literal(true).exactOptional(),
  })

export interface CountedReach extends BlockedReach {
  readonly times: number
  /** The last time. */
  readonly at: number
}

/** Blocked things shown at a call, and those that wait for a choice. */
export const BLOCKED_SHOWN = 8

/** Names in one server's list of those to block without mentioning them. */
export const KEPT_OUT = 128

/** As `patternText` spells it, which the page loads later. The host reaches none that is not a pattern. */
const fencedHost = () => text(300).regex(/^(?:\*\.)?(?:\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?$/)

/** `refused`: it would have changed something that it can only read. */
export type PathUse = 'looked' | 'read' | 'refused' | 'changed'

/** One thing that a watched server reached, and what is proposed for its fence. Names are the server's own: shown inert. */
export type WatchedReach =
  | {
      readonly kind: 'folder'
      readonly path: string
      /** `none`: the person named it, and the server has not used it. */
      readonly use: PathUse | 'none'
      readonly proposal: 'out' | 'read' | 'change'
      /** Why it can never be reached from inside a fence. */
      readonly why?: string
    }
  /** `host` is written as a fence names it. */
  | { readonly kind: 'host'; readonly host: string; readonly reached: boolean; readonly proposal: boolean }
  | { readonly kind: 'socket' | 'program'; readonly path: string }

export interface WatchReport {
  /** Why nothing can be watched here. */
  readonly problem?: Problem
  readonly reaches: readonly WatchedReach[]
  /** Folders, sockets and programs that are not among them. */
  readonly more: number
  readonly moreHosts: number
  /** Parts of the log that could not be read or were too many. */
  readonly missed: number
}

/** Options that mcp.json has no field for; stored in the database by server id. */
export type ServerOptions = Given<typeof serverOptions>
export const serverOptions = () =>
  z.strictObject({
    enabled: z.boolean(),
    ...ownTimeouts(),
    /** Protocol revisions to use: detected, only those with a handshake, or only 2026-07-28. */
    era: z.enum(['auto', 'legacy', 'modern']),
    /** Uses the draft specification's elicitation. */
    draftProfile: z.boolean(),
    /**
     * Sampling requests. Each one asks the person; above the `budget` they are refused without asking. `off` refuses all, and from the
     * next start on does not declare the capability.
     */
    sampling: z.enum(['off', 'ask', 'budget']),
    /** For `budget`: requests, and tokens in and out, in all for the current launch. */
    samplingBudget: budgetLeft(),
    /** Its questions are refused unseen. */
    muted: z.boolean(),
    /** Shows the views of its tools (MCP Apps); declared only where it is on. */
    apps: z.boolean(),
    /** Long calls may run as tasks of the server; declared only where it is on. */
    tasks: z.boolean(),
    /** Null for a server that runs with all of the person's rights. */
    fence: fencePolicy().nullable(),
    /** Names that its fence blocks without mentioning them again, as the person chose. */
    keptOut: z.array(text(4096)).max(KEPT_OUT),
    /** Milliseconds since the epoch; null for a server that is not watched. */
    watchedSince: z.number().int().nonnegative().nullable(),
    /** Tools that are not offered to models. */
    hiddenTools: z.array(text(1000)).max(10_000),
    /** Tools that run as tasks although they need not. */
    backgroundTools: z.array(text(1000)).max(10_000),
    /** The person sees the results of all its tools before the model does. */
    reviewResults: z.boolean(),
    /** The tools for which this holds alone. */
    reviewedTools: z.array(text(1000)).max(10_000),
    /** Starts with the app, and is not stopped when it is not used. */
    keepRunning: z.boolean(),
    /** Restarts when the person changes its code. */
    restartOnChange: z.boolean(),
    /** A conversation says when its tools cost much and are not used. */
    hintsAtCost: z.boolean(),
  })

/** Milliseconds without use after which a server is stopped until it is needed. */
export const IDLE_AFTER = 10 * 60_000

export type ServerState =
  | { readonly is: 'stopped'; readonly why: 'not-enabled' | 'stopped' | 'denied' | 'not-started' }
  /** A server-trust question is open. */
  | { readonly is: 'asking'; readonly since: number }
  | {
      readonly is: 'starting'
      readonly since: number
      readonly step: 'launching' | 'installing' | 'handshake' | 'listing'
      readonly attempt: number
      /** The last line of the installer. Rendered inert. */
      readonly said?: string
    }
  | { readonly is: 'ready'; readonly since: number }
  /** Enabled and allowed, and started by its next use. */
  | { readonly is: 'idle'; readonly since: number; readonly why: 'not-needed' | 'unused' }
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
  /** Details are in `signIn` of its record. */
  | { readonly is: 'needs-sign-in'; readonly since: number; readonly problem: Problem }

/** The server's claims about itself from the handshake, shown next to the configured name (LIFE-43). */
export interface ServerHello {
  readonly revision: string
  readonly serverInfo?: Implementation
  readonly capabilities: readonly string[]
  readonly instructions?: string
}

/** More claims of the server; too large for the snapshot. */
export interface ServerAbout extends Pick<Implementation, 'description' | 'websiteUrl' | 'icons'> {
  /** Ids of declared protocol extensions, at most 64. */
  readonly extensions?: readonly string[]
}

/** The use of the computer by the processes of a local server. */
export interface ServerUsage {
  readonly at: number
  readonly processes: number
  /** Bytes. */
  readonly memory: number
  /** Milliseconds of all processors since they started. */
  readonly cpuMs: number
}

/** Sizes of a server's lists; the entries come by `catalog.tools` and the like, again when `version` changes. */
export interface CatalogCounts {
  readonly version: number
  readonly tools: number
  readonly resources: number
  readonly templates: number
  readonly prompts: number
  /** Sentences about lists that could not be read or were cut. */
  readonly problems: readonly string[]
}

export interface ServerRecord {
  readonly id: ServerId
  readonly name: string
  readonly launch: Launch
  readonly builtIn: boolean
  readonly options: ServerOptions
  readonly state: ServerState
  /** Keyed hash of the launch (decision 0007). */
  readonly launchIdentity: string
  readonly hello?: ServerHello
  /** Rises when more is known of what a watched server reaches. */
  readonly watched?: number
  /** Used on this connection. */
  readonly deprecated?: readonly DeprecatedFeature[]
  readonly catalog: CatalogCounts
  /** The folder or the file of its code, if it is of the person's own making: no installed package and no bundle. */
  readonly codePath?: string
  /** Its code changed and waits for the person, or cannot be watched. */
  readonly codeProblem?: Problem
  /** Why its entry in mcp.json cannot be used. */
  readonly problem?: Problem
  /** Its roots; absent while undecided, empty when the person shares none. */
  readonly folders?: readonly SharedFolder[]
  /** It asked for roots and got none, since they are undecided. */
  readonly wantsFolders?: boolean
  /** Tools that the person has not reviewed, or whose definition has changed since, of those that can be. */
  readonly unmetTools?: { readonly count: number; readonly of: number }
  /** Sampling used so far by the current launch. */
  readonly sampled?: BudgetLeft
  /** Things that its fence blocked since Parley started, the first of those without the person's choice; absent without any. */
  readonly blocked?: readonly BlockedReach[]
  /** Absent while it has not required a sign-in. */
  readonly signIn?: ServerSignIn
  /** Absent for a sign-in in the browser. */
  readonly signsInAs?: SignInClient
  /** Its sign-ins in the secret store; at most 50. */
  readonly credentials?: readonly StoredCredential[]
  /** Its entry in mcp.json changed while it runs, and the new launch waits for trust. */
  readonly changePending?: boolean
}

/** A tool without its schemas, which come by `catalog.tool`. */
export interface ToolEntry {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly hints: ToolHints
  /** Estimated tokens of its definition. */
  readonly tokens: number
  readonly hidden: boolean
  /** Why it cannot be offered to a model. */
  readonly unusable?: string
  /** The server keeps it for its own app. */
  readonly appOnly?: true
  /** Appeared or changed since this connection began. */
  readonly changed?: 'new' | 'changed'
  /** At most one, a data URL of at most 8 KiB. */
  readonly icons?: readonly Icon[]
}

/** The server's annotations with the defaults filled in (TOOL-13). */
export interface ToolHints {
  readonly readOnly: boolean
  readonly destructive: boolean
  readonly idempotent: boolean
  readonly openWorld: boolean
}

export interface ToolDetails {
  readonly entry: ToolEntry
  readonly definition: Tool
  /** Arguments that are also sent as readable headers. */
  readonly mirrored?: readonly string[]
  /** For each provider that gets it in another form. */
  readonly sent?: readonly SentForm[]
}

/** A tool as changed for a provider's API. */
export interface SentForm {
  /** The person's name for the provider. */
  readonly provider: string
  /** The tool's name there. */
  readonly name: string
  /** Sentences that contain names from the server. */
  readonly changes: readonly string[]
  /** Why it cannot be sent. */
  readonly leftOut?: string
}

/** Absent hints count as the worst case (TOOL-13, TOOL-14). */
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
  /** An error response. */
  readonly failed?: boolean
}

/** Exactly what would be run or contacted (SEC-22). */
export type LaunchSummary =
  | {
      readonly type: 'local'
      /** As written. */
      readonly command: string
      /** The resolved program; absent when not found. */
      readonly resolved?: string
      readonly args: readonly string[]
      /** Absolute. */
      readonly cwd: string
      readonly env: readonly LaunchVariable[]
      /** Code files whose content is part of what is trusted; absolute. */
      readonly code?: readonly string[]
      /** Why the code can change without a new question. */
      readonly open?: string
      /** Absent when it runs with all of the person's rights. */
      readonly fence?: FencePolicy
    }
  | { readonly type: 'remote'; readonly url: string; readonly host: string; readonly headers: readonly LaunchVariable[] }

export interface LaunchVariable {
  readonly name: string
  /** Absent for a secret. */
  readonly value?: string
  /** The effect that a variable of this name may have on a program; absent for a harmless one. */
  readonly can?: 'load-code' | 'change-downloads' | 'redirect-traffic' | 'unknown'
}
