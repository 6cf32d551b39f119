import { z } from 'zod'
import type { BoundedJson } from './blobs.ts'
import type { ConsentRuleId, ConversationId, ProjectId, ServerId, ToolCallId, TurnId } from './ids.ts'
import { type Given, id, line, text, time, whole } from './schema-parts.ts'
import type { ToolHints } from './servers.ts'

/** The powers of a call, from the mildest. A tool's are guessed with pessimism, known of a published server, or said by the person. */
export const POWERS = ['reads', 'brings-in', 'changes', 'destroys', 'sends', 'spends'] as const
export type Power = (typeof POWERS)[number]

/** Nothing but looking, at what is one's own or others'. */
export const onlyReads = (powers: readonly Power[]) => powers.every((power) => power === 'reads' || power === 'brings-in')

/** All that a tool may do of which a person says that it does this. */
export const toldPowers = (power: Power): readonly Power[] =>
  onlyReads([power]) ? ['reads', 'brings-in'] : power === 'changes' ? ['reads', 'changes'] : ['reads', 'changes', power]

/** Looked at above every rule that allows (decision 0027). */
export const GUARDS = ['changed', 'outside', 'flow', 'provenance', 'secrets', 'burst', 'denied', 'new'] as const
type GuardName = (typeof GUARDS)[number]

/** The most limits of one rule, and the most rules that are kept. */
export const MAX_LIMITS = 64
export const MAX_RULES = 10_000

/** A tool's definition that the person has looked at, and what they said it does; no powers where they said nothing. */
export type ToldTool = Given<typeof toldTool>
export const toldTool = () =>
  z.strictObject({ fingerprint: line(), powers: z.array(z.enum(POWERS)).max(POWERS.length).exactOptional() })

/** A tool's powers as they are judged. */
export interface ToolPowersView {
  readonly tool: string
  readonly fingerprint: string
  readonly powers: readonly Power[]
  readonly known: PowersKnown
  /** Without what the person said when they looked at all of the server's tools. */
  readonly guess: { readonly powers: readonly Power[]; readonly known: PowersKnown }
  /** As they said then of this definition. */
  readonly told?: readonly Power[]
  /** They have not looked at it yet, or at another definition, and nobody else says what it does. */
  readonly unmet?: 'new' | 'changed'
  /** They may say that it only reads. */
  readonly mayOnlyRead: boolean
}

/** How far a rule goes in one argument of a call, or in all that are of one kind. */
export type Limit = Given<typeof limit>
const limit = () =>
  z.discriminatedUnion('is', [
    /** Files and folders in it, by resolved path. */
    z.strictObject({ is: z.literal('folder'), path: line() }),
    /** This host, as `URL.host` spells it. */
    z.strictObject({ is: z.literal('host'), host: line() }),
    /** A person, channel or number that something is sent to. */
    z.strictObject({ is: z.literal('recipient'), address: line() }),
    /** A repository, table, collection, project …: this argument has this value. */
    z.strictObject({ is: z.literal('value'), argument: line(), value: text(10_000) }),
    /** SQL that does this to no other tables. */
    z.strictObject({ is: z.literal('statement'), verb: line(), tables: z.array(line()).max(100) }),
    /** A program with its subcommand. */
    z.strictObject({ is: z.literal('command'), words: line() }),
    /** This argument is no more. */
    z.strictObject({ is: z.literal('at-most'), argument: line(), amount: z.number().min(0) }),
    /** Items that the server itself, or the person, has named in the conversation. */
    z.strictObject({ is: z.literal('named-items') }),
    /** Addresses on the internet that a result or the person gave as a whole. */
    z.strictObject({ is: z.literal('named-addresses') }),
    z.strictObject({ is: z.literal('any') }),
  ])

const SCOPES = ['task', 'conversation', 'project', 'until', 'always'] as const
export type Scope = (typeof SCOPES)[number]

/** A rule's permissions at one server. */
export type Clause = Given<typeof clause>
const clause = () =>
  z.strictObject({
    serverId: id<ServerId>(),
    launchIdentity: line(),
    tools: z.record(line(), line()),
    powers: z.array(z.enum(POWERS)).max(POWERS.length),
    limits: z.array(limit()).max(MAX_LIMITS),
    despite: z.array(z.enum(GUARDS)).max(GUARDS.length).exactOptional(),
    readings: whole({ least: 0, most: 1_000_000 }).exactOptional(),
  })

/** The most that one answer allows beside its first. */
export const MAX_CLAUSES = 99

/** A remembered decision, all of one answer. It allows while launch and definitions are those that the person saw; it asks and denies whatever they are. */
export type ConsentRule = Given<typeof consentRule>
export const consentRule = () =>
  z.strictObject({
    id: id<ConsentRuleId>(),
    effect: z.enum(['allow', 'ask', 'deny']),
    /** Any server for a rule that asks or denies. */
    serverId: id<ServerId>().exactOptional(),
    launchIdentity: line().exactOptional(),
    /** Fingerprint of each tool that it covers; any tool for a rule that asks or denies, where absent. */
    tools: z.record(line(), line()).exactOptional(),
    /** Allow: the call does nothing beyond these. Ask, deny: it does one of these. */
    powers: z.array(z.enum(POWERS)).max(POWERS.length),
    /** Allow: each reach of the call is in one of them. Ask, deny: one reach is; every call where there is none. */
    limits: z.array(limit()).max(MAX_LIMITS),
    scope: z.enum(SCOPES),
    conversationId: id<ConversationId>().exactOptional(),
    /** For `project`: it holds for the conversations that are in it at that moment. */
    projectId: id<ProjectId>().exactOptional(),
    /** For `task`: it holds until this turn ends, and is not kept. */
    turnId: id<TurnId>().exactOptional(),
    /** For `until`: milliseconds since the epoch. */
    until: time().exactOptional(),
    /** Guards that the person knowingly set aside for what this rule covers. */
    despite: z.array(z.enum(GUARDS)).max(GUARDS.length).exactOptional(),
    /** Private places that had been read when guards were set aside; one more and they stand again. */
    readings: whole({ least: 0, most: 1_000_000 }).exactOptional(),
    /** Further permissions of the same answer, at this server or at another. */
    also: z.array(clause()).max(MAX_CLAUSES).exactOptional(),
    madeAt: time(),
    lastUsedAt: time().exactOptional(),
    uses: whole({ least: 0, most: Number.MAX_SAFE_INTEGER }),
  })

/** A rule that the person writes by hand. */
export const personRule = () =>
  consentRule()
    .pick({ serverId: true, powers: true, limits: true, conversationId: true, until: true })
    .extend({ effect: z.enum(['ask', 'deny']), tool: line().exactOptional() })
export type PersonRule = Given<typeof personRule>

/** The named place of a conversation or its project, in which known servers may read. */
export interface NamedPlace {
  readonly folders: readonly string[]
  readonly hosts: readonly string[]
  readonly recipients: readonly string[]
  /** Those of the folders in which files may be changed without a question. */
  readonly editable?: readonly string[]
}

/** Somewhere that a call reaches, as its arguments say. */
export type Touch =
  | {
      readonly is: 'path'
      readonly argument: string
      readonly value: string
      /** Absent when it cannot be known. */
      readonly path?: string
      /** The path is that of a folder. */
      readonly folder?: true
      /** Nothing is there yet, or what no program is and no other name leads to. */
      readonly plain?: true
    }
  | {
      readonly is: 'host'
      readonly argument: string
      readonly value: string
      readonly host: string
      /** A result or the person gave the whole address, and it leads to the internet. */
      readonly named?: true
    }
  | { readonly is: 'recipient'; readonly argument: string; readonly value: string }
  | {
      readonly is: 'value'
      readonly argument: string
      readonly value: string
      /** Its name says nothing: it only chooses what a reading shows. */
      readonly vague?: true
    }
  /** A switch, or one of a few choices. */
  | { readonly is: 'option'; readonly argument: string; readonly value: string }
  /** Named by the server or the person before. */
  | { readonly is: 'item'; readonly argument: string; readonly value: string }
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
      /** It only looks at files, in a folder that the call names: where it looks says the folder, not the program. */
      readonly looks?: true
    }
  | { readonly is: 'amount'; readonly argument: string; readonly value: string; readonly amount: number }

/** Why a guard holds a call up, as a sentence, with the results that it speaks of. */
export interface GuardNote {
  readonly guard: GuardName
  readonly text: string
  /** Argument that it marks. */
  readonly argument?: string
  /** Calls whose results it rests on. */
  readonly sources?: readonly string[]
}

/** A rule that an answer may make beside allowing the calls. */
export interface Offer {
  readonly id: string
  /** “Let filesystem read in ~/shop in this conversation”: every server and tool that it covers stands in it. */
  readonly label: string
  readonly scope: Scope
  /** Covers any arguments, other servers, or all conversations: one click further away. */
  readonly wide?: true
  /** No limit holds its arguments. */
  readonly anyArguments?: true
}

/** One call of a question: what would be sent, what it does, and why it is asked about. */
export interface ConsentCall {
  readonly toolCallId: ToolCallId
  readonly serverId: ServerId
  readonly serverName: string
  readonly tool: string
  readonly title: string
  readonly description: string
  readonly arguments: BoundedJson
  /** Names of arguments in the order in which they are shown; others follow. */
  readonly order: readonly string[]
  /** The person may change them. */
  readonly editable?: true
  /** The person changed them; the model wanted these. */
  readonly proposed?: BoundedJson
  /** The last change that did not fit the tool, as JSON, and why. */
  readonly rejected?: { readonly json: string; readonly why: string }
  /** Why the tool's schema could not judge them. */
  readonly unchecked?: string
  /** Arguments among them that travel as readable headers, too. */
  readonly mirrored?: readonly string[]
  readonly hints: ToolHints
  readonly fingerprint: string
  readonly powers: readonly Power[]
  readonly known: PowersKnown
  /** The argument that tells it from its neighbours, whole. */
  readonly telling?: string
  readonly why: string
  readonly guards: readonly GuardNote[]
  /** The tool is not as it was when a rule was made; both definitions as JSON. */
  readonly changed?: { readonly before?: string; readonly now: string }
}

/**
 * How a tool's powers are known: set by the person on its page, looked up, vouched for by hints that the person trusts, guessed by its name and
 * accepted by the person, told by the person to be reading where the name says nothing, told to be more than guessed, guessed, or not at all.
 */
export type PowersKnown = 'person' | 'published' | 'trusted-hints' | 'accepted' | 'told' | 'told-more' | 'named' | 'unknown'

/** A rule as Settings lists it. */
export interface ConsentRuleView extends ConsentRule {
  /** The guard's reason, in a sentence. */
  readonly words: string
  /** Of each server that it is about; absent where it holds for any. */
  readonly serverNames?: readonly string[]
  readonly conversationTitle?: string
  /** Its conversation is put away, or nothing was said in it for a day. */
  readonly ended?: true
  readonly projectName?: string
  /** Why it does not apply at present. */
  readonly paused?: 'launch-changed' | 'tool-changed' | 'server-removed' | 'tool-unknown' | 'expired'
}

/** Rules that pause because a server runs in another version, and the tools that they allow. */
export interface PausedRules {
  readonly rules: number
  /** Tools whose definition is as it was. */
  readonly same: readonly string[]
  readonly changed: readonly string[]
  readonly gone: readonly string[]
}

/** The verdict on a call, and its reasons. */
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

/** The decision about a call, and its maker. */
export type LedgerDecision =
  | 'allowed-by-person'
  | 'allowed-by-rule'
  /** Nobody need be asked about such a reading. */
  | 'free'
  | 'denied'
  | 'denied-by-rule'
  | 'unanswered'
  | 'by-hand'

/** Bytes of a call's arguments that an entry holds. */
export const LEDGER_ARGUMENTS = 8 * 1024

/** One decision about one call, as it was written and stays. */
export interface LedgerEntry {
  /** From 1 on, without a gap. */
  readonly number: number
  readonly at: number
  readonly conversationId?: ConversationId
  readonly serverId: string
  readonly serverName?: string
  readonly tool: string
  /** As canonical JSON, without what is known or looks like a secret; its head when it is longer than LEDGER_ARGUMENTS. */
  readonly arguments?: string
  /** As the model wrote them, where the person changed them; cut and cleaned alike. */
  readonly proposed?: string
  /** How many bytes all arguments have; there when only their head is. */
  readonly argumentsBytes?: number
  /** SHA-256 of all arguments' canonical JSON, as they were sent. */
  readonly argumentsHash: string
  readonly decision: LedgerDecision
  readonly why?: string
  readonly ruleId?: ConsentRuleId
  /** The outcome: the call's status, and its error code. */
  readonly outcome: string
  /** Written before there was a chain, and put into it afterwards: it is vouched for from then on only. */
  readonly chainedLater?: true
}

export interface LedgerPage {
  /** Newest first, each with its link of the chain. */
  readonly items: readonly (LedgerEntry & { readonly hash: string })[]
  /** Pass it back as `before`; absent on the last page. */
  readonly next?: number
  readonly total: number
}

/** A part of the file: one entry a line, oldest first. */
export interface LedgerLines {
  readonly text: string
  /** Pass it back as `after`; absent with the last part. */
  readonly next?: number
}

/** The result of checking a part of the chain. */
export interface LedgerCheck {
  /** How many follow from the one before, as far as it was looked. */
  readonly entries: number
  readonly bytes: number
  /** The first entry that does not follow: it was changed, or is missing. */
  readonly broken?: { readonly number: number; readonly is: 'changed' | 'missing' }
  /** Pass it back as `after`; absent with the last part. */
  readonly next?: number
}
