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
import type { ConsentCall, Offer } from './consent.ts'
import type { ConversationId, InteractionId, ServerId, ToolCallId } from './ids.ts'
import { type FolderSuggestion, folderChoices } from './projects.ts'
import {
  type SamplingRequestQuestion,
  type SamplingResultQuestion,
  samplingRequestAnswer,
  samplingResultAnswer,
} from './sampling.ts'
import { decline, few, type Given, id, jsonObject, line, text } from './schema-parts.ts'
import { type LaunchSummary, MAX_AT_ONCE } from './servers.ts'

/** A launch that several are asked about with. */
export interface LaunchAsked {
  readonly serverId: ServerId
  readonly serverName: string
  readonly launch: LaunchSummary
  readonly launchIdentity: string
}

/** Every question the host may ask. Plain JSON, as its answer. */
interface Questions {
  'server-trust': {
    readonly launch: LaunchSummary
    readonly launchIdentity: string
    /** The differences from the launch that was trusted before, in plain words. */
    readonly changed?: readonly string[]
    /** Folders that it may be told of from its first connection on; absent where it cannot be told of any. */
    readonly suggestions?: readonly FolderSuggestion[]
  }
  /** Servers of one kind that begin together, each with a tick; at least two at first. */
  'servers-trust': { readonly servers: readonly LaunchAsked[] }
  /** The calls of one reply that need the person, each with a tick. */
  'tool-consent': { readonly calls: readonly ConsentCall[]; readonly offers: readonly Offer[] }
  'sampling-request': SamplingRequestQuestion
  'sampling-result': SamplingResultQuestion
  'elicitation-form': {
    /** Server text: rendered inert. */
    readonly message: string
    /** `fieldsOfElicitation(schema, { multiSelect })` gives the fields, here as in the host; it never fails for an open question. */
    readonly schema: JsonObject
    readonly multiSelect: boolean
    /** Names of the fields that look like a password, key, token or card: warn, preselect Decline, keep no draft (ELIC-28). */
    readonly secrets: readonly string[]
    /** The message itself asks for such a thing. */
    readonly asksForSecret: boolean
    /** It was just filled in, and the server asks the same once more. */
    readonly again?: true
  }
  /** Opening is the acceptance. Nothing has been fetched from the address. */
  'elicitation-url': {
    readonly message: string
    /** As it will be opened, to the letter; `webAddress` takes it apart. */
    readonly url: string
    /** Its host. */
    readonly host: string
    /** Of the address as the server wrote it. */
    readonly warnings: readonly AddressWarning[]
    /** The opener on acceptance: the host in the system's browser, or the page by a link of its own (noopener noreferrer). */
    readonly opens: 'host' | 'page'
    /** It was opened for this call before, and the server says that it is not done yet. */
    readonly again?: true
  }
  /** The server refused a tool call until the person has been somewhere; they have been. Asked once all were opened. */
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

/** A window's answer to each kind. */
const ANSWERS = {
  /** `folders` become its roots, for this launch. */
  'server-trust': () =>
    z.discriminatedUnion('decision', [
      z.strictObject({ decision: z.literal('allow'), folders: folderChoices().exactOptional() }),
      z.strictObject({ decision: z.literal('deny') }),
    ]),
  'servers-trust': () =>
    z.discriminatedUnion('decision', [
      /** Servers that are not named are denied. */
      z.strictObject({ decision: z.literal('allow'), servers: z.array(id<ServerId>()).min(1).max(MAX_AT_ONCE) }),
      z.strictObject({ decision: z.literal('deny') }),
    ]),
  'tool-consent': () =>
    z.discriminatedUnion('decision', [
      /** Calls that are not named are denied. `offer` makes its rule as well. */
      z.strictObject({
        decision: z.literal('allow'),
        calls: z.array(id<ToolCallId>()).min(1).max(200),
        offer: line().exactOptional(),
      }),
      /** Other arguments for the only call of a question: it is judged and asked about again as it is now. */
      z.strictObject({ decision: z.literal('edit'), call: id<ToolCallId>(), arguments: jsonObject() }),
      z.strictObject({ decision: z.literal('deny') }),
    ]),
  'sampling-request': samplingRequestAnswer,
  'sampling-result': samplingResultAnswer,
  'elicitation-form': elicitResult,
  /** `again`: as accept, without opening it once more. */
  'elicitation-url': () => z.strictObject({ action: z.enum(['accept', 'decline', 'cancel', 'again']) }),
  'call-again': () => z.discriminatedUnion('decision', [z.strictObject({ decision: z.literal('again') }), decline()]),
  authorization: authorizationAnswer,
  'client-registration': clientRegistrationAnswer,
  /** `remember` keeps the choice for this server as it is launched now; a decline that is remembered means: none, do not ask. */
  'roots-request': () =>
    z.discriminatedUnion('decision', [
      z.strictObject({ decision: z.literal('share'), folders: folderChoices(), remember: z.boolean() }),
      decline().extend({ remember: z.boolean().exactOptional() }),
    ]),
} satisfies { readonly [K in InteractionKind]: () => z.ZodType }

/** The answer to each that says no and nothing else. */
export const REFUSALS: { readonly [K in InteractionKind]: AnswerTo<K> } = {
  'server-trust': { decision: 'deny' },
  'servers-trust': { decision: 'deny' },
  'tool-consent': { decision: 'deny' },
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
/** An answer that allows, gives and starts nothing. */
export type RefusalTo<K extends InteractionKind> = AnswerTo<K> &
  ({ readonly decision: 'deny' | 'decline' | 'cancel' } | { readonly action: 'decline' | 'cancel' })

/** The asker, the cause, and the time. */
export interface About {
  readonly serverId: ServerId
  readonly serverName: string
  readonly origin: 'model' | 'server' | 'user'
  readonly conversationId?: ConversationId
  readonly toolCallId?: ToolCallId
  /** The cause in one sentence, from the person's point of view. */
  readonly cause: string
}

export type Interaction = {
  [K in InteractionKind]: {
    readonly id: InteractionId
    readonly kind: K
    readonly about: About
    readonly askedAt: number
    /** When it ends by itself, as cancel or decline. */
    readonly endsAt: number
    readonly question: QuestionOf<K>
    /** The text typed so far; in the host's memory only, never on disk. */
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
  // A list of entries no longer says which schema belongs to which kind.
  return z.discriminatedUnion('kind', kinds as [(typeof kinds)[number]]) as unknown as z.ZodType<Answer>
}

/** How a question ended; never its content. */
export type InteractionOutcome = 'answered' | 'withdrawn' | 'expired'
