import { onlyReads, type Power, type PowersKnown } from '../../src-shared/contract/consent.ts'
import type { ToolHints } from '../../src-shared/contract/servers.ts'
import type { JsonSchemaObject } from '../../src-shared/mcp/primitives.ts'
import { asksForContent } from './arguments.ts'
import { knownPowers } from './known/known-servers.ts'
import { memoized } from './memoized.ts'
import {
  CHANGES,
  DESTROYS,
  LOOKS,
  OBJECTS,
  READS,
  SENDS,
  SPENDS,
  undividedActs,
  VERBS_ELSEWHERE,
  wordSet,
  wordsOf,
} from './names.ts'

/** A tool as the engine judges it. */
export interface JudgedTool {
  readonly serverId: string
  readonly serverName: string
  readonly launchIdentity: string
  /** Of the Playground. Its tools are judged as a stranger's, so that a newcomer sees how Parley asks. */
  readonly builtIn?: true
  /** The package or address of a published server. */
  readonly published?: string
  readonly name: string
  readonly fingerprint: string
  readonly hints: ToolHints
  readonly inputSchema: JsonSchemaObject
  /** Powers that the protocol defines, for requests other than tool calls. */
  readonly defined?: readonly Power[]
  /** The person trusts this server's own hints. */
  readonly hintsTrusted?: boolean
  /** Powers that the person said this definition has: its guess, or another. */
  readonly told?: readonly Power[]
  readonly offline?: Offline
}

/**
 * The running process of a server has no network. `alone` if it has no folder of the person's either: in one it could leave a text for a
 * program that sends it.
 */
export type Offline = 'alone' | 'with-folders'

/** True if a process as it is now could send what one as it was could not. */
export const isLessOffline = (was: Offline | undefined, now: Offline | undefined) =>
  was !== undefined && was !== now && now !== 'alone'

export interface JudgedPowers {
  readonly powers: ReadonlySet<Power>
  /** Powers that are guessed by name or unknown never spare a question. */
  readonly from: PowersKnown
}

/** True if the protocol, the list of published servers or trusted hints vouch for the powers; names and the person's word do not. */
export const isVouched = (known: PowersKnown) => known === 'protocol' || known === 'published' || known === 'trusted-hints'

/** The person looked at it among its server's tools, and says that it only reads: that frees some reading, and no guard. */
export const isToldToRead = (known: PowersKnown) => known === 'accepted' || known === 'told'

/** True for a guess by name, or the person's word that it reads: all guards about unvouched tools apply. */
export const isGuessed = (known: PowersKnown) => known === 'named' || isToldToRead(known)

/** True if nobody says that the tool does no more than assumed. */
export const isUnknown = (known: PowersKnown) => known === 'unknown' || known === 'told-more'

const cache = new WeakMap<JudgedTool, JudgedPowers>()

/** A tool's powers: known, or guessed by its name, with what the person adds. Untrusted hints have no effect. */
export function powersOf(tool: JudgedTool): JudgedPowers {
  const known = cache.get(tool)
  if (known) return known
  const powers = judged(tool)
  cache.set(tool, powers)
  return powers
}

function judged(tool: JudgedTool): JudgedPowers {
  if (tool.defined) return { powers: new Set(tool.defined), from: 'protocol' }
  const base = vouchedOrGuessed(tool)
  return tool.told ? told(tool, tool.told, base) : base
}

function vouchedOrGuessed(tool: JudgedTool): JudgedPowers {
  const published = knownPowers(tool.published, tool.name)
  if (published) return { powers: new Set(published), from: 'published' }
  const guess = guessed(tool)
  if (tool.hintsTrusted && tool.hints.readOnly) return { powers: guess ?? reading(tool), from: 'trusted-hints' }
  return guess ? { powers: guess, from: 'named' } : { powers: ALL_BUT_SPENDS, from: 'unknown' }
}

/** The person's review adds to the powers that the name suggests, and removes none. */
function told(tool: JudgedTool, powers: readonly Power[], base: JudgedPowers): JudgedPowers {
  if (isVouched(base.from)) return onlyReads(powers) ? base : { ...base, powers: new Set([...base.powers, ...powers]) }
  if (onlyReads(powers)) {
    if (!mayBeToldToRead(tool, base)) return base
    return base.from === 'named' ? { ...base, from: 'accepted' } : { powers: reading(tool), from: 'told' }
  }
  const adds = powers.some((power) => !base.powers.has(power))
  if (!adds && (base.from === 'named' || powers.length === base.powers.size)) return base
  return { powers: new Set([...base.powers, ...powers]), from: 'told-more' }
}

/** True unless its name says more than reading, or it says nothing and the tool takes a text: that is what could be written. */
export function mayBeToldToRead({ inputSchema }: JudgedTool, { powers, from }: JudgedPowers): boolean {
  return onlyReads([...powers]) || (from === 'unknown' && !asksForContent(inputSchema))
}

const ALL_BUT_SPENDS: ReadonlySet<Power> = new Set(['reads', 'brings-in', 'changes', 'destroys', 'sends'])

/** Without a trusted hint, a reading may bring in untrusted content. */
const reading = ({ hints, hintsTrusted }: JudgedTool): Set<Power> =>
  new Set(hintsTrusted && !hints.openWorld ? ['reads'] : ['reads', 'brings-in'])

/** True if its name says what it does. */
export const isNamedFor = (tool: JudgedTool) => guessed(tool) !== undefined

/** Undefined for a name without known verbs. */
function guessed(tool: JudgedTool): Set<Power> | undefined {
  const words = wordsOf(tool.name)
  // `pull_request_read`: a noun before its verb, confirmed by a trusted hint.
  if (tool.hintsTrusted && tool.hints.readOnly && /^(?:read|get|list|search|fetch|view|show)$/.test(words.at(-1) ?? ''))
    return reading(tool)
  const acts = actsIn(words)
  if (acts.size === 0 || (onlyReads([...acts]) && asksForContent(tool.inputSchema) && !words.some((word) => LOOKS.has(word))))
    return undefined
  // As a value it is a state; as a tool it may open a mail or a door.
  if (words.join() === 'open') acts.add('changes')
  const powers = new Set([...reading(tool), ...acts])
  if (!acts.has('reads')) powers.delete('brings-in')
  return powers
}

/** The powers that the words of a name or an action suggest. */
export function actsIn(words: readonly string[]): Set<Power> {
  const acts = new Set<Power>()
  for (const word of words) {
    const one = singular(word)
    if (SPENDS.has(word) || SPENDS.has(one)) acts.add('spends').add('changes')
    if (SENDS.has(word) || SENDS.has(one)) acts.add('sends').add('changes')
    if (DESTROYS.has(word) || DESTROYS.has(one)) acts.add('destroys').add('changes')
    if (CHANGES.has(word)) acts.add('changes')
    if (READS.has(word)) acts.add('reads')
    for (const act of undividedActs(word)) acts.add(act === 'reads' ? act : 'changes').add(act)
  }
  // A noun beside an unknown word says nothing: `rotate_logs`, `log_time`.
  if (
    acts.size === 1 &&
    words.some((word) => READS.has(word)) &&
    words.some((word) => !READS.has(word)) &&
    !words.some((word) => LOOKS.has(word))
  )
    return new Set()
  if (acts.has('reads') && (readsOnly(words, 0) || (!isDoing(words[0]) && readsOnly(words, 1)))) return new Set(['reads'])
  return acts
}

/** True if the word at this place says that the tool reads, and the words after it are its object: `list_payments`, `get_message`. */
function readsOnly(words: readonly string[], at: number): boolean {
  const verb = words[at] ?? ''
  if (!READS.has(verb)) return false
  const object = words.slice(at + 1)
  // `check_out_cart`, `open_door`
  if ((verb === 'check' && PARTICLES.has(object[0] ?? '')) || (verb === 'open' && object.length > 0)) return false
  return !object.some((word, n) => {
    if (VERBS_ELSEWHERE.has(word)) return true
    // After “and” comes another verb: `search_and_replace`. A word of reading may be a noun before one: `snapshot_delete`.
    return isDoing(word) && (VERBS_BESIDE_NOUNS.has(object[n - 1] ?? '') || !(LOOKS.has(verb) && OBJECTS.has(word)))
  })
}

export const actsOf = memoized(5_000, (text): ReadonlySet<Power> => actsIn(wordsOf(text)))

const VERBS_BESIDE_NOUNS = wordSet('and then or')
const PARTICLES = wordSet('in out off')
export const isDoing = (word = '') => CHANGES.has(word) || DESTROYS.has(word) || SENDS.has(word) || SPENDS.has(word)
const singular = (word: string) => word.replace(/(?:ies)$/, 'y').replace(/s$/, '')
