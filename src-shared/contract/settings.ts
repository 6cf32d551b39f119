import { z } from 'zod'
import type { Range } from '../base/range.ts'
import { KEYS, SHORTCUT_IDS } from '../base/shortcuts.ts'
import type { Problem } from './errors.ts'
import type { ProviderId, ServerId } from './ids.ts'
import { DEMO_MODEL } from './plain-values.ts'
import { type configValue, count, type Given, id, namedValues, text, whole } from './schema-parts.ts'
import { FIELD_DEFAULTS, FIELD_ENTRIES, type FieldValues } from './setting-fields.ts'

/** How much a model thinks before it answers, least first, in the words of the APIs. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof EFFORTS)[number]

/** A language model and who serves it. */
export type ModelRef = Given<typeof modelRef>
export const modelRef = () =>
  z.strictObject({
    provider: id<ProviderId>(),
    model: modelName(),
    /** How much it thinks; as it likes unless set. Ignored by models that take no such wish. */
    effort: z.enum(EFFORTS).exactOptional(),
  })
export const modelName = () => text(300)

/** Tokens of one request, as the provider counts them. */
export type TokenUsage = Given<typeof tokenUsage>
export const tokenUsage = () =>
  z.object({
    /** All that was read, cached or not. */
    input: count(),
    output: count(),
    /** Of the input: read from the provider's cache, for a fraction of the price. */
    cacheRead: count().exactOptional(),
    /** Of the input: written to it. */
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
  /** Takes PDF files as they are. */
  readonly documents?: boolean
  /** Takes tools; absent when unknown. */
  readonly tools?: boolean
  /** Those that it takes, least first; absent when it takes none. */
  readonly efforts?: readonly Effort[]
  /** Absent when unknown. */
  readonly price?: ModelPrice
}

/** List price in US dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  /** Of input that is read from the provider's cache, and written to it; the price of any other when absent. */
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

/** US dollars, by list price: an estimate, never a bill. */
export function costOf({ input, output, cacheRead = 0, cacheWrite = 0 }: TokenUsage, price: ModelPrice): number {
  const plain = Math.max(0, input - cacheRead - cacheWrite) * price.input
  const cached = cacheRead * (price.cacheRead ?? price.input) + cacheWrite * (price.cacheWrite ?? price.input)
  return (plain + cached + output * price.output) / 1_000_000
}

/** The state of a provider's key; the key itself never comes back. */
export type KeyState = 'saved' | 'missing' | 'not-needed' | 'saved-elsewhere' | 'memory-only'

export interface ProviderRecord {
  readonly id: ProviderId
  readonly kind: ProviderKind
  readonly name: string
  /** For openai-compatible, and to override the others. */
  readonly baseUrl?: string
  readonly key: KeyState
  readonly models: readonly ModelEntry[]
  /** Sent with each request; of secret ones only the reference is here. */
  readonly headers?: Readonly<Record<string, Given<typeof configValue>>>
  /** Identifiers among them that were entered by hand. */
  readonly ownModels?: readonly string[]
  /** How many models its service listed when it was last asked, those that one cannot chat with among them. */
  readonly listed?: number
  /** Why its models could not be listed. */
  readonly problem?: Problem
  readonly state: 'idle' | 'looking' | 'ready'
}

/** The result of a test message. */
export type ModelTrial =
  | {
      readonly model: string
      readonly answer: string
      /** Milliseconds from the request to it; absent when nothing was said. */
      readonly firstWord?: number
    }
  | { readonly model: string; readonly problem: Problem }

/** The most models that are offered of one provider; aggregators list many hundreds. */
export const MODEL_LIMIT = 500

/** The page's request to add or change a provider. */
export type ProviderConfig = Given<typeof providerConfig>
export const providerConfig = () =>
  z.strictObject({
    kind: z.enum(['anthropic', 'openai', 'openai-compatible']),
    name: text(200),
    baseUrl: text(2048).exactOptional(),
    /** Models to offer beside those that the provider lists. */
    models: z.array(modelName()).max(MODEL_LIMIT).exactOptional(),
    /** To send with each request, as gateways want them. */
    headers: namedValues().exactOptional(),
  })

/** Tokens that a person may say a model takes in. */
export const WINDOW_RANGE: Range = { least: 256, most: 100_000_000 }

export { DEMO_MODEL, DEMO_PROVIDER_ID } from './plain-values.ts'

/** Servers and tools that a model is not offered in one conversation. An empty pair means: everything is offered. */
export type ToolSwitches = Given<typeof toolSwitches>
export const toolSwitches = () =>
  z.strictObject({
    servers: z.array(id<ServerId>()).max(1000),
    tools: z.array(z.strictObject({ serverId: id<ServerId>(), tool: text(1000) })).max(2000),
  })

export const NO_SWITCHES: ToolSwitches = { servers: [], tools: [] }

/** Characters of what a person tells every model, in all conversations and once more in a project. */
export const INSTRUCTIONS_LENGTH = 8_000

/** How the HTTP requests of Parley's own leave this computer. A proxy's password is in the secret store. */
export type ProxyChoice = Given<typeof proxy>
const proxy = () =>
  z.discriminatedUnion('use', [
    /** The system's proxy; where the shell cannot ask it, the environment's. */
    z.strictObject({ use: z.literal('system') }),
    z.strictObject({ use: z.literal('none') }),
    /** `except`: hosts that are reached directly, in the notation of NO_PROXY. */
    z.strictObject({ use: z.literal('address'), address: text(2048), except: text(8192) }),
  ])

/** Characters of certificates that a person adds. */
export const AUTHORITIES_LENGTH = 512 * 1024

/** A certificate as a person recognizes it. */
export interface CertificateView {
  readonly subject: string
  /** Absent when it signed itself. */
  readonly issuer?: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  /** SHA-256 of it, in hexadecimal: names can be anybody’s. */
  readonly fingerprint: string
}

/** Milliseconds that a request may be given, or the start of a server. */
export const REQUEST_TIME: Range = { least: 1000, most: 24 * 60 * 60_000 }

/** How long a server is waited for, in milliseconds. */
export type ServerTimeouts = Given<typeof serverTimeouts>
export const serverTimeouts = () =>
  z.strictObject({
    /** Without an answer or progress until a request is given up, and a tool call overdue. */
    requestTimeout: whole(REQUEST_TIME),
    /** After which a request is given up, and a tool call overdue, whatever its progress says. */
    maxRequestTime: whole(REQUEST_TIME),
    /** For the handshake. A server that has to be downloaded first gets five minutes at least, unless it has its own. */
    startTimeout: whole(REQUEST_TIME),
  })

export type Settings = Given<typeof settings>
export const settings = () =>
  z.strictObject({
    ...fieldSchemas(),
    defaultModel: modelRef(),
    /** The model of new conversations. */
    newSwitches: toolSwitches(),
    /** The newcomer's page was finished or closed. */
    welcomed: z.boolean(),
    /** Given to the model in every conversation. */
    instructions: text(INSTRUCTIONS_LENGTH),
    /** Keys that are not those that Parley begins with. */
    shortcuts: z.partialRecord(z.enum(SHORTCUT_IDS), z.union([z.literal(''), z.string().regex(KEYS)])),
    /** Writes titles after the first answer; null: the first words are the title. */
    titleModel: modelRef().nullable(),
    /** Proposed when a server asks for the person's model; null: the conversation's. */
    samplingModel: modelRef().nullable(),
    /** For servers that are given no others. */
    serverTimeouts: serverTimeouts(),
    proxy: proxy(),
    /** Certificate authorities to trust besides the system's, as PEM; empty for none. */
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
  welcomed: false,
  instructions: '',
  shortcuts: {},
  titleModel: null,
  samplingModel: null,
  serverTimeouts: { requestTimeout: 60_000, maxRequestTime: 600_000, startTimeout: 30_000 },
  proxy: { use: 'system' },
  authorities: '',
}
