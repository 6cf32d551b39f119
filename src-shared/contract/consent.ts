import { z } from 'zod'
import type { BoundedJson } from './blobs.ts'
import type { ConsentRuleId, ConversationId, MessageId, ProjectId, ServerId, ToolCallId, TurnId } from './ids.ts'
import { type Given, id, line, text, time, whole } from './schema-parts.ts'
import type { ToolHints } from './servers.ts'

/** The possible effects of a call, mildest first. A tool's are known for published servers, set by the person, or guessed pessimistically. */
export const POWERS = ['reads', 'brings-in', 'changes', 'destroys', 'sends', 'spends'] as const
export type Power = (typeof POWERS)[number]

export const onlyReads = (powers: readonly Power[]) => powers.every((power) => power === 'reads' || power === 'brings-in')

/** Checks that hold a call even if a rule allows it (decision 0027). */
export const GUARDS = ['changed', 'outside', 'flow', 'provenance', 'secrets', 'burst', 'denied', 'new'] as const
type GuardName = (typeof GUARDS)[number]

/** Limits of one rule, and rules in all. */
export const MAX_LIMITS = 64
export const MAX_RULES = 10_000

/** A tool's definition that the person has reviewed, with the powers that they set, if any. */
export type ToldTool = Given<typeof toldTool>
export const toldTool = () =>
  z.strictObject({ fingerprint: line(), powers: z.array(z.enum(POWERS)).max(POWERS.length).exactOptional() })

/** A tool's powers as they are judged. */
export interface ToolPowersView {
  readonly tool: string
  readonly fingerprint: string
  readonly powers: readonly Power[]
  readonly known: PowersKnown
  /** The powers without the person's review of the server's tools. */
  readonly guess: { readonly powers: readonly Power[]; readonly known: PowersKnown }
  /** As the person set them in the review of this definition. */
  readonly told?: readonly Power[]
  /** Not reviewed yet, or only with another definition, and of unknown powers otherwise. */
  readonly unmet?: 'new' | 'changed'
  /** The person may set that it only reads. */
  readonly mayOnlyRead: boolean
}

/**
 * Places of which a rule may cover all at one server. Direct messages, other people's calendars and mailboxes, and addresses are of
 * none.
 */
export const PLACE_KINDS = ['channel', 'calendar', 'mailbox'] as const
export type PlaceKind = (typeof PLACE_KINDS)[number]

/** The person names a value by typing it, a server as an entry of a list. */
const SAID_BY = ['person', 'server'] as const
export type SaidBy = (typeof SAID_BY)[number]

/** Limits what one argument of a call, or all arguments of one kind, may be. */
export type Limit = Given<typeof limit>
const limit = () =>
  z.discriminatedUnion('is', [
    /** Paths in this folder, links resolved. */
    z.strictObject({ is: z.literal('folder'), path: line() }),
    /** This host, as `URL.host` spells it. */
    z.strictObject({ is: z.literal('host'), host: line() }),
    /** A person, channel or number to send to. */
    z.strictObject({ is: z.literal('recipient'), address: line() }),
    /** This argument has this value: a repository, table, project. */
    z.strictObject({ is: z.literal('value'), argument: line(), value: text(10_000) }),
    z.strictObject({ is: z.literal('text'), argument: line() }),
    /** Any value of this argument that the person typed, or that the server listed. */
    z.strictObject({ is: z.literal('said'), argument: line(), by: z.enum(SAID_BY) }),
    /** SQL with this verb on these tables only. */
    z.strictObject({ is: z.literal('statement'), verb: line(), tables: z.array(line()).max(100) }),
    /** A program with its subcommand. */
    z.strictObject({ is: z.literal('command'), words: line() }),
    z.strictObject({ is: z.literal('at-most'), argument: line(), amount: z.number().min(0) }),
    /** Items that the server or the person named in the conversation. */
    z.strictObject({ is: z.literal('named-items') }),
    /** Internet addresses that a result or the person gave in full. */
    z.strictObject({ is: z.literal('named-addresses') }),
    /** Every place of this kind that the server's own list has. */
    z.strictObject({ is: z.literal('kind'), kind: z.enum(PLACE_KINDS) }),
    z.strictObject({ is: z.literal('any') }),
  ])

/** Tool → the names of the arguments that a change by it may have, neither more nor fewer: one set for each form that was seen. */
const forms = () => z.record(line(), z.array(z.array(line()).max(200)).max(MAX_LIMITS))

const SCOPES = ['task', 'conversation', 'project', 'until', 'always'] as const
export type Scope = (typeof SCOPES)[number]

/** The part of a rule about one server. */
export type Clause = Given<typeof clause>
const clause = () =>
  z.strictObject({
    serverId: id<ServerId>(),
    launchIdentity: line(),
    tools: z.record(line(), line()),
    powers: z.array(z.enum(POWERS)).max(POWERS.length),
    limits: z.array(limit()).max(MAX_LIMITS),
    forms: forms().exactOptional(),
    despite: z.array(z.enum(GUARDS)).max(GUARDS.length).exactOptional(),
    readings: whole({ least: 0, most: 1_000_000 }).exactOptional(),
  })

/** Clauses of a rule after its first. */
export const MAX_CLAUSES = 99

/** A remembered answer. One that allows applies only while launch and tool definitions are those that the person saw. */
export type ConsentRule = Given<typeof consentRule>
export const consentRule = () =>
  z.strictObject({
    id: id<ConsentRuleId>(),
    effect: z.enum(['allow', 'ask', 'deny']),
    /** Absent: any server, for a rule that asks or denies. */
    serverId: id<ServerId>().exactOptional(),
    launchIdentity: line().exactOptional(),
    /** Tool → fingerprint. Absent: any tool, for a rule that asks or denies. */
    tools: z.record(line(), line()).exactOptional(),
    /** Allow: the call has no other powers. Ask, deny: it has one of these. */
    powers: z.array(z.enum(POWERS)).max(POWERS.length),
    /** Allow: each touch is within one of them. Ask, deny: one touch is; without limits, every call. */
    limits: z.array(limit()).max(MAX_LIMITS),
    forms: forms().exactOptional(),
    scope: z.enum(SCOPES),
    conversationId: id<ConversationId>().exactOptional(),
    /** For `conversation`: the message in whose reply it was given. It counts in the versions that have this message. */
    messageId: id<MessageId>().exactOptional(),
    /** For `project`: the conversations that are in it at the time of the call. */
    projectId: id<ProjectId>().exactOptional(),
    /** For `task`: until this turn ends; not stored. */
    turnId: id<TurnId>().exactOptional(),
    /** For `until`: milliseconds since the epoch. */
    until: time().exactOptional(),
    /** Guards that the person set aside for this rule. */
    despite: z.array(z.enum(GUARDS)).max(GUARDS.length).exactOptional(),
    /** Private places read when the guards were set aside; after one more, the guards apply again. */
    readings: whole({ least: 0, most: 1_000_000 }).exactOptional(),
    /** More clauses of the same answer, for this server or others. */
    also: z.array(clause()).max(MAX_CLAUSES).exactOptional(),
    madeAt: time(),
    lastUsedAt: time().exactOptional(),
    uses: whole({ least: 0, most: Number.MAX_SAFE_INTEGER }),
  })

/** A rule that the person writes in Settings. */
export const personRule = () =>
  consentRule()
    .pick({ serverId: true, powers: true, limits: true, conversationId: true, until: true })
    .extend({ effect: z.enum(['ask', 'deny']), tool: line().exactOptional() })
export type PersonRule = Given<typeof personRule>

/** The place named for a conversation or its project, in which known servers may read. */
export interface NamedPlace {
  readonly folders: readonly string[]
  readonly hosts: readonly string[]
  readonly recipients: readonly string[]
  /** The subset of `folders` in which files may be changed without a question. */
  readonly editable?: readonly string[]
}

/** Something that a call reaches, according to its arguments. */
export type Touch =
  | {
      readonly is: 'path'
      readonly argument: string
      readonly value: string
      /** The real path; absent when unknown. */
      readonly path?: string
      readonly folder?: true
      /** It does not exist yet, or is a file without execute permission and without other hard links. */
      readonly plain?: true
    }
  | {
      readonly is: 'host'
      readonly argument: string
      readonly value: string
      readonly host: string
      /** An internet address that a result or the person gave in full. */
      readonly named?: true
    }
  | {
      readonly is: 'recipient'
      readonly argument: string
      /** In lower case, which tells recipients apart. */
      readonly value: string
      /** As it will be sent, where that differs. */
      readonly written?: string
      /** A known server's own list has it as this kind. */
      readonly kind?: PlaceKind
      /** `sales`, if that list has this place alone as “#sales”. */
      readonly called?: string
    }
  | {
      readonly is: 'value'
      readonly argument: string
      readonly value: string
      /** Of no known kind: it only filters what a reading shows. */
      readonly vague?: true
      /** The person has allowed this tool other values of this argument. */
      readonly varies?: SaidBy
      /** A known server's own list has it as this kind. */
      readonly kind?: PlaceKind
      /** `sales`, if that list has this place alone as “#sales”. */
      readonly called?: string
    }
  /** Any text in an argument, or `fixed`: this one; `dictated` where the person wrote it word for word. */
  | {
      readonly is: 'text'
      readonly argument: string
      readonly value: string
      readonly fixed?: true
      readonly dictated?: true
      readonly varies?: SaidBy
    }
  /** A boolean, or one of a few choices. */
  | { readonly is: 'option'; readonly argument: string; readonly value: string }
  /** An item that the server or the person named before. */
  | { readonly is: 'item'; readonly argument: string; readonly value: string; readonly varies?: SaidBy }
  | {
      readonly is: 'statement'
      readonly argument: string
      readonly value: string
      readonly verb: string
      readonly tables: readonly string[]
    }
  | {
      readonly is: 'command'
      readonly argument: string
      readonly value: string
      readonly words: string
      /** It only reads files in a folder that the call names, so the folder is what a rule limits. */
      readonly looks?: true
    }
  | { readonly is: 'amount'; readonly argument: string; readonly value: string; readonly amount: number }

/** A guard's reason, as a sentence. */
export interface GuardNote {
  readonly guard: GuardName
  readonly text: string
  readonly argument?: string
  /** Calls whose results are the reason. */
  readonly sources?: readonly string[]
}

/** A rule that an answer may create. */
export interface Offer {
  readonly id: string
  /** “Let filesystem read in ~/shop in this conversation”; names every server and tool that it covers. */
  readonly label: string
  readonly scope: Scope
  /** Covers any arguments, other servers, or all conversations, so it takes one more click. */
  readonly wide?: true
  /** Has no limits. */
  readonly anyArguments?: true
}

export interface ConsentCall {
  readonly toolCallId: ToolCallId
  /** A view of the server makes it, not the model. */
  readonly byApp?: true
  /** The person undoes a change by it. */
  readonly undoes?: true
  /** The name of the skill whose file the model reads, instead of calling a tool. */
  readonly skill?: string
  readonly serverId: ServerId
  readonly serverName: string
  readonly tool: string
  readonly title: string
  readonly description: string
  readonly arguments: BoundedJson
  /** Arguments to show first, in order. */
  readonly order: readonly string[]
  readonly editable?: true
  /** The model's arguments, when the person changed them. */
  readonly proposed?: BoundedJson
  /** The last change that the tool's schema rejected, as JSON. */
  readonly rejected?: { readonly json: string; readonly why: string }
  /** Why the arguments could not be validated. */
  readonly unchecked?: string
  /** Arguments that are also sent as readable headers. */
  readonly mirrored?: readonly string[]
  readonly hints: ToolHints
  readonly fingerprint: string
  readonly powers: readonly Power[]
  /** Those of them that are only the worst guess. */
  readonly possible?: readonly Power[]
  readonly known: PowersKnown
  /** It changes something that its name says is a door, an oven, a permission or the like. */
  readonly grave?: true
  /** The argument that distinguishes it from the other calls, whole. */
  readonly telling?: string
  readonly why: string
  readonly guards: readonly GuardNote[]
  /** The tool has changed since a rule was made; both definitions as JSON. */
  readonly changed?: { readonly before?: string; readonly now: string }
}

/**
 * The source of a tool's powers: the protocol for its own requests, Parley's list, hints that the person trusts, a guess by name that the person
 * accepted, the person's word that an unknown tool reads, their word that it does more than guessed, a guess by name, none.
 */
export type PowersKnown = 'protocol' | 'published' | 'trusted-hints' | 'accepted' | 'told' | 'told-more' | 'named' | 'unknown'

/** A rule as Settings lists it. */
export interface ConsentRuleView extends ConsentRule {
  readonly words: string
  /** Absent for a rule about any server. */
  readonly serverNames?: readonly string[]
  readonly conversationTitle?: string
  /** Its conversation is archived, or had no message for a day. */
  readonly ended?: true
  readonly projectName?: string
  /** Why it does not apply at present. */
  readonly paused?: 'launch-changed' | 'tool-changed' | 'server-removed' | 'tool-unknown' | 'expired'
}

/** Rules paused by another version of a server, and the tools that they allow. */
export interface PausedRules {
  readonly rules: number
  /** Tools with an unchanged definition. */
  readonly same: readonly string[]
  readonly changed: readonly string[]
  readonly gone: readonly string[]
}

export interface VerdictView {
  readonly is: 'allow' | 'ask' | 'deny'
  readonly why: string
  readonly powers: readonly Power[]
  readonly known: PowersKnown
  readonly touches: readonly Touch[]
  readonly guards: readonly GuardNote[]
  readonly offers: readonly Offer[]
  readonly rule?: ConsentRuleId
}

export type LedgerDecision =
  | 'allowed-by-person'
  | 'allowed-by-rule'
  /** A reading that needs no question. */
  | 'free'
  | 'denied'
  | 'denied-by-rule'
  | 'unanswered'
  | 'by-hand'

/** Bytes of the arguments in an entry. */
export const LEDGER_ARGUMENTS = 8 * 1024

/** One decision about one call; never changed later. */
export interface LedgerEntry {
  /** From 1, without gaps. */
  readonly number: number
  readonly at: number
  readonly conversationId?: ConversationId
  /** The call in the conversation; absent in older entries. */
  readonly toolCallId?: ToolCallId
  readonly serverId: string
  readonly serverName?: string
  readonly tool: string
  /** Canonical JSON with secrets redacted; its head when longer than LEDGER_ARGUMENTS. */
  readonly arguments?: string
  /** The model's arguments, when the person changed them; redacted and cut as `arguments`. */
  readonly proposed?: string
  /** The size of all arguments, when only their head is here. */
  readonly argumentsBytes?: number
  /** SHA-256 of the canonical JSON as sent. */
  readonly argumentsHash: string
  readonly decision: LedgerDecision
  /** A view of the server made it, not the model. */
  readonly byApp?: true
  /** The person undid a change by it. */
  readonly undoes?: true
  readonly why?: string
  readonly ruleId?: ConsentRuleId
  /** The call's status, and its error code. */
  readonly outcome: string
  /** Older than the chain and added to it later, so the chain proves nothing about the time before. */
  readonly chainedLater?: true
}

export interface LedgerPage {
  /** Newest first, each with its hash in the chain. */
  readonly items: readonly (LedgerEntry & { readonly hash: string })[]
  /** Pass it back as `before`; absent on the last page. */
  readonly next?: number
  readonly total: number
}

/** A part of the export: one entry a line, oldest first. */
export interface LedgerLines {
  readonly text: string
  /** Pass it back as `after`; absent with the last part. */
  readonly next?: number
}

export interface LedgerCheck {
  /** Checked entries with a valid link. */
  readonly entries: number
  readonly bytes: number
  /** The first entry without a valid link. */
  readonly broken?: { readonly number: number; readonly is: 'changed' | 'missing' }
  /** Pass it back as `after`; absent with the last part. */
  readonly next?: number
}
