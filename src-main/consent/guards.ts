import { redactUnknown } from '../../src-shared/base/secrets.ts'
import type { ConsentRule, GuardName, GuardNote, NamedPlace, Power, Touch } from '../../src-shared/contract/consent.ts'
import { type Act, distinctive, looksLikeData } from './act.ts'
import { isIn, isNamed } from './rules.ts'
import { secretsIn } from './secrets-in.ts'
import { PERSON, PRIVATE, type Seen, STRANGER, wordsIn } from './seen.ts'
import { placeOf } from './touches.ts'

/** Calls of a turn after which one more of the kind is asked about, whatever allows it. */
const BURST: readonly (readonly [Power, number, string])[] = [
  ['destroys', 3, 'destroyed something'],
  ['sends', 10, 'sent something out'],
  ['spends', 1, 'spent money'],
]
/** Words of one text that are compared with what was read. */
const WORDS = 5_000

interface Watched {
  readonly act: Act
  readonly seen: Seen
  readonly place: NamedPlace
  readonly rule?: ConsentRule
  readonly conversationId?: string
}

/**
 * What holds a call up although something allows it, in the order of GUARDS: by a rule, or by nothing where it would be free or asked
 * anyway. What no rule makes another is looked at once.
 */
export function guardsFor(call: Omit<Watched, 'rule'>): (rule?: ConsentRule) => readonly GuardNote[] {
  let same: { readonly flow: readonly GuardNote[]; readonly others: readonly GuardNote[] } | undefined
  return (rule) => {
    const watched = rule ? { ...call, rule } : call
    same ??= { flow: [...flow(call)], others: [...addresses(call), ...secrets(call), ...burst(call), ...denied(call)] }
    const notes = [...outside(watched), ...same.flow, ...provenance(watched), ...same.others, ...first(watched)]
    // What was answered for is what had been read by then.
    const still = rule?.readings === undefined || call.seen.readings <= rule.readings
    const setAside = new Set<GuardName>(still ? rule?.despite : [])
    return setAside.size === 0 ? notes : notes.filter(({ guard }) => !setAside.has(guard))
  }
}

/** Whether a power is more than the worst that may be thought of a tool that nobody knows. */
export const isSure = ({ known, tells }: Act, power: Power) => known !== 'unknown' && (power !== 'sends' || tells)

export const GRAVE: readonly Power[] = ['destroys', 'sends', 'spends']
export const isGrave = ({ powers }: Pick<Act, 'powers'>) => GRAVE.some((power) => powers.includes(power))
/** What a call says is heard by others than this computer. */
const isHeard = ({ powers }: Act) => powers.includes('sends') || powers.includes('brings-in')

/** A rule with any arguments goes no further than what was named, where something was. */
function* outside({ act, place, rule }: Watched): Generator<GuardNote> {
  for (const touch of act.touches) {
    const named = { path: place.folders.length > 0, host: place.hosts.length > 0, recipient: place.recipients.length > 0 }
    if (touch.is !== 'path' && touch.is !== 'host' && touch.is !== 'recipient') continue
    if (!named[touch.is] || isNamed(touch, place)) continue
    if (rule?.limits.some((limit) => limit.is !== 'any' && isIn(touch, limit))) continue
    yield {
      guard: 'outside',
      argument: touch.argument,
      text: `${shown(touch)} ${leadsTo(touch)}is outside of what you named for this conversation.`,
    }
  }
}

/** The rule of two: what is private and what strangers wrote have met, or something private would leave word for word. */
function* flow({ act, seen }: Watched): Generator<GuardNote> {
  const privately = seen.privatelyElsewhere(act.tool.serverId, placeOf(act))
  const strangely = seen.strangely(privately?.server)
  const grave = act.powers.includes('destroys') || act.powers.includes('spends') || (act.tells && takesAlong(act, seen))
  if (privately && strangely && grave) {
    yield {
      guard: 'flow',
      text: `This conversation has read what is private${privately.what === strangely.what ? '' : ` (${privately.what})`} and what others wrote (${strangely.what}), and this call ${gravest(act)}.`,
      sources: [...new Set([privately.call, strangely.call])],
    }
  }
  if (!isHeard(act)) return
  const place = placeOf(act)
  for (const word of carriedBy(act)) {
    const by = seen.saidBy(word)
    if ((by & PRIVATE) === 0 || (by & PERSON) !== 0 || !distinctive(word) || seen.saidAt(word, act.tool.serverId, place)) continue
    const from = seen.sourcesOf(word).privateFrom
    yield {
      guard: 'flow',
      text: `“${word.slice(0, 80)}” stands in what is private and would leave with this call.`,
      ...(from !== undefined && { sources: [from] }),
    }
    return
  }
}

/** Whether something leaves that neither the person nor the receiving server has said: a press of a button takes nothing along. */
function takesAlong(act: Act, seen: Seen): boolean {
  const { serverId } = act.tool
  const place = placeOf(act)
  // What was read is not all remembered: nothing can be told to be from elsewhere.
  if (seen.overflown && act.carries.length > 0) return true
  const values = act.touches.flatMap((touch) => (touch.is === 'value' || touch.is === 'path' ? [touch.value] : []))
  for (const word of [...carriedBy(act), ...values.flatMap((text) => [...someWords(text)])]) {
    const by = seen.saidBy(word)
    if (word.length <= 3 || (by & PERSON) !== 0 || ((by & PRIVATE) === 0 && !looksLikeData(word))) continue
    if (!seen.saidAt(word, serverId, place)) return true
  }
  return false
}

const carried = new WeakMap<Act, readonly string[]>()
/** The words that would leave with a call: each guard of each rule looks at them. */
function carriedBy(act: Act): readonly string[] {
  const known = carried.get(act)
  if (known) return known
  const words = [...new Set(act.carries.flatMap((text) => [...someWords(text)]))]
  carried.set(act, words)
  return words
}

/** What steers a grave call was written by a stranger, and not by the person. */
function* provenance({ act, seen, rule }: Watched): Generator<GuardNote> {
  if (!isGrave(act) && act.unread === undefined) return
  for (const touch of act.touches) {
    if (touch.is === 'option' || touch.is === 'item' || touch.is === 'amount') continue
    if (rule?.limits.some((limit) => limit.is !== 'any' && limit.is !== 'folder' && isIn(touch, limit))) continue
    const word = touch.is === 'host' ? touch.host : touch.value
    // A value that its own server listed is what one chooses from there.
    if (touch.is === 'value' && seen.saidByServer(word, act.tool.serverId)) continue
    if (!isStrangers(word, seen)) continue
    const from = seen.sourcesOf(steering(word)).strangerFrom
    yield {
      guard: 'provenance',
      argument: touch.argument,
      text: `${shown(touch)} comes word for word from what others wrote, and not from you.`,
      ...(from !== undefined && { sources: [from] }),
    }
  }
}

/** Addresses within what would be written that neither the person nor this server has said: images, links, webhooks. */
function* addresses({ act, seen }: Watched): Generator<GuardNote> {
  if (!act.powers.includes('sends')) return
  for (const text of act.carries) {
    // The address that is loaded is looked at as a place.
    if (act.touches.some((touch) => touch.is === 'host' && touch.value === text)) continue
    if (!text.includes('@') && !text.includes('://')) continue
    for (const [address] of text
      .slice(0, 100_000)
      .matchAll(/\b[a-z][a-z0-9+.-]{1,12}:\/\/[^\s"'<>)\]]+|[^\s@<>"',;:()[\]]{1,100}@[a-z0-9.-]{1,200}\.[a-z]{2,}/gi)) {
      const said = seen.saidBy(address) | seen.saidBy(hostOf(address))
      if ((said & PERSON) !== 0 || seen.saidByServer(hostOf(address), act.tool.serverId)) continue
      yield {
        guard: 'provenance',
        text: `“${address.slice(0, 120)}” stands in what this call would write, and you have not named it.`,
      }
      return
    }
  }
}

const hostOf = (address: string) => URL.parse(address)?.host ?? address
const steering = (value: string) => [...someWords(value)].sort((a, b) => b.length - a.length)[0] ?? value

/** All of its words stand in strangers' texts and one of them nowhere in the person's. */
function isStrangers(value: string, seen: Seen): boolean {
  const words = [...someWords(value)].filter((word) => word.length > 2)
  if (words.length === 0) return false
  return (
    words.every((word) => (seen.saidBy(word) & (STRANGER | PERSON)) !== 0) &&
    words.some((word) => (seen.saidBy(word) & (STRANGER | PERSON)) === STRANGER)
  )
}

function* secrets({ act, seen }: Watched): Generator<GuardNote> {
  const local = act.touches.length > 0 && act.touches.every(({ is }) => is === 'path' || is === 'option' || is === 'item')
  if (local && !isHeard(act)) return
  if (!isHeard(act) && !act.powers.includes('changes')) return
  for (const text of [...act.carries, ...act.touches.map(({ value }) => value)]) {
    const known =
      seen.hasSecrets && (text.slice(0, 100_000).match(/[^\s"'`<>()[\]{}|,;=&?]+/g) ?? []).some((word) => seen.isSecret(word))
    if (!known && secretsIn(text).length === 0 && redactUnknown(text) === text) continue
    yield { guard: 'secrets', text: 'Something that looks like a key, token or password would go out with this call.' }
    return
  }
}

function* burst({ act, seen }: Watched): Generator<GuardNote> {
  for (const [power, most, words] of BURST) {
    if (act.powers.includes(power) && isSure(act, power) && seen.usesInTurn(power) >= most) {
      const calls = seen.usesInTurn(power)
      yield { guard: 'burst', text: `${calls === 1 ? 'A call' : `${calls} calls`} of this turn ${words} already.` }
    }
  }
}

/** A model that wanted what the person denied may be led by somebody else. */
function* denied({ act, seen }: Watched): Generator<GuardNote> {
  if (seen.hasDenied && (isGrave(act) || act.powers.includes('changes'))) {
    yield { guard: 'denied', text: `You denied a call in this turn, and this one ${gravest(act)}.` }
  }
}

/** A rule from elsewhere does not begin something grave in a conversation that has not seen it. */
function* first({ act, seen, rule, conversationId }: Watched): Generator<GuardNote> {
  if (!rule || rule.conversationId === conversationId) return
  for (const power of GRAVE) {
    if (act.powers.includes(power) && isSure(act, power) && seen.usesOf(power) === 0) {
      yield { guard: 'new', text: `It is the first call of this conversation that ${DOES[power]}.` }
      return
    }
  }
}

export const DOES: Readonly<Record<Power, string>> = {
  reads: 'reads what is yours',
  'brings-in': 'brings in what others wrote',
  changes: 'changes something',
  destroys: 'can destroy something',
  sends: 'sends something out',
  spends: 'spends money',
}

const gravest = (act: Act) =>
  doesSo(act, (['spends', 'sends', 'destroys'] as const).find((one) => act.powers.includes(one)) ?? 'changes')

/** What a call does, or can do where it is not known or cannot be read. */
export function doesSo(act: Act, power: Power): string {
  const isRead = act.unread === undefined || act.touches.some(({ is }) => is === 'host')
  return (isSure(act, power) && isRead ? DOES : CAN)[power]
}

const CAN: Readonly<Record<Power, string>> = {
  reads: 'can read what is yours',
  'brings-in': 'can bring in what others wrote',
  changes: 'can change something',
  destroys: 'can destroy something',
  sends: 'can send something out',
  spends: 'can spend money',
}

/** Where a path really lies, where its text does not say so. */
function leadsTo(touch: Touch): string {
  if (touch.is !== 'path' || touch.path === undefined || touch.path === touch.value) return ''
  return `is really “${touch.path.slice(-120)}” and `
}
const shown = (touch: Touch) => `“${(touch.is === 'host' ? touch.host : touch.value).slice(0, 120)}”`

function* someWords(text: string): Generator<string> {
  let left = WORDS
  for (const word of wordsIn(text.slice(0, 200_000))) {
    if (left-- === 0) return
    yield word
  }
}
