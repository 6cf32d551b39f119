import { nearnessOf } from '../../src-shared/base/hosts.ts'
import { canonicalJson, isObject, type JsonObject } from '../../src-shared/base/json.ts'
import { type PlaceKind, POWERS, type Power, type SaidBy, type Touch } from '../../src-shared/contract/consent.ts'
import type { JsonSchemaObject } from '../../src-shared/mcp/primitives.ts'
import { identifies, isQuantity, isWritten, type Leaf, leavesOf, recipientsIn } from './arguments.ts'
import { knownPlaces, knownPowers, recordsOnly, writesFile } from './known/known-servers.ts'
import { memoized } from './memoized.ts'
import { CHANGES, LOOKS, OBJECTS, READS, wordSet, wordsOf } from './names.ts'
import {
  actsOf,
  isDoing,
  isGuessed,
  isToldToRead,
  isUnknown,
  isVouched,
  type JudgedPowers,
  type JudgedTool,
  powersOf,
} from './powers.ts'
import { type ConversationProvenance, PERSON, PRIVATE, STRANGER } from './provenance.ts'
import { onlyUpdates } from './query-operators.ts'
import { computesOnly, hasFormulaCells, isFormula } from './read-formula.ts'
import { formatsOnly } from './read-markup.ts'
import { fullPath, looksLikePath, type PathFacts, workingFolder } from './read-path.ts'
import { readShell } from './read-shell.ts'
import { looksLikeSql, readSql } from './read-sql.ts'
import { argumentKind, isChoice, lowered } from './touches.ts'
import { dictatedRow, mayVary, variesAlone } from './varying.ts'
import { joinedIn, wordsIn } from './words.ts'

/** A call as the engine reads it. Other arguments make another act. */
export interface Act {
  readonly tool: JudgedTool
  readonly args: JsonObject
  /** The powers of this call, sorted as POWERS. */
  readonly powers: readonly Power[]
  readonly known: JudgedPowers['from']
  readonly touches: readonly Touch[]
  /** The names of its arguments that hold something. */
  readonly form: readonly string[]
  /** Values that the last message enumerates with one of this call. */
  readonly beside?: readonly { readonly argument: string; readonly value: string }[]
  /** Texts that it would send. */
  readonly carries: readonly string[]
  /** It certainly sends something. Otherwise `sends` only means that a change may reach others. */
  readonly tells: boolean
  /** It only adds to a Git repository whose configuration runs no program. */
  readonly records?: true
  /** It would count as sending if its server had a network. */
  readonly unsent?: true
  /** Why it cannot be judged, and so gets no rule. */
  readonly unread?: string
}

/** Equal for the same tool with equal arguments in any order. */
export const callKey = ({ tool, args }: Act) => `${tool.serverId}\n${tool.name}\n${canonicalJson(args)}`

/** The arguments with a list of choices that a call leaves to a tool for which nobody vouches. */
export function choicesLeftOut({ tool, known, form }: Act): readonly string[] {
  if (isVouched(known)) return []
  const declared = Object.entries(tool.inputSchema.properties ?? {})
  return declared.flatMap(([name, one]) => (isObject(one) && Array.isArray(one.enum) && !form.includes(name) ? name : []))
}

export interface ReadingFacts extends PathFacts {
  readonly seen: ConversationProvenance
  /** The folder that relative paths of this server start from. */
  readonly base?: string
}

/** Reads the powers, places and data of a call. Pure, and the only place that interprets arguments. */
export function readAct(tool: JudgedTool, args: JsonObject, facts: ReadingFacts): Act {
  const { powers: can, from: known } = powersOf(tool)
  const leaves = leavesOf(args, tool.inputSchema)
  if (!leaves) {
    const able = POWERS.filter((power) => can.has(power) || (known !== 'published' && power !== 'spends'))
    const unsent = tool.offline === 'alone' && able.includes('sends')
    return {
      tool,
      args,
      powers: unsent ? able.filter((power) => power !== 'sends') : able,
      known,
      touches: [],
      form: [],
      tells: tool.offline !== 'alone',
      ...(unsent && { unsent }),
      carries: [JSON.stringify(args).slice(0, 100_000)],
      unread: 'The arguments are too many or too deep to check.',
    }
  }
  // A tool may ignore a folder that its schema does not have.
  const cwd = workingFolder(args, tool.inputSchema.properties ?? {}, facts, facts.base)
  const reading = new Reading(tool, new Set(can), known, facts, cwd, formOf(leaves))
  // `command` and `args` are judged as one command line.
  for (const leaf of joinedCommands(inOneOrder(leaves))) reading.take(leaf)
  return reading.act(args)
}

/** Arguments that show the effect of a call. The others are read by it, so they come after. */
const TELLING: ReadonlySet<Leaf['role']> = new Set(['shell', 'sql', 'code', 'option', 'url', 'path'])

/** The same for every order of members; the order in a list is the model's. */
function inOneOrder(leaves: readonly Leaf[]): readonly Leaf[] {
  if (leaves.length < 2) return leaves
  const ranked = leaves.map((leaf) => ({ leaf, key: `${TELLING.has(leaf.role) ? 0 : 1}${argumentKind(leaf.argument)}` }))
  return ranked.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ leaf }) => leaf)
}

const formOf = (leaves: readonly Leaf[]) =>
  [
    ...new Set(
      leaves.flatMap(({ argument, role }) =>
        role === 'conditions' || role === 'cleared' ? [] : (argument.split(/[.[]/, 1)[0] ?? ''),
      ),
    ),
  ].sort()

function joinedCommands(leaves: readonly Leaf[]): readonly Leaf[] {
  const command = leaves.find((leaf) => leaf.role === 'shell' && leaf.argument !== 'script')
  if (!command) return leaves
  const rest = leaves.filter((leaf) => /^(?:args|arguments|argv|params)(?:\[\d+\])?$/.test(leaf.argument))
  if (rest.length === 0) return leaves
  const line = [
    command.value,
    ...rest.map(({ argument, value }) => (argument.endsWith(']') ? quoted(String(value)) : value)),
  ].join(' ')
  return [...leaves.filter((leaf) => leaf !== command && !rest.includes(leaf)), { ...command, value: line }]
}

const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** True for the tool of a known server that only makes a folder. */
export const makesFolder = ({ published, name }: JudgedTool) =>
  name === 'create_directory' && knownPowers(published, name)?.join() === 'changes'

class Reading {
  readonly #tool: JudgedTool
  readonly #facts: ReadingFacts
  readonly #known: JudgedPowers['from']
  readonly #powers: Set<Power>
  /** Powers that an argument showed. */
  readonly #added = new Set<Power>()
  readonly #touches: Touch[] = []
  readonly #form: readonly string[]
  readonly #carries: string[] = []
  /** Judged by all powers of the call, whatever the order of its arguments. */
  readonly #numbers: [argument: string, value: string][] = []
  /** Queries and conditions: they choose the things that a change acts on. */
  readonly #chosenBy: Touch[] = []
  /** Arguments that empty what was there: a rule for a change covers only those that it was made with. */
  readonly #cleared: Touch[] = []
  /** Arguments with a text. */
  readonly #texts: [argument: string, value: string][] = []
  /** The folder of commands, if the call names one. */
  readonly #cwd: string | undefined
  /** Names that the model gives the element of a page. */
  readonly #called: string[] = []
  #unread: string | undefined
  #recipients = false
  #records = false
  #sum = false

  constructor(
    tool: JudgedTool,
    powers: Set<Power>,
    known: JudgedPowers['from'],
    facts: ReadingFacts,
    cwd: string | undefined,
    form: readonly string[],
  ) {
    this.#form = form
    this.#cwd = cwd
    this.#tool = tool
    this.#powers = powers
    this.#known = known
    this.#facts = facts
  }

  #add(power: Power): void {
    this.#powers.add(power)
    this.#added.add(power)
  }

  /** Powers that are read for sure replace the guess by the tool's name, and nothing that another argument showed. */
  #narrow(...powers: readonly Power[]): void {
    for (const power of powers) if (!this.#added.has(power)) this.#powers.delete(power)
  }

  take({ argument, role, value }: Leaf): void {
    if (writesFile(this.#tool.published, argument)) this.#add('changes')
    if (role === 'amount' && SUM.test(argument)) this.#sum = true
    // An argument of any text may choose what the call does, too.
    if (typeof value === 'string' && SWITCHES.test(argument)) for (const act of actsOf(value)) this.#add(act)
    if (typeof value !== 'string') this.#takePlain(argument, role, value)
    else if (role === 'code') this.#operator(argument, value)
    else if (role === 'path') this.#path(argument, value)
    else if (role === 'url') this.#url(argument, value)
    else if (role === 'recipient') this.#recipient(argument, value)
    else if (role === 'sql') this.#sql(argument, value)
    else if (role === 'shell') this.#shell(argument, value)
    else if (role === 'item' && !MAY_BE_OPTION.test(value)) this.#item(argument, value)
    else if (role === 'amount') this.#amount(argument, value)
    else if (role === 'option') this.#option(argument, value)
    else if (role === 'naming') {
      this.#acts(value)
      this.#called.push(value)
      // Known browsers alone only describe with it what another argument identifies.
      if (this.#known !== 'published') this.#unknown(argument, value)
    } else if (role === 'content') this.#content(argument, value)
    else if (role === 'query' && looksLikeSql(value)) this.#sql(argument, value)
    else if (role === 'query') this.#query(argument, value)
    else if (role === 'conditions') this.#chosenBy.push({ is: 'value', argument, value })
    else if (role === 'cleared') this.#cleared.push({ is: 'option', argument, value })
    else if (MAY_BE_OPTION.test(value) && role !== 'number') this.#place(argument, value)
    else if (role === 'unknown') this.#unknown(argument, value)
    else if (role === 'place-item') this.#placeItem(argument, value)
    else if (role !== 'number') this.#place(argument, value)
    else this.#numbers.push([argument, value])
  }

  /** Numbers that may identify something are places, and so is each number in a change, but those that are meant. */
  #addNumbers(): void {
    const changes = isGuessed(this.#known) && !this.#mild
    const known = this.#known === 'published' && !this.#mild && !this.#searches()
    for (const [argument, value] of this.#numbers) {
      if (this.#isExact(argument, value)) this.#place(argument, value, true)
      else if ((changes || known) && this.#isMeant(argument, value)) this.#touches.push({ is: 'item', argument, value })
      else if (changes) this.#place(argument, value, true)
      else if (known && !isWritten(argument)) this.#touches.push({ is: 'text', argument, value, fixed: true })
    }
  }

  /** True for a number that names one of several and that the server listed or the person wrote, not for another argument. */
  #isMeant(argument: string, value: string): boolean {
    const { seen } = this.#facts
    if (!identifies(argument) || !seen.isForArgument(this.#tool.serverId, argumentKind(argument), value)) return false
    return this.#lists(value) || (seen.sourcesOf(value) & PERSON) !== 0
  }

  /** True for a number that may identify something. Amounts, counts and times do not, unless something is destroyed or paid. */
  #isExact(argument: string, value: string): boolean {
    if (isUnknown(this.#known) || this.#powers.has('destroys') || this.#powers.has('spends')) return true
    if (!WHICH.test(value) || COUNTS.has(wordsOf(argument).at(-1) ?? '')) return false
    if (isToldToRead(this.#known)) return this.#mild && (this.#facts.seen.sourcesOf(value) & PERSON) === 0
    return this.#isUnasked(value)
  }

  #content(argument: string, value: string): void {
    this.#carries.push(value)
    if (this.#isCode(value)) this.#code(argument, value)
    this.#formula(argument, value)
    this.#search(argument, value)
    // By its schema, a tool that is told to read takes no text.
    if (this.#known === 'told') this.#add('changes')
    const isMember = this.#known === 'published' && argument.includes('.')
    this.#texts.push([argument, value])
    // A thing to delete may be known by its name only.
    if (argument === 'name' && this.#powers.has('destroys')) this.#place(argument, value)
    // An entry of a batch names what it changes.
    if (isMember && identifies(argument)) this.#item(argument, value)
    else if (isMember && this.#isStrangersChoice(value)) this.#place(argument, value)
  }

  /** True for a short value that only a stranger's sentence has: a rule for other entries does not mean it. */
  #isStrangersChoice(value: string): boolean {
    const { seen } = this.#facts
    const words = value.length <= 64 ? wordsIn(value) : []
    return (
      words.length > 0 &&
      words.every((word) => {
        const by = seen.sourcesOf(word)
        return (by & STRANGER) !== 0 && (by & PERSON) === 0 && !seen.isListed(word, this.#tool.serverId)
      })
    )
  }

  /** A spreadsheet loads addresses and runs programs by formulas, as soon as the file is opened. */
  #formula(argument: string, value: string): void {
    const isTable = this.#touches.some((touch) => TABLE_FILE.test(touch.value))
    if (
      this.#touches.some((touch) => PAGE_FILE.test(touch.value)) &&
      !/(?:^|\.)old/i.test(argument) &&
      !formatsOnly(value, !argument.includes('.'))
    )
      this.#unread ??= `The markup in “${argument}” may do more than format.`
    if (isTable ? hasFormulaCells(value) : isFormula(value) && !computesOnly(value))
      this.#unread ??= `The formula in “${argument}” may do more than compute.`
  }

  /** At a reading tool that nobody vouches for, a text that is not only words may load an address or do something: `fetch:https://…`. */
  #search(argument: string, value: string): void {
    if (isGuessed(this.#known) && this.#mild && !isPlainSearch(value)) this.#touches.push({ is: 'value', argument, value })
  }

  /** A rule covers other texts only in arguments that are written, and if nobody knows their effect only where it was made with one. */
  #textArguments(): void {
    if (!isUnknown(this.#known) && this.#mild) return
    for (const [where, value] of this.#texts) {
      const argument = argumentKind(where)
      const written = isWritten(argument)
      if (this.#touches.some((touch) => touch.argument === (written ? argument : where))) continue
      // A rule for any text means no other date or number, and no key that sends the form of a page.
      const exact =
        (isUnknown(this.#known) && isQuantity(value)) ||
        (isGuessed(this.#known) && FIGURES.test(value)) ||
        (this.#fills() && /[\t\r\n]/.test(value))
      const free = written && !isUnknown(this.#known) ? { dictated: true as const } : {}
      if (isPlainText(argument) && !exact && this.#isDictated(value))
        this.#touches.push({ is: 'text', argument, value, fixed: true, ...free })
      else if (!written || exact) this.#touches.push({ is: 'text', argument, value, fixed: true })
      else if (isUnknown(this.#known) || !(isPlainText(argument) || this.#isDeclared(argument)))
        this.#touches.push({ is: 'text', argument, value: '' })
      // A rule for one text of the person's does not mean any.
      else if (this.#powers.has('sends')) this.#touches.push({ is: 'text', argument, value: '', ...free })
    }
  }

  /** True for a text that the person wrote in a message: to others, it is that text which they let go. */
  #isDictated(value: string): boolean {
    const { seen } = this.#facts
    return (
      this.#powers.has('sends') && !this.#isOnPage() && value.length <= MAX_DICTATED && /\s/.test(value) && seen.isTyped(value)
    )
  }

  /** A published browser's tool that acts on the page it shows. */
  #fills(): boolean {
    return this.#known === 'published' && this.#powers.has('brings-in') && this.#powers.has('sends')
  }

  #isOnPage(): boolean {
    return this.#touches.some(({ is, argument }) => is === 'host' && argument === 'page')
  }

  #isDeclared(argument: string): boolean {
    return this.#known === 'published' && declares(this.#tool.inputSchema, argument)
  }

  act(args: JsonObject): Act {
    const powers = this.#powers
    if (isGuessed(this.#known) && setsWhatItIsNamedFor(this.#tool.name, Object.keys(args))) this.#add('changes')
    this.#page()
    this.#misnamed()
    const { offline } = this.#tool
    const tells = powers.has('sends') || this.#recipients
    // A change on another computer may notify people there.
    const vouched = this.#known === 'published' || this.#known === 'protocol'
    const closed = this.#known === 'trusted-hints' && !this.#tool.hints.openWorld
    const elsewhere = !vouched && !closed && !this.#isLocal()
    if ((powers.has('changes') && (elsewhere || this.#recipients)) || (this.#known === 'told' && this.#recipients))
      this.#add('sends')
    // A sum with a recipient is a payment, whatever the tool's name.
    if (powers.has('changes') && !vouched && this.#sum && this.#recipients) this.#add('spends')
    if (!this.#mild) this.#touches.push(...this.#cleared)
    if (!this.#mild && !this.#searches()) this.#touches.push(...this.#chosenBy)
    this.#addNumbers()
    this.#textArguments()
    this.#addVarying()
    const beside = this.#beside()
    // In a folder of the person's, it could leave its text for a program that sends it.
    const cannot = offline === 'alone'
    const unsent = cannot && powers.delete('sends')
    return {
      tool: this.#tool,
      args,
      powers: POWERS.filter((power) => powers.has(power)),
      known: this.#known,
      touches: this.#touches,
      form: this.#form,
      ...(beside.length > 0 && { beside }),
      carries: this.#carries,
      tells: tells && !cannot,
      ...(((this.#records && this.#onlyRuns()) || this.#isRecord()) && { records: true }),
      ...(unsent && { unsent }),
      ...(this.#unread !== undefined && { unread: this.#unread }),
    }
  }

  /** Marks values in whose place the person has allowed others: each alone, or as a row that they dictated. */
  #addVarying(): void {
    const { serverId, name } = this.#tool
    const calls = this.#facts.seen.agreedCalls(serverId, name)
    if (calls.length === 0 || !this.#mayVary) return
    const plain = [...this.#touches]
    const row = dictatedRow(plain, calls, (values) => this.#facts.seen.dictatedOrder(serverId, values))
    for (const [at, touch] of plain.entries()) {
      if (!isShortValue(touch)) continue
      const varies = row.includes(touch) ? 'person' : variesAlone(touch, plain, calls) && this.#namedBy(touch)
      if (varies) this.#touches[at] = { ...touch, varies }
    }
  }

  /** With two enumerations, a value of one could go with any of the other. */
  #beside(): readonly { argument: string; value: string }[] {
    if (!this.#mayVary) return []
    const lists = this.#touches.flatMap((touch) => {
      const values = isShortValue(touch) && !touch.varies ? this.#facts.seen.listedBeside(touch.value) : []
      return values.length > 0 ? [values.map((value) => ({ argument: touch.argument, value }))] : []
    })
    return lists.length === 1 ? (lists[0] ?? []) : []
  }

  /** Payments and deletions are allowed one by one. */
  get #mayVary(): boolean {
    return !this.#powers.has('spends') && (!this.#powers.has('destroys') || isUnknown(this.#known))
  }

  /** The one who named a value; undefined for sums, dates and what nobody named. */
  #namedBy({ argument, value }: Touch): SaidBy | undefined {
    const { seen } = this.#facts
    const last = wordsOf(argument).at(-1) ?? ''
    if (COUNTS.has(last) || (isQuantity(value) && !WHICH_LETTER.test(value) && !identifies(argument))) return undefined
    if (seen.isTyped(value)) return 'person'
    const words = wordsIn(value)
    // In a call that carries a text, the value may name its recipient.
    return this.#carries.length === 0 && words.length > 0 && words.every((word) => seen.isListed(word, this.#tool.serverId))
      ? 'server'
      : undefined
  }

  /** A published tool that brings in what its query finds, as a web search does. */
  #searches(): boolean {
    return (
      this.#known === 'published' &&
      this.#powers.has('brings-in') &&
      !this.#added.has('brings-in') &&
      !this.#powers.has('destroys')
    )
  }

  /** It has only a command and its folder, and no text that could change what the command does. */
  #onlyRuns(): boolean {
    return this.#carries.length === 0 && this.#touches.every(({ is }) => is === 'command' || is === 'path' || is === 'option')
  }

  /** A tool known only to record in the repository at a path, without a value that Git could take for an option. */
  #isRecord(): boolean {
    if (!recordsOnly(this.#tool.published, this.#tool.name)) return false
    const at = this.#touches.find((touch) => touch.is === 'path' && touch.argument === 'repo_path')
    const repository = at?.is === 'path' && at.path !== undefined ? this.#facts.repositories?.get(at.path) : undefined
    return (
      repository !== undefined &&
      this.#facts.hookless?.has(repository) === true &&
      this.#touches.every(({ value }) => !value.startsWith('-') && !/[\p{C}:]/u.test(value))
    )
  }

  /** It names only files, commands or tables on this computer. */
  #isLocal(): boolean {
    const here = ({ is }: Touch) => is === 'path' || is === 'command' || is === 'statement'
    return this.#touches.some(here) && this.#touches.every((touch) => here(touch) || touch.is === 'item' || isChoice(touch))
  }

  /** An action on a page reaches the page's site. */
  #page(): void {
    if (this.#mild || this.#touches.some(({ is }) => is === 'host') || !this.#powers.has('brings-in')) return
    const page = this.#facts.seen.pageOf(this.#tool.serverId)
    if (page === undefined) return
    const url = URL.parse(page)
    if (url?.host) this.#touches.push({ is: 'host', argument: 'page', value: page, host: url.host })
    else this.#unread ??= 'It is unclear which page this acts on.'
  }

  #takePlain(argument: string, role: Leaf['role'], value: number | boolean): void {
    if (role === 'amount' && this.#powers.has('spends')) {
      this.#touches.push({ is: 'amount', argument, value: String(value), amount: Number(value) })
    } else if (typeof value === 'boolean') {
      if (value) for (const act of actsOf(argument)) this.#add(act)
      this.#touches.push({ is: 'option', argument, value: String(value) })
    } else {
      this.#numbers.push([argument, String(value)])
      if (this.#known === 'published' && (role !== 'query' || this.#isWritten(argument)))
        this.#texts.push([argument, String(value)])
    }
  }

  #path(argument: string, value: string, base = this.#facts.base): void {
    const full = fullPath(value, this.#facts, base)
    if (full === undefined && value.length <= MAX_PATH_LENGTH && !looksLikePath(value) && !LEADS_AWAY.test(value)) {
      // Relative to a place that only the server knows, such as a repository.
      if (isGuessed(this.#known) || isUnknown(this.#known)) this.#item(argument, value)
      else this.#touches.push({ is: 'item', argument, value })
      return
    }
    const path = full === undefined ? undefined : this.#facts.resolved.get(full)
    const folder = path !== undefined && (this.#facts.folders?.has(path) || makesFolder(this.#tool))
    const plain = path !== undefined && this.#facts.plain?.has(path)
    this.#touches.push({
      is: 'path',
      argument,
      value,
      ...(path !== undefined && { path }),
      ...(folder && { folder }),
      ...(plain && { plain }),
    })
    if (path === undefined) this.#unread ??= `Where “${argument}” leads is unknown.`
    else if (FOREIGN_FILES.test(path) && this.#powers.has('reads')) this.#add('brings-in')
  }

  #url(argument: string, value: string): void {
    // A parser that drops what another keeps would read another host.
    const url = value.length > 8_192 || /[\s\\\p{C}]/u.test(value) ? null : URL.parse(value)
    if (!url || !WEB.has(url.protocol)) {
      this.#unread ??= `The address in “${argument}” cannot be read.`
      this.#touches.push({ is: 'value', argument, value })
      return
    }
    const whole = this.#facts.seen.sourcesOf(trimmed(value))
    const named = whole !== 0 && isOnInternet(url.hostname)
    this.#touches.push({ is: 'host', argument, value, host: url.host, ...(named && { named }) })
    if (url.username !== '' || url.password !== '') this.#unread ??= `The address in “${argument}” carries a name or password.`
    this.#add('brings-in')
    // A link may do something as soon as it is opened: `delete?confirm=1`.
    if ((whole & PERSON) === 0 && !(looksOnly(url) && stepsOnlyLook(url))) this.#add('changes')
    // An address that a result or the person gave in full carries nothing new.
    const made = (whole & ~PRIVATE) === 0 && carriesData(url, this.#facts.seen, this.#tool.serverId)
    if (made) this.#unread ??= `The address in “${argument}” contains data that nobody named.`
    if (made || (whole === 0 && this.#facts.seen.mixesPrivateAndUntrusted(this.#tool.serverId))) {
      this.#add('sends')
      this.#carries.push(value)
    }
  }

  #recipient(argument: string, value: string): void {
    // When only reading, the owner of a calendar or channel is a place.
    if (this.#mild && !value.includes('@')) {
      this.#place(argument, value)
      return
    }
    const all = recipientsIn(value)
    for (const written of all.length > 0 ? all : [value.trim()]) {
      const one = lowered(written)
      const kind = this.#kind(argument, one)
      this.#touches.push({ is: 'recipient', argument, value: one, ...(written !== one && { written }), ...kind })
    }
    this.#recipients = true
  }

  #sql(argument: string, value: string): void {
    const sql = readSql(value)
    this.#carries.push(value)
    if (!sql) {
      this.#unread ??= `The SQL in “${argument}” is not one plain statement.`
      for (const power of ['changes', 'destroys', 'sends'] as const) this.#add(power)
      this.#touches.push({ is: 'value', argument, value })
      return
    }
    this.#narrow('changes', 'destroys', 'sends')
    this.#add('reads')
    if (sql.verb !== 'SELECT') this.#add('changes')
    if (sql.verb === 'DELETE') this.#add('destroys')
    this.#touches.push({ is: 'statement', argument, value, verb: sql.verb, tables: sql.tables })
  }

  /** An operator of an update is what a change does; in a reading it would write. */
  #operator(argument: string, value: string): void {
    if (this.#mild || !onlyUpdates(value)) this.#code(argument, value)
  }

  #code(argument: string, value: string): void {
    this.#unread ??= `“${argument}” contains code or reaches beyond its target.`
    for (const power of ['changes', 'destroys', 'sends'] as const) this.#add(power)
    this.#touches.push({ is: 'value', argument, value })
  }

  /** Fields choose what a reading shows, and are what a change writes. */
  #isWritten(argument: string): boolean {
    return !this.#mild && /^fields?\b/i.test(argument)
  }

  /** A change acts on what its query matches, so the text is part of what was allowed. */
  #query(argument: string, value: string): void {
    if (this.#isWritten(argument)) {
      this.#content(argument, value)
      return
    }
    this.#carries.push(value)
    // A tool for queries may run any of them, while one that searches only looks for words.
    const runs = isGuessed(this.#known) && wordsOf(this.#tool.name).some((word) => QUERY_TOOLS.has(word))
    if (this.#isCode(value)) this.#code(argument, value)
    else if (runs) this.#touches.push({ is: 'value', argument, value })
    else {
      this.#chosenBy.push({ is: 'value', argument, value })
      this.#search(argument, value)
      // A rule for searches covers plain words only.
      if (this.#searches() && wordsIn(value).some((word) => distinctive(word) || this.#isPrivateFigure(word)))
        this.#touches.push({ is: 'text', argument, value, fixed: true })
    }
  }

  /** True for a number, or a part of one, that only private results had. */
  #isPrivateFigure(word: string): boolean {
    return /^\d{3,}$/.test(word) && (this.#facts.seen.sourcesOf(word) & (PRIVATE | PERSON)) === PRIVATE
  }

  /** True for a text in a language, at a tool that is only said to read. */
  #isCode(value: string): boolean {
    return isGuessed(this.#known) && this.#mild && MAY_BE_CODE.test(value)
  }

  get #mild(): boolean {
    for (const power of this.#powers) if (power !== 'reads' && power !== 'brings-in') return false
    return true
  }

  #shell(argument: string, value: string): void {
    const shell = readShell(value)
    const folder = shell?.folder === undefined ? this.#cwd : fullPath(shell.folder, this.#facts)
    const repository = shell?.git && folder !== undefined ? this.#facts.repositories?.get(folder) : undefined
    const records = shell?.does === 'records'
    const runsNothing = repository !== undefined && (!records || this.#facts.hookless?.has(repository) === true)
    if (!shell || (shell.git && !runsNothing)) {
      this.#unread ??= shell
        ? `Git may run programs that the repository in “${argument}” configures.`
        : 'This command may do more than look or test.'
      for (const power of ['reads', 'brings-in', 'changes', 'destroys', 'sends'] as const) this.#add(power)
      this.#touches.push({ is: 'value', argument, value })
      return
    }
    this.#narrow('brings-in', 'changes', 'destroys', 'sends')
    const runs = shell.does === 'runs'
    this.#add('reads')
    if (runs || records) this.#add('changes')
    // With two commands, neither alone shows the effect of the call.
    this.#records = records && !this.#touches.some(({ is }) => is === 'command')
    const looks = shell.looks && folder !== undefined
    // A rule for a check covers its options. Files are judged by their path, if the folder is known.
    const told = runs ? (folder === undefined ? shell.args : shell.options) : []
    const words = [shell.words, ...told.map(quoted)].join(' ')
    this.#touches.push({ is: 'command', argument, value, words, ...(looks && { looks }) })
    if (shell.folder !== undefined) this.#path(argument, shell.folder)
    if (shell.git && repository !== undefined)
      this.#touches.push({ is: 'path', argument, value: repository, path: repository, folder: true })
    for (const file of shell.files)
      if (
        /^(?:[~.]|[A-Za-z]:\\)/.test(file) ||
        file.includes('/') ||
        (folder !== undefined && (runs || this.#isLink(file, folder)))
      )
        this.#path(argument, file, folder ?? this.#facts.base)
  }

  /** True for a name in the folder of a command that links elsewhere. */
  #isLink(name: string, folder: string): boolean {
    const path = fullPath(name, this.#facts, folder)
    return path === undefined || this.#facts.resolved.get(path) !== path
  }

  /** An item that the server listed or the person named may be read there. */
  #item(argument: string, value: string): void {
    const { seen } = this.#facts
    // The server's own label of a button counts, not the model's description.
    const line = seen.lineOf(value)?.slice(0, 200) ?? ''
    this.#acts(line)
    if (this.#powers.has('changes') && PRICED_BUTTON.test(line)) this.#add('spends')
    this.#acts(value)
    const named = !isUnknown(this.#known) && (this.#lists(value) || (seen.sourcesOf(value) & PERSON) !== 0)
    if (named) this.#touches.push({ is: 'item', argument, value })
    else this.#place(argument, value, this.#mild && !value.includes('://'))
  }

  /** True if the server has said this value, or every part of it. A change puts names together only around an identifier. */
  #lists(value: string): boolean {
    const { seen } = this.#facts
    const said = (word: string) => seen.saidByServer(word, this.#tool.serverId)
    const name = value.replace(FULL_REF, '')
    if (said(value) || said(name)) return true
    const parts = name.split(/[\s,:/#]+/).filter(Boolean)
    return parts.length > 0 && parts.length <= MAX_PARTS && (this.#mild || parts.some(distinctive)) && parts.every(said)
  }

  /** False for several words that nobody vouches for, in an argument that names nothing: `include: "history,address"`. */
  #isOneItem(argument: string, value: string): boolean {
    return !isGuessed(this.#known) || identifies(argument) || !/[\s,;|]/.test(value.trim())
  }

  /** Words in labels and names can only add powers. */
  #acts(words: string): void {
    if (!this.#powers.has('changes')) return
    for (const act of actsOf(words)) if (act === 'spends' || act === 'destroys') this.#add(act)
  }

  /** Names that the model gives an element and that only others of the page have. */
  #misnamed(): void {
    const { seen } = this.#facts
    const isShown = (word: string) => seen.saidByServer(word, this.#tool.serverId)
    const own = this.#touches.flatMap((touch) => (touch.is === 'item' ? wordsIn(seen.lineOf(touch.value) ?? '') : []))
    if (own.length === 0) return
    for (const called of this.#called) {
      const words = wordsIn(called)
      if (words.length > 0 && words.every(isShown) && !words.some((word) => own.includes(word)))
        this.#unread ??= `On its page “${called.slice(0, 80)}” is another element.`
    }
  }

  #option(argument: string, value: string): void {
    const acts = actsOf(value)
    // A known tool does what its action argument says: `rollout status` only reads.
    const looks = this.#known === 'published' && acts.size === 1 && acts.has('reads') && SWITCHES.test(argument)
    if (looks) this.#narrow('changes', 'destroys', 'sends')
    for (const act of acts) this.#add(act)
    // Nobody knows what another choice of it does.
    if (isGuessed(this.#known) && this.#mild) this.#touches.push({ is: 'value', argument, value })
    else this.#touches.push({ is: 'option', argument, value })
  }

  #amount(argument: string, value: string): void {
    const amount = Number(value)
    if (this.#powers.has('spends') && Number.isFinite(amount)) this.#touches.push({ is: 'amount', argument, value, amount })
    else this.#touches.push({ is: 'value', argument, value })
  }

  #placeItem(argument: string, value: string): void {
    if (this.#mild) this.#item(argument, value)
    else this.#place(argument, value)
  }

  /** A value of unknown kind is an item if the server listed it and it is only read, else a place. */
  #unknown(argument: string, value: string): void {
    const { seen } = this.#facts
    const listed = (this.#lists(value) && this.#isOneItem(argument, value)) || (seen.sourcesOf(value) & PERSON) !== 0
    // For more than reading, words are choices and only what has a digit is an item.
    const chosen =
      this.#mild || (/\d/.test(value) && !isUnknown(this.#known) && !this.#powers.has('destroys') && !this.#powers.has('spends'))
    if (listed && chosen && !value.includes('://')) this.#touches.push({ is: 'item', argument, value })
    else this.#place(argument, value, !value.includes('://'))
  }

  #place(argument: string, value: string, vague = false): void {
    if (this.#mild && DEFAULT_SCHEMA.test(value) && /schema$/i.test(argument)) {
      this.#touches.push({ is: 'option', argument, value })
      return
    }
    if (isUnknown(this.#known) && value.length <= 40) for (const act of actsOf(value)) if (act !== 'reads') this.#add(act)
    // Sentences and long values are texts, whatever the argument's name.
    if (vague && (/\s/.test(value) || value.length > 64)) this.#carries.push(value)
    this.#touches.push({
      is: 'value',
      argument,
      value,
      ...this.#kind(argument, value),
      ...(vague && !this.#isUnasked(value) && { vague }),
    })
  }

  #kind(argument: string, value: string): { kind?: PlaceKind; called?: string } {
    const { serverId, published } = this.#tool
    const place = knownPlaces(published).find((one) => one.argument === argument)
    if (!place || !(place.own?.includes(value) || this.#facts.seen.isListedPlace(serverId, place.kind, value))) return {}
    const called = this.#facts.seen.nameOfPlace(serverId, place.kind, value)
    return { kind: place.kind, ...(called !== undefined && { called }) }
  }

  /** True for a word that nobody has said, for an unknown server: neither its purpose nor its source is known. */
  #isUnasked(value: string): boolean {
    const { seen } = this.#facts
    return isGuessed(this.#known) && this.#mild && seen.sourcesOf(value) === 0
  }
}

/** True for a tool `status` with a `number` and a `status`: it sets the status of that number. */
function setsWhatItIsNamedFor(tool: string, args: readonly string[]): boolean {
  const words = wordsOf(tool)
  const isNoun = (word: string) => READS.has(word) && !LOOKS.has(word)
  if (args.length < 2 || words.some((word) => LOOKS.has(word))) return false
  return args.some((name) => words.some((word) => isNoun(word) && wordsOf(name).at(-1) === word))
}

/** A value that may be another in the next call, and neither an address nor a text nor an option. */
const isShortValue = (touch: Touch): touch is Extract<Touch, { varies?: SaidBy }> =>
  mayVary(touch) &&
  !touch.value.includes('://') &&
  touch.value.length <= (touch.is === 'text' ? MAX_DICTATED : 64) &&
  !MAY_BE_OPTION.test(touch.value)

/** Characters of a path; some programs truncate a longer one and open the rest. */
const MAX_PATH_LENGTH = 4_096
/** A value that a program behind the tool may take for an option: `--output=…` as a revision. */
const MAY_BE_OPTION = /^-\D/
/** Characters of a text that are compared with what the person wrote. */
const MAX_DICTATED = 120
/** Parts of a value that are looked up. */
const MAX_PARTS = 40

/** A number, a date or a phone's number. */
const FIGURES = /^[+-]?\p{N}[\p{N}\s.,:/-]*$/u

/** Names of texts that are written as they are. */
const PLAIN_TEXTS = wordSet(
  'content contents text body message description title subject comment summary note notes html markdown caption',
)
const isPlainText = (argument: string) => PLAIN_TEXTS.has(argument.replace('[]', '').toLowerCase())

/** True if the definition has this argument, and each member on the way to it. */
function declares(definition: JsonSchemaObject, argument: string): boolean {
  let schema: unknown = definition
  for (const step of argument.match(/\[\]|[^.[]+/g) ?? []) {
    if (!isObject(schema)) return step === '[]'
    if (step === '[]') schema = schema.items
    else if (isObject(schema.properties) && Object.hasOwn(schema.properties, step)) schema = schema.properties[step]
    else return false
  }
  return true
}

/** Texts that are shown as pages. */
const PAGE_FILE = /\.(?:md|markdown)$/i

/** Files whose lines a spreadsheet opens as cells. */
const TABLE_FILE = /\.(?:csv|tsv|tab)$/i

/** True for words, numbers and marks between them, after operators that are known to filter: `is:open late invoice`. */
const isPlainSearch = (text: string) => PLAIN_WORDS.test(text.replace(FILTERS, ''))
const PLAIN_WORDS =
  /^(?:[\p{L}\p{M}\p{N}\s"'’‘“”„«»,;!?()&+#%*_–-]|(?<=\p{N})(?<!\p{N}[.:]\p{N}+[.:]\p{N}+)[.:](?=\p{N})|[.:](?=["'’“”»),;!?.:]{0,4}(?:\s|$))|\\[()]|(?<=(?<![.\p{N}])\p{N}{1,4}|\/\p{N}{1,2})\/(?=\p{N}))*$/u
const FILTERS =
  /(?<![\p{L}\p{N}.:/-])(?:is|in|has|from|to|by|on|title|subject|label|tag|type|kind|status|state|author|owner|assignee|project|topic|name|lang|language|year|date|before|after|since|until):(?=[\p{L}\p{N}"_-])/giu

/** Prefixes of Git's full names of branches and tags. */
const FULL_REF = /^refs\/(?:heads|tags)\//

/** Names of the default schema of databases. */
const DEFAULT_SCHEMA = /^(?:public|main|dbo)$/i

/** Signs and names of currencies. */
const MONEY =
  '(?:\\p{Sc}|kr|zł|Kč|Ft|lei|лв|руб|грн|AED|AUD|BGN|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HKD|HUF|ILS|INR|ISK|JPY|KRW|MXN|NOK|NZD|PLN|RON|RSD|RUB|SEK|SGD|THB|TRY|TWD|UAH|USD|ZAR)'
/** A button with a price, as opposed to a priced item in a list. */
const PRICED_BUTTON = new RegExp(`button.*(?:(?<!\\p{L})${MONEY}\\.?\\s?\\d|\\d\\s?${MONEY}(?!\\p{L}))`, 'iu')

const SUM = /(?:amount|sum|cents|betrag)s?$/i

/** A whole number, possibly with a prefix: it may be an identifier. */
const WHICH = /^[A-Za-z]{0,3}\d{1,15}$/
const WHICH_LETTER = /^[A-Za-z]{1,3}\d{1,5}$/
/** Last words of arguments for counts, durations and times. */
const COUNTS =
  wordSet(`limit max maximum min minimum count size page pages offset skip top first last n num per results depth lines width height quality
  timeout radius zoom days day hours hour minutes minute seconds weeks week months month years year dias horas semanas meses tage woche wochen
  monat jahr jours semaine mois page_size pagesize perpage range cell cells`)

export const isCount = (argument: string) => COUNTS.has(wordsOf(argument).at(-1) ?? '')

const QUERY_TOOLS = wordSet('query queries graphql cypher sparql redis mongo lua eval')
/** Braces, semicolons, calls and commands, which words that are searched for do not have. */
const MAY_BE_CODE = /[{};]|[\p{L}_]\(|\b[A-Z]{3,}\s+\(|^\s*[.\\!:]\p{L}/u

const SWITCHES = /^(?:action|method|operation|op|subcommand|verb|mode)$/i

/** Parts that can redirect a relative path: steps up, homes, variables, encoded dots, cut ends. */
const LEADS_AWAY = /\.\.|^~|[$`\0\n\r]|%[A-Za-z0-9]/

/** Folders with content of strangers. */
const FOREIGN_FILES = /[\\/](?:node_modules|vendor|third_party|site-packages|Downloads|tmp|temp|Attachments|Mail|mail)[\\/]/

/** True if a URL has a part that looks like data and that nobody has said, or one that only private results had. */
function carriesData(url: URL, seen: ConversationProvenance, reader: string): boolean {
  let compound = 0
  for (const piece of [...url.host.split('.'), ...url.pathname.split('/'), ...queryPieces(url), ...url.hash.split(/[#&=]/)]) {
    for (const word of wordsIn(decoded(piece))) {
      const [data, telling] = [looksLikeData(word), distinctive(word)]
      const joined = word.length >= 8 && /[._-]/.test(word)
      if (!data && !telling && !joined) continue
      const by = seen.sourcesOf(word)
      if (by === 0 && data) return true
      if ((by & PRIVATE) === 0 || (by & PERSON) !== 0 || seen.saidByServer(word, reader)) continue
      if (telling || (joined && ++compound > 1)) return true
    }
  }
  // A number split into harmless pieces.
  return joinedIn(decoded(url.href), 1_000).some((word) => {
    const by = distinctive(word) ? seen.sourcesOf(word) : 0
    return (by & PRIVATE) !== 0 && (by & PERSON) === 0 && !seen.saidByServer(word, reader)
  })
}

/** True if the query of an address has only members that are known to choose what is shown. */
const looksOnly = ({ searchParams }: URL) =>
  [...searchParams.keys()].every((key) => wordsOf(key).every((word) => LOOKING.has(word)))
const LOOKING =
  wordSet(`q query search s text p page per limit offset start from to since until before after sort order by direction lang language
  locale hl gl region country city place id ids v version ref tab view format fields include filter type kind category cat tag tags topic
  year month day date time lat latitude lon lng longitude zoom units currency symbol symbols title name section chapter width height size
  utm source medium campaign current daily hourly forecast days timezone`)

const WEB = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:', 'ftps:'])

/** False where a step of the path tells the site to do something: `/delete/5`, `/slots/7/release`, `#/orders/cancel`. */
function stepsOnlyLook({ pathname, hash }: URL): boolean {
  const steps = [...pathname.split('/'), ...hash.split(/[#!/?&=]+/)].flatMap(
    (step) => decoded(step).replace(/\.\w{2,5}$/, '') || [],
  )
  const about = (step = '') => /\d/.test(step)
  return steps.every((step, n) => {
    const words = wordsOf(step)
    if (words.length > 2) return true
    if (isItem(steps, n - 1) && !showsItem(step)) return false
    const [before, after] = [about(steps[n - 1]), about(steps[n + 1])]
    return !words.some((word) => {
      if (!isDoing(word) || PAGES.has(word)) return AGREES.has(word)
      // `/orders/5` shows what `/5/order` orders.
      if (OBJECTS.has(word)) return before && n === steps.length - 1
      return before || after || !CHANGES.has(word)
    })
  })
}
/** True for a step that identifies something: no year, no date after one, no version. */
function isItem(steps: readonly string[], at: number): boolean {
  const step = steps[at] ?? ''
  if (!/\d/.test(step) || YEAR.test(step) || VERSION.test(step) || wordsOf(step).length > 2) return false
  return !(/^\d{1,2}$/.test(step) && [steps[at - 1], steps[at - 2]].some((before) => YEAR.test(before ?? '')))
}
const YEAR = /^(?:19|20)\d\d$/
const VERSION = /^v?\d{1,3}(?:\.\d{1,3}){1,3}$|^v\d{1,3}$/
/** True for a step after an item that is known to show a part of it. Any other word may do something, in whatever tongue. */
const showsItem = (step: string) =>
  /^[a-z]{2}$/.test(step) ||
  wordsOf(step).some((word) => READS.has(word) || PARTS.has(word)) ||
  (/\d/.test(step) && !/^\d{1,2}$/.test(step))
const PARTS =
  wordSet(`details detail overview summary about comments files file commits commit changes reviews review photos photo images image gallery map
  docs doc pdf html raw page pages chapter chapters section sections part parts index main notes note messages items item releases release
  events event results result answers answer questions question members contents content abstract references full text data`)
/** Steps that show a page, though they are verbs. */
const PAGES = wordSet('open log check edit print share press watch start type format archive update updates')
const AGREES = wordSet('confirm approve accept activate deactivate verify vote unsubscribe logout optout')

const isOnInternet = memoized(1_000, (host) => nearnessOf(host) === 'internet')
const queryPieces = (url: URL) => (url.search === '' ? [] : [...url.searchParams].flat())
const trimmed = (value: string) => (/[.,;:!?]$/.test(value) ? value.replace(/[.,;:!?]+$/, '') : value)

function decoded(piece: string): string {
  if (!piece.includes('%')) return piece
  try {
    return decodeURIComponent(piece)
  } catch {
    return piece
  }
}

/** True for a long word, or one of letters and digits, which a model would not write to find a page. */
export function looksLikeData(word: string): boolean {
  if (word.length > 40) return true
  if (word.length < 7) return false
  const digits = digitsOf(word)
  if (digits === 0) return false
  return (word.length >= 10 && /[a-z]/i.test(word)) || (digits >= 7 && !/^\d{4}[-/.]?\d\d[-/.]?\d\d$/.test(word))
}

/** True for numbers, addresses and identifiers, as opposed to plain words. */
export const distinctive = (word: string) =>
  word.length > 30 || (word.length >= 5 && digitsOf(word) > 0 && !PLAIN_NUMBER.test(word)) || word.includes('@')

/** A date, a time, a version or a small amount, which occurs with many meanings. */
const PLAIN_NUMBER = /^(?:\d{4}-\d\d|\d{1,2}[/.:]\d{1,2}|v?\d{1,3}\.\d{1,2}(?:\.\d{1,2})?)$/

function digitsOf(word: string): number {
  let digits = 0
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at)
    if (code >= 48 && code <= 57) digits++
  }
  return digits
}
