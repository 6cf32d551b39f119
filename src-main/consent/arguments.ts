import { canonicalJson, isObject, type JsonObject, type JsonValue } from '../../src-shared/base/json.ts'
import { jsonIn } from '../../src-shared/base/parse-json.ts'
import type { JsonSchemaObject } from '../../src-shared/mcp/primitives.ts'
import { memoized } from './memoized.ts'
import { wordSet, wordsOf } from './names.ts'
import { isBeyondQuery } from './query-operators.ts'
import { looksLikePath } from './read-path.ts'
import { looksLikeSql } from './read-sql.ts'

/** The kind of an argument, by its name, its schema and its value. */
type Role =
  | 'path'
  | 'url'
  | 'recipient'
  | 'place'
  | 'item'
  /** An operator that does more than choose and compute. */
  | 'code'
  /** The identifier of a place. */
  | 'place-item'
  | 'query'
  /** The members of an argument that may choose what a call acts on, as one text; empty where the call leaves known conditions out. */
  | 'conditions'
  /** No value, or an empty list: in a change, what was there goes. */
  | 'cleared'
  | 'content'
  /** The model's description of the thing that another argument identifies. */
  | 'naming'
  | 'sql'
  | 'shell'
  | 'amount'
  | 'option'
  | 'number'
  | 'unknown'

export interface Leaf {
  /** `path`, `files[2].name`. */
  readonly argument: string
  readonly role: Role
  readonly value: string | number | boolean
}

const LEAVES = 2_000
const DEEPEST = 16

const PATHS = wordSet(
  'path paths file files filename filepath folder folders dir directory cwd workdir root source destination src dest outfile outputpath output attachment attachments',
)
const CONTENTS =
  wordSet(`content contents text body message description title subject comment summary note notes html markdown data payload
  caption prompt code value values edits oldtext newtext old new replacement blocks block properties fields attributes observations
  entities relations thought reason details answer reply snippet footer header bio label labels tags name display arguments input formula formulas records rows items lines
  document doc props patch diff changes cell cells entries`)
/** Arguments known to hold what a change writes. Others may say what it acts on or does: a name of a deployment, a label that deploys. */
const WRITTEN =
  wordSet(`content contents text body message description title subject comment summary note notes html markdown caption details reply answer
  snippet footer bio thought observations value values data payload old new replacement edits blocks rows records cells items lines
  entities relations formula formulas fields properties attributes set update start end due deadline`)
/** True for an argument, or a member of one, that is known to hold what a change writes. */
export const isWritten = (argument: string) => WRITTEN.has(wordsOf(argument.split(/[.[]/, 1)[0] ?? '').at(-1) ?? '')

const QUERIES = wordSet(
  'query q search pipeline pipelines term terms pattern patterns keyword keywords filter filters where regex glob match sort order orderby fields projection select question topic jql cql expression',
)
const RECIPIENTS =
  wordSet(`to cc bcc recipient recipients email emails mail attendee attendees invitee invitees channel channels chat room user users username
  assignee assignees reviewer reviewers phone phonenumber msisdn member members collaborator collaborators handle contact beneficiary payee iban account
  grantee principal webhook callback target participants guests audience forwardto replyto sharewith destinationaccount customeremail`)
const PLACES =
  wordSet(`repo repository owner project database db collection table schema index bucket namespace context cluster workspace board team org
  organization tenant account branch base head environment env server region calendar sheet spreadsheet list queue topic stream site domain zone host
  hostname container pod deployment service volume image library group room device entity drive space container dataset graph realm store shop remote profile`)
const ITEMS = wordSet(
  'id ids uuid uid guid number num no nr sha hash commit cursor token key ref refs element selector handle slug oid rowid offset page after before since until start end date from time timestamp version revision sequence url',
)
const AMOUNTS = wordSet('amount amounts price total sum cost quantity qty value limit budget cents fee tip salary betrag')

/** True for an argument that names one of several. */
export const identifies = (argument: string) => ID_WORDS.has(wordsOf(argument.replace(/\[\d+\]/g, '')).at(-1) ?? '')
const ID_WORDS = wordSet('id ids uuid uid guid key keys ref number slug handle oid sha hash token')

const CONDITIONS = wordSet('filter filters where query criteria condition conditions match')
const isConditions = (argument: string) => CONDITIONS.has(wordsOf(argument).at(-1) ?? '')

interface Nested {
  readonly at: string
  readonly name: string
  readonly value: readonly (JsonValue | undefined)[] | JsonObject
  readonly schema: unknown
  readonly inherited: Role | undefined
  readonly depth: number
}

/** Every value in the arguments with its role; undefined above the limits. */
export function leavesOf(args: JsonObject, inputSchema: JsonSchemaObject): readonly Leaf[] | undefined {
  const leaves: Leaf[] = []
  const waiting: Nested[] = []
  const conditions: [argument: string, value: JsonValue | undefined][] = []
  let tooMuch = false
  const take = (at: string, name: string, value: JsonValue, schema: unknown, inherited: Role | undefined, depth: number) => {
    if (leaves.length >= LEAVES || waiting.length > LEAVES || depth > DEEPEST) tooMuch = true
    // A member that is cleared or emptied counts as one that is written.
    else if (value === null || (isEmpty(value) && !isConditions(name))) {
      const written = inherited === 'content' || inherited === 'query'
      leaves.push({ argument: at, role: written ? inherited : 'cleared', value: '' })
    } else if (typeof value === 'object') {
      const chooses = isConditions(name) || (depth === 0 && holdsMembers(value) && !isWritten(name))
      if (inherited === undefined && !at.endsWith(']') && chooses) conditions.push([at, value])
      waiting.push({ at, name, value, schema, inherited, depth })
    } else {
      const role = roleOf(name, value, schema, inherited)
      leaves.push({ argument: at, role, value })
      // Some servers parse a text as the query that it spells.
      const spelled = role === 'query' && typeof value === 'string' ? spelledJson(value) : undefined
      if (spelled) waiting.push({ at, name, value: spelled, schema: undefined, inherited: role, depth: depth + 1 })
    }
  }
  const open = (value: JsonObject, schema: unknown, at: string, inherited: Role | undefined, depth: number) => {
    const members = isObject(schema) && isObject(schema.properties) ? schema.properties : {}
    for (const name of Object.keys(value)) {
      const member = value[name]
      const where = at === '' ? name : `${at}.${name}`
      if (member !== undefined)
        take(where.length > 300 ? where.slice(0, 300) : where, name, member, members[name], inherited, depth)
      if (tooMuch) return
    }
  }
  open(args, inputSchema, '', undefined, 0)
  for (let next = 0; next < waiting.length && !tooMuch; next++) {
    const nested = waiting[next]
    if (!nested) break
    const { at, name, value, schema, inherited, depth } = nested
    if (Array.isArray(value)) {
      const items = isObject(schema) ? schema.items : undefined
      for (const [n, item] of value.entries()) {
        if (item !== undefined) take(`${at}[${n}]`, name, item, items, inherited, depth + 1)
        if (n >= LEAVES) tooMuch = true
        if (tooMuch) break
      }
    } else {
      const role = inherited ?? containerRole(name)
      for (const key of Object.keys(value))
        if (isBeyondQuery(key, role === 'query')) leaves.push({ argument: at, role: 'code', value: key.slice(0, 100) })
      open(value as JsonObject, schema, at, role, depth + 1)
    }
  }
  if (tooMuch) return undefined
  for (const name of Object.keys(inputSchema.properties ?? {}))
    if ((args[name] ?? undefined) === undefined && isConditions(name)) conditions.push([name, undefined])
  for (const [argument, value] of conditions)
    leaves.push({ argument, role: 'conditions', value: value === undefined ? '' : canonicalJson(value) })
  return leaves
}

const isEmpty = (value: JsonValue) => typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** True for an object, or a list of them: leaving out one of its members may make a call act on more. */
const holdsMembers = (value: JsonValue) => (Array.isArray(value) ? value.some((item) => isObject(item)) : isObject(value))

/** The object or list that a text spells. */
function spelledJson(text: string): Nested['value'] | undefined {
  const value = /^\s*[[{]/.test(text) ? jsonIn(text) : undefined
  return Array.isArray(value) || isObject(value) ? value : undefined
}

interface NamedRole {
  readonly last: string
  readonly named: Role
  readonly shell: boolean
  readonly sql: boolean
  /** Its value is SQL if it looks like SQL. */
  readonly query: boolean
}

const ofName = memoized(5_000, (name): NamedRole => {
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  return {
    last,
    named: byName(words),
    shell: SHELLS.has(words.join('')) || (SHELLS.has(last) && words.at(-2) !== 'sub'),
    sql: words.includes('sql'),
    query: words.includes('query') || words.includes('statement'),
  }
})

/** Members of a query or of content have its role, whatever their names. */
function containerRole(name: string): Role | undefined {
  const role = ofName(name).named
  return role === 'query' || role === 'content' ? role : undefined
}

function roleOf(name: string, value: string | number | boolean, schema: unknown, inherited: Role | undefined): Role {
  if (typeof value === 'boolean') return inherited === 'query' ? 'query' : 'option'
  const { last, named, shell, sql, query } = ofName(name)
  if (typeof value === 'number') {
    if (inherited === 'query') return 'query'
    return AMOUNTS.has(last) ? 'amount' : ITEMS.has(last) ? 'item' : 'number'
  }
  if (value.includes('://') && /^(?:https?|wss?|ftps?):\/\//i.test(value)) return 'url'
  if (inherited !== undefined) return inherited === 'content' && RECIPIENTS.has(last) && isEmail(value) ? 'recipient' : inherited
  if (shell) return 'shell'
  if (sql || (query && /\s/.test(value) && looksLikeSql(value))) return 'sql'
  const text = named === 'content' || named === 'query'
  if (!text && isEmail(value)) return 'recipient'
  if (text ? named === 'query' && LEADS_OUT.test(value) : looksLikePath(value)) return 'path'
  // A fetcher drops blanks around an address, and may need no slashes in it.
  if (!text && /^\s*(?:https?|wss?|ftps?):\S+\s*$/i.test(value)) return 'url'
  // `javascript:…` runs in the page, `data:…` is one.
  if (ADDRESSES.has(last) && value !== 'about:blank' && SCHEME.test(value)) return 'url'
  if (!text && named !== 'recipient' && PLAIN_QUANTITY.test(value)) return AMOUNTS.has(last) ? 'amount' : 'number'
  if (isObject(schema) && (Array.isArray(schema.enum) || schema.const !== undefined)) return 'option'
  if (named === 'unknown' && (value.length > 80 || /\s\S+\s\S+\s/.test(value))) return 'content'
  return named
}

/** Some servers join a pattern or a topic to a folder: `../secrets`. */
const LEADS_OUT = /^\s*(?:~[\\/]|file:)\S*$|^\S*(?:^|[\\/])\.\.(?:[\\/]\S*)?$/i
const ADDRESSES = wordSet('url urls href')
/** A browser drops blanks and invisible characters; a port is no scheme. */
const SCHEME = /^[\s\p{C}]*[a-z][a-z0-9+.\s\p{C}-]*:(?!\d)/iu

/** Dates, times, small numbers, versions, cell ranges, time zones: never a destination. */
const PLAIN_QUANTITY =
  /^(?:[+-]?\d{1,6}(?:[.,]\d{1,6})?%?|\d{4}-\d\d(?:-\d\d(?:[T ]\d\d:\d\d[\d:.,+Z-]*)?)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d\d(?::\d\d)?|v?\d+\.\d+(?:\.\d+)?|[A-Z][a-z]+\/[A-Z][A-Za-z_]+|UTC|[A-Z]{1,3}\d{1,5}(?::[A-Z]{1,3}\d{1,5})?)$/

export const isQuantity = (value: string) => PLAIN_QUANTITY.test(value)

const SHELLS = wordSet('command cmd shell script commandline cmdline bash')

function byName(words: readonly string[]): Role {
  const last = words.at(-1) ?? ''
  const joined = words.join('')
  for (const [role, names] of ROLES) if (names.has(joined)) return role
  if (/^(?:ids?|uuid|uid|key|number|sha|ref|no|nr|cursor|token|name)$/.test(last)) {
    // `channel_id` is a recipient, `repo_id` and `table_name` are places, `message_id` is an item.
    const of = words.at(-2) ?? ''
    if (RECIPIENTS.has(of)) return 'recipient'
    if (PLACES.has(of)) return 'place-item'
    if (last !== 'name') return 'item'
  }
  for (const [role, names] of ROLES) if (names.has(last) || names.has(last.replace(/s$/, ''))) return role
  return 'unknown'
}

/** True if an argument of the tool can be any text. */
export const asksForText = (schema: JsonSchemaObject) =>
  asksFor(schema, ({ named }) => named === 'content' || named === 'query' || named === 'unknown')
/** True if the tool takes text to write or run, not only a name or a query. */
export const asksForContent = (schema: JsonSchemaObject) =>
  asksFor(schema, ({ named, last }) => named === 'content' && !CALLED.test(last))

const CALLED = /^(?:name|label|tag|title)s?$/

function asksFor({ properties = {} }: JsonSchemaObject, isText: (argument: NamedRole) => boolean): boolean {
  return Object.entries(properties).some(([name, schema]) => {
    if (isObject(schema) && (Array.isArray(schema.enum) || isPlain(schema.type))) return false
    const argument = ofName(name)
    return argument.shell || argument.sql || isText(argument)
  })
}

const isPlain = (type: unknown) => type === 'boolean' || type === 'number' || type === 'integer'

const NAMINGS = wordSet('element elements elementdescription intent')

const ROLES: readonly (readonly [Role, ReadonlySet<string>])[] = [
  ['path', PATHS],
  ['query', QUERIES],
  ['recipient', RECIPIENTS],
  ['place', PLACES],
  ['naming', NAMINGS],
  ['content', CONTENTS],
  ['item', ITEMS],
  ['amount', AMOUNTS],
]

export const isEmail = (value: string) =>
  value.includes('@') && /^[^\s@<>"',;]{1,100}@[^\s@<>"',;]{1,200}\.[a-z]{2,}$/i.test(value)
const EMAIL = /[^\s@<>"',;:()[\]]{1,100}@[A-Za-z0-9.-]{1,200}\.[A-Za-z]{2,}/g

/** Recipients in a text: `Ana <ana@example.com>, bob@example.com, everyone` → two addresses and a name. */
export function recipientsIn(value: string): readonly string[] {
  // A quoted name may contain separators.
  const parts = value.replace(/"[^"]*"\s*(?=<)/g, '').split(/[,;\n]/)
  return parts.flatMap((part) => {
    const text = part.trim()
    // The search is slow in a long text without any.
    if (!text.includes('@')) return text === '' ? [] : [text]
    const emails = text.match(EMAIL) ?? []
    const rest = text.replace(EMAIL, '').trim()
    const alone = rest === '' || (emails.length === 1 && /^[^<>@]*<>$/.test(rest))
    return alone ? emails : [text]
  })
}
