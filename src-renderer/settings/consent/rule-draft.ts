import { type Limit, MAX_LIMITS, type PersonRule, type Power } from '../../../src-shared/contract/consent.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'

/** A rule that asks or denies, as typed. */
export interface RuleFields {
  readonly effect: PersonRule['effect']
  /** Empty for any server. */
  readonly serverId: ServerId | ''
  readonly tool: string
  readonly powers: readonly Power[]
  /** One per line, as the next two. */
  readonly folders: string
  readonly hosts: string
  readonly recipients: string
  /** The last day of the rule, as a date field writes it; empty for no end. */
  readonly until: string
}

export const EMPTY_RULE: RuleFields = {
  effect: 'ask',
  serverId: '',
  tool: '',
  powers: [],
  folders: '',
  hosts: '',
  recipients: '',
  until: '',
}

type DraftProblems = Partial<Record<'folders' | 'hosts' | 'recipients' | 'until', string>>

const linesOf = (text: string) => [...new Set(text.split('\n').map((line) => line.trim()))].filter(Boolean)
const isAbsolute = (path: string) => /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path)

/** The host as `URL.host` writes it; undefined for anything else. */
function hostOf(text: string): string | undefined {
  const address = text.includes('://') ? text : `https://${text}`
  return /[/?#@]/.test(text.replace(/^\w+:\/\//, '').replace(/\/$/, '')) ? undefined : URL.parse(address)?.host
}

/** The end of a day in the person's time zone. */
function endOfDay(date: string): number | undefined {
  const at = new Date(`${date}T23:59:59.999`).getTime()
  return Number.isFinite(at) ? at : undefined
}

export function ruleProblems({ folders, hosts, recipients, until }: RuleFields, now: number): DraftProblems {
  const relative = linesOf(folders).find((path) => !isAbsolute(path))
  const noHost = linesOf(hosts).find((host) => hostOf(host) === undefined)
  const end = until === '' ? undefined : endOfDay(until)
  const many = linesOf(folders).length + linesOf(hosts).length + linesOf(recipients).length > MAX_LIMITS
  return {
    ...(relative !== undefined && { folders: `Enter an absolute path: “${relative}”` }),
    ...(noHost !== undefined && { hosts: `Not a host: “${noHost}”` }),
    ...(many && { recipients: `At most ${MAX_LIMITS} folders, hosts and recipients` }),
    ...(until !== '' && (end === undefined || end <= now) && { until: 'Choose a day from today on' }),
  }
}

/** The rule of a valid draft. */
export function personRuleOf(draft: RuleFields): PersonRule {
  const { effect, serverId, powers, until } = draft
  const limits: Limit[] = [
    ...linesOf(draft.folders).map((path): Limit => ({ is: 'folder', path })),
    ...linesOf(draft.hosts).map((host): Limit => ({ is: 'host', host: hostOf(host) ?? host })),
    ...linesOf(draft.recipients).map((address): Limit => ({ is: 'recipient', address })),
  ]
  const tool = draft.tool.trim()
  const end = until === '' ? undefined : endOfDay(until)
  return {
    effect,
    powers: [...powers],
    limits,
    ...(serverId !== '' && { serverId }),
    ...(tool !== '' && { tool }),
    ...(end !== undefined && { until: end }),
  }
}
