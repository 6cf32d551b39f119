import { z } from 'zod'
import type { JsonObject, JsonValue } from '../base/json.ts'
import type { AddressWarning } from '../base/web-address.ts'
import { FORM_LIMITS } from '../forms/form-limits.ts'
import type { ElicitResult } from '../mcp/client-requests.ts'
import {
  type AuthorizationQuestion,
  authorizationAnswer,
  type ClientRegistrationQuestion,
  clientRegistrationAnswer,
} from './authorization.ts'
import type { ContentView } from './blobs.ts'
import type { ConsentCall, Offer } from './consent.ts'
import type { ConversationId, InteractionId, ServerId, ToolCallId } from './ids.ts'
import { type FolderSuggestion, folderChoices } from './projects.ts'
import {
  blockEdits,
  type SamplingRequestQuestion,
  type SamplingResultQuestion,
  samplingRequestAnswer,
  samplingResultAnswer,
} from './sampling.ts'
import { decline, few, type Given, id, jsonObject, line, text } from './schema-parts.ts'
import { fencePolicy, type LaunchSummary, MAX_AT_ONCE, serverFences } from './servers.ts'

export interface LaunchAsked {
  readonly serverId: ServerId
  readonly serverName: string
  readonly launch: LaunchSummary
  readonly launchIdentity: string
}

/** A block of a result with its number, to which answers refer. Structured content that no text repeats is the last one. */
type ResultBlock = { readonly n: number } & ContentView

/** Every question that the host may ask. Questions and answers are plain JSON. */
interface Questions {
  'server-trust': {
    readonly launch: LaunchSummary
    readonly launchIdentity: string
    /** Differences from the launch trusted before, in plain words. */
    readonly changed?: readonly string[]
    /** Folders to share from the first connection on; absent if the server cannot have roots. */
    readonly suggestions?: readonly FolderSuggestion[]
  }
  /** Servers of one kind that start together. Servers removed meanwhile leave the question. */
  'servers-trust': { readonly servers: readonly LaunchAsked[] }
  /** The calls of one reply that need consent. */
  'tool-consent': { readonly calls: readonly ConsentCall[]; readonly offers: readonly Offer[] }
  /** The result of a call that the model gets only when the person lets it. */
  'tool-result': { readonly tool: string; readonly isError: boolean; readonly blocks: readonly ResultBlock[] }
  'sampling-request': SamplingRequestQuestion
  'sampling-result': SamplingResultQuestion
  'elicitation-form': {
    /** Server text: rendered inert. */
    readonly message: string
    /** `fieldsOfElicitation(schema, { multiSelect })` never fails for an open question: the host has checked it. */
    readonly schema: JsonObject
    readonly multiSelect: boolean
    /** Fields that look like a password, key, token or card: the page warns, preselects Decline and keeps no draft (ELIC-28). */
    readonly secrets: readonly string[]
    /** The message itself asks for a secret. */
    readonly asksForSecret: boolean
    /** The server asks the same question again right after an answer. */
    readonly again?: true
  }
  /** Opening the address accepts the question. Nothing has been fetched from it. */
  'elicitation-url': {
    readonly message: string
    /** Exactly as it will be opened. */
    readonly url: string
    readonly host: string
    /** For the address as the server wrote it. */
    readonly warnings: readonly AddressWarning[]
    /** `host` opens the system's browser; `page` opens a link (noopener noreferrer). */
    readonly opens: 'host' | 'page'
    /** It was opened for this call before, and the server is not satisfied yet. */
    readonly again?: true
  }
  /** The server refused a tool call until the person visited some addresses, and all were opened: call again? */
  'call-again': {
    readonly tool: string
    readonly visited: readonly { readonly host: string; readonly message: string; readonly completed: boolean }[]
  }
  authorization: AuthorizationQuestion
  'client-registration': ClientRegistrationQuestion
  'roots-request': { readonly suggestions: readonly FolderSuggestion[] }
}

export type InteractionKind = keyof Questions

const elicitValue = () =>
  z.union([text(FORM_LIMITS.valueLength), z.number(), z.boolean(), z.array(line()).max(FORM_LIMITS.options)])
const elicitResult = (): z.ZodType<ElicitResult> =>
  z.discriminatedUnion('action', [
    z.strictObject({
      action: z.literal('accept'),
      content: few(z.record(text(1000), elicitValue()), FORM_LIMITS.fields).exactOptional(),
    }),
    z.strictObject({ action: z.enum(['decline', 'cancel']) }),
  ])

const ANSWERS = {
  /** `folders` become the server's roots for this launch. */
  'server-trust': () =>
    z.discriminatedUnion('decision', [
      z.strictObject({
        decision: z.literal('allow'),
        folders: folderChoices().exactOptional(),
        /** For a first start: behind this fence, or watched. */
        runs: z.union([fencePolicy(), z.literal('watched')]).exactOptional(),
      }),
      z.strictObject({ decision: z.literal('deny') }),
    ]),
  'servers-trust': () =>
    z.discriminatedUnion('decision', [
      /** The others are denied. At a first start, those with a fence start behind it. */
      z.strictObject({
        decision: z.literal('allow'),
        servers: z.array(id<ServerId>()).min(1).max(MAX_AT_ONCE),
        fences: serverFences().exactOptional(),
      }),
      z.strictObject({ decision: z.literal('deny') }),
    ]),
  'tool-consent': () =>
    z.discriminatedUnion('decision', [
      /** The other calls are denied. `offer` is the id of a rule to create. */
      z.strictObject({
        decision: z.literal('allow'),
        calls: z.array(id<ToolCallId>()).min(1).max(200),
        offer: line().exactOptional(),
      }),
      /** New arguments for the only call of a question, which is then judged again. */
      z.strictObject({ decision: z.literal('edit'), call: id<ToolCallId>(), arguments: jsonObject() }),
      z.strictObject({ decision: z.literal('deny') }),
    ]),
  /** The model gets these blocks, or is told that the person withheld the result. */
  'tool-result': () =>
    z.discriminatedUnion('decision', [z.strictObject({ decision: z.literal('send'), blocks: blockEdits() }), decline()]),
  'sampling-request': samplingRequestAnswer,
  'sampling-result': samplingResultAnswer,
  'elicitation-form': elicitResult,
  /** `again` accepts without opening the address again. */
  'elicitation-url': () => z.strictObject({ action: z.enum(['accept', 'decline', 'cancel', 'again']) }),
  'call-again': () => z.discriminatedUnion('decision', [z.strictObject({ decision: z.literal('again') }), decline()]),
  authorization: authorizationAnswer,
  'client-registration': clientRegistrationAnswer,
  /** `remember` applies to the current launch; a remembered decline shares no folders without asking. */
  'roots-request': () =>
    z.discriminatedUnion('decision', [
      z.strictObject({ decision: z.literal('share'), folders: folderChoices(), remember: z.boolean() }),
      decline().extend({ remember: z.boolean().exactOptional() }),
    ]),
} satisfies { readonly [K in InteractionKind]: () => z.ZodType }

export const REFUSALS: { readonly [K in InteractionKind]: AnswerTo<K> } = {
  'server-trust': { decision: 'deny' },
  'servers-trust': { decision: 'deny' },
  'tool-consent': { decision: 'deny' },
  'tool-result': { decision: 'decline' },
  'sampling-request': { decision: 'decline' },
  'sampling-result': { decision: 'decline' },
  'elicitation-form': { action: 'decline' },
  'elicitation-url': { action: 'decline' },
  'call-again': { decision: 'decline' },
  authorization: { decision: 'cancel' },
  'client-registration': { decision: 'decline' },
  'roots-request': { decision: 'decline' },
}

export type QuestionOf<K extends InteractionKind> = Questions[K]
export type AnswerTo<K extends InteractionKind> = Given<(typeof ANSWERS)[K]>
export type RefusalTo<K extends InteractionKind> = AnswerTo<K> &
  ({ readonly decision: 'deny' | 'decline' | 'cancel' } | { readonly action: 'decline' | 'cancel' })

export interface About {
  readonly serverId: ServerId
  readonly serverName: string
  readonly origin: 'model' | 'server' | 'user' | 'app'
  readonly conversationId?: ConversationId
  readonly toolCallId?: ToolCallId
  /** A sentence from the person's point of view. */
  readonly cause: string
}

export type Interaction = {
  [K in InteractionKind]: {
    readonly id: InteractionId
    readonly kind: K
    readonly about: About
    readonly askedAt: number
    /** The deadline, after which it counts as cancelled or declined. */
    readonly endsAt: number
    readonly question: QuestionOf<K>
    /** The input so far; never written to disk. */
    readonly draft?: JsonValue
  }
}[InteractionKind]

export type InteractionOf<K extends InteractionKind> = Extract<Interaction, { kind: K }>

export type Answer = {
  [K in InteractionKind]: { readonly id: InteractionId; readonly kind: K; readonly answer: AnswerTo<K> }
}[InteractionKind]
export const answer = () => {
  const kinds = Object.entries(ANSWERS).map(([kind, schema]) =>
    z.strictObject({ id: id<InteractionId>(), kind: z.literal(kind), answer: schema() }),
  )
  // Object.entries loses which schema belongs to which kind.
  return z.discriminatedUnion('kind', kinds as [(typeof kinds)[number]]) as unknown as z.ZodType<Answer>
}

export type InteractionOutcome = 'answered' | 'withdrawn' | 'expired'
