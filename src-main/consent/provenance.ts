import type { JsonValue } from '../../src-shared/base/json.ts'
import { jsonIn, parseJson } from '../../src-shared/base/parse-json.ts'
import type { PlaceKind, Power, Touch } from '../../src-shared/contract/consent.ts'
import { dictatedOrder, listedBeside, spellingsOf } from './dictated.ts'
import type { ListedPlace } from './listed-places.ts'
import { secretsIn } from './secrets-in.ts'
import { lowered } from './touches.ts'
import { key, wordsIn } from './words.ts'

/** Sources of a text, as bits. A result can be private and a stranger's at once, as mail is. */
export const PERSON = 1
export const PRIVATE = 2
export const STRANGER = 4

/** Distinct words of one conversation, and characters of one text. */
const MAX_WORDS = 400_000
const MAX_TEXT_LENGTH = 600_000
/** Characters of a name of several words. */
const LONGEST_NAME = 120
/** Characters of the line that describes an item. */
const LINE = 240

/** The place of a call at its server: argument → value. */
type Values = ReadonlyMap<string, string>
const NO_VALUES: Values = new Map()
/** Recorded private places. Each later reading counts as another one. */
const MAX_READINGS = 500
const MAX_SECRETS = 10_000
const MAX_LISTED_PLACES = 10_000
const MAX_NAMED_ITEMS = 10_000
/** Hosts and recipients of denied calls. */
const MAX_DENIED = 10_000
/** Recorded calls of a tool that the person allowed. */
const MAX_AGREED = 100

const listedKey = (server: string, kind: PlaceKind, id: string) => `${server}\n${kind}\n${lowered(id)}`

interface Reading extends Source {
  readonly server: string
  readonly values: Values
}

/**
 * The form in which results name a browser's page: on a line of its own (known browsers), never (other known servers), or as a claim in
 * the text (unknown servers).
 */
export type PageTelling = 'stated' | 'never' | 'claimed'
const STATED_PAGE = /^(?:- )?Page URL: (\S+)\s*$/gm
const CLAIMED_PAGE = /\b(?:page|current) url\W{1,6}(https?:\/\/[^\s"'<>)]+)/gi
/** The page of a browser that named different ones. */
export const UNKNOWN_PAGE = ''

/** Steps on a page are counted separately from other calls that send. */
type Counted = Power | 'steps'

interface Known {
  by: number
  /** The person typed it; allowing a call with it is not enough. */
  typed: boolean
  /** Servers whose results had it, as bits. From the 31st on they share one bit that belongs to none. */
  servers: number
  /** Servers that had it as an entry and not within sentences, as bits. */
  listed: number
  /** Places that had it, as bits. */
  places: number
  /** The first call with it, by source. */
  privateFrom: string | undefined
  strangerFrom: string | undefined
  /** Its line in the latest result, for words that look like references. */
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
  /** It read files alone whose names the person typed. */
  readonly named?: true
}

/**
 * The words of a conversation with their sources, so that the time for a verdict does not grow with the number of messages. Rebuilt from
 * the messages when a conversation is opened.
 */
export class ConversationProvenance {
  readonly #words = new Map<string, Known>()
  /** Two words that the person wrote or agreed to side by side; true where they typed them. */
  readonly #pairs = new Map<string, boolean>()
  readonly #bits = new Map<string, number>()
  readonly #places = new Map<string, string>()
  readonly #counts = new Map<Power, number>()
  readonly #turn = new Map<Counted, number>()
  readonly #secrets = new Set<string>()
  /** Keys of this turn's calls before the first denial. */
  readonly #ran = new Set<string>()
  #denied = false
  /** Hosts and recipients of denied calls, until a call to them is allowed. */
  readonly #deniedTo = new Set<string>()
  /** More were denied than are kept, so that any may be one of them. */
  #deniedMore = false
  readonly #private: Reading[] = []
  readonly #where: { readonly server: string; readonly values: Values }[] = []
  readonly #strange: (Source & { readonly server: string })[] = []
  /** Servers that were first read while no other server had brought in untrusted content. */
  readonly #first = new Set<string>()
  /** Arguments for which the person named an item, and those for which they allowed another one. */
  readonly #chosen = new Map<string, 'value' | 'name'>()
  readonly #opened = new Map<string, Set<string>>()
  /** The arguments that had a number, by server. */
  readonly #numbers = new Map<string, Set<string>>()
  /** By tool: what the calls had that the person allowed. */
  readonly #agreed = new Map<string, (readonly Touch[])[]>()
  /** Read or written database tables, by server. */
  readonly #tables = new Map<string, Set<string>>()
  /** Places in the lists of known servers. More than can be recorded are of no kind. */
  readonly #listedPlaces = new Map<string, string | undefined>()
  /** The place that has a name alone; none where several have it. */
  readonly #called = new Map<string, string | undefined>()
  /** The names that servers gave items, by server and identifier. */
  readonly #names = new Map<string, string>()
  /** The item that has a word in its name alone; none where several have it. */
  readonly #named = new Map<string, string | undefined>()
  /** The words of the person's last message, and the items that they agreed to since. */
  #message: ReadonlySet<string> = new Set()
  #lastMessage = ''
  readonly #meant = new Map<string, string>()
  readonly #actedOn = new Set<string>()
  #meantMore = false
  #overflown = false
  #morePrivate = 0

  /** The first reading of untrusted content, preferably of another server than `beside`, since two sources explain more. */
  firstUntrustedSource(beside?: string): Source | undefined {
    return this.#strange.find(({ server }) => server !== beside) ?? this.#strange[0]
  }

  /** The first private reading at another server or place than that of a call. */
  privateDataFromElsewhere(server: string, values: Values): Reading | undefined {
    return this.#private.find((reading) => reading.server !== server || conflict(reading.values, values))
  }
  /** True if private data of other servers and untrusted content were both read. */
  mixesPrivateAndUntrusted(server: string): boolean {
    return this.#strange.length > 0 && this.privateDataFromElsewhere(server, NO_VALUES) !== undefined
  }
  /** More was read than recorded, so no word is certainly the person's alone. */
  get hasOverflowed(): boolean {
    return this.#overflown
  }

  /** A message of the person starts a turn. */
  addMessage(message: string): void {
    // Many languages decline an identifier: `E5-öt`.
    const text = message.replace(DECLINED, '$& $1 ').replace(TURNED_ROUND, ' ')
    this.#turn.clear()
    this.#ran.clear()
    this.#denied = false
    this.#message = new Set(wordsIn(text).map(key))
    this.#lastMessage = text
    this.#meant.clear()
    this.#meantMore = false
    this.#add(text, { by: PERSON, typed: true, servers: 0, places: 0 })
    this.#pair(text, true)
  }

  /** The person agreed to a value, which counts as theirs from now on. */
  addAgreedValue(value: string): void {
    this.#add(value, { by: PERSON, typed: false, servers: 0, places: 0 })
    this.#pair(value, false)
  }

  /** `powers` are those of the call. */
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
    const known = this.#strange.some((one) => one.server === server && (one.named ?? false) === (source.named ?? false))
    if (strange && this.#strange.length < MAX_READINGS && !known) this.#strange.push({ ...source, server })
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
      for (const [id, name] of namedItemsIn(text)) {
        if (this.#names.size >= MAX_NAMED_ITEMS) break
        this.#nameItem(server, `${server}\n${id}`, name)
      }
    }
    this.#readPage(server, texts, page)
  }

  #nameItem(server: string, at: string, name: string): void {
    this.#names.set(at, name)
    for (const word of new Set(wordsIn(name).map((one) => `${server}\n${key(one)}`))) {
      if (this.#named.size >= MAX_WORDS) return
      this.#named.set(word, this.#named.has(word) && this.#named.get(word) !== at ? undefined : at)
    }
  }

  /** True if the person typed a word of the name that the server gave this item: the cards “Hat” and “Cape” in “hat and cape are back”. */
  isCalled(server: string, id: string): boolean {
    return wordsIn(this.#names.get(`${server}\n${id}`) ?? '').some((word) => word.length > 2 && this.isTyped(word))
  }

  /** The person agreed to this item since their last message. */
  markMeant(server: string, id: string): void {
    if (this.meansAnother(server, id)) this.#meantMore = true
    const at = `${server}\n${id}`
    const name = this.#names.get(at)
    if (name !== undefined) this.#meant.set(at, name)
  }
  /**
   * True if the last message names an item that was agreed to since, and not this one: by none of the words of its name, or by such as
   * both have, as of “Behrens, Ute” and “Behrens, Uwe”. Once they agreed to another all the same, they mean several.
   */
  meansAnother(server: string, id: string): boolean {
    const at = `${server}\n${id}`
    const name = this.#names.get(at)
    if (this.#meantMore || name === undefined || this.#meant.has(at)) return false
    const words = this.#saidOf(name)
    return [...this.#meant].some(([other, called]) => {
      const own = other.startsWith(`${server}\n`) ? this.#saidOf(called) : []
      return own.length > 0 && words.every((word) => own.includes(word))
    })
  }
  /** The words of a name that the last message has. */
  #saidOf(name: string): readonly string[] {
    return wordsIn(name).flatMap((word) => (word.length > 2 && this.#message.has(key(word)) ? [key(word)] : []))
  }

  /** The person allowed this tool a call with this item. */
  markActedOn(server: string, tool: string, id: string): void {
    if (this.#actedOn.size < MAX_NAMED_ITEMS) this.#actedOn.add(`${server}\n${tool}\n${id}`)
  }
  isActedOn(server: string, tool: string, id: string): boolean {
    return this.#actedOn.has(`${server}\n${tool}\n${id}`)
  }

  addListedPlace(server: string, { kind, id, name }: ListedPlace): void {
    if (this.#listedPlaces.size >= MAX_LISTED_PLACES) {
      // One of the places that are left out may have any of the names.
      this.#called.clear()
      return
    }
    const key = listedKey(server, kind, id)
    this.#listedPlaces.set(key, name)
    if (name === undefined) return
    const called = listedKey(server, kind, name)
    const isFree = !this.#called.has(called) || this.#called.get(called) === key
    this.#called.set(called, isFree ? key : undefined)
  }
  /** True if the server's own list had it as this kind. */
  isListedPlace(server: string, kind: PlaceKind, id: string): boolean {
    return this.#listedPlaces.has(listedKey(server, kind, id))
  }
  /** The name of a listed place; undefined where another place of the server has it, too. */
  nameOfPlace(server: string, kind: PlaceKind, id: string): string | undefined {
    const key = listedKey(server, kind, id)
    const name = this.#listedPlaces.get(key)
    return name !== undefined && this.#called.get(listedKey(server, kind, name)) === key ? name : undefined
  }

  /** A model got text that was not fully read here, so no word is certainly the person's alone. */
  markIncomplete(): void {
    this.#overflown = true
  }

  /** A web page can contain such a line, too: different ones make the page unknown, and so does any change with an unknown browser. */
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

  /** True if no untrusted content of other servers came before the first reading of this one, so none can have caused it. */
  isFirst(server: string): boolean {
    return this.#first.has(server) || this.isAlone(server)
  }
  /** True if no other server has brought in untrusted content. */
  isAlone(server: string): boolean {
    return !this.#strange.some((one) => one.server !== server)
  }

  /** True if all untrusted content of other servers was in files that the person named. */
  hasReadOnlyNamedFiles(server: string): boolean {
    return this.#strange.every((one) => one.server === server || one.named)
  }

  /** Counts an allowed call for the guards with limits. */
  countUse(powers: Iterable<Power>, onPage = false): void {
    for (const power of powers) {
      this.#counts.set(power, (this.#counts.get(power) ?? 0) + 1)
      this.countInTurn(power, onPage)
    }
  }
  countInTurn(power: Power, onPage = false): void {
    const counted = onPage && power === 'sends' ? 'steps' : power
    this.#turn.set(counted, (this.#turn.get(counted) ?? 0) + 1)
  }

  /** Records an allowed call, unless one was denied before in this turn. */
  recordRun(call: string): void {
    if (!this.#denied) this.#ran.add(call)
  }
  hasRun(call: string): boolean {
    return this.#ran.has(call)
  }

  /** Restarts the counts of a turn after the person allowed one more call. */
  resetTurnCounts(powers: Iterable<Power>): void {
    for (const power of powers) this.#turn.set(power, 0)
    this.#turn.set('steps', 0)
  }

  /** A call ran for an item that the person had named in this argument, by its value or by its name. */
  markChosen(server: string, argument: string, by: 'value' | 'name'): void {
    const at = `${server}\n${argument}`
    if (by === 'value' || !this.#chosen.has(at)) this.#chosen.set(at, by)
  }
  /** A call ran with this number in this argument. */
  markNumber(server: string, argument: string, value: string): void {
    const key = `${server}\n${value}`
    this.#numbers.set(key, (this.#numbers.get(key) ?? new Set()).add(argument))
  }
  /** True unless calls have had this number in other arguments alone. */
  isForArgument(server: string, argument: string, value: string): boolean {
    return this.#numbers.get(`${server}\n${value}`)?.has(argument) ?? true
  }
  /** The person allowed a call of a tool. */
  markAgreed(server: string, tool: string, touches: readonly Touch[]): void {
    const at = `${server}\n${tool}`
    const calls = this.#agreed.get(at)
    if (calls && calls.length < MAX_AGREED) calls.push(touches)
    else if (!calls && this.#agreed.size < MAX_NAMED_ITEMS) this.#agreed.set(at, [touches])
  }
  /** The calls of a tool that the person allowed; none if there are more than are recorded. */
  agreedCalls(server: string, tool: string): readonly (readonly Touch[])[] {
    const calls = this.#agreed.get(`${server}\n${tool}`) ?? []
    return calls.length < MAX_AGREED ? calls : []
  }
  /** The order in which the last message has these values side by side. Each stands there as it is, or by a name that the server gave it alone. */
  dictatedOrder(server: string, values: readonly string[]): readonly number[] | undefined {
    return dictatedOrder(
      this.#lastMessage,
      values.map((value) => [...spellingsOf(value), ...this.#ownNameOf(server, value)]),
    )
  }
  /** The values that the last message enumerates with this one. */
  listedBeside(value: string): readonly string[] {
    return listedBeside(this.#lastMessage, value)
  }
  /** The words of an item's name that the last message has, and that no other item of the server has in its name. */
  #ownNameOf(server: string, id: string): readonly string[] {
    const at = `${server}\n${id}`
    const isFull = this.#names.size >= MAX_NAMED_ITEMS || this.#named.size >= MAX_WORDS
    if (isFull) return []
    return this.#saidOf(this.#names.get(at) ?? '').filter((word) => this.#named.get(`${server}\n${word}`) === at)
  }
  /** The person allowed an item that they had not named, to be read or to be changed. */
  markUnnamedAllowed(server: string, argument: string, value: string, changes: boolean): void {
    const at = `${server}\n${argument}\n${changes}`
    this.#opened.set(at, (this.#opened.get(at) ?? new Set()).add(containerOf(value)))
  }
  /** The way in which the person named an item for this argument. Undefined if they did not, or once they allowed an unnamed item of the same folder. */
  chosenBy(server: string, argument: string, value: string, changes: boolean): 'value' | 'name' | undefined {
    const at = `${server}\n${argument}`
    const isOpen = [true, changes].some((one) => this.#opened.get(`${at}\n${one}`)?.has(containerOf(value)))
    return isOpen ? undefined : this.#chosen.get(at)
  }

  /** Records the tables of a statement. */
  readTables(server: string, tables: readonly string[]): void {
    if (tables.length > 0) this.#tables.set(server, new Set([...(this.#tables.get(server) ?? []), ...tables]))
  }
  /** Undefined without a statement so far. */
  tablesOf(server: string): ReadonlySet<string> | undefined {
    return this.#tables.get(server)
  }

  /** After a denial, grave calls need a question for the rest of the turn. */
  recordDenial(to: readonly string[] = []): void {
    this.#denied = true
    for (const one of to) {
      if (this.#deniedTo.size < MAX_DENIED) this.#deniedTo.add(one)
      else this.#deniedMore = true
    }
  }
  /** The person allowed a call to this host or recipient. */
  markAllowedTo(one: string): void {
    this.#deniedTo.delete(one)
  }
  /** True if the person denied a call to this host or recipient, and neither wrote it nor allowed one since. */
  isDenied(one: string | undefined): boolean {
    return one !== undefined && (this.#deniedMore || this.#deniedTo.has(one)) && !this.isTyped(one)
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
  /** The current page of a browser; UNKNOWN_PAGE if uncertain, undefined if it named none. */
  pageOf(server: string): string | undefined {
    return this.#places.get(server)
  }

  /** The sources of a word as bits; 0 for an unknown word. The person’s for a name of several words, if they wrote these side by side. */
  sourcesOf(word: string): number {
    return this.#known(word)?.by ?? (this.#isName(word, false) ? PERSON : 0)
  }
  isTyped(word: string): boolean {
    return this.#known(word)?.typed ?? this.#isName(word, true)
  }
  firstCallsWith(word: string): { readonly privateFrom?: string | undefined; readonly strangerFrom?: string | undefined } {
    return this.#known(word) ?? {}
  }
  /** True if a result of this server had the word. */
  saidByServer(word: string, server: string): boolean {
    return ((this.#known(word)?.servers ?? 0) & (this.#bits.get(server) ?? 0)) !== 0
  }
  /** True if this server had the word as an entry, not only within sentences. */
  isListed(word: string, server: string): boolean {
    return ((this.#known(word)?.listed ?? 0) & (this.#bits.get(server) ?? 0)) !== 0
  }
  /** True if the word came from this server, and possibly from this place, so that sending it there reveals nothing. */
  saidAt(word: string, server: string, values: Values): boolean {
    const places = this.#known(word)?.places ?? 0
    return (
      places !== 0 &&
      this.#where.some((place, n) => (places & (1 << n)) !== 0 && place.server === server && !conflict(place.values, values))
    )
  }
  /** True if the word came from this very place of the server, where those who hear it could read it. */
  saidInPlace(word: string, server: string, values: Values): boolean {
    const places = this.#known(word)?.places ?? 0
    return (
      values.size > 0 &&
      this.#where.some(
        (place, n) =>
          (places & (1 << n)) !== 0 &&
          place.server === server &&
          [...values].every(([name, value]) => place.values.get(name) === value),
      )
    )
  }
  /** The number of private readings. A rule that sets a guard aside covers only those so far. */
  get readings(): number {
    return this.#private.length + this.#morePrivate
  }
  /** The line of a reference in its latest result. */
  lineOf(word: string): string | undefined {
    return this.#known(word)?.line
  }
  /** True if a result had keys or tokens. */
  get hasSecrets(): boolean {
    return this.#secrets.size > 0
  }
  isSecret(word: string): boolean {
    return this.#secrets.has(word)
  }

  #pair(text: string, typed: boolean): void {
    for (const pair of pairsIn(text.slice(0, MAX_TEXT_LENGTH))) {
      if (this.#pairs.size >= MAX_WORDS) return
      this.#pairs.set(pair, typed || this.#pairs.get(pair) === true)
    }
  }
  #isName(value: string, typed: boolean): boolean {
    if (value.length > LONGEST_NAME || !value.includes(' ')) return false
    const pairs = pairsOf(key(value).split(QUOTES).filter(Boolean))
    return pairs.length > 0 && pairs.every((pair) => (typed ? this.#pairs.get(pair) === true : this.#pairs.has(pair)))
  }

  /** Tries the word as it is first, since most are in lower case. */
  #known(word: string): Known | undefined {
    const known = this.#words.get(word)
    if (known) return known
    const lower = key(word)
    return lower === word ? undefined : this.#words.get(lower)
  }

  /** From the 31st on, places share one bit that belongs to none. */
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

  /** Expects that `#add` has recorded the words. */
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

/** The pairs of words in the lines of a message, without marks of emphasis. */
const pairsIn = (text: string) =>
  key(text)
    .split(/[\n\r()[\]{}]/)
    .flatMap((part) => pairsOf(part.split(QUOTES).flatMap((word) => bare(word, EMPHASIS) || [])))

/** Each two words side by side, with what stands between them: `mill square`, `dr. brandt`, `hat, cape`. */
const pairsOf = (words: readonly string[]) => words.slice(1).map((word, n) => `${words[n]} ${bare(word, ENDS)}`)
/** No name has a longer word, in which signs take long to look for. */
const bare = (word: string, signs: RegExp) => (word.length > LONGEST_NAME ? word : word.replace(signs, ''))
const QUOTES = /[\s"'`“”„«»‘’]+/u
const ENDS = /[.,:;!?]+$/
const EMPHASIS = /^[*_]+|[*_]+(?=[.,:;!?]*$)/g

/** Splits a result into the names and values of its JSON, or into lines. */
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
  // An error costs more than all else for a short text.
  if (!/^\s*[[{"]/.test(text)) return text.split('\n')
  try {
    gather(parseJson(text) as JsonValue)
    return entries
  } catch {
    return text.split('\n')
  }
}

/** The identifiers and names of the objects in a JSON text. */
function namedItemsIn(text: string): readonly (readonly [id: string, name: string])[] {
  if (!/^\s*[[{]/.test(text) || text.length > MAX_TEXT_LENGTH) return []
  const found: (readonly [string, string])[] = []
  // A list of its own, since a server may nest deeper than calls can.
  const open: (JsonValue | undefined)[] = [jsonIn(text)]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    for (const one of Object.values(value)) open.push(one)
    if (Array.isArray(value)) continue
    const { id } = value
    const name =
      [value.name, value.title, value.subject].find((one) => typeof one === 'string') ??
      Object.values(value).find((one) => typeof one === 'string' && one !== id)
    if (typeof name === 'string' && name.length <= LINE && (typeof id === 'string' || typeof id === 'number'))
      found.push([String(id), name])
  }
  return found
}

/** Characters after an override of their direction, which the person saw in another order. */
const TURNED_ROUND = /[\u202d\u202e][^\n\u202c]*/g
const DECLINED = /(?<![\p{L}\p{N}-])(\p{L}{0,4}\d{1,12})[-‐-‑]\p{Ll}{1,5}(?![\p{L}\p{N}-])/gu

/** The folder of `notes/ida.md`; empty for an identifier. */
const containerOf = (item: string) => item.slice(0, item.lastIndexOf('/') + 1)

/** True for sentences, which may contain instructions for a model. */
const isProse = (entry: string) => /[.!?](?:\s|$)/.test(entry) && (entry.match(/\p{L}{2,}/gu)?.length ?? 0) > 6

/** True if an argument has different values. */
function conflict(a: Values, b: Values): boolean {
  for (const [name, value] of a) if (b.has(name) && b.get(name) !== value) return true
  return false
}
const same = (a: Values, b: Values) => a.size === b.size && [...a].every(([name, value]) => b.get(name) === value)
