import { type ConsentRule, type GuardNote, type NamedPlace, onlyReads, type Touch } from '../../src-shared/contract/consent.ts'
import { type Act, choicesLeftOut, distinctive, makesFolder } from './act.ts'
import { identifies } from './arguments.ts'
import { ACT_PHRASES, GRAVE, gravestOf, guardsFor, POSSIBLE_ACT_PHRASES, shown } from './guards.ts'
import { hasPlainNames, isInert, isSource } from './inert-files.ts'
import { nameList } from './name-list.ts'
import { wordSet, wordsOf } from './names.ts'
import { isToldToRead, isVouched, powersOf } from './powers.ts'
import { type ConversationProvenance, PERSON, PRIVATE, STRANGER } from './provenance.ts'
import { isWithin } from './read-path.ts'
import { isBound, isNamed, mayChangeIn, type RuleBook, type RuleContext } from './rules.ts'
import { isChoice, widens } from './touches.ts'
import { wordsIn } from './words.ts'

/** Everything besides the call that a verdict depends on. */
export interface Situation extends RuleContext {
  readonly rules: RuleBook
  readonly place: NamedPlace
  readonly seen: ConversationProvenance
  /** An unknown server whose description of a tool names the called one, which may be why a model calls it. */
  readonly namedBy?: string | undefined
}

export type Verdict =
  | { readonly is: 'allow'; readonly by: 'rule'; readonly rule: ConsentRule; readonly why: string }
  | { readonly is: 'allow'; readonly by: 'free'; readonly why: string }
  | { readonly is: 'deny'; readonly rule: ConsentRule; readonly why: string }
  | { readonly is: 'ask'; readonly why: string; readonly guards: readonly GuardNote[]; readonly rule?: ConsentRule }

/** Paths with keys. Reading them always needs a question. */
const SENSITIVE_PATH =
  /(?:^|[\\/])(?:\.env[^\\/]*|\.ssh|\.aws|\.gnupg|\.kube|\.netrc|\.npmrc|\.pypirc|\.git-credentials|\.docker|id_[a-z0-9]+|[^\\/]*\.(?:pem|key|p12|pfx|kdbx)|credentials[^\\/]*|[^\\/]*secrets?[^\\/]*\.(?:json|ya?ml|txt|toml)|\.config[\\/]gcloud|keychains?|login data|cookies)(?:$|[\\/])/i

/** Words in the name of a table, a column or a file with keys. */
const KEYS =
  /(?:^|[^a-z])(?:secrets?|passw(?:or)?ds?|passwd|credentials?|api_?keys?|private_?keys?|access_?keys?|(?:access|api|auth|refresh|integration|session|bearer)_?tokens?|tokens|ssh_?keys?|keychain|vault)(?:$|[^a-z])/i

/** True if a call asks for keys or passwords, which always needs a question. */
export function asksForKeys(act: KeyFacts): boolean {
  return reasonOfKeys(act) !== undefined
}

type KeyFacts = Pick<Act, 'touches' | 'tool'>

/** Why a call that asks for keys or passwords needs a question; undefined if it asks for none. */
function reasonOfKeys({ touches, tool }: KeyFacts): string | undefined {
  const keys = keysIn(touches)
  if (keys) {
    const holds = keys.is === 'path' ? 'may hold' : 'names what may hold'
    return `“${keys.value.slice(0, 120)}” ${holds} keys or passwords.`
  }
  if (givesKeys(tool)) return `“${tool.name}” may give keys or passwords.`
}

/** True if, by its name, the tool returns keys without any argument. */
function givesKeys(tool: Act['tool']): boolean {
  const words = wordsOf(tool.name)
  // No server on the list of published ones has a vault of keys; Obsidian's is a folder of notes.
  const isNotes = powersOf(tool).from === 'published'
  return (
    words.some((word) => KEY_WORDS.has(word) && !(isNotes && word === 'vault')) || words.join(' ').includes('connection string')
  )
}

const keysIn = (touches: Act['touches']) =>
  touches.find((touch) => {
    if (touch.is === 'path') return SENSITIVE_PATH.test(touch.path ?? touch.value)
    if (touch.is === 'command' && touch.value.split(/[\s=]+/).some((word) => SENSITIVE_PATH.test(word))) return true
    // A file at a place that only the server knows.
    if (touch.is === 'item' && /[./]/.test(touch.value) && SENSITIVE_PATH.test(touch.value)) return true
    return KEYS.test(touch.value)
  })

/** Judges a call. Pure: the same act in the same situation gives the same verdict. */
export function verdictOf(act: Act, situation: Situation): Verdict {
  const verdict = verdictBy(act, situation)
  if (!act.unsent) return verdict
  return { ...verdict, why: `${verdict.why} It has no network, so it cannot send.` }
}

function verdictBy(act: Act, situation: Situation): Verdict {
  const { rules, seen, place, conversationId } = situation
  // A rule that asks or denies holds whatever a fence keeps from its server.
  const holding = rules.restricting(act.unsent ? { ...act, powers: [...act.powers, 'sends'] } : act, situation)
  if (holding?.effect === 'deny') return { is: 'deny', rule: holding, why: 'Your rule denies it.' }
  const guarded = guardsFor({ act, seen, place, ...(conversationId !== undefined && { conversationId }) })
  if (holding) return { is: 'ask', why: 'Your rule says to ask.', guards: guarded(), rule: holding }
  const keys = reasonOfKeys(act)
  if (keys !== undefined) return { is: 'ask', why: keys, guards: guarded() }
  if (act.unread !== undefined) return { is: 'ask', why: act.unread, guards: guarded() }
  let stopped: { readonly rule: ConsentRule; readonly guards: readonly GuardNote[] } | undefined
  for (const rule of rules.allowing(act, situation)) {
    const guards = guarded(rule)
    if (guards.length === 0) return { is: 'allow', by: 'rule', rule, why: 'Your rule allows it.' }
    stopped ??= { rule, guards }
  }
  if (stopped) return { is: 'ask', why: 'Your rule allows it, but a warning stops it.', ...stopped }
  const change = reasonToChangeUnasked(act, situation)
  const free = change ?? reasonToAllowUnasked(act, situation)
  if (free !== undefined && situation.namedBy !== undefined) {
    return { is: 'ask', why: `“${situation.namedBy.slice(0, 80)}” names this tool in its descriptions.`, guards: guarded() }
  }
  if (free !== undefined) {
    const guards = guarded(undefined, change !== undefined)
    return guards.length === 0
      ? { is: 'allow', by: 'free', why: free }
      : { is: 'ask', why: 'It needs no rule, but a warning stops it.', guards }
  }
  const before = rules.about(act)
  const changed = before.length > 0 && !before.some((rule) => isBound(rule, act))
  const guards = guarded()
  if (!changed) return { is: 'ask', why: `${whyAsked(act, situation)}${obeyedFileNote(act, before, place)}`, guards }
  return {
    is: 'ask',
    why: 'The tool or its server is no longer what you allowed.',
    guards: [{ guard: 'changed', text: 'The tool or its server has changed since you allowed it.' }, ...guards],
  }
}

/** Why a reading of what the person named needs no question; undefined if it needs one. */
function reasonToAllowUnasked(act: Act, { place, seen }: Situation): string | undefined {
  if (!(isVouched(act.known) || isToldToRead(act.known)) || !onlyReads(act.powers)) return undefined
  if (choicesLeftOut(act).length > 0) return undefined
  const { serverId } = act.tool
  let reaches = false
  const away = act.touches.some(({ is }) => is === 'host' || is === 'recipient')
  for (const touch of act.touches) {
    if (choosesOnly(touch, away, seen)) continue
    reaches ||= touch.is !== 'item'
    // An unknown server's own list of items does not mean that the person wants one.
    if (isNamed(touch, place) && (touch.is !== 'item' || !isToldToRead(act.known) || isNamedByPerson(touch, seen))) continue
    // A place that the person wrote in a message is one that they want read.
    if (!isNamedByPerson(touch, seen) && !isListedTable(touch, serverId, seen)) return undefined
  }
  if ((reaches || isToldToRead(act.known)) && act.touches.some(widens)) return undefined
  // Without a place, the whole server is read, which is fine if only the person can have asked for it.
  if (!reaches) {
    if (!act.touches.every(({ is, value }) => is !== 'item' || isSaid(value, serverId, seen))) return undefined
    if (!act.powers.includes('reads')) return isPlainSearch(act, seen) ? 'It sends no private data.' : undefined
    if (seen.isFirst(serverId)) return 'Only you can have asked for this: no other server had brought in others’ words.'
    // Nothing goes along, and only the person chose whose words were read.
    if (Object.keys(act.args).length === 0 && seen.hasReadOnlyNamedFiles(serverId))
      return 'It sends no arguments, and only files that you named were read before.'
    return personNamed(wordsOf(act.tool.serverName), seen) && carriesNoPrivateData(act, seen)
      ? 'You named this server, and it sends no private data.'
      : undefined
  }
  return act.known === 'published' ? 'A known server reads what you named.' : 'It reads what you named, and you trust this tool.'
}

/** Why a change in a folder where the person lets files change needs no question; undefined if it needs one. */
function reasonToChangeUnasked(act: Act, { place: { editable = [] }, seen }: Situation): string | undefined {
  const { known, powers, touches, tool, records } = act
  if (known !== 'published') return undefined
  // Untrusted content may lie in the folder; none comes from elsewhere.
  const able = powersOf(tool).powers
  const unread = !records && able.has('brings-in')
  if (!powers.includes('changes') || unread || GRAVE.some((power) => powers.includes(power))) return undefined
  const paths = touches.flatMap((touch) => (touch.is === 'path' ? touch : []))
  const others = touches.filter(({ is }) => is !== 'path' && is !== 'option')
  const harmless = paths.every(({ path = '', plain, folder: isFolder }) => {
    const within = editable.filter((folder) => isWithin(path, folder))
    if (records) return within.length > 0
    // The next test or build runs it, so no stranger may have asked for it.
    if (isSource(path) && seen.firstUntrustedSource()) return false
    return (
      plain &&
      (!isFolder || makesFolder(tool)) &&
      within.some((folder) => (isFolder ? hasPlainNames(path, folder) : isInert(path, folder)))
    )
  })
  if (paths.length === 0 || !harmless) return undefined
  if (records) return 'It only records changes, in a folder where you let files change.'
  return others.length === 0 ? 'You let files change in this folder.' : undefined
}

/** True if the person wrote the value in a message, or every table of a SELECT. */
function isNamedByPerson(touch: Touch, seen: ConversationProvenance): boolean {
  const said = (word: string) => (seen.sourcesOf(word) & PERSON) !== 0
  if (touch.is === 'path' || touch.is === 'command') return false
  if (touch.is === 'value' && touch.called !== undefined && said(`#${touch.called}`)) return true
  if (touch.is !== 'statement') return said(touch.value)
  const called = said('schema')
  return (
    touch.verb === 'SELECT' &&
    touch.tables.every(
      (table) => said(table) || said(table.split('.').at(-1) ?? '') || (called && said(table.split('.', 1)[0] ?? '')),
    )
  )
}

/** True for tables that the server listed before any row was read, and for those already read: no untrusted content can have chosen them. */
function isListedTable(touch: Touch, serverId: string, seen: ConversationProvenance): boolean {
  if (touch.is !== 'statement' || touch.verb !== 'SELECT' || !seen.isAlone(serverId)) return false
  const read = seen.tablesOf(serverId)
  return touch.tables.every((table) => (read ? read.has(table) : seen.isListed(table.split('.').at(-1) ?? '', serverId)))
}

/** True if the person wrote one of these words, in singular or plural. */
const personNamed = (words: readonly string[], seen: ConversationProvenance) =>
  words.some((word) => {
    if (word.length < 4) return false
    return [word, `${word}s`, word.replace(/s$/, '')].some((one) => (seen.sourcesOf(one) & PERSON) !== 0)
  })

/** True if the arguments carry nothing that only private results of other servers had. */
const carriesNoPrivateData = ({ tool, carries }: Act, seen: ConversationProvenance) =>
  !seen.hasOverflowed &&
  carries.every((text) =>
    [...wordsIn(text), ...(text.match(/[\p{L}\p{N}]{2,}/gu) ?? [])].every((word) => {
      const by = seen.sourcesOf(word)
      return (by & PRIVATE) === 0 || (by & PERSON) !== 0 || seen.saidByServer(word, tool.serverId)
    }),
  )

/** True for a search without private or distinctive words. */
const isPlainSearch = (act: Act, seen: ConversationProvenance) =>
  act.powers.length > 0 && carriesNoPrivateData(act, seen) && !act.carries.some((text) => wordsIn(text).some(distinctive))

/** True for a touch that only filters, has no stranger's word and goes to no host. A SELECT without tables only reads the catalog. */
function choosesOnly(touch: Touch, away: boolean, seen: ConversationProvenance): boolean {
  if (touch.is === 'statement') return touch.verb === 'SELECT' && touch.tables.length === 0
  if (touch.is === 'option') return true
  // The operators of a search at a server whose tools are known choose what is found.
  if (touch.is === 'text') return !away && wordsIn(touch.value).every((word) => !distinctive(word) || !isFromStranger(word, seen))
  if (touch.is === 'value' && touch.vague === true && !away && OWN_PLACES.has(touch.value)) return true
  // An unknown identifier is a place.
  if (away || touch.is !== 'value' || touch.vague !== true || identifies(touch.argument)) return false
  return !isFromStranger(touch.value, seen)
}

/** True for what strangers wrote and the person did not. */
const isFromStranger = (word: string, seen: ConversationProvenance) => (seen.sourcesOf(word) & (STRANGER | PERSON)) === STRANGER

/** Services' words for the person's own calendar, mailbox or account. */
const OWN_PLACES = new Set(['primary', 'me', '@me', 'self', 'inbox', 'INBOX'])

/** Words in the names of tools that return keys without any argument. */
const KEY_WORDS = wordSet('env secret secrets credential credentials password passwords keychain vault')

const isSaid = (value: string, serverId: string, seen: ConversationProvenance) =>
  (seen.sourcesOf(value) & PERSON) !== 0 || seen.saidByServer(value, serverId)

const DONE = { spends: 'paid', sends: 'sent out', destroys: 'destroyed', changes: 'changed' } as const

/** The one reason, in words for one call as for several. The powers stand beside the tool's name, so it repeats none. */
function whyAsked(act: Act, { place, seen }: Situation): string {
  if (act.known === 'told-more')
    return `You said that this ${nameList((act.tool.told ?? []).flatMap((power) => (onlyReads([power]) ? [] : ACT_PHRASES[power])))}.`
  if (isToldToRead(act.known) && !onlyReads(act.powers))
    return `You said that this only reads, but with these arguments it may ${nameList(act.powers.flatMap((power) => (onlyReads([power]) ? [] : POSSIBLE_ACT_PHRASES[power])))}.`
  if (isVouched(act.known) || isToldToRead(act.known)) {
    const unnamed = onlyReads(act.powers) ? act.touches.find((touch) => isUnnamedPlace(touch, place, seen)) : undefined
    // A path in a message names no place, since servers' words may have led to it.
    if (unnamed?.is === 'path') return `${shown(unnamed)} is not in the folders of this conversation.`
    if (unnamed) return `You have not named ${shown(unnamed)}.`
    const gravest = gravestOf(act)
    return gravest ? `Nothing is ${DONE[gravest]} without your word or a rule of yours.` : 'No rule of yours covers this.'
  }
  if (act.tool.builtIn) return 'From the Playground, which is built into Parley.'
  return act.known === 'unknown'
    ? 'Parley knows neither this server nor what this tool does.'
    : 'From a server that Parley does not know.'
}

const isUnnamedPlace = (touch: Touch, place: NamedPlace, seen: ConversationProvenance) =>
  (touch.is === 'path' || touch.is === 'host' || touch.is === 'value' || touch.is === 'recipient') &&
  !isChoice(touch) &&
  !isNamed(touch, place) &&
  !isNamedByPerson(touch, seen)

/** Explains a question about a hidden file, and about one that a permission for its folder leaves out. */
function obeyedFileNote({ powers, touches }: Act, rules: readonly ConsentRule[], { editable = [] }: NamedPlace): string {
  if (!powers.includes('changes')) return ''
  const allowed = rules.flatMap(({ limits }) => limits.flatMap((limit) => (limit.is === 'folder' ? limit.path : [])))
  for (const touch of touches) {
    if (touch.is !== 'path' || touch.path === undefined) continue
    const { path } = touch
    const isLeftOut = [...editable, ...allowed].some((folder) => isWithin(path, folder) && !mayChangeIn(touch, folder, touches))
    if (isLeftOut || /[\\/]\.[^\\/.]/.test(path)) return ` Programs or models may obey “${path.slice(-120)}”.`
  }
  return ''
}
