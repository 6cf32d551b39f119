import type { ProtocolVersion } from '../../../src-shared/mcp/primitives.ts'

/** The features in which revisions differ. Each revision lists them, so that no code compares dates (LIFE-07). */
export interface Traits {
  readonly protocolVersion: ProtocolVersion
  /** JSON-RPC batches. */
  readonly batches: boolean
  /** Audio content, tool annotations, progress texts, the completions capability. */
  readonly audio: boolean
  readonly toolAnnotations: boolean
  readonly progressMessages: boolean
  readonly completionsCapability: boolean
  /** Titles, resource links, structured content, completion context, `_meta` on data types. */
  readonly titles: boolean
  readonly resourceLinks: boolean
  readonly structuredContent: boolean
  readonly completionContext: boolean
  readonly elicitation: boolean
  /** Icons, sampling with tools and several blocks, URL elicitation, richer enums and defaults, task support of tools. */
  readonly icons: boolean
  readonly samplingTools: boolean
  readonly urlElicitation: boolean
  readonly richForms: boolean
  readonly toolExecution: boolean
  /** Structured content of any JSON type, and output schemas of any root type. */
  readonly anyStructuredContent: boolean
  /** URL elicitations have ids, and a notification of their end. */
  readonly elicitationIds: boolean
  /** A handshake opens a session, with pings, `logging/setLevel`, `resources/subscribe` and server requests. */
  readonly session: boolean
  /** A refused elicitation is called `reject`, in the draft pages only. */
  readonly refusal: 'decline' | 'reject'
}

const FIRST = {
  batches: false,
  audio: false,
  toolAnnotations: false,
  progressMessages: false,
  completionsCapability: false,
  titles: false,
  resourceLinks: false,
  structuredContent: false,
  completionContext: false,
  elicitation: false,
  icons: false,
  samplingTools: false,
  urlElicitation: false,
  richForms: false,
  toolExecution: false,
  anyStructuredContent: false,
  elicitationIds: false,
  session: true,
  refusal: 'decline',
} as const satisfies Omit<Traits, 'protocolVersion'>

const MARCH = { ...FIRST, batches: true, audio: true, toolAnnotations: true, progressMessages: true, completionsCapability: true }

const JUNE = {
  ...MARCH,
  batches: false,
  titles: true,
  resourceLinks: true,
  structuredContent: true,
  completionContext: true,
  elicitation: true,
}

const NOVEMBER = {
  ...JUNE,
  icons: true,
  samplingTools: true,
  urlElicitation: true,
  richForms: true,
  toolExecution: true,
  elicitationIds: true,
}

const JULY = { ...NOVEMBER, toolExecution: false, anyStructuredContent: true, elicitationIds: false, session: false }

const TRAITS: Readonly<Record<ProtocolVersion, Omit<Traits, 'protocolVersion'>>> = {
  '2024-11-05': FIRST,
  '2025-03-26': MARCH,
  '2025-06-18': JUNE,
  '2025-11-25': NOVEMBER,
  '2026-07-28': JULY,
}

/** `draftProfile` adds the draft elicitation pages to any revision (LIFE-22). */
export function traitsOf(protocolVersion: ProtocolVersion, draftProfile: boolean): Traits {
  const traits = { protocolVersion, ...TRAITS[protocolVersion] }
  return draftProfile ? { ...traits, elicitation: true, refusal: 'reject' } : traits
}
