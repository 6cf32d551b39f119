import { type ConsentRule, type Limit, type NamedPlace, onlyReads, type Touch } from '../../src-shared/contract/consent.ts'
import type { MessageId } from '../../src-shared/contract/ids.ts'
import { type Act, choicesLeftOut } from './act.ts'
import { hasPlainNames, isInert } from './inert-files.ts'
import { isPlain, isWithin } from './read-path.ts'
import { isFreeChoice, lowered } from './touches.ts'

/** The conversation, turn and time of a verdict. */
export interface RuleContext {
  readonly conversationId?: string
  /** True for a message that is shown in the conversation. */
  readonly isShown?: (id: MessageId) => boolean
  readonly turnId?: string
  /** The conversation's project. */
  readonly projectId?: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Splits a rule into one per clause, each with the scope, id and uses of the whole. */
export function clausesOf(rule: ConsentRule): readonly ConsentRule[] {
  const { also } = rule
  if (!also) return [rule]
  const { also: _also, ...first } = rule
  const { forms: _forms, despite: _despite, readings: _readings, ...shared } = first
  return [first, ...also.map((clause) => ({ ...shared, ...clause }))]
}

/** Removes a rule's clauses for one server; undefined if nothing is left. */
export function withoutServer(rule: ConsentRule, serverId: string): ConsentRule | undefined {
  const { also = [], ...first } = rule
  const rest = also.filter((clause) => clause.serverId !== serverId)
  if (rule.serverId !== serverId) return rest.length === also.length ? rule : { ...first, ...(rest.length > 0 && { also: rest }) }
  const [next, ...others] = rest
  if (!next) return undefined
  const { forms: _forms, despite: _despite, readings: _readings, ...shared } = first
  return { ...shared, ...next, ...(others.length > 0 && { also: others }) }
}

/** An index of all rules, so that the time for a verdict does not grow with their number. */
export class RuleBook {
  /** By server and tool. */
  readonly #allowing = new Map<string, Map<string, ToolRules>>()
  readonly #holding: ConsentRule[] = []
  readonly #holdingOf = new Map<string, ConsentRule[]>()

  constructor(rules: Iterable<ConsentRule>) {
    const allowing = new Map<string, Map<string, ConsentRule[]>>()
    for (const rule of [...rules].flatMap(clausesOf)) {
      if (rule.effect !== 'allow') {
        if (rule.serverId === undefined) this.#holding.push(rule)
        else getOrAdd(this.#holdingOf, rule.serverId, () => []).push(rule)
      } else if (rule.serverId !== undefined) {
        const ofServer = getOrAdd(allowing, rule.serverId, () => new Map<string, ConsentRule[]>())
        for (const tool of Object.keys(rule.tools ?? {})) getOrAdd(ofServer, tool, () => []).push(rule)
      }
    }
    for (const [server, tools] of allowing)
      this.#allowing.set(server, new Map([...tools].map(([tool, own]) => [tool, new ToolRules(own)])))
  }

  /** Rules that allow the call, narrowest first. */
  allowing(act: Act, moment: RuleContext): readonly ConsentRule[] {
    const mild = onlyReads(act.powers)
    const bound: ConsentRule[] = []
    for (const rule of this.#of(act)?.candidates(act.touches, mild) ?? [])
      if (holds(rule, moment) && isBound(rule, act)) bound.push(rule)
    if (bound.length === 0) return bound
    const joined = joinedBy(bound, act.touches)
    return bound.filter((rule) => reaches(rule, act, joined, mild))
  }

  /** The first rule that denies the call, else the first that asks. */
  restricting(act: Act, moment: RuleContext): ConsentRule | undefined {
    let asks: ConsentRule | undefined
    for (const rules of [this.#holdingOf.get(act.tool.serverId) ?? [], this.#holding])
      for (const rule of rules) {
        if ((asks && rule.effect === 'ask') || !holds(rule, moment) || !concerns(rule, act)) continue
        if (rule.effect === 'deny') return rule
        asks = rule
      }
    return asks
  }

  /** All rules that allow this tool something, even inactive ones. */
  about(act: Act): readonly ConsentRule[] {
    return this.#of(act)?.all ?? []
  }

  #of({ tool }: Act): ToolRules | undefined {
    return this.#allowing.get(tool.serverId)?.get(tool.name)
  }
}

function getOrAdd<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}

/** The rules that allow one tool something, indexed by their limits. */
class ToolRules {
  /** The narrowest first. */
  readonly all: readonly ConsentRule[]
  /** Built when the tool is first judged. */
  #folders: ReadonlyMap<string, ReadonlySet<number>> | undefined
  readonly #others = new Map<string, Set<number>>()

  constructor(rules: readonly ConsentRule[]) {
    this.all = rules.toSorted((a, b) => breadth(a) - breadth(b))
  }

  /** Rules that may cover the first touch of a call that needs a limit in every rule. */
  candidates(touches: readonly Touch[], mild: boolean): readonly ConsentRule[] {
    const first = touches.find((touch) => !(mild && isFreeChoice(touch)) && !isDictated(touch))
    if (!first) return this.all
    const folders = this.#folders ?? this.#indexed()
    const others = this.#others
    const found = new Set<number>()
    const take = (some: ReadonlySet<number> | undefined) => {
      if (some) for (const place of some) found.add(place)
    }
    if (first.is === 'path') {
      const { path } = first
      if (path === undefined || !isPlain(path)) return this.all
      for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) take(folders.get(path.slice(0, end)))
      take(others.get('folder'))
    } else {
      take(others.get(`with ${first.argument}=${first.value}`))
      for (const key of keysOf(first)) take(others.get(key))
    }
    take(others.get('any'))
    if (found.size === 0) return []
    return [...found].sort((a, b) => a - b).flatMap((place) => this.all[place] ?? [])
  }

  #indexed(): ReadonlyMap<string, ReadonlySet<number>> {
    const folders = new Map<string, Set<number>>()
    for (const [place, rule] of this.all.entries()) {
      for (const limit of rule.limits) {
        const plain = limit.is === 'folder' && isPlain(limit.path)
        getOrAdd(plain ? folders : this.#others, plain ? limit.path : keyOf(limit), () => new Set<number>()).add(place)
      }
    }
    this.#folders = folders
    return folders
  }
}

/** Equals a key of each touch within the limit. Plain folders are indexed by path instead. */
function keyOf(limit: Limit): string {
  switch (limit.is) {
    case 'host':
      return `at ${limit.host}`
    case 'recipient':
      return `to ${lowered(limit.address)}`
    case 'value':
      return `with ${limit.argument}=${limit.value}`
    case 'text':
    case 'said':
      return `text of ${limit.argument}`
    case 'command':
      return `by ${limit.words}`
    default:
      return limit.is
  }
}

/** The keys of limits that may cover a touch. */
function keysOf(touch: Exclude<Touch, { is: 'path' }>): readonly string[] {
  switch (touch.is) {
    case 'host':
      return [`at ${touch.host}`, 'named-addresses']
    case 'recipient':
      return [`to ${touch.value}`, 'kind']
    case 'value':
      return ['kind', `text of ${touch.argument}`]
    case 'text':
      return [`text of ${touch.argument}`]
    case 'command':
      return [`by ${touch.words}`]
    case 'amount':
      return ['at-most']
    case 'item':
      return ['named-items', `text of ${touch.argument}`]
    case 'statement':
      return ['statement']
    default:
      return []
  }
}

/** Orders rules: the narrowest gives the best explanation. */
function breadth(rule: ConsentRule): number {
  const scope = { task: 1, conversation: 2, project: 3, until: 4, always: 5 }[rule.scope]
  return (rule.limits.some(({ is }) => is === 'any') ? 100 : 0) + scope * 10 + rule.powers.length
}

function holds(rule: ConsentRule, { conversationId, projectId, turnId, isShown, now }: RuleContext): boolean {
  if (rule.projectId !== undefined && rule.projectId !== projectId) return false
  if (rule.turnId !== undefined && rule.turnId !== turnId) return false
  if (rule.messageId !== undefined && !isShown?.(rule.messageId)) return false
  if (rule.scope === 'until' && (rule.until === undefined || rule.until <= now)) return false
  return rule.conversationId === undefined || rule.conversationId === conversationId
}

/** True while launch and definition are those that the person saw. */
export function isBound(rule: ConsentRule, { tool }: Act): boolean {
  return rule.launchIdentity === tool.launchIdentity && rule.tools?.[tool.name] === tool.fingerprint
}

/** True if the rule covers all powers and touches of the call. */
export function reaches(rule: ConsentRule, act: Act, joined: readonly Touch[] = [], mild = onlyReads(act.powers)): boolean {
  // Plain loops, since this runs for every rule about a tool.
  for (const power of act.powers) if (!rule.powers.includes(power)) return false
  for (const touch of act.touches) {
    if (mild && isFreeChoice(touch)) continue
    if (isInOne(touch, rule.limits, mild, act.touches) || joined.includes(touch)) continue
    if (!isFreelyDictated(touch, rule.limits)) return false
  }
  return mild ? hasSeenChoices(rule, act) : isOfSeenForm(rule, act, joined)
}

/** A reading that leaves out the choice of a rule may do what that choice kept it from. */
function hasSeenChoices({ limits }: ConsentRule, act: Act): boolean {
  const leftOut = choicesLeftOut(act)
  return leftOut.length === 0 || !limits.some((limit) => limit.is === 'value' && leftOut.includes(limit.argument))
}

const isDictated = (touch: Touch) => touch.is === 'text' && touch.dictated === true

/** True for a text that a rule covers where it was made with no text in its place, or with any. */
const isFreelyDictated = (touch: Touch, limits: readonly Limit[]) =>
  isDictated(touch) && !limits.some((limit) => 'argument' in limit && limit.argument === touch.argument)

/** A change that takes more than was seen may do more; one that leaves something out may act on more, or do for real what it only tried. */
function isOfSeenForm({ forms, limits }: ConsentRule, { tool, form: own, touches }: Act, joined: readonly Touch[]): boolean {
  if (forms) return Object.hasOwn(forms, tool.name) && forms[tool.name]?.some((form) => isSameForm(form, own)) === true
  // The person wrote it, or an earlier version kept no forms: its limits say what a change must name, one of them at least.
  const isTouched = (limit: Limit) => limit.is === 'any' || touches.some((touch) => isIn(touch, limit))
  if (limits.length > 0 && joined.length === 0 && !limits.some(isTouched)) return false
  const declared = tool.inputSchema.properties ?? {}
  return limits.every((limit) => {
    if (limit.is === 'recipient') return touches.some(({ is }) => is === 'recipient')
    const isTaken = limit.is === 'said' || (limit.is === 'value' && Object.hasOwn(declared, limit.argument))
    return !isTaken || touches.some(({ argument }) => argument === limit.argument)
  })
}

export const isSameForm = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((name, n) => name === b[n])

function isInOne(touch: Touch, limits: readonly Limit[], mild: boolean, touches: readonly Touch[]): boolean {
  for (const limit of limits)
    if (isIn(touch, limit) && (mild || limit.is !== 'folder' || mayChangeIn(touch, limit.path, touches))) return true
  return false
}

/** Statements whose tables are each allowed by some rule for the same verb. */
function joinedBy(rules: readonly ConsentRule[], touches: readonly Touch[]): readonly Touch[] {
  if (!touches.some(({ is }) => is === 'statement')) return []
  return touches.filter((touch) => {
    if (touch.is !== 'statement') return false
    const left = new Set(touch.tables)
    for (const { limits } of rules)
      for (const limit of limits)
        if (limit.is === 'statement' && limit.verb === touch.verb) for (const table of limit.tables) left.delete(table)
    return left.size === 0
  })
}

/** A rule for a folder covers changes in folders of it, of what its commands name, and of files that nothing obeys by itself. */
export function mayChangeIn(touch: Touch, folder: string, touches: readonly Touch[]): boolean {
  if (touch.is !== 'path' || touch.path === undefined) return false
  if (touch.path === folder) return true
  const runs = touches.some(({ is, argument }) => is === 'command' && argument === touch.argument)
  return touch.folder || runs ? hasPlainNames(touch.path, folder) : isInert(touch.path, folder)
}

/** A rule that asks or denies applies if one of its powers and one of its limits match. */
function concerns(rule: ConsentRule, act: Act): boolean {
  if (rule.tools && !Object.hasOwn(rule.tools, act.tool.name)) return false
  if (rule.powers.length > 0 && !rule.powers.some((power) => act.powers.includes(power))) return false
  return (
    rule.limits.length === 0 || rule.limits.some((limit) => limit.is === 'any' || act.touches.some((touch) => isIn(touch, limit)))
  )
}

export function isIn(touch: Touch, limit: Limit): boolean {
  switch (limit.is) {
    case 'any':
      return true
    case 'folder':
      return touch.is === 'path' && touch.path !== undefined && isWithin(touch.path, limit.path)
    case 'host':
      return touch.is === 'host' && touch.host === limit.host
    case 'recipient':
      return touch.is === 'recipient' && touch.value === lowered(limit.address)
    case 'value':
      return touch.is !== 'path' && touch.argument === limit.argument && touch.value === limit.value
    case 'text':
      return touch.is === 'text' && touch.argument === limit.argument
    case 'said':
      return (
        (touch.is === 'value' || touch.is === 'text' || touch.is === 'item') &&
        touch.argument === limit.argument &&
        touch.varies !== undefined &&
        (touch.varies === 'person' || limit.by === 'server')
      )
    case 'statement':
      return touch.is === 'statement' && touch.verb === limit.verb && touch.tables.every((table) => limit.tables.includes(table))
    case 'command':
      return touch.is === 'command' && touch.words === limit.words
    case 'at-most':
      return touch.is === 'amount' && touch.argument === limit.argument && touch.amount >= 0 && touch.amount <= limit.amount
    case 'named-items':
      return touch.is === 'item'
    case 'named-addresses':
      return touch.is === 'host' && touch.named === true
    case 'kind':
      return (touch.is === 'recipient' || touch.is === 'value') && touch.kind === limit.kind
  }
}

/** True if a touch is within the named place of the conversation. */
export function isNamed(touch: Touch, place: NamedPlace): boolean {
  switch (touch.is) {
    case 'path': {
      const { path } = touch
      return path !== undefined && place.folders.some((folder) => isWithin(path, folder))
    }
    case 'host':
      return place.hosts.includes(touch.host)
    case 'recipient':
    case 'value':
      return (
        place.recipients.includes(lowered(touch.value)) ||
        (touch.called !== undefined && place.recipients.includes(`#${touch.called}`))
      )
    case 'item':
    case 'option':
      return true
    default:
      return false
  }
}
