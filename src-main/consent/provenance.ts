import type { JsonValue } from '../../src-shared/base/json.ts'
import { parseJson } from '../../src-shared/base/parse-json.ts'
import type { Power } from '../../src-shared/contract/consent.ts'
import { secretsIn } from './secrets-in.ts'
import { key, wordsIn } from './words.ts'

/** The source of a text. A result may be private and a stranger's at once: mail is both. */
export const PERSON = 1
export const PRIVATE = 2
export const STRANGER = 4

/** Distinct words that are remembered of one conversation, and characters looked at of one text. */
const MAX_WORDS = 400_000
const MAX_TEXT_LENGTH = 600_000
/** Characters of a line that is kept to say what an item in it is. */
const LINE = 240

/** Arguments that say at which place of its server a call is: argument → value. */
type Values = ReadonlyMap<string, string>
const NO_VALUES: Values = new Map()
/** Places that are remembered as private. Each reading after that counts as one more. */
const MAX_READINGS = 500
const MAX_SECRETS = 10_000

interface Reading extends Source {
  readonly server: string
  readonly values: Values
}

/**
 * How a result names the page that its browser shows: in lines of its own, as known browsers do; never, as all else
 * that is known; or by the word of a server that nobody knows.
 */
export type PageTelling = 'stated' | 'never' | 'claimed'
const STATED_PAGE = /^(?:- )?Page URL: (\S+)\s*$/gm
const CLAIMED_PAGE = /\b(?:page|current) url\W{1,6}(https?:\/\/[^\s"'<>)]+)/gi
/** The page of a browser that said two things. */
export const UNKNOWN_PAGE = ''

/** Counts of a turn: steps on a page apart from other calls that send. */
type Counted = Power | 'steps'

interface Known {
  by: number
  /** The person typed it, and did not only allow it. */
  typed: boolean
  /** Servers whose results had it, as bits; the thirty-first and later share one that belongs to none. */
  servers: number
  /** Servers that had it as an entry of what they hold, and not within sentences, as bits. */
  listed: number
  /** Places of servers where it was said, as bits. */
  places: number
  /** The call whose result had it first, by source. */
  privateFrom: string | undefined
  strangerFrom: string | undefined
  /** The line of the latest result in which it stood, for words that look like references. */
  line: string | undefined
}

type WordSources = Pick<Known, 'by' | 'typed' | 'servers' | 'places'> & {
  readonly privateFrom?: string
  readonly strangerFrom?: string
}

/** A call whose result was read, as a guard names it. */
export interface Source {
  readonly call: string
  readonly what: string
}

/**
 * The words that a conversation has read so far, with their sources: what a verdict needs of ten thousand messages, in steps that do not
 * grow with them. Rebuilt from the messages when a conversation is opened; the same messages give the same record.
 */
export class ConversationProvenance {
  readonly #words = new Map<string, Known>()
  readonly #bits = new Map<string, number>()
  readonly #places = new Map<string, string>()
  readonly #counts = new Map<Power, number>()
  readonly #turn = new Map<Counted, number>()
  readonly #secrets = new Set<string>()
  /** Calls of this turn that were let through before one was denied, with their arguments. */
  readonly #ran = new Set<string>()
  #denied = false
  readonly #private: Reading[] = []
  readonly #where: { readonly server: string; readonly values: Values }[] = []
  readonly #strange: (Source & { readonly server: string })[] = []
  /** Servers that were read before others than they and the person had spoken. */
  readonly #first = new Set<string>()
  /** Arguments of servers in which the person named which one they mean, and those in which they allowed another. */
  readonly #chosen = new Set<string>()
  readonly #opened = new Set<string>()
  /** Tables of databases that were read or written, by server. */
  readonly #tables = new Map<string, Set<string>>()
  #overflown = false
  #morePrivate = 0

  /** The first reading of what strangers wrote, of another server than the one named where there is one: two sources tell more than one. */
  firstUntrustedSource(beside?: string): Source | undefined {
    return this.#strange.find(({ server }) => server !== beside) ?? this.#strange[0]
  }

  /** The first private reading that was made elsewhere than a call would go: at another server, or at another place of the same. */
  privateDataFromElsewhere(server: string, values: Values): Reading | undefined {
    return this.#private.find((reading) => reading.server !== server || conflict(reading.values, values))
  }
  /** True if private data from elsewhere than this server, and strangers' words, were both read. */
  mixesPrivateAndUntrusted(server: string): boolean {
    return this.#strange.length > 0 && this.privateDataFromElsewhere(server, NO_VALUES) !== undefined
  }
  /** More was read than can be remembered: nothing is known to be from the person alone. */
  get hasOverflowed(): boolean {
    return this.#overflown
  }

  /** A message of the person begins a turn. */
  addMessage(text: string): void {
    this.#turn.clear()
    this.#ran.clear()
    this.#denied = false
    this.#add(text, { by: PERSON, typed: true, servers: 0, places: 0 })
  }

  /** An answer of the person that names a value: it is theirs from then on. */
  addAgreedValue(value: string): void {
    this.#add(value, { by: PERSON, typed: false, servers: 0, places: 0 })
  }

  /** Adds the result of a call. `powers` are those of the call; `page` tells how it names the page that its browser shows. */
  addResult(
    server: string,
    source: Source,
    said: string | readonly string[],
    powers: Iterable<Power>,
    values: Values = NO_VALUES,
    page: PageTelling = 'claimed',
  ): void {
    if (this.isFirst(server)) this.#first.add(server)
    const has = new Set(powers)
    const strange = has.has('brings-in')
    const mine = has.has('reads')
    if (strange && this.#strange.length < MAX_READINGS && !this.#strange.some((one) => one.server === server)) {
      this.#strange.push({ ...source, server })
    }
    if (mine) this.#addPrivate({ ...source, server, values })
    const texts = typeof said === 'string' ? [said] : said
    for (const secret of texts.flatMap((text) => [...secretsIn(text)])) {
      if (this.#secrets.size < MAX_SECRETS) this.#secrets.add(secret)
      else this.#overflown = true
    }
    const by = (strange ? STRANGER : 0) | (mine ? PRIVATE : 0)
    const from = {
      by,
      typed: false,
      servers: this.#bit(server),
      places: this.#placeBit(server, values),
      ...(mine && { privateFrom: source.call }),
      ...(strange && { strangerFrom: source.call }),
    }
    for (const text of texts) {
      this.#add(text, from)
      this.#list(text, this.#bit(server))
    }
    this.#readPage(server, texts, page)
  }

  /** Something was given to a model that was not read here, or not to its end: nothing is known to be from the person alone. */
  markIncomplete(): void {
    this.#overflown = true
  }

  /** A console or a page can hold such a line, too: two that differ say nothing, and of a browser that nobody knows not even one after another. */
  #readPage(server: string, texts: readonly string[], page: PageTelling): void {
    if (page === 'never') return
    const line = page === 'stated' ? STATED_PAGE : CLAIMED_PAGE
    const told = new Set(texts.flatMap((text) => Array.from(text.matchAll(line), ([, url = '']) => url)))
    if (told.size === 0) return
    const [url = ''] = told
    const host = (one: string | undefined) => (one === undefined ? undefined : URL.parse(one)?.host)
    const before = this.#places.get(server)
    const moved = page === 'claimed' && before !== undefined && (before === UNKNOWN_PAGE || host(before) !== host(url))
    this.#places.set(server, told.size > 1 || moved ? UNKNOWN_PAGE : url)
  }

  /** Only the person and this server had spoken when it was first read, or would be if it were read now: no stranger of elsewhere is behind it. */
  isFirst(server: string): boolean {
    return this.#first.has(server) || this.isAlone(server)
  }
  /** No other server has brought in a stranger's words. */
  isAlone(server: string): boolean {
    return !this.#strange.some((one) => one.server !== server)
  }

  /** The call was let through: it counts for the guards that look at numbers. */
  countUse(powers: Iterable<Power>, onPage = false): void {
    for (const power of powers) {
      const counted = onPage && power === 'sends' ? 'steps' : power
      this.#counts.set(power, (this.#counts.get(power) ?? 0) + 1)
      this.#turn.set(counted, (this.#turn.get(counted) ?? 0) + 1)
    }
  }

  /** The call was let through; after one was denied, no other counts as one that the person let run before. */
  recordRun(call: string): void {
    if (!this.#denied) this.#ran.add(call)
  }
  hasRun(call: string): boolean {
    return this.#ran.has(call)
  }

  /** The person answered for one more of a kind: the count of this turn begins again. */
  resetTurnCounts(powers: Iterable<Power>): void {
    for (const power of powers) this.#turn.set(power, 0)
    this.#turn.set('steps', 0)
  }

  /** A call ran for one that the person had named in this argument. */
  markChosen(server: string, argument: string): void {
    this.#chosen.add(`${server}\n${argument}`)
  }
  /** The person allowed one that they had not named. */
  markUnnamedAllowed(server: string, argument: string): void {
    this.#opened.add(`${server}\n${argument}`)
  }
  /** The person named which one they mean, and has not allowed another since. */
  isChosen(server: string, argument: string): boolean {
    const at = `${server}\n${argument}`
    return this.#chosen.has(at) && !this.#opened.has(at)
  }

  /** A statement went over these tables. */
  readTables(server: string, tables: readonly string[]): void {
    if (tables.length > 0) this.#tables.set(server, new Set([...(this.#tables.get(server) ?? []), ...tables]))
  }
  /** Undefined before there was one. */
  tablesOf(server: string): ReadonlySet<string> | undefined {
    return this.#tables.get(server)
  }

  /** The person said no to a call: for the rest of the turn, grave ones are looked at again. */
  recordDenial(): void {
    this.#denied = true
  }
  get hasDenied(): boolean {
    return this.#denied
  }

  usesOf(power: Power): number {
    return this.#counts.get(power) ?? 0
  }
  usesInTurn(power: Counted): number {
    return this.#turn.get(power) ?? 0
  }
  /** The page that a browser said it shows; UNKNOWN_PAGE where that cannot be told, undefined where it said nothing of a page. */
  pageOf(server: string): string | undefined {
    return this.#places.get(server)
  }

  /** The sources of a word; 0 for a word that nobody said. */
  sourcesOf(word: string): number {
    return this.#known(word)?.by ?? 0
  }
  isTyped(word: string): boolean {
    return this.#known(word)?.typed === true
  }
  firstCallsWith(word: string): { readonly privateFrom?: string | undefined; readonly strangerFrom?: string | undefined } {
    return this.#known(word) ?? {}
  }
  /** True if a result of this server was read. */
  hasRead(server: string): boolean {
    return this.#bits.has(server)
  }
  /** True if a result of this very server had the word. */
  saidByServer(word: string, server: string): boolean {
    return ((this.#known(word)?.servers ?? 0) & (this.#bits.get(server) ?? 0)) !== 0
  }
  /** True if this very server had the word as an entry, and not within sentences alone. */
  isListed(word: string, server: string): boolean {
    return ((this.#known(word)?.listed ?? 0) & (this.#bits.get(server) ?? 0)) !== 0
  }
  /** True if a place of this server that may be this one had the word: it would go back to where it came from. */
  saidAt(word: string, server: string, values: Values): boolean {
    const places = this.#known(word)?.places ?? 0
    return (
      places !== 0 &&
      this.#where.some((place, n) => (places & (1 << n)) !== 0 && place.server === server && !conflict(place.values, values))
    )
  }
  /** How many private places were read: what the person answered for is not more than that. */
  get readings(): number {
    return this.#private.length + this.#morePrivate
  }
  /** The text around a reference in the result that had it last. */
  lineOf(word: string): string | undefined {
    return this.#known(word)?.line
  }
  /** Keys and tokens that some result had. */
  get hasSecrets(): boolean {
    return this.#secrets.size > 0
  }
  isSecret(word: string): boolean {
    return this.#secrets.has(word)
  }

  /** Most are in lower case already. */
  #known(word: string): Known | undefined {
    const known = this.#words.get(word)
    if (known) return known
    const lower = key(word)
    return lower === word ? undefined : this.#words.get(lower)
  }

  /** The thirty-first and later places share a bit that belongs to none. */
  #placeBit(server: string, values: Values): number {
    const known = this.#where.findIndex((place) => place.server === server && same(place.values, values))
    if (known >= 0) return 1 << known
    if (this.#where.length >= 30) return 1 << 30
    this.#where.push({ server, values })
    return 1 << (this.#where.length - 1)
  }

  #addPrivate(reading: Reading): void {
    const known = this.#private.some((one) => one.server === reading.server && same(one.values, reading.values))
    if (known) return
    if (this.#private.length < MAX_READINGS) this.#private.push(reading)
    else this.#morePrivate += 1
  }

  #bit(server: string): number {
    const known = this.#bits.get(server)
    if (known !== undefined) return known
    if (this.#bits.size >= 30) return 1 << 30
    const bit = 1 << this.#bits.size
    this.#bits.set(server, bit)
    return bit
  }

  /** The words were remembered just before. */
  #list(text: string, bit: number): void {
    for (const entry of entriesOf(text.slice(0, MAX_TEXT_LENGTH))) {
      if (isProse(entry)) continue
      for (const word of wordsIn(entry)) {
        const known = this.#words.get(word)
        if (known) known.listed |= bit
      }
    }
  }

  #add(text: string, from: WordSources): void {
    if (text.length > MAX_TEXT_LENGTH) this.#overflown = true
    for (const line of text.slice(0, MAX_TEXT_LENGTH).split('\n')) {
      for (const word of wordsIn(line)) {
        let known = this.#words.get(word)
        if (!known) {
          if (this.#words.size >= MAX_WORDS) {
            this.#overflown = true
            return
          }
          known = {
            by: 0,
            typed: false,
            servers: 0,
            listed: 0,
            places: 0,
            privateFrom: undefined,
            strangerFrom: undefined,
            line: undefined,
          }
          this.#words.set(word, known)
        }
        known.by |= from.by
        known.typed ||= from.typed
        known.servers |= from.servers
        known.places |= from.places
        known.privateFrom ??= from.privateFrom
        known.strangerFrom ??= from.strangerFrom
        const reference = from.servers !== 0 && word.length <= 64 && /\d/.test(word)
        if (reference) known.line = line.trim().slice(0, LINE)
      }
    }
  }
}

/** The texts of a result one by one: the names and values of JSON, or its lines. */
function entriesOf(text: string): readonly string[] {
  const entries: string[] = []
  const gather = (value: JsonValue): void => {
    if (typeof value === 'string' || typeof value === 'number') entries.push(...String(value).split('\n'))
    else if (Array.isArray(value)) for (const one of value) gather(one)
    else if (typeof value === 'object' && value !== null) {
      entries.push(...Object.keys(value))
      for (const one of Object.values(value)) gather(one)
    }
  }
  try {
    gather(parseJson(text) as JsonValue)
    return entries
  } catch {
    return text.split('\n')
  }
}

/** Sentences: somebody says something with them, to a model too. */
const isProse = (entry: string) => /[.!?](?:\s|$)/.test(entry) && (entry.match(/\p{L}{2,}/gu)?.length ?? 0) > 6

/** The same argument with another value. */
function conflict(a: Values, b: Values): boolean {
  for (const [name, value] of a) if (b.has(name) && b.get(name) !== value) return true
  return false
}
const same = (a: Values, b: Values) => a.size === b.size && [...a].every(([name, value]) => b.get(name) === value)
