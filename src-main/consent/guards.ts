import { hostOf } from '../../src-shared/base/hosts.ts'
import {
  type ConsentRule,
  type GuardNote,
  type NamedPlace,
  onlyReads,
  type Power,
  type Touch,
} from '../../src-shared/contract/consent.ts'
import { type Act, callKey, distinctive, isCount, looksLikeData } from './act.ts'
import { identifies } from './arguments.ts'
import { OUTWARD, wordsOf } from './names.ts'
import { actsOf, isGuessed, isNamedFor, isToldToRead, isUnknown, isVouched } from './powers.ts'
import { type ConversationProvenance, PERSON, PRIVATE, STRANGER } from './provenance.ts'
import { isIn, isNamed } from './rules.ts'
import { containsSecret } from './secrets-in.ts'
import { addressee, argumentKind, touchedPlace } from './touches.ts'
import { joinedIn, wordsIn } from './words.ts'

/** Calls of one kind in a turn after which the next needs a question, whatever allows it. */
const BURST: readonly (readonly [Power, number, string])[] = [
  ['destroys', 3, 'destroyed something'],
  ['sends', 10, 'sent something out'],
  ['spends', 1, 'spent money'],
]
/** The limit for steps on a page: a form has many fields. */
const MAX_PAGE_STEPS = 40
/** Characters and words of one text that are compared with what was read. Longer ones need a question. */
const [LONGEST, WORDS] = [200_000, 5_000]
/** Characters that are searched for addresses and keys. */
const MAX_SEARCHED_LENGTH = 1_000_000

interface Watched {
  readonly act: Act
  readonly seen: ConversationProvenance
  readonly place: NamedPlace
  readonly rule?: ConsentRule | undefined
  /** The person lets files change in its folders. */
  readonly ticked?: boolean
  readonly conversationId?: string | undefined
}

const NONE: readonly GuardNote[] = []

/**
 * The guards that hold a call despite a rule, or without one, in the order of GUARDS. Guards that do not depend on the rule are computed
 * once.
 */
export function guardsFor(
  call: Omit<Watched, 'rule' | 'ticked'>,
): (rule?: ConsentRule, ticked?: boolean) => readonly GuardNote[] {
  let flowing: readonly GuardNote[] | undefined
  let rest: readonly GuardNote[] = NONE
  return (rule, ticked = false) => {
    if (!flowing) {
      flowing = flow(call)
      rest = [...addresses(call), ...secrets(call), ...burst(call)]
    }
    const { act, seen, place, conversationId } = call
    const watched = { act, seen, place, conversationId, rule, ticked }
    const [outer, led, again, begun] = [outside(watched), provenance(watched), denied(watched), firstGrave(watched)]
    if (outer.length + flowing.length + led.length + rest.length + again.length + begun.length === 0) return NONE
    const notes = [...outer, ...flowing, ...led, ...rest, ...again, ...begun]
    // The answer covered only what had been read by then.
    const still = rule?.readings === undefined || seen.readings <= rule.readings
    const setAside = still ? rule?.despite : undefined
    return setAside ? notes.filter(({ guard }) => !setAside.includes(guard)) : notes
  }
}

/** False for a power that is only the worst guess about an unknown tool. */
export const isSure = ({ known, tells, tool }: Act, power: Power) =>
  (!isUnknown(known) ||
    (known === 'told-more' && (isNamedFor(tool) || tool.told?.includes(power) || actsOf(tool.name).has(power)))) &&
  (power !== 'sends' || tells)

export const GRAVE: readonly Power[] = ['destroys', 'sends', 'spends']
/** A click or input on the page of a known browser. */
export const isPageStep = ({ args, known, touches }: Act) =>
  known === 'published' &&
  !Object.hasOwn(args, 'page') &&
  touches.some((touch) => touch.is === 'host' && touch.argument === 'page')

/** A local action that a person lets run repeatedly, such as tests or a build. */
export const isRepeatable = (act: Act) => act.unread === undefined && act.powers.includes('changes') && !isGrave(act)
const isGrave = ({ powers }: Pick<Act, 'powers'>) => GRAVE.some((power) => powers.includes(power))
/** True if a call's text leaves this computer, or may do so with an unvouched tool. */
const reachesOthers = (act: Act) => act.tool.offline !== 'alone' && wouldReachOthers(act)
/** The same as if its server had a network. */
const wouldReachOthers = ({ powers, known, carries, unsent }: Act) =>
  unsent === true || powers.includes('sends') || powers.includes('brings-in') || (carries.length > 0 && !isVouched(known))

/** Limits a rule to the places that the person named for the conversation, and to the items that they chose. */
function outside({ act, place, seen, rule }: Watched): readonly GuardNote[] {
  const notes: GuardNote[] = rule ? unnamedItems(act, seen) : []
  for (const touch of act.touches) {
    if (touch.is !== 'path' && touch.is !== 'host' && touch.is !== 'recipient') continue
    const named = touch.is === 'path' ? place.folders : touch.is === 'host' ? place.hosts : place.recipients
    if (named.length === 0 || isNamed(touch, place)) continue
    // A rule for every place of a kind does not mean others than those named here.
    if (rule?.limits.some((limit) => limit.is !== 'any' && limit.is !== 'kind' && isIn(touch, limit))) continue
    notes.push({
      guard: 'outside',
      argument: touch.argument,
      text: `${shown(touch)} ${realPathNote(touch)}is outside what you named for this conversation.`,
    })
  }
  return notes
}

/** Items in an argument for which the person named others: of an unknown server, or in a change. */
function unnamedItems(act: Act, seen: ConversationProvenance): GuardNote[] {
  const { tool, known, touches } = act
  if (!isGuessed(known) && (onlyReads(act.powers) || isPageStep(act))) return []
  const isNamedItem = (id: string) => seen.isTyped(id) || seen.isCalled(tool.serverId, id)
  return touches.flatMap((touch) => {
    if (touch.is !== 'item' || seen.isTyped(touch.value)) return []
    if (seen.meansAnother(tool.serverId, touch.value))
      return [{ guard: 'outside', argument: touch.argument, text: `${shown(touch)} is not what your last message named.` }]
    // A person who let an item be read did not mean it to be changed.
    const isAgreed = (seen.sourcesOf(touch.value) & PERSON) !== 0
    if (isAgreed && (onlyReads(act.powers) || seen.isActedOn(tool.serverId, tool.name, touch.value))) return []
    // Once they named one item of a list, an unnamed one in it is a mistake or an attack.
    const kind = argumentKind(touch.argument)
    const isBeside = (other: Touch) =>
      other.is === 'item' && kind.includes('[') && argumentKind(other.argument) === kind && isNamedItem(other.value)
    const chosen = touches.some(isBeside) ? 'name' : seen.chosenBy(tool.serverId, kind, touch.value, !onlyReads(act.powers))
    if (chosen === undefined || (chosen === 'name' && seen.isCalled(tool.serverId, touch.value))) return []
    return [{ guard: 'outside', argument: touch.argument, text: `${shown(touch)} is not a “${touch.argument}” that you named.` }]
  })
}

/** Holds a call when private data and untrusted content were both read, or when private data would leave verbatim. */
function flow({ act, seen }: Watched): readonly GuardNote[] {
  const sure = act.powers.includes('destroys') || act.powers.includes('spends')
  const heard = reachesOthers(act)
  if ((!sure && !act.tells && !heard) || seen.readings === 0) return NONE
  const serverId = hearerOf(act)
  const place = touchedPlace(act)
  const carried = act.tells || heard ? act.carries.map(readCarried) : []
  const privately = seen.privateDataFromElsewhere(serverId, place)
  const strangers = privately && seen.firstUntrustedSource(privately.server)
  const notes: GuardNote[] = []
  if (
    privately &&
    strangers &&
    (sure || ((act.tells || (heard && !isVouched(act.known))) && carriesNewText(act, carried, place, seen)))
  ) {
    notes.push({
      guard: 'flow',
      text: `This conversation may hold private data${privately.what === strangers.what ? '' : ` (${privately.what})`} and others’ words (${strangers.what}), and this call ${gravestPhrase(act)}.`,
      sources: [...new Set([privately.call, strangers.call])],
    })
  }
  if (!heard) return notes
  // The recipient of a message has not read all that its server holds.
  const others = act.tells && act.powers.includes('sends') && !isPageStep(act)
  if (privately && notes.length === 0 && isToldToRead(act.known) && carriesNewText(act, carried, place, seen)) {
    const text = `You said that this only reads. It would send text that nobody has written here, and this conversation may hold private data (${privately.what}).`
    notes.push({ guard: 'flow', text, sources: [privately.call] })
  }
  for (const { words, joined } of carried)
    for (const word of [...words, ...joined]) {
      if (!distinctive(word)) continue
      const by = seen.sourcesOf(word)
      if ((by & PRIVATE) === 0 || (by & PERSON) !== 0) continue
      if (others ? seen.saidInPlace(word, serverId, place) : seen.saidAt(word, serverId, place)) continue
      const from = seen.firstCallsWith(word).privateFrom
      notes.push({
        guard: 'flow',
        text: `“${word.slice(0, 80)}” comes from private data and would leave with this call.`,
        ...(from !== undefined && { sources: [from] }),
      })
      return notes
    }
  if (privately && !carried.every(({ whole }) => whole)) {
    const text = `This call sends more than can be checked, and this conversation may hold private data (${privately.what}).`
    notes.push({ guard: 'flow', text, sources: [privately.call] })
  }
  return notes
}

/** The server that gets a text; empty for an unknown tool that passes it on to the web. */
const hearerOf = ({ tool, known }: Act) =>
  !isVouched(known) && wordsOf(tool.name).some((word) => OUTWARD.has(word)) ? '' : tool.serverId

/** The checked part of a text that would leave. */
interface Carried {
  readonly text: string
  readonly words: readonly string[]
  /** Its short pieces joined. */
  readonly joined: readonly string[]
  readonly whole: boolean
}

function readCarried(text: string): Carried {
  const part = text.slice(0, LONGEST)
  const words = wordsIn(part, WORDS + 1)
  const joined = joinedIn(part, 10 * WORDS)
  return { text, words, joined, whole: text.length <= LONGEST && words.length <= WORDS && joined.length < 10 * WORDS }
}

/**
 * True if something leaves that neither the person nor the receiving place has said: any word, or a mark outside of words, which could
 * encode data. A click carries nothing.
 */
function carriesNewText(
  act: Act,
  carried: readonly Carried[],
  place: ReadonlyMap<string, string>,
  seen: ConversationProvenance,
): boolean {
  const serverId = hearerOf(act)
  // Some readings were not recorded, so any data may be from elsewhere.
  if (seen.hasOverflowed && act.carries.length > 0) return true
  const isOwn = (word: string) => (seen.sourcesOf(word) & PERSON) === 0 && !seen.saidAt(word, serverId, place)
  if (carried.some(({ text, words, whole }) => !whole || words.some(isOwn) || hasMarks(text))) return true
  return act.touches.some((touch) => {
    // A rule for any arguments holds no value, so a text can leave in one as in a message, or in several.
    if (touch.is === 'value') return someWords(touch.value).some(isOwn) || hasMarks(touch.value)
    if (touch.is !== 'path') return false
    return someWords(touch.value).some(
      (word) => word.length > 3 && isOwn(word) && ((seen.sourcesOf(word) & PRIVATE) !== 0 || looksLikeData(word)),
    )
  })
}

/** True for single letters, digits or marks between blanks, which are no words. */
const hasMarks = (text: string) => text.split(/\s+/).some((piece) => piece !== '' && wordsIn(piece).length === 0)

/** Holds a grave call whose target comes from untrusted content and not from the person. */
function provenance({ act, seen, rule }: Watched): readonly GuardNote[] {
  if (!isGrave(act) && act.unread === undefined) return valuesFromStrangers(act, seen)
  const notes: GuardNote[] = []
  for (const touch of act.touches) {
    if (touch.is === 'option' || touch.is === 'item' || touch.is === 'amount' || touch.is === 'text') continue
    if (rule?.limits.some((limit) => limit.is !== 'any' && limit.is !== 'folder' && limit.is !== 'said' && isIn(touch, limit)))
      continue
    const word = touch.is === 'host' ? touch.host : touch.value
    // Values that its own server listed are there to choose from.
    if (touch.is === 'value' && seen.saidByServer(word, act.tool.serverId)) continue
    if (!isFromStrangers(word, seen)) continue
    const from = seen.firstCallsWith(longestWord(word)).strangerFrom
    notes.push({
      guard: 'provenance',
      argument: touch.argument,
      text: `${shown(touch)} comes from others, not from you.`,
      ...(from !== undefined && { sources: [from] }),
    })
  }
  return notes
}

/** Values that occur only in a stranger's sentences, for an unknown server or as what a change acts on; entries of lists are there to choose from. */
function valuesFromStrangers(act: Act, seen: ConversationProvenance): readonly GuardNote[] {
  const { tool, known, touches } = act
  const guessed = isGuessed(known) || (known === 'told-more' && isNamedFor(tool))
  if (!guessed && (onlyReads(act.powers) || isPageStep(act))) return NONE
  return touches.flatMap((touch): GuardNote[] => {
    if (touch.is !== 'item' && (!guessed || (touch.is !== 'path' && touch.is !== 'value'))) return []
    // A reference may have a step: `P-3/release`.
    if (!isFromStrangers(touch.value, seen, touch.is === 'item' ? /[@/:#?&=]/ : undefined)) return []
    if (someWords(touch.value).every((word) => word.length <= 2 || seen.isListed(word, tool.serverId))) return []
    const from = seen.firstCallsWith(longestWord(touch.value)).strangerFrom
    const text = `Only others mentioned ${shown(touch)}; you did not.`
    return [{ guard: 'provenance', argument: touch.argument, text, ...(from !== undefined && { sources: [from] }) }]
  })
}

/** Addresses in written text (images, links, webhooks) that neither the person nor this server has said. */
function addresses({ act, seen }: Watched): readonly GuardNote[] {
  const sends = act.powers.includes('sends')
  // An opened note loads its images, and a memory is read tomorrow; a file in a folder does neither.
  if (!sends && (!act.powers.includes('changes') || act.touches.some(({ is }) => is === 'path'))) return NONE
  for (const text of act.carries) {
    // The loaded address is judged as a place.
    if (act.touches.some((touch) => touch.is === 'host' && touch.value === text)) continue
    if (!/[@.]|:\/\//.test(text)) continue
    if (text.length > MAX_SEARCHED_LENGTH)
      return [{ guard: 'provenance', text: 'This call writes more than can be checked for addresses you have not named.' }]
    for (const [address] of text.matchAll(
      /\b[a-z][a-z0-9+.-]{1,12}:\/\/[^\s"'<>)\]]+|[^\s@<>"',;:()[\]]{1,100}@[a-z0-9.-]{1,200}\.[a-z]{2,}/gi,
    )) {
      const said = seen.sourcesOf(address) | seen.sourcesOf(hostOf(address))
      // The guard `flow` handles values that only private results had.
      if ((seen.sourcesOf(address) & PRIVATE) !== 0 && (said & STRANGER) === 0) continue
      // An address that a stranger wrote at this server is not the server’s own.
      const own = (said & STRANGER) === 0 && seen.saidByServer(hostOf(address), act.tool.serverId)
      if ((said & PERSON) !== 0 || own) continue
      return [{ guard: 'provenance', text: unnamedAddress(address) }]
    }
    const host = wordsIn(text, WORDS).find((word) => {
      const by = HOST.test(word) ? seen.sourcesOf(word) : 0
      if (by === 0 || (by & PERSON) !== 0) return false
      return (by & STRANGER) !== 0 || (!sends && !seen.saidByServer(word, act.tool.serverId))
    })
    if (host !== undefined) return [{ guard: 'provenance', text: unnamedAddress(host) }]
  }
  return NONE
}

const unnamedAddress = (address: string) => `“${address.slice(0, 120)}” is what this call would write, and you have not named it.`
/** A host without a scheme: `pay.example`. */
const HOST = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}$/u

const longestWord = (value: string) => someWords(value).toSorted((a, b) => b.length - a.length)[0] ?? value

/** True if strangers wrote all of its words, and the person not all of them. */
function isFromStrangers(value: string, seen: ConversationProvenance, joins = /@/): boolean {
  let strange = false
  for (const word of someWords(value)) {
    if (word.length <= 2) continue
    const by = seen.sourcesOf(word) & (STRANGER | PERSON)
    // Its parts follow: a model may join them, as of `mallory at evil.example`.
    if (by === 0 && joins.test(word)) continue
    if (by === 0) return false
    strange ||= by === STRANGER
  }
  return strange
}

function secrets({ act, seen }: Watched): readonly GuardNote[] {
  if (!wouldReachOthers(act)) {
    if (!act.powers.includes('changes')) return NONE
    const local = act.touches.length > 0 && act.touches.every(({ is }) => is === 'path' || is === 'option' || is === 'item')
    if (local) return NONE
  }
  const texts = [...act.carries, ...act.touches.map(({ value }) => value)]
  if (texts.some((text) => text.length > MAX_SEARCHED_LENGTH))
    return [{ guard: 'secrets', text: 'This call has more text than can be checked for keys and passwords.' }]
  const isSecret = (text: string) => {
    if (seen.hasSecrets) for (const [word] of text.matchAll(/[^\s"'`<>()[\]{}|,;=&?]+/g)) if (seen.isSecret(word)) return true
    return containsSecret(text)
  }
  if (!texts.some(isSecret)) return NONE
  const does = act.tool.offline === 'alone' ? 'keep' : 'send out'
  return [{ guard: 'secrets', text: `This call would ${does} what looks like a key, token or password.` }]
}

function burst({ act, seen }: Watched): readonly GuardNote[] {
  const notes: GuardNote[] = []
  // Twice the same mail, or the same wage.
  if (givesSomething(act) && seen.hasRun(callKey(act)))
    notes.push({ guard: 'burst', text: 'The same call was already made in this reply.' })
  for (const [power, most, words] of BURST) {
    if (!act.powers.includes(power) || !isSure(act, power)) continue
    const step = power === 'sends' && isPageStep(act)
    const calls = seen.usesInTurn(step ? 'steps' : power)
    if (calls >= (step ? MAX_PAGE_STEPS : most))
      notes.push({
        guard: 'burst',
        text: `${calls === 1 ? 'A call' : `${calls} calls`} in this reply may have ${words} already.`,
      })
  }
  return notes
}

/** True for a call that sends, or may, with a text or a quantity, which a reading has not and which are given once more. */
const givesSomething = (act: Act) =>
  act.tells &&
  !onlyReads(act.powers) &&
  !isPageStep(act) &&
  ((!isUnknown(act.known) && act.carries.length > 0) || act.touches.some((touch) => touch.is === 'text' || isGiven(act, touch)))

const isGiven = ({ args }: Act, { argument }: Touch) =>
  typeof args[argument] === 'number' && !identifies(argument) && !isCount(argument)

/** After a denial, the model may follow somebody else, and what they wrote may be read again much later. */
function denied(watched: Watched): readonly GuardNote[] {
  const { act, seen } = watched
  if (isHeldAfterDenial(watched))
    return [{ guard: 'denied', text: `You denied a call in this reply, and this one ${gravestPhrase(act)}.` }]
  const to = act.touches.find((touch) => seen.isDenied(addressee(touch)))
  if (!to) return NONE
  return [{ guard: 'denied', argument: to.argument, text: `You denied a call to ${shown(to)} in this conversation.` }]
}

/** True in the reply that had a denial. Allowed changes of files in named folders may continue. */
function isHeldAfterDenial({ act, seen, place, rule, ticked = false }: Watched): boolean {
  if (!seen.hasDenied || !(isGrave(act) || act.powers.includes('changes'))) return false
  const named = (touch: Touch) => touch.is === 'option' || (touch.is === 'path' && isNamed(touch, place))
  if ((rule || ticked) && !isGrave(act) && act.touches.some(({ is }) => is === 'path') && act.touches.every(named)) return false
  // For example the same tests after an approved change.
  return !(isRepeatable(act) && seen.hasRun(callKey(act)))
}

/** Holds the first grave call of a conversation under a rule from elsewhere. */
function firstGrave({ act, seen, rule, conversationId }: Watched): readonly GuardNote[] {
  if (!rule || rule.conversationId === conversationId) return NONE
  const power = GRAVE.find((one) => act.powers.includes(one) && isSure(act, one) && seen.usesOf(one) === 0)
  return power ? [{ guard: 'new', text: `This is the first call in this conversation that ${ACT_PHRASES[power]}.` }] : NONE
}

export const ACT_PHRASES: Readonly<Record<Power, string>> = {
  reads: 'reads your data',
  'brings-in': 'reads others’ words',
  changes: 'makes changes',
  destroys: 'can destroy something',
  sends: 'sends something out',
  spends: 'spends money',
}

/** The power that says most about a call; none for one that only reads. */
export const gravestOf = ({ powers }: Pick<Act, 'powers'>) =>
  (['spends', 'sends', 'destroys', 'changes'] as const).find((one) => powers.includes(one))

const gravestPhrase = (act: Act) => {
  const gravest = gravestOf(act)
  return gravest ? actPhrase(act, gravest) : 'hands text to a server that Parley does not know'
}

/** `can …` for a power that is only possible or guessed. */
function actPhrase(act: Act, power: Power): string {
  const isRead = act.unread === undefined || act.touches.some(({ is }) => is === 'host')
  return isSure(act, power) && !isGuessed(act.known) && isRead ? ACT_PHRASES[power] : `can ${POSSIBLE_ACT_PHRASES[power]}`
}

/** After “may” or “can”. */
export const POSSIBLE_ACT_PHRASES: Readonly<Record<Power, string>> = {
  reads: 'read your data',
  'brings-in': 'read others’ words',
  changes: 'make changes',
  destroys: 'destroy something',
  sends: 'send something out',
  spends: 'spend money',
}

/** Names the real path if the text shows another one. */
function realPathNote(touch: Touch): string {
  if (touch.is !== 'path' || touch.path === undefined || touch.path === touch.value) return ''
  return `is really “${touch.path.slice(-120)}” and `
}
/** A touched place in quotation marks, as it will be sent. */
export function shown(touch: Touch): string {
  const value = touch.is === 'host' ? touch.host : touch.is === 'recipient' ? (touch.written ?? touch.value) : touch.value
  return `“${value.slice(0, 120)}”`
}

const someWords = (text: string) => wordsIn(text.length > LONGEST ? text.slice(0, LONGEST) : text, WORDS)
