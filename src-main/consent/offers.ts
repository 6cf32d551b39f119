import {
  type ConsentRule,
  type GuardNote,
  LIMITS_MOST,
  type Limit,
  type NamedPlace,
  type Offer,
  onlyReads,
  POWERS,
  type Power,
  type Scope,
  type Touch,
} from '../../src-shared/contract/consent.ts'
import type { Act } from './act.ts'
import { DOES, GRAVE, isSure } from './guards.ts'
import { type JudgedTool, powersOf } from './powers.ts'
import { folderOf, isWithin, type PathFacts, shownPath } from './read-path.ts'
import { isHiddenIn } from './rules.ts'
import { isChoice } from './touches.ts'
import { asksForKeys, type Verdict } from './verdict.ts'

/** What a rule will say, before it has an id, a time and a conversation. */
export type RuleDraft = Pick<
  ConsentRule,
  'serverId' | 'launchIdentity' | 'tools' | 'powers' | 'limits' | 'scope' | 'despite' | 'readings'
>

export interface DraftedOffer extends Offer {
  readonly drafts: readonly RuleDraft[]
}

/** A call of the question with the verdict that has it asked, and the other tools of its server. */
export interface Asked {
  readonly act: Act
  readonly verdict: Extract<Verdict, { is: 'ask' }>
  readonly siblings: readonly JudgedTool[]
  /** Private places that the conversation has read. */
  readonly readings: number
}

interface OfferFacts {
  readonly place: NamedPlace
  readonly facts: PathFacts
  /** Tools whose reading may be offered beside; absent where that was done. */
  readonly others?: readonly JudgedTool[]
  /** The name of the project that the conversation is in. */
  readonly project?: string
}

/** Rules that an answer to these calls may make, the narrowest that makes their like pass first; none where each deserves its own look. */
export function offersFor(asked: readonly Asked[], { place, facts, others, project }: OfferFacts): readonly DraftedOffer[] {
  const open = asked.filter(mayBeRemembered)
  if (open.length === 0) return despiteFlow(asked, place, facts)
  const drafts = open.flatMap((one) => draftOf(one, place, facts) ?? [])
  const own = mergedBy(drafts)
  const beside = others && own.length > 0 && own.every(({ powers }) => onlyReads(powers)) ? readingBy(others, own, place) : []
  const names = serverNames([...asked.flatMap(({ siblings }) => siblings), ...(others ?? [])])
  const phrases = own.map((draft) => phraseOf(draft, names, facts))
  const besides =
    beside.length > 0 ? `, with reads by ${listed(beside.map(({ serverId = '' }) => names.get(serverId) ?? serverId))}` : ''
  const offer = (scope: Scope, where: string, wide?: true): DraftedOffer => ({
    id: scope,
    scope,
    // What holds in every conversation is not widened by those that happen to be in this one.
    label: `Allow ${phrases.join(' and ')}${isElsewhere(scope) ? '' : besides} ${where}`,
    drafts: [...own, ...(isElsewhere(scope) ? [] : beside)].map((draft) => ({ ...draft, scope })),
    ...(wide && { wide }),
  })
  const destroys = open.some(({ act }) => act.known !== 'unknown' && act.powers.includes('destroys'))
  const grave = open.some(({ act }) => GRAVE.some((power) => act.powers.includes(power) && isSure(act, power)))
  const task = offer('task', 'until this turn ends')
  const once = grave ? ', asked once in each conversation' : ''
  const always = offer('always', `always${once}`, true)
  const shared = project === undefined ? [] : [offer('project', `in the project “${project}”${once}`, true)]
  const narrow = destroys
    ? [task]
    : [offer('conversation', 'in this conversation'), { ...task, wide: true as const }, ...shared, always]
  return [...(own.length > 0 ? narrow : []), ...anything(open)]
}

const isElsewhere = (scope: Scope) => scope === 'always' || scope === 'project'

/** What takes private things along may go on doing so for this turn, to this very place, until more that is private was read. */
function despiteFlow(asked: readonly Asked[], place: NamedPlace, facts: PathFacts): readonly DraftedOffer[] {
  const drafts = asked.flatMap((one): RuleDraft[] => {
    const { act, verdict, readings } = one
    const onlyFlow = verdict.guards.every(({ guard }) => guard === 'flow' || guard === 'outside' || guard === 'new')
    const draft =
      onlyFlow && act.unread === undefined && !asksForKeys(act) && !act.powers.includes('destroys')
        ? draftOf(one, place, facts)
        : undefined
    const pinned = draft?.limits.some(({ is }) => is === 'host' || is === 'recipient' || is === 'value')
    return draft && pinned
      ? [{ ...draft, tools: { [act.tool.name]: act.tool.fingerprint }, scope: 'task', despite: ['flow'], readings }]
      : []
  })
  if (drafts.length === 0) return []
  const names = serverNames(asked.flatMap(({ siblings }) => siblings))
  const merged = mergedBy(drafts)
  const label = `Allow ${merged.map((draft) => phraseOf(draft, names, facts)).join(' and ')} until this turn ends, with what was read`
  return [{ id: 'despite-flow', scope: 'task', label, drafts: merged }]
}

/** “a, b and 3 more”. */
function listed(names: readonly string[]): string {
  const some = names.slice(0, MOST_NAMED)
  const rest = names.length - some.length
  const last = rest > 0 ? `${rest} more` : some.pop()
  return some.length > 0 ? `${some.join(', ')} and ${last}` : `${last}`
}

/** A tool with any arguments, for who knows it: never offered first. */
function anything(asked: readonly Asked[]): readonly DraftedOffer[] {
  const acts = asked.map(({ act }) => act).filter(({ powers }) => !powers.includes('spends'))
  if (acts.length === 0) return []
  const drafts = acts.map(
    (act): RuleDraft => ({
      serverId: act.tool.serverId as NonNullable<RuleDraft['serverId']>,
      launchIdentity: act.tool.launchIdentity,
      tools: { [act.tool.name]: act.tool.fingerprint },
      powers: [...POWERS],
      limits: [{ is: 'any' }],
      scope: 'conversation',
    }),
  )
  const names = [...new Set(acts.map(({ tool }) => tool.name))].join(', ').slice(0, 200)
  const offer = (scope: 'conversation' | 'always', where: string): DraftedOffer => ({
    id: `any-${scope}`,
    scope,
    wide: true,
    label: `Allow ${names} with any arguments ${where}`,
    drafts: drafts.map((draft) => ({ ...draft, scope })),
  })
  return [offer('conversation', 'in this conversation'), offer('always', 'always')]
}

const serverNames = (tools: readonly JudgedTool[]) => new Map(tools.map(({ serverId, serverName }) => [serverId, serverName]))

/** Guards that stand above the rule that is made as well. */
const LASTING: ReadonlySet<GuardNote['guard']> = new Set(['outside', 'new', 'changed', 'denied'])

/** What deserves its own look each time is remembered by no rule. */
function mayBeRemembered({ act, verdict }: Asked): boolean {
  // Where only a stranger spoke of what would be read: the next such value is asked about whatever rule there is.
  const mild = onlyReads(act.powers)
  return (
    act.unread === undefined &&
    !asksForKeys(act) &&
    verdict.guards.every(({ guard }) => LASTING.has(guard) || (mild && guard === 'provenance'))
  )
}

/** Reading by the other servers of the conversation, as far as it names no place of its own: offered once, at the first reading. */
function readingBy(
  others: readonly JudgedTool[],
  drafts: readonly RuleDraft[],
  { folders, hosts }: NamedPlace,
): readonly RuleDraft[] {
  const servers = new Map<string, JudgedTool[]>()
  for (const tool of others) {
    if (drafts.some(({ serverId }) => serverId === tool.serverId)) continue
    if (powersOf(tool).from === 'unknown' || !onlyReads([...powersOf(tool).powers])) continue
    servers.set(tool.serverId, [...(servers.get(tool.serverId) ?? []), tool])
  }
  return [...servers.values()].map((tools) => ({
    serverId: tools[0]?.serverId as NonNullable<RuleDraft['serverId']>,
    ...(tools[0] && { launchIdentity: tools[0].launchIdentity }),
    tools: Object.fromEntries(tools.slice(0, 500).map(({ name, fingerprint }) => [name, fingerprint])),
    powers: ['reads', 'brings-in'],
    limits: [
      ...folders.slice(0, 20).map((path): Limit => ({ is: 'folder', path })),
      ...hosts.slice(0, 20).map((host): Limit => ({ is: 'host', host })),
      { is: 'named-items' },
      { is: 'named-addresses' },
    ],
    scope: 'conversation',
  }))
}

/** The narrowest rule that covers the call and those like it; undefined where none is to be made. */
function draftOf({ act, siblings }: Asked, place: NamedPlace, { home }: Pick<PathFacts, 'home'>): RuleDraft | undefined {
  if (act.powers.includes('spends')) return undefined
  const limits: Limit[] = []
  const mild = onlyReads(act.powers)
  for (const touch of act.touches) {
    if (mild && isChoice(touch)) continue
    const one = limitOf(touch, place, home, mild)
    if (!one) return undefined
    limits.push(one)
  }
  const grave = act.powers.includes('sends') || act.powers.includes('destroys')
  // Sending or deleting with nothing that says where would be a rule for anything.
  if ((act.tells || act.powers.includes('destroys')) && !act.touches.some(saysWhere)) return undefined
  if (limits.length > LIMITS_MOST) return undefined
  const powers = new Set<Power>(mild ? ['reads', 'brings-in'] : act.powers)
  // A page is typed into and clicked: what a known server does there is one kind of act.
  const atHost = act.known === 'published' && !act.powers.includes('destroys') && act.touches.some(({ is }) => is === 'host')
  const alike =
    grave && !atHost
      ? [act.tool]
      : siblings.filter(
          (tool) =>
            powersOf(tool).powers.size > 0 &&
            [...powersOf(tool).powers].every((power) => powers.has(power)) &&
            (!grave || powersOf(tool).from === 'published'),
        )
  const tools = Object.fromEntries([...alike, act.tool].slice(-500).map(({ name, fingerprint }) => [name, fingerprint]))
  return {
    serverId: act.tool.serverId as NonNullable<RuleDraft['serverId']>,
    launchIdentity: act.tool.launchIdentity,
    tools,
    powers: [...powers],
    limits: distinct([...limits, { is: 'named-items' }]),
    scope: 'conversation',
  }
}

const saysWhere = (touch: Touch) =>
  touch.is === 'host'
    ? !touch.named
    : touch.is !== 'item' && touch.is !== 'option' && touch.is !== 'command' && touch.is !== 'amount'

function limitOf(touch: Touch, place: NamedPlace, home: string, mild: boolean): Limit | undefined {
  switch (touch.is) {
    case 'path': {
      const { path } = touch
      if (path === undefined) return undefined
      const named = place.folders.find((folder) => isWithin(path, folder))
      if (named === undefined && holdsAll(path, home)) return undefined
      const folder = named ?? folderOf(path)
      // A rule for a folder does not change what is hidden in it: this file alone.
      if (!mild && isHiddenIn(path, folder)) return { is: 'folder', path }
      return { is: 'folder', path: named ?? (isShallow(folder, home) ? path : folder) }
    }
    case 'host':
      return touch.named ? { is: 'named-addresses' } : { is: 'host', host: touch.host }
    case 'recipient':
      return { is: 'recipient', address: touch.value }
    case 'statement':
      return { is: 'statement', verb: touch.verb, tables: touch.tables }
    case 'command':
      return { is: 'command', words: touch.words }
    case 'amount':
      return { is: 'at-most', argument: touch.argument, amount: touch.amount }
    case 'item':
      return { is: 'named-items' }
    case 'option':
    case 'value':
      return touch.value.length <= 2_000 ? { is: 'value', argument: touch.argument, value: touch.value } : undefined
  }
}

/** What is no file and no folder of one's own: a rule for it would be one for everything. */
const HOLDS_ALL =
  /^(?:\/|\/(?:home|Users|root|etc|var|usr|tmp|opt|mnt|media|Volumes)|\/(?:home|Users)\/[^/]+|[A-Za-z]:\\?(?:Users(?:\\[^\\]+)?)?)$/

/** A person's home and what is above it, wherever it lies. */
const holdsAll = (path: string, home: string) => HOLDS_ALL.test(path) || (home !== '' && isWithin(home, path))

/** A folder that holds everything or nearly so. */
const isShallow = (folder: string, home: string) =>
  holdsAll(folder, home) || /^\/(?:root|etc|var|usr|tmp|opt|mnt|media|Volumes)\/[^/]+$/.test(folder)

const distinct = (limits: readonly Limit[]) => [...new Map(limits.map((limit) => [JSON.stringify(limit), limit])).values()]

/** Drafts of one server with the same powers become one. */
function mergedBy(drafts: readonly RuleDraft[]): readonly RuleDraft[] {
  const merged: RuleDraft[] = []
  for (const draft of drafts) {
    const at = merged.findIndex(
      (one) =>
        one.serverId === draft.serverId &&
        one.launchIdentity === draft.launchIdentity &&
        one.powers.join() === draft.powers.join() &&
        mayMerge(one, draft),
    )
    const found = merged[at]
    if (!found) {
      merged.push(draft)
      continue
    }
    const limits = distinct([...found.limits, ...draft.limits])
    merged[at] = { ...found, tools: { ...found.tools, ...draft.tools }, limits: limits.slice(0, LIMITS_MOST) }
  }
  return merged
}

/** Values of several arguments must not be crossed: each pair was seen, their mixture was not. */
function mayMerge(a: RuleDraft, b: RuleDraft): boolean {
  const values = (draft: RuleDraft) =>
    draft.limits.flatMap((limit) => (limit.is === 'value' ? [`${limit.argument}=${limit.value}`] : []))
  const [ofA, ofB] = [values(a), values(b)]
  const different = ofA.filter((value) => !ofB.includes(value)).length + ofB.filter((value) => !ofA.includes(value)).length
  return different <= 2 || (ofA.length <= 1 && ofB.length <= 1)
}

const MOST_NAMED = 3

/** A rule in words, as Settings lists it. */
export function ruleWords(rule: ConsentRule, serverName: string | undefined, facts: Pick<PathFacts, 'home'>): string {
  if (rule.limits.some(({ is }) => is === 'any') && rule.effect === 'allow')
    return `${Object.keys(rule.tools ?? {}).join(', ')} with any arguments`
  const names = new Map(rule.serverId === undefined ? [] : [[rule.serverId as string, serverName ?? rule.serverId]])
  if (rule.effect === 'allow') return phraseOf(rule, names, facts)
  const what = [...Object.keys(rule.tools ?? {}), ...rule.powers.map((power) => `what ${DOES[power]}`)].join(', ') || 'everything'
  return `${what}${within(rule, facts)}`
}

function phraseOf(draft: Omit<RuleDraft, 'scope'>, names: ReadonlyMap<string, string>, facts: Pick<PathFacts, 'home'>): string {
  const { powers, tools, serverId = '' } = draft
  const server = names.get(serverId) ?? serverId
  if (powers.includes('sends') || powers.includes('destroys')) {
    return `${listed(Object.keys(tools ?? {}))} of ${server}${within(draft, facts)}`
  }
  return `${server} ${powers.includes('changes') ? 'changes' : 'reads'}${within(draft, facts)}`
}

function within({ limits }: Pick<RuleDraft, 'limits'>, facts: Pick<PathFacts, 'home'>): string {
  const words = limits.flatMap((limit): string[] => {
    switch (limit.is) {
      case 'folder':
        return [`in ${shownPath(limit.path, facts)}`]
      case 'host':
        return [`at ${limit.host}`]
      case 'named-addresses':
        return ['at addresses that were named']
      case 'recipient':
        return [`to ${limit.address}`]
      case 'statement':
        return [`${limit.verb} ${limit.tables.join(', ')}`]
      case 'command':
        return [`by ${limit.words}`]
      case 'value':
        return limit.value === 'true' || limit.value === 'false' ? [] : [`with ${limit.argument} ${limit.value.slice(0, 40)}`]
      case 'at-most':
        return [`up to ${limit.amount}`]
      default:
        return []
    }
  })
  if (words.length === 0) return ''
  const rest = words.length - MOST_NAMED
  return ` ${words.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
