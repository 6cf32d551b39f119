import type { JsonObject, JsonValue } from '../base/json.ts'
import type { AddressWarning } from '../base/web-address.ts'
import type { ElicitResult } from '../mcp/client-requests.ts'
import type {
  AuthorizationAnswer,
  AuthorizationQuestion,
  ClientRegistrationAnswer,
  ClientRegistrationQuestion,
} from './authorization.ts'
import type { BoundedJson } from './blobs.ts'
import type { Decline } from './decline.ts'
import type { ConversationId, InteractionId, ServerId, ToolCallId } from './ids.ts'
import type { FolderChoice, FolderSuggestion, OutsidePath } from './roots.ts'
import type { SamplingRequestQuestion, SamplingResultQuestion, SamplingReturn, SamplingSend } from './sampling.ts'
import type { LaunchSummary, ToolHints } from './servers.ts'

/** Every question the host may ask and its answers. Plain JSON both ways. */
export interface InteractionKinds {
  'server-trust': {
    question: {
      readonly launch: LaunchSummary
      readonly launchIdentity: string
      /** What differs from the launch that was trusted before, in plain words. */
      readonly changed?: readonly string[]
    }
    answer: { readonly decision: 'allow' | 'deny' }
  }
  'tool-consent': {
    question: {
      readonly tool: string
      readonly title: string
      readonly description: string
      readonly arguments: BoundedJson
      /** Why the tool's schema could not judge them. */
      readonly unchecked?: string
      readonly hints: ToolHints
      readonly toolCallId: ToolCallId
      readonly fingerprint: string
      /** The tool is not as it was when a rule was made; both definitions as JSON. */
      readonly changed?: { readonly before?: string; readonly now: string }
      /** Paths among the arguments outside the folders of the server and of the conversation; absent where none are known. */
      readonly outside?: readonly OutsidePath[]
    }
    answer: { readonly decision: 'allow'; readonly remember: 'once' | 'conversation' | 'always' } | { readonly decision: 'deny' }
  }
  'sampling-request': { question: SamplingRequestQuestion; answer: SamplingSend | Decline }
  'sampling-result': {
    question: SamplingResultQuestion
    answer: SamplingReturn | { readonly decision: 'again' } | Decline
  }
  'elicitation-form': {
    question: {
      /** Server text: rendered inert. */
      readonly message: string
      /** `fieldsOfElicitation(schema, { multiSelect })` gives the fields, here as in the host; it never fails for an open question. */
      readonly schema: JsonObject
      readonly multiSelect: boolean
      /** Names of the fields that look like a password, key, token or card: warn, preselect Decline, keep no draft (ELIC-28). */
      readonly secrets: readonly string[]
      /** The message itself asks for such a thing. */
      readonly asksForSecret: boolean
    }
    answer: ElicitResult
  }
  /** Opening is the acceptance. Nothing has been fetched from the address. */
  'elicitation-url': {
    question: {
      readonly message: string
      /** As it will be opened, to the letter; `webAddress` takes it apart. */
      readonly url: string
      /** Its host. */
      readonly host: string
      /** Of the address as the server wrote it. */
      readonly warnings: readonly AddressWarning[]
      /** Who opens it on acceptance: the host in the system's browser, or the page by a link of its own (noopener noreferrer). */
      readonly opens: 'host' | 'page'
    }
    answer: ElicitResult
  }
  /** The server refused a tool call until the person has been somewhere; they have been. Asked once all were opened. */
  'call-again': {
    question: {
      readonly tool: string
      readonly visited: readonly { readonly host: string; readonly message: string; readonly completed: boolean }[]
    }
    answer: { readonly decision: 'again' } | Decline
  }
  authorization: { question: AuthorizationQuestion; answer: AuthorizationAnswer }
  'client-registration': { question: ClientRegistrationQuestion; answer: ClientRegistrationAnswer }
  'roots-request': {
    question: { readonly suggestions: readonly FolderSuggestion[] }
    /** `remember` keeps the choice for this server as it is launched now; a decline that is remembered means: none, do not ask. */
    answer:
      | { readonly decision: 'share'; readonly folders: readonly FolderChoice[]; readonly remember: boolean }
      | { readonly decision: 'decline'; readonly remember?: boolean }
  }
}

export type InteractionKind = keyof InteractionKinds
export type QuestionOf<K extends InteractionKind> = InteractionKinds[K]['question']
export type AnswerTo<K extends InteractionKind> = InteractionKinds[K]['answer']

/** Who asks, why, and since when. */
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
    /** What was typed so far; host memory only, never on disk. */
    readonly draft?: JsonValue
  }
}[InteractionKind]

export type InteractionOf<K extends InteractionKind> = Extract<Interaction, { kind: K }>

export type Answer = {
  [K in InteractionKind]: { readonly id: InteractionId; readonly kind: K; readonly answer: AnswerTo<K> }
}[InteractionKind]

/** How a question ended; never its content. */
export type InteractionOutcome = 'answered' | 'withdrawn' | 'expired' | 'answered-by-rule'
