import { z } from 'zod'
import type { Range } from '../base/range.ts'
import { KEYS, SHORTCUT_IDS } from '../base/shortcuts.ts'
import type { Problem } from './errors.ts'
import type { ProviderId, ServerId } from './ids.ts'
import { DEMO_MODEL } from './plain-values.ts'
import { MAX_REGISTRIES, registryAddress } from './registries.ts'
import { type configValue, count, type Given, id, namedValues, text, whole } from './schema-parts.ts'
import { FIELD_DEFAULTS, FIELD_ENTRIES, type FieldValues } from './setting-fields.ts'
import { SKILLS_ON, skillSwitch } from './skills.ts'

/** Reasoning efforts, least first, in the terms of the APIs. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof EFFORTS)[number]

export type ModelRef = Given<typeof modelRef>
export const modelRef = () =>
  z.strictObject({
    provider: id<ProviderId>(),
    model: modelName(),
    /** By default the model's own. Ignored by models without efforts. */
    effort: z.enum(EFFORTS).exactOptional(),
  })
export const modelName = () => text(300)

/** Tokens of one request, counted by the provider. */
export type TokenUsage = Given<typeof tokenUsage>
export const tokenUsage = () =>
  z.object({
    /** Cached or not. */
    input: count(),
    output: count(),
    /** The part of the input that was read from the provider's cache, at a fraction of the price. */
    cacheRead: count().exactOptional(),
    /** The part of the input that was written to it. */
    cacheWrite: count().exactOptional(),
  })

export type ProviderKind = 'demo' | ProviderConfig['kind']

export interface ModelEntry {
  readonly id: string
  readonly name: string
  /** Tokens; absent when unknown. */
  readonly contextWindow?: number
  /** The person set the window. */
  readonly ownWindow?: true
  readonly vision?: boolean
  /** Accepts PDF files. */
  readonly documents?: boolean
  /** Accepts tools; absent when unknown. */
  readonly tools?: boolean
  /** Least first; absent for a model without efforts. */
  readonly efforts?: readonly Effort[]
  /** Absent when unknown. */
  readonly price?: ModelPrice
}

/** List price in US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  /** For cached input; by default the price of other input. */
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

/** US dollars by list price, an estimate. */
export function costOf({ input, output, cacheRead = 0, cacheWrite = 0 }: TokenUsage, price: ModelPrice): number {
  const plain = Math.max(0, input - cacheRead - cacheWrite) * price.input
  const cached = cacheRead * (price.cacheRead ?? price.input) + cacheWrite * (price.cacheWrite ?? price.input)
  return (plain + cached + output * price.output) / 1_000_000
}

/** The state of a key; the page never gets the key. */
export type KeyState = 'saved' | 'missing' | 'not-needed' | 'saved-elsewhere' | 'memory-only'

export interface ProviderRecord {
  readonly id: ProviderId
  readonly kind: ProviderKind
  readonly name: string
  /** Required for openai-compatible; overrides the default of the others. */
  readonly baseUrl?: string
  readonly key: KeyState
  readonly models: readonly ModelEntry[]
  /** Sent with each request; secret ones are references. */
  readonly headers?: Readonly<Record<string, Given<typeof configValue>>>
  /** Ids of models that were entered by hand. */
  readonly ownModels?: readonly string[]
  /** The number of models that its service last listed, including those that cannot chat. */
  readonly listed?: number
  /** Why its models could not be listed. */
  readonly problem?: Problem
  readonly state: 'idle' | 'looking' | 'ready'
}

export type ModelTrial =
  | {
      readonly model: string
      readonly answer: string
      /** Milliseconds from the request to the first word; absent for an empty answer. */
      readonly firstWord?: number
    }
  | { readonly model: string; readonly problem: Problem }

/** Models of one provider; aggregators list many hundreds. */
export const MODEL_LIMIT = 500

export type ProviderConfig = Given<typeof providerConfig>
export const providerConfig = () =>
  z.strictObject({
    kind: z.enum(['anthropic', 'openai', 'openai-compatible']),
    name: text(200),
    baseUrl: text(2048).exactOptional(),
    /** In addition to those that the provider lists. */
    models: z.array(modelName()).max(MODEL_LIMIT).exactOptional(),
    /** Sent with each request, for gateways. */
    headers: namedValues().exactOptional(),
  })

/** Tokens of a context window that the person sets. */
export const WINDOW_RANGE: Range = { least: 256, most: 100_000_000 }

export { DEMO_MODEL, DEMO_PROVIDER_ID, isSwitched } from './plain-values.ts'

/** Servers and tools that are turned off for models, and skills that are turned on. */
export type ToolSwitches = Given<typeof toolSwitches>
export const toolSwitches = () =>
  z.strictObject({
    servers: z.array(id<ServerId>()).max(1000),
    tools: z.array(z.strictObject({ serverId: id<ServerId>(), tool: text(1000) })).max(2000),
    skills: z.array(skillSwitch()).max(SKILLS_ON).exactOptional(),
  })

export const NO_SWITCHES: ToolSwitches = { servers: [], tools: [] }

/** Characters, in Settings and once more in a project. */
export const INSTRUCTIONS_LENGTH = 8_000

/** The proxy for Parley's own HTTP requests. Its password is in the secret store. */
export type ProxyChoice = Given<typeof proxy>
const proxy = () =>
  z.discriminatedUnion('use', [
    /** The system's proxy; in a shell that cannot read it, the environment's. */
    z.strictObject({ use: z.literal('system') }),
    z.strictObject({ use: z.literal('none') }),
    /** `except` has the notation of NO_PROXY. */
    z.strictObject({ use: z.literal('address'), address: text(2048), except: text(8192) }),
  ])

/** Characters of PEM. */
export const AUTHORITIES_LENGTH = 512 * 1024

export interface CertificateView {
  readonly subject: string
  /** Absent for a self-signed one. */
  readonly issuer?: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  /** SHA-256 in hexadecimal, since anybody can use a name. */
  readonly fingerprint: string
}

/** Milliseconds that can be set for a request, or for the start of a server. */
export const REQUEST_TIME: Range = { least: 1000, most: 24 * 60 * 60_000 }

/** Milliseconds. */
export type ServerTimeouts = Given<typeof serverTimeouts>
export const serverTimeouts = () =>
  z.strictObject({
    /** Without an answer or progress for this long, a request ends and a tool call is overdue. */
    requestTimeout: whole(REQUEST_TIME),
    /** After this long, a request ends and a tool call is overdue even with progress. */
    maxRequestTime: whole(REQUEST_TIME),
    /** For the handshake. A server that is downloaded first gets at least five minutes, unless its own options say otherwise. */
    startTimeout: whole(REQUEST_TIME),
  })

export type Settings = Given<typeof settings>
export const settings = () =>
  z.strictObject({
    ...fieldSchemas(),
    defaultModel: modelRef(),
    newSwitches: toolSwitches(),
    /** The folder of the person's skills; empty for none. */
    skillFolder: text(4096),
    /** The welcome page was finished or closed. */
    welcomed: z.boolean(),
    /** Local servers without a fence are named above the list of servers. */
    fencesOffered: z.boolean(),
    /** Given to models in every conversation. */
    instructions: text(INSTRUCTIONS_LENGTH),
    /** Only keys that differ from the defaults. */
    shortcuts: z.partialRecord(z.enum(SHORTCUT_IDS), z.union([z.literal(''), z.string().regex(KEYS)])),
    /** Writes titles after the first answer; null means that titles are the first words. Absent until the person decides. */
    titleModel: modelRef().nullable().exactOptional(),
    /** Proposed for sampling requests; null means the conversation's. */
    samplingModel: modelRef().nullable(),
    registries: z.array(registryAddress()).max(MAX_REGISTRIES),
    serverTimeouts: serverTimeouts(),
    proxy: proxy(),
    /** Trusted in addition to the system's, as PEM; empty for none. */
    authorities: text(AUTHORITIES_LENGTH),
  })

function fieldSchemas() {
  const schemas = FIELD_ENTRIES.map(([id, field]) => {
    if ('options' in field) return [id, z.enum(Object.keys(field.options))]
    if ('sides' in field) return [id, z.enum(field.sides)]
    return [id, 'range' in field ? whole(field.range) : z.boolean()]
  })
  return Object.fromEntries(schemas) as { [Id in keyof FieldValues]: z.ZodType<FieldValues[Id]> }
}

export const DEFAULT_SETTINGS: Settings = {
  ...FIELD_DEFAULTS,
  defaultModel: DEMO_MODEL,
  newSwitches: NO_SWITCHES,
  skillFolder: '',
  welcomed: false,
  fencesOffered: true,
  instructions: '',
  shortcuts: {},
  samplingModel: null,
  registries: [],
  serverTimeouts: { requestTimeout: 60_000, maxRequestTime: 600_000, startTimeout: 30_000 },
  proxy: { use: 'system' },
  authorities: '',
}
