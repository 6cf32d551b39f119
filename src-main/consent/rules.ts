import { type ConsentRule, type Limit, type NamedPlace, onlyReads, type Touch } from '../../src-shared/contract/consent.ts'
import type { Act } from './act.ts'
import { isPlain, isWithin } from './read-path.ts'
import { isChoice } from './touches.ts'

/** Where a verdict is asked for. */
export interface Moment {
  readonly conversationId?: string
  readonly turnId?: string
  /** That the conversation is in. */
  readonly projectId?: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Every rule, found by what it is about in steps that do not grow with their number. */
export class RuleBook {
  readonly #allowing = new Map<string, ConsentRule[]>()
  /** Those about a tool by what their limits hold, made when the tool is first judged. */
  readonly #index = new Map<string, ReadonlyMap<string, ReadonlySet<ConsentRule>>>()
  readonly #holding: ConsentRule[] = []
  readonly #holdingOf = new Map<string, ConsentRule[]>()

  constructor(rules: Iterable<ConsentRule>) {
    for (const rule of rules) {
      if (rule.effect !== 'allow') {
        if (rule.serverId === undefined) this.#holding.push(rule)
        else put(this.#holdingOf, rule.serverId, rule)
      } else if (rule.serverId !== undefined) {
        for (const tool of Object.keys(rule.tools ?? {})) put(this.#allowing, `${rule.serverId}\n${tool}`, rule)
      }
    }
  }

  /** Those that allow, the narrowest first. */
  *allowing(act: Act, moment: Moment): Generator<ConsentRule> {
    const mild = onlyReads(act.powers)
    const bound = this.#near(act, mild).filter((rule) => holds(rule, moment) && isBound(rule, act))
    if (bound.length === 0) return
    const joined = joinedBy(bound, act.touches)
    for (const rule of bound) if (reaches(rule, act, joined, mild)) yield rule
  }

  /** Those about the tool that may hold the first reach of a call; all of them where any may. */
  #near(act: Act, mild: boolean): readonly ConsentRule[] {
    const all = this.about(act)
    const first = act.touches.find((touch) => !(mild && isChoice(touch)))
    const keys = first && keysOf(first)
    if (!keys) return all
    const name = `${act.tool.serverId}\n${act.tool.name}`
    let index = this.#index.get(name)
    if (!index) {
      index = indexed(all)
      this.#index.set(name, index)
    }
    const near = keys.flatMap((key) => [...(index?.get(key) ?? [])])
    return near.length < 2 ? near : [...new Set(near)].sort((a, b) => breadth(a) - breadth(b))
  }

  /** The first that denies, then the first that asks. */
  holding(act: Act, moment: Moment): ConsentRule | undefined {
    const found = [...(this.#holdingOf.get(act.tool.serverId) ?? []), ...this.#holding].filter(
      (rule) => holds(rule, moment) && concerns(rule, act),
    )
    return found.find(({ effect }) => effect === 'deny') ?? found[0]
  }

  /** Those that allow this tool something, whether or not they hold now. */
  about({ tool }: Act): readonly ConsentRule[] {
    return this.#allowing.get(`${tool.serverId}\n${tool.name}`) ?? []
  }
}

function indexed(rules: readonly ConsentRule[]): ReadonlyMap<string, ReadonlySet<ConsentRule>> {
  const index = new Map<string, Set<ConsentRule>>()
  for (const rule of rules) {
    for (const limit of rule.limits) {
      const known = index.get(keyOf(limit))
      if (known) known.add(rule)
      else index.set(keyOf(limit), new Set([rule]))
    }
  }
  return index
}

/** A touch in a limit has its key. */
function keyOf(limit: Limit): string {
  switch (limit.is) {
    case 'folder':
      return isPlain(limit.path) ? `in ${limit.path}` : 'folder'
    case 'host':
      return `at ${limit.host}`
    case 'recipient':
      return `to ${limit.address}`
    case 'value':
      return `with ${limit.argument}=${limit.value}`
    case 'command':
      return `by ${limit.words}`
    default:
      return limit.is
  }
}

/** The keys of all limits that may hold a touch; undefined where any may. */
function keysOf(touch: Touch): readonly string[] | undefined {
  const keys = ['any', `with ${touch.argument}=${touch.value}`]
  switch (touch.is) {
    case 'path':
      if (touch.path === undefined || !isPlain(touch.path)) return undefined
      keys.push('folder')
      for (let end = touch.path.length; end > 0; end = touch.path.lastIndexOf('/', end - 1))
        keys.push(`in ${touch.path.slice(0, end)}`)
      return keys
    case 'host':
      return [...keys, `at ${touch.host}`, 'named-addresses']
    case 'recipient':
      return [...keys, `to ${touch.value}`]
    case 'command':
      return [...keys, `by ${touch.words}`]
    case 'amount':
      return [...keys, 'at-most']
    case 'item':
      return [...keys, 'named-items']
    case 'statement':
      return [...keys, 'statement']
    default:
      return keys
  }
}

function put(map: Map<string, ConsentRule[]>, key: string, rule: ConsentRule): void {
  const rules = map.get(key)
  if (!rules) return void map.set(key, [rule])
  rules.push(rule)
  rules.sort((a, b) => breadth(a) - breadth(b))
}

/** The narrower a rule, the better it explains. */
function breadth(rule: ConsentRule): number {
  const scope = { task: 1, conversation: 2, project: 3, until: 4, always: 5 }[rule.scope]
  return (rule.limits.some(({ is }) => is === 'any') ? 100 : 0) + scope * 10 + rule.powers.length
}

function holds(rule: ConsentRule, { conversationId, projectId, turnId, now }: Moment): boolean {
  if (rule.projectId !== undefined && rule.projectId !== projectId) return false
  if (rule.turnId !== undefined && rule.turnId !== turnId) return false
  if (rule.scope === 'until' && (rule.until === undefined || rule.until <= now)) return false
  return rule.conversationId === undefined || rule.conversationId === conversationId
}

/** Launch and definition are those that the person saw. */
export function isBound(rule: ConsentRule, { tool }: Act): boolean {
  return rule.launchIdentity === tool.launchIdentity && rule.tools?.[tool.name] === tool.fingerprint
}

/** The call does nothing and reaches nowhere beyond the rule. */
export function reaches(rule: ConsentRule, act: Act, joined: readonly Touch[] = [], mild = onlyReads(act.powers)): boolean {
  // Loops, for this is done for every rule about a tool.
  for (const power of act.powers) if (!rule.powers.includes(power)) return false
  for (const touch of act.touches) {
    if (mild && isChoice(touch)) continue
    if (!isInOne(touch, rule.limits, mild) && !joined.includes(touch)) return false
  }
  return true
}

function isInOne(touch: Touch, limits: readonly Limit[], mild: boolean): boolean {
  for (const limit of limits) if (isIn(touch, limit) && (mild || !isHidden(touch, limit))) return true
  return false
}

/** Statements over tables each of which some rule allows for the same verb. */
function joinedBy(rules: readonly ConsentRule[], touches: readonly Touch[]): readonly Touch[] {
  return touches.filter((touch) => {
    if (touch.is !== 'statement') return false
    const left = new Set(touch.tables)
    for (const { limits } of rules)
      for (const limit of limits)
        if (limit.is === 'statement' && limit.verb === touch.verb) for (const table of limit.tables) left.delete(table)
    return left.size === 0
  })
}

/** What lies in hidden folders and files of a folder often runs by itself (hooks, tasks, shells): a rule for the folder does not change it. */
function isHidden(touch: Touch, limit: Limit): boolean {
  return limit.is === 'folder' && touch.is === 'path' && touch.path !== undefined && isHiddenIn(touch.path, limit.path)
}
export const isHiddenIn = (path: string, folder: string) => HIDDEN.test(path.slice(folder.length))
const HIDDEN = /(?:^|[\\/])\.[^\\/]/

/** A rule that holds calls up needs one thing in common. */
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
      return touch.is === 'recipient' && touch.value === limit.address
    case 'value':
      return touch.is !== 'path' && touch.argument === limit.argument && touch.value === limit.value
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
  }
}

/** Whether what was named for the conversation holds a touch. */
export function isNamed(touch: Touch, place: NamedPlace): boolean {
  switch (touch.is) {
    case 'path': {
      const { path } = touch
      return path !== undefined && place.folders.some((folder) => isWithin(path, folder))
    }
    case 'host':
      return place.hosts.includes(touch.host)
    case 'recipient':
      return place.recipients.includes(touch.value)
    case 'item':
    case 'option':
      return true
    default:
      return false
  }
}
