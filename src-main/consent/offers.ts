import { isTooWide } from '../../src-shared/base/wide-folders.ts'
import {
  type Clause,
  type ConsentRule,
  type GuardNote,
  type Limit,
  MAX_CLAUSES,
  MAX_LIMITS,
  type NamedPlace,
  type Offer,
  onlyReads,
  type PlaceKind,
  POWERS,
  type Power,
  type SaidBy,
  type Scope,
  type Touch,
} from '../../src-shared/contract/consent.ts'
import { type Act, distinctive } from './act.ts'
import { asksForContent, asksForText, isQuantity } from './arguments.ts'
import { ACT_PHRASES, GRAVE, isSure } from './guards.ts'
import { nameList } from './name-list.ts'
import { isUnknown, isVouched, type JudgedTool, powersOf } from './powers.ts'
import { folderOf, isWithin, type PathFacts, shownPath } from './read-path.ts'
import { clausesOf, isIn, isSameForm, mayChangeIn } from './rules.ts'

import { isFreeChoice } from './touches.ts'
import { asksForKeys, type Verdict } from './verdict.ts'
import { wordsIn } from './words.ts'

/** A rule without id, time and conversation. */
export type RuleDraft = Pick<
  ConsentRule,
  'serverId' | 'launchIdentity' | 'tools' | 'powers' | 'limits' | 'forms' | 'scope' | 'despite' | 'readings' | 'also'
>

export interface DraftedOffer extends Offer {
  /** The rule that the answer creates. */
  readonly draft: RuleDraft
}

/** A call of the question, and the other tools of its server. */
export interface AskedCall {
  readonly act: Act
  readonly verdict: Extract<Verdict, { is: 'ask' }>
  readonly siblings: readonly JudgedTool[]
  /** The number of private places that the conversation has read. */
  readonly readings: number
}

interface OfferFacts {
  readonly place: NamedPlace
  readonly facts: PathFacts
  /** Tools of other servers for the reading offer; absent if it was already accepted. */
  readonly others?: readonly JudgedTool[]
  /** The conversation's project. */
  readonly project?: string
}

/** Rules that an answer may create, narrowest first; none for calls that need a question each time. */
export function offersFor(asked: readonly AskedCall[], { place, facts, others, project }: OfferFacts): readonly DraftedOffer[] {
  const open = asked.filter(mayBeRemembered)
  if (open.length === 0) return flowOffers(asked, place, facts)
  const own = mergeByPowers(open.flatMap((one) => draftOf(one, place, facts) ?? []))
  const names = serverNames([...asked.flatMap(({ siblings }) => siblings), ...(others ?? [])])
  const phrase = phrasesOf(own, names, facts, 'let')
  const offer = (scope: Scope, where: string, wide?: true): readonly DraftedOffer[] =>
    ruleOffer(own, { id: scope, scope, label: `Let ${phrase} ${where}`, ...(wide && { wide }) })
  const destroys = open.some(({ act }) => !isUnknown(act.known) && act.powers.includes('destroys'))
  const grave = open.some(({ act }) => GRAVE.some((power) => act.powers.includes(power) && isSure(act, power)))
  if (destroys) return [...offer('task', 'until this reply ends'), ...anyArgumentOffers(open)]
  const once = grave ? ', asked once in each conversation' : ''
  const beyond: readonly (readonly [Scope, string])[] = [
    ...(project === undefined ? [] : [['project', `in the project “${project}”${once}`] as const]),
    ['always', `always${once}`],
  ]
  return [
    ...offer('conversation', 'in this conversation'),
    ...offer('task', 'until this reply ends', true),
    ...readingOffers(others ?? [], own, phrase, place),
    ...beyond.flatMap(([scope, where]) => offer(scope, where, true)),
    ...kindOffers(open, facts, place, [['conversation', 'in this conversation'], ...beyond]),
    ...anyArgumentOffers(open),
  ]
}

/** Joins clauses into one rule; no offer without clauses, or with more than a rule can have. */
function ruleOffer(clauses: readonly Clause[], offer: Offer): readonly DraftedOffer[] {
  const [first, ...also] = clauses
  if (!first || also.length > MAX_CLAUSES) return []
  return [{ ...offer, draft: { ...first, scope: offer.scope, ...(also.length > 0 && { also }) } }]
}

/** Offers to let private data go to this very place for this turn, until more private data is read. */
function flowOffers(asked: readonly AskedCall[], place: NamedPlace, facts: PathFacts): readonly DraftedOffer[] {
  const drafts = asked.flatMap((one): Clause[] => {
    const { act, verdict, readings } = one
    const onlyFlow = verdict.guards.every(({ guard }) => guard === 'flow' || guard === 'outside' || guard === 'new')
    const draft =
      onlyFlow && act.unread === undefined && !asksForKeys(act) && !act.powers.includes('destroys')
        ? draftOf({ ...one, act: { ...act, beside: [] } }, place, facts)
        : undefined
    const pinned = draft?.limits.some(({ is }) => is === 'host' || is === 'recipient' || is === 'value')
    return draft && pinned && !draft.limits.some(({ is }) => is === 'said')
      ? [{ ...draft, tools: { [act.tool.name]: act.tool.fingerprint }, despite: ['flow'], readings }]
      : []
  })
  const names = serverNames(asked.flatMap(({ siblings }) => siblings))
  const merged = mergeByPowers(drafts)
  const phrase = phrasesOf(merged, names, facts, 'let')
  return ruleOffer(merged, {
    id: 'despite-flow',
    scope: 'task',
    label: `Let ${phrase} until this reply ends, despite what was read`,
  })
}

/** Every place of a kind at this server: never offered first, and not where the person named some. */
function kindOffers(
  open: readonly AskedCall[],
  facts: PathFacts,
  place: NamedPlace,
  scopes: readonly (readonly [Scope, string])[],
): readonly DraftedOffer[] {
  if (place.recipients.length > 0) return []
  if (!open.some(({ act }) => act.touches.some(kindOf))) return []
  const drafts = open.flatMap((one): Clause[] => {
    const draft = draftOf(one, place, facts)
    const limits = draft?.limits.map((limit): Limit => {
      const kind = one.act.touches.flatMap((touch) => (isIn(touch, limit) ? (kindOf(touch) ?? []) : []))[0]
      return kind ? { is: 'kind', kind } : limit
    })
    return draft && limits ? [{ ...draft, limits: distinct(limits) }] : []
  })
  const merged = mergeByPowers(drafts)
  const names = serverNames(open.map(({ act }) => act.tool))
  const phrase = phrasesOf(merged, names, facts, 'let')
  return scopes.flatMap(([scope, where]) =>
    ruleOffer(merged, { id: `kind-${scope}`, scope, wide: true, label: `Let ${phrase} ${where}` }),
  )
}

const kindOf = (touch: Touch) => (touch.is === 'recipient' || touch.is === 'value' ? touch.kind : undefined)

/** Tools with any arguments: never offered first. */
function anyArgumentOffers(asked: readonly AskedCall[]): readonly DraftedOffer[] {
  const tools = asked.flatMap(({ act }) => (act.powers.includes('spends') ? [] : [act.tool]))
  const clauses = [...Map.groupBy(tools, ({ serverId, launchIdentity }) => `${serverId}\n${launchIdentity}`).values()].map(
    (own): Clause => clauseFor(own, [...POWERS], [{ is: 'any' }]),
  )
  const names = serverNames(tools)
  const phrase = nameList(
    clauses.map(({ serverId, tools: own }) => `${names.get(serverId) ?? serverId} use ${nameList(Object.keys(own))}`),
  )
  const offer = (scope: 'conversation' | 'always', where: string) =>
    ruleOffer(clauses, {
      id: `any-${scope}`,
      scope,
      wide: true,
      anyArguments: true,
      label: `Let ${phrase} with any arguments ${where}`,
    })
  return [...offer('conversation', 'in this conversation'), ...offer('always', 'always')]
}

/** A clause for tools of one server with its current launch and definitions. */
const clauseFor = (tools: readonly JudgedTool[], powers: Power[], limits: Limit[]): Clause => ({
  serverId: tools[0]?.serverId as Clause['serverId'],
  launchIdentity: tools[0]?.launchIdentity ?? '',
  tools: Object.fromEntries(tools.slice(-500).map(({ name, fingerprint }) => [name, fingerprint])),
  powers,
  limits,
})

const serverNames = (tools: readonly JudgedTool[]) => new Map(tools.map(({ serverId, serverName }) => [serverId, serverName]))

/** Guards that also apply to calls under the new rule. */
const GUARDS_ABOVE_RULES: ReadonlySet<GuardNote['guard']> = new Set(['outside', 'new', 'changed', 'denied'])

/** False for calls that need a question each time. */
function mayBeRemembered({ act, verdict }: AskedCall): boolean {
  // A reading that only a stranger mentioned: the next such value needs a question despite the rule.
  const mild = onlyReads(act.powers)
  return (
    act.unread === undefined &&
    !asksForKeys(act) &&
    verdict.guards.every(({ guard }) => GUARDS_ABOVE_RULES.has(guard) || (mild && guard === 'provenance'))
  )
}

/**
 * Offers to allow a first reading together with readings by other servers of what is named: a second choice, and only for vouched tools
 * that take no text.
 */
function readingOffers(
  others: readonly JudgedTool[],
  own: readonly Clause[],
  phrase: string,
  { folders, hosts }: NamedPlace,
): readonly DraftedOffer[] {
  if (own.length === 0 || !own.every(({ powers }) => powers.length > 0 && onlyReads(powers))) return []
  const reading = others.filter((tool) => {
    const { powers, from } = powersOf(tool)
    if (own.some(({ serverId }) => serverId === tool.serverId)) return false
    return isVouched(from) && powers.size > 0 && onlyReads([...powers]) && !asksForText(tool.inputSchema)
  })
  if (reading.length === 0) return []
  const limits: Limit[] = [
    ...folders.slice(0, 20).map((path): Limit => ({ is: 'folder', path })),
    ...hosts.slice(0, 20).map((host): Limit => ({ is: 'host', host })),
    { is: 'named-items' },
    { is: 'named-addresses' },
  ]
  const beside = [...Map.groupBy(reading, ({ serverId }) => serverId).values()].map((tools) =>
    clauseFor(tools, ['reads', 'brings-in'], limits),
  )
  const names = nameList([...serverNames(reading).values()])
  const label = `Let ${phrase} in this conversation, and ${names} read what is named`
  return ruleOffer([...own, ...beside], { id: 'reading', scope: 'conversation', wide: true, label })
}

/** The narrowest rule for the call and similar ones; undefined if it must not have one. */
function draftOf({ act, siblings }: AskedCall, place: NamedPlace, { home }: Pick<PathFacts, 'home'>): Clause | undefined {
  if (act.powers.includes('spends')) return undefined
  const limits: Limit[] = []
  const mild = onlyReads(act.powers)
  for (const touch of act.touches) {
    if ((mild && isFreeChoice(touch)) || (isDictated(touch) && !touch.fixed)) continue
    const one = limitOf(touch, place, home, mild, act)
    if (!one) return undefined
    limits.push(one)
  }
  const items = act.touches.flatMap((touch) => (touch.is === 'item' ? [saidLimit(touch)] : []))
  for (const { argument, value } of act.beside ?? []) {
    const touch = act.touches.find((one) => one.argument === argument)
    if (touch && !(mild && isFreeChoice(touch))) (touch.is === 'item' ? items : limits).push({ is: 'value', argument, value })
  }
  const grave = act.powers.includes('sends') || act.powers.includes('destroys')
  // Without a target, a rule for sending or deleting would cover anything: its items are the target.
  const bare = (act.tells || act.powers.includes('destroys')) && !act.touches.some(saysWhere)
  if (bare && (act.powers.includes('destroys') || !act.touches.some(({ is }) => is === 'item'))) return undefined
  if (bare) {
    if (!items.every((one) => one !== undefined)) return undefined
    const targets = distinct([...limits.filter(({ is }) => is !== 'named-items'), ...items])
    return { ...clauseFor([act.tool], [...act.powers], targets), ...(!mild && { forms: formsOf(act, []) }) }
  }
  if (limits.length > MAX_LIMITS) return undefined
  // A rule for a tool of unknown powers covers only that tool.
  const powers = new Set<Power>(mild && act.powers.length > 0 ? ['reads', 'brings-in'] : act.powers)
  // Clicks and input on a page by a known server count as one kind of call.
  const atHost = act.known === 'published' && !act.powers.includes('destroys') && act.touches.some(({ is }) => is === 'host')
  const alike = grave && !atHost ? [] : siblings.filter((tool) => isAlike(tool, powers, grave))
  // A value of one thing alone, such as an address, is not meant for the next record.
  const isItsOwn = !mild && !isVouched(act.known) && act.touches.some(isOfOneThing)
  const own = isItsOwn ? items.flatMap((one) => one ?? []) : []
  const listed: Limit[] = own.length > 0 ? own : [{ is: 'named-items' }]
  const kept = own.length > 0 ? limits.filter(({ is }) => is !== 'named-items') : limits
  const clause = clauseFor([...alike, act.tool], [...powers], distinct([...kept, ...listed]))
  return mild ? clause : { ...clause, forms: formsOf(act, alike) }
}

/** The form of the call, and of other tools, which nobody has seen called, what they need. */
const formsOf = ({ tool, form }: Act, alike: readonly JudgedTool[]) => ({
  ...Object.fromEntries(alike.map(({ name, inputSchema }) => [name, [(inputSchema.required ?? []).toSorted()]])),
  [tool.name]: [[...form]],
})

/** True for a tool with no more powers. An unvouched one must also take no content, show its powers by its name, and do nothing grave. */
function isAlike(tool: JudgedTool, powers: ReadonlySet<Power>, grave: boolean): boolean {
  const { powers: can, from } = powersOf(tool)
  if (can.size === 0 || [...can].some((power) => !powers.has(power))) return false
  if (from === 'told') return false
  return grave ? from === 'published' : isVouched(from) || !asksForContent(tool.inputSchema)
}

const saysWhere = (touch: Touch) =>
  touch.is === 'host'
    ? !touch.named
    : !isDictated(touch) && touch.is !== 'item' && touch.is !== 'option' && touch.is !== 'command' && touch.is !== 'amount'

const isOfOneThing = ({ is, value }: Touch) =>
  is === 'text' && wordsIn(value).some((word) => distinctive(word) && !isQuantity(word))

const isDictated = (touch: Touch): touch is Extract<Touch, { is: 'text' }> => touch.is === 'text' && touch.dictated === true

function limitOf(touch: Touch, place: NamedPlace, home: string, mild: boolean, { touches, tells }: Act): Limit | undefined {
  switch (touch.is) {
    case 'path': {
      const { path } = touch
      if (path === undefined) return undefined
      const named = place.folders.find((folder) => isWithin(path, folder))
      if (named === undefined && isTooWide(path, home)) return undefined
      // Files that programs or models may obey get a rule of their own, and so does one that goes out.
      if (tells && !mild && !touch.folder) return { is: 'folder', path }
      if (!mild && !mayChangeIn(touch, named ?? folderOf(path), touches)) return { is: 'folder', path }
      const folder = named ?? (touch.folder ? path : folderOf(path))
      return { is: 'folder', path: named ?? (isShallow(folder, home) ? path : folder) }
    }
    case 'host':
      return touch.named ? { is: 'named-addresses' } : { is: 'host', host: touch.host }
    case 'recipient':
      return { is: 'recipient', address: touch.written ?? touch.value }
    case 'statement':
      return { is: 'statement', verb: touch.verb, tables: touch.tables }
    case 'command':
      return { is: 'command', words: touch.words }
    case 'amount':
      return { is: 'at-most', argument: touch.argument, amount: touch.amount }
    case 'item':
      return { is: 'named-items' }
    case 'text':
      return touch.fixed ? saidLimit(touch) : { is: 'text', argument: touch.argument }
    case 'value':
      return saidLimit(touch)
    case 'option':
      return valueLimit(touch)
  }
}

/** Any value that they named, once they have allowed several; else this one. */
const saidLimit = (touch: Extract<Touch, { varies?: SaidBy }>): Limit | undefined =>
  touch.varies ? { is: 'said', argument: touch.argument, by: touch.varies } : valueLimit(touch)

const valueLimit = ({ argument, value }: Touch): Limit | undefined =>
  value.length <= 2_000 ? { is: 'value', argument, value } : undefined

/** True for a folder with too wide contents. */
const isShallow = (folder: string, home: string) =>
  isTooWide(folder, home) || /^\/(?:root|etc|var|usr|tmp|opt|mnt|media|Volumes)\/[^/]+$/.test(folder)

const distinct = (limits: readonly Limit[]) => [...new Map(limits.map((limit) => [JSON.stringify(limit), limit])).values()]

/** Merges drafts for one server with the same powers. */
function mergeByPowers(drafts: readonly Clause[]): readonly Clause[] {
  const merged: Clause[] = []
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
    const forms = found.forms && draft.forms && mergedForms(found.forms, draft.forms)
    merged[at] = {
      ...found,
      tools: { ...found.tools, ...draft.tools },
      limits: limits.slice(0, MAX_LIMITS),
      ...(forms && { forms }),
    }
  }
  return merged
}

function mergedForms(a: Forms, b: Forms): Forms {
  const all = { ...a }
  for (const [tool, forms] of Object.entries(b)) {
    const own = all[tool] ?? []
    all[tool] = [...own, ...forms.filter((form) => !own.some((one) => isSameForm(one, form)))].slice(0, MAX_LIMITS)
  }
  return all
}
type Forms = NonNullable<Clause['forms']>

/** False if merging would allow combinations of values that the person has not seen. */
function mayMerge(a: Clause, b: Clause): boolean {
  const values = (draft: Clause) =>
    draft.limits.flatMap((limit) =>
      limit.is === 'value' ? [`${limit.argument}=${limit.value}`] : limit.is === 'text' ? [limit.argument] : [],
    )
  const [ofA, ofB] = [values(a), values(b)]
  const different = ofA.filter((value) => !ofB.includes(value)).length + ofB.filter((value) => !ofA.includes(value)).length
  return different <= 2 || (ofA.length <= 1 && ofB.length <= 1)
}

/** A rule in words, as Settings lists it. */
export function ruleWords(rule: ConsentRule, names: ReadonlyMap<string, string>, facts: Pick<PathFacts, 'home'>): string {
  const clauses = clausesOf(rule)
  if (rule.effect === 'allow') return phrasesOf(clauses, names, facts, 'lets')
  const what =
    [...Object.keys(rule.tools ?? {}), ...rule.powers.map((power) => `what ${ACT_PHRASES[power]}`)].join(', ') || 'everything'
  return `${what}${within(rule.limits, facts)}`
}

const VERBS = {
  let: { reads: 'read', looks: 'look things up', changes: 'make changes', runs: 'run', uses: 'use' },
  lets: { reads: 'reads', looks: 'looks things up', changes: 'makes changes', runs: 'runs', uses: 'uses' },
} as const

/** Before a path, which may be of a file or of a folder. */
const TO_PATH = { reads: '', changes: 'to ', runs: 'in ', uses: 'on ' } as const

/** Clauses in words. One for the server of the one before it does not repeat the server, and one that differs in conditions alone no verb. */
function phrasesOf(
  clauses: readonly Parameters<typeof phraseOf>[0][],
  names: ReadonlyMap<string, string>,
  facts: Pick<PathFacts, 'home'>,
  form: keyof typeof VERBS,
): string {
  const phrases = clauses.map((clause) => phraseOf(clause, names, facts, form))
  const words = phrases.map(([server, does, where], at) => {
    const before = phrases[at - 1]
    if (!before || clauses[at - 1]?.serverId !== clauses[at]?.serverId) return `${server} ${does}${where}`
    const isSame = before[1] === does && before[2].startsWith(' with ') && where.startsWith(' with ')
    return isSame ? where.trim() : `${does}${where}`
  })
  return nameList(words)
}

function phraseOf(
  { powers, tools, serverId, limits }: Pick<RuleDraft, 'powers' | 'tools' | 'serverId' | 'limits'>,
  names: ReadonlyMap<string, string>,
  facts: Pick<PathFacts, 'home'>,
  form: keyof typeof VERBS,
): readonly [server: string | undefined, does: string, where: string] {
  const server = names.get(serverId ?? '') ?? serverId
  const verbs = VERBS[form]
  const uses = `${verbs.uses} ${nameList(Object.keys(tools ?? {}))}`
  if (limits.some(({ is }) => is === 'any')) return [server, uses, ' with any arguments']
  const commands = limits.flatMap((limit) => (limit.is === 'command' ? [limit.words] : []))
  const isOneTool = powers.length === 0 || powers.includes('sends') || powers.includes('destroys')
  const does = isOneTool ? 'uses' : commands.length > 0 ? 'runs' : powers.includes('changes') ? 'changes' : 'reads'
  const others = limits.filter(({ is }) => is !== 'command')
  const where = within(others, facts, does)
  if (does === 'uses') return [server, uses, where]
  if (does === 'runs') return [server, `${verbs.runs} ${nameList(commands)}`, where]
  // “Let notes read in this conversation” could mean that it reads the conversation.
  return [server, does === 'reads' && where === '' ? verbs.looks : verbs[does], where]
}

/** A preposition and what follows it. SELECT needs no verb: the phrase around it already says “read”. */
function statementWords({ verb, tables }: Extract<Limit, { is: 'statement' }>, by: string): readonly [string, string] {
  const where = tables.length === 0 ? 'no table' : `the ${tables.length === 1 ? 'table' : 'tables'} ${nameList([...tables])}`
  return verb === 'SELECT' ? ['from', where] : [by, `${verb} on ${where}`]
}

const KIND_WORDS: Readonly<Record<PlaceKind, string>> = {
  channel: 'any channel of its workspace (no direct messages)',
  calendar: 'any of your calendars (not other people’s)',
  mailbox: 'any folder of your mailbox (not other people’s)',
}

/** True for a condition within conditions that a limit has as a whole. */
const isPartOfAnother = ({ argument }: Extract<Limit, { is: 'value' }>, limits: readonly Limit[]) =>
  limits.some((other) => other.is === 'value' && argument.startsWith(`${other.argument}.`))

/** “ in ~/a and ~/b, with owner ana”, after “runs”. */
function within(limits: readonly Limit[], facts: Pick<PathFacts, 'home'>, after: keyof typeof TO_PATH = 'runs'): string {
  const named = [...new Set(limits.flatMap((limit) => (limit.is === 'folder' ? limit.path : [])))]
  const isInAnother = (path: string) => named.some((other) => other.length < path.length && isWithin(path, other))
  const paths = named.filter((path) => !isInAnother(path)).map((path) => shownPath(path, facts))
  const words = limits.flatMap((limit): (readonly [string, string])[] => {
    switch (limit.is) {
      case 'host':
        return [['at', limit.host]]
      case 'named-addresses':
        return [['at', 'URLs that you or a result named']]
      case 'recipient':
        return [['to', limit.address]]
      case 'statement':
        return [statementWords(limit, after === 'uses' ? 'for' : 'by')]
      case 'command':
        return [['by', limit.words]]
      case 'value':
        if (limit.value === 'true' || limit.value === 'false' || isPartOfAnother(limit, limits)) return []
        if (limit.value === '') return [['with', `no ${limit.argument}`]]
        return [['with', `${limit.argument.replace('[]', '')} ${limit.value.slice(0, 40)}`]]
      case 'said':
        return [['with', `any ${limit.argument.replace('[]', '')} that you named${limit.by === 'server' ? ' or it listed' : ''}`]]
      case 'text':
        // “Changes to a file” says already that any text may go into it.
        if (after === 'changes' && paths.length > 0) return []
        // Members of a list's entries are named by the list: “any lines”, not “any lines[].text”.
        return [['with', `any ${limit.argument.split('[]')[0]}`]]
      case 'at-most':
        return [['up to', String(limit.amount)]]
      case 'kind':
        return [['in', KIND_WORDS[limit.kind]]]
      default:
        return []
    }
  })
  const phrases = [...Map.groupBy(words, ([how]) => how)].map(
    ([how, some]) => `${how} ${nameList([...new Set(some.map(([, what]) => what))])}`,
  )
  const all = [...(paths.length > 0 ? [`${TO_PATH[after]}${nameList(paths)}`] : []), ...phrases]
  return all.length === 0 ? '' : ` ${all.join(', ')}`
}
