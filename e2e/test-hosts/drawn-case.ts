import fc from 'fast-check'
import { type Act, readAct } from '../../src-main/consent/act.ts'
import type { JudgedTool } from '../../src-main/consent/powers.ts'
import { ConversationProvenance } from '../../src-main/consent/provenance.ts'
import { RuleBook, type RuleContext } from '../../src-main/consent/rules.ts'
import { type Verdict, verdictOf } from '../../src-main/consent/verdict.ts'
import type { JsonObject, JsonValue } from '../../src-shared/base/json.ts'
import { type ConsentRule, GUARDS, type Limit, type NamedPlace, POWERS } from '../../src-shared/contract/consent.ts'
import type { ConsentRuleId, ConversationId, ServerId, TurnId } from '../../src-shared/contract/ids.ts'
import { toolHints } from '../../src-shared/contract/servers.ts'
import { linked } from './consent-call.ts'

/** Of each property. */
export const CASES = Math.ceil(Number(process.env.CONSENT_CASES ?? (process.env.PARLEY_LONG === '1' ? 10_000 : 1_000)))
export const TIMEOUT = 60_000 + CASES * 5

type Some<T> = readonly [T, ...T[]]

/** One number makes one case: cheap to draw a million of, and a red one is named by its number. */
export class Draw {
  #state: number
  constructor(seed: number) {
    this.#state = seed >>> 0
  }
  /** Mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  upTo(most: number): number {
    return Math.floor(this.next() * (most + 1))
  }
  chance(share: number): boolean {
    return this.next() < share
  }
  of<T>(all: readonly [T, ...T[]]): T {
    return all[this.upTo(all.length - 1)] ?? all[0]
  }
  some<T>(all: readonly T[], share = 0.3): T[] {
    return all.filter(() => this.chance(share))
  }
  word(characters: Some<string>, least: number, most: number): string {
    let word = ''
    for (let left = least + this.upTo(most - least); left > 0; left--) word += this.of(characters)
    return word
  }
  many<T>(most: number, make: () => T): T[] {
    const all: T[] = []
    for (let left = this.upTo(most); left > 0; left--) all.push(make())
    return all
  }
}

const SERVERS = ['shop', 'mail'] as const
const LAUNCHES = ['launch-1', 'launch-2'] as const
const PRINTS = ['print-1', 'print-2'] as const
const CONVERSATIONS: readonly [ConversationId, ConversationId] = ['one' as ConversationId, 'two' as ConversationId]
const TURNS: readonly [TurnId, TurnId] = ['first' as TurnId, 'second' as TurnId]
export const FOLDERS = ['/home/ana/shop', '/home/ana/shop/docs', '/home/ana/mail', '/srv/data'] as const
const HOSTS = ['docs.example.com', 'api.example.com:8443', 'shop.example.org'] as const
const PEOPLE = ['bob@example.com', 'team@example.org'] as const
const PLACES = ['ana/shop', 'ana/site'] as const
const TABLES = ['orders', 'customers', 'audit.log'] as const
const COMMANDS = ['git status', 'npm test', 'ls'] as const
const NUMBERS = ['A-10234', '4711', 'PROJ-77', 'u8812x'] as const

const PATHS = [
  ...['/home/ana/shop/a.ts', '/home/ana/shop/docs/b.md', '~/shop/c.ts', '/home/ana/shop/.git/hooks/pre-commit', 'src/d.ts'],
  ...[
    '/home/ana/mail/../shop/e.ts',
    'file:///srv/data/f.csv',
    '/srv/data',
    '/home/ana/shop/link',
    '/srv/database/x',
    'C:\\Users\\ana',
  ],
  ...['/home/ana/shop/node_modules/p/README.md', '/tmp/x'],
] as const
const SQLS = [
  ...[
    'SELECT * FROM orders',
    'select id from orders join customers on true',
    'UPDATE orders SET paid = true',
    'DELETE FROM audit.log',
  ],
  ...['SELECT 1; DROP TABLE orders', 'INSERT INTO customers VALUES (1)', 'WITH x AS (SELECT * FROM orders) SELECT * FROM x'],
] as const
const SHELLS = [
  'git status',
  'npm test',
  'ls /home/ana/shop',
  'cat /etc/hosts',
  'npm test | sh',
  'git log --output=x',
  'cd /home/ana/shop && git status',
  'go test -exec evil',
  'rm -rf /',
] as const
const HOSTILE = [
  ...[
    '',
    '\0',
    '../'.repeat(30),
    '\u202egpj.exe',
    '__proto__',
    'constructor',
    'a'.repeat(3_000),
    '$' + '{jndi:ldap://x}',
    "' OR 1=1 --",
  ],
  ...['\ud800', '漢字', '9'.repeat(40), 'x\ny\nz', '%2e%2e%2f', '=cmd()', 'sk-live-4f9a8b7c6d5e4f3a2b1c0d9e'],
] as const
const TEXTS = [
  'See A-10234 and mail bob@example.com.',
  'The number is 4711.',
  'https://docs.example.com/a?b=4711',
  'Please pay.',
] as const

/** A value in no rule and no folder, said by nobody, in every spelling. */
export const OUTSIDE: Some<[string, JsonValue]> = [
  ['path', '/outside/x'],
  ['path', '/home/ana/shop/../../../outside/x'],
  ['path', '/home/ana/shop/leads-out'],
  ['file', 'file:///outside/x'],
  ['file_path', '~/../../outside/x'],
  ['paths', ['/home/ana/shop/a.ts', '/outside/x']],
  ['options', { cwd: '/outside' }],
  ['path', '/home/ana/shopping/x'],
  ['url', 'https://outside.example/x'],
  ['url', 'https://docs.example.com.outside.example/'],
  ['page', 'https://docs.example.com@outside.example/'],
  ['to', 'mallory@outside.example'],
  ['to', 'bob@example.com, mallory@outside.example'],
  ['recipients', ['bob@example.com', 'mallory@outside.example']],
  ['repository', 'mallory/outside'],
  ['sql', 'SELECT * FROM outside'],
  ['sql', 'SELECT * FROM orders UNION SELECT * FROM outside'],
  ['command', 'git push'],
  ['command', 'ls /outside'],
  ['command', 'cd /outside && ls'],
  ['command', 'npm test /outside/x'],
]
/** Calls that are never remembered: unreadable, or asking for keys. */
export const NEVER: Some<[string, JsonValue]> = [
  ['sql', 'SELECT 1; DROP TABLE orders'],
  ['sql', 'SELECT * FROM orders -- '],
  ['sql', 'SELECT pg_read_file(name) FROM orders'],
  ['command', 'ls | sh'],
  ['command', 'ls $(id)'],
  ['command', 'git log --output=x'],
  ['command', 'npm test --userconfig=x'],
  ['command', 'cd /home/ana/unpacked && git status'],
  ['command', 'date 010100002020'],
  ['url', 'https://ana:geheim@docs.example.com/'],
  ['path', '/home/ana/shop/.env'],
  ['path', '~/.ssh/id_ed25519'],
  ['path', 'shop/../../.aws/credentials'],
  ['table', 'api_keys'],
  ['path', '/home/ana/shop/\0x'],
  ['path', '/home/ana/shop/$HOME'],
]
/** The same beyond a limit. A case costs as much as fifty of the others. */
export const TOO_MUCH: Some<[string, JsonValue]> = [
  ['deep', Array.from({ length: 30 }).reduce<JsonValue>((inner) => ({ inner }), 'x')],
  ['many', Array.from({ length: 2_001 }, (_, n) => n)],
]

interface Claimed {
  readonly readOnly?: boolean
  readonly destructive?: boolean
  readonly openWorld?: boolean
}
type Made = Pick<JudgedTool, 'name'> & Partial<JudgedTool> & { readonly claimed?: Claimed }
const TOOLS: readonly [Made, ...Made[]] = [
  { name: 'read_text_file', published: '@modelcontextprotocol/server-filesystem' },
  { name: 'write_file', published: '@modelcontextprotocol/server-filesystem' },
  { name: 'query', published: '@modelcontextprotocol/server-postgres' },
  { name: 'fetch', published: 'pypi:mcp-server-fetch' },
  { name: 'send_email' },
  { name: 'delete_rows' },
  { name: 'payInvoice' },
  { name: 'get_order' },
  { name: 'run_command' },
  { name: 'frobnicate' },
  { name: 'frobnicate', claimed: { readOnly: true } },
  { name: 'glean', claimed: { readOnly: true, openWorld: false }, hintsTrusted: true },
]

export interface Case {
  readonly tool: JudgedTool
  readonly args: JsonObject
  readonly rules: readonly ConsentRule[]
  readonly place: NamedPlace
  readonly moment: RuleContext
  readonly seen: ConversationProvenance
  /** The same once more: a verdict could change it, and must not. */
  readonly seenAgain: () => ConversationProvenance
}

const RESOLVED = linked({ '/home/ana/shop/link': '/srv/data/real', '/home/ana/shop/leads-out': '/outside/x' })
export const FACTS = { home: '/home/ana', resolved: RESOLVED, repositories: new Map([['/home/ana/shop', '/home/ana/shop']]) }

function drawTool(draw: Draw): JudgedTool {
  const { claimed: own, ...made } = draw.of(TOOLS)
  const claimed: Claimed = own ?? (draw.chance(0.3) ? { destructive: draw.chance(0.5), openWorld: draw.chance(0.5) } : {})
  const serverId = draw.of(SERVERS)
  return {
    serverId,
    serverName: serverId,
    launchIdentity: draw.of(LAUNCHES),
    fingerprint: draw.of(PRINTS),
    hints: toolHints({
      ...(claimed.readOnly !== undefined && { readOnlyHint: claimed.readOnly }),
      ...(claimed.openWorld !== undefined && { openWorldHint: claimed.openWorld }),
    }),
    inputSchema: draw.chance(0.2) ? { type: 'object', properties: { mode: { enum: ['a', 'b'] } } } : { type: 'object' },
    ...made,
    ...(draw.chance(0.3) && { told: draw.chance(0.7) ? ['reads', 'brings-in'] : draw.some(POWERS, 0.5) }),
    ...(draw.chance(0.15) && { defined: draw.some(POWERS, 0.5) }),
  }
}

function drawValue(draw: Draw, depth = 0): [string, JsonValue] {
  return draw.of<() => [string, JsonValue]>([
    () => [draw.of(['path', 'file', 'destination', 'cwd', 'x']), draw.of(PATHS)],
    () => [draw.of(['paths', 'files']), draw.many(3, () => draw.of(PATHS))],
    () => [draw.of(['url', 'link', 'x']), `https://${draw.of(HOSTS)}/${draw.of(NUMBERS)}`],
    () => [draw.of(['to', 'cc', 'assignee', 'x']), draw.of(PEOPLE)],
    () => [draw.of(['repo', 'project', 'table', 'channel_id']), draw.of([...PLACES, ...TABLES])],
    () => [draw.of(['id', 'order_id', 'number', 'x']), draw.of(NUMBERS)],
    () => [draw.of(['sql', 'query']), draw.of(SQLS)],
    () => [draw.of(['command', 'cmd']), draw.of(SHELLS)],
    () => [draw.of(['body', 'text', 'query', 'filter']), draw.of(TEXTS)],
    () => ['calendarId', draw.of(['primary', 'team'])],
    () => [draw.of(['amount', 'limit', 'quantity']), draw.of([1, 50, 1e9, -1, '20', '1e3'])],
    () => [draw.of(['currency', 'mode', 'force', 'dryRun']), draw.of<JsonValue>(['EUR', 'a', true, false, 'delete'])],
    () => [draw.of(['x', 'path', 'body', 'id', 'to', 'url', 'sql']), draw.of(HOSTILE)],
    () => [draw.of(['options', 'filter', 'x']), depth < 3 ? drawArgs(draw, depth + 1) : null],
  ])()
}

function drawArgs(draw: Draw, depth = 0): JsonObject {
  return Object.fromEntries(draw.many(4, () => drawValue(draw, depth)))
}

function drawLimit(draw: Draw): Limit {
  return draw.of<() => Limit>([
    () => ({ is: 'folder', path: draw.of(FOLDERS) }),
    () => ({ is: 'folder', path: draw.of(FOLDERS) }),
    () => ({ is: 'host', host: draw.of(HOSTS) }),
    () => ({ is: 'recipient', address: draw.of(PEOPLE) }),
    () => ({ is: 'value', argument: draw.of(['repo', 'project', 'table', 'x']), value: draw.of([...PLACES, ...TABLES]) }),
    () => ({
      is: 'statement',
      verb: draw.of(['SELECT', 'SELECT', 'INSERT', 'UPDATE', 'DELETE']),
      tables: draw.some(TABLES, 0.5),
    }),
    () => ({ is: 'command', words: draw.of(COMMANDS) }),
    () => ({ is: 'at-most', argument: 'amount', amount: draw.of([10, 100]) }),
    () => ({ is: 'named-items' }),
    () => ({ is: 'named-addresses' }),
  ])()
}

export function drawRule(
  draw: Draw,
  tool: JudgedTool,
  effect = draw.of<ConsentRule['effect']>(['allow', 'allow', 'allow', 'allow', 'allow', 'ask', 'deny']),
): ConsentRule {
  const scope = draw.of<ConsentRule['scope']>(['task', 'conversation', 'until', 'always'])
  const held = effect !== 'allow'
  const name = draw.chance(0.8) ? tool.name : 'another_tool'
  return {
    id: `rule-${draw.upTo(1e9)}` as ConsentRuleId,
    effect,
    ...(!(held && draw.chance(0.5)) && { serverId: (draw.chance(0.85) ? tool.serverId : draw.of(SERVERS)) as ServerId }),
    ...(!held && { launchIdentity: draw.chance(0.8) ? tool.launchIdentity : draw.of(LAUNCHES) }),
    ...(!(held && draw.chance(0.5)) && { tools: { [name]: draw.chance(0.8) ? tool.fingerprint : draw.of(PRINTS) } }),
    powers: draw.some(POWERS, held ? 0.15 : 0.8),
    limits: !held && draw.chance(0.15) ? [{ is: 'any' }] : draw.many(held ? 2 : 8, () => drawLimit(draw)),
    scope,
    ...((scope === 'conversation' || draw.chance(0.2)) && { conversationId: draw.of(CONVERSATIONS) }),
    ...(scope === 'task' && { turnId: draw.of(TURNS) }),
    ...(scope === 'until' && draw.chance(0.9) && { until: draw.of([500, 1_500]) }),
    ...(draw.chance(0.1) && { despite: draw.some(GUARDS, 0.4), readings: draw.upTo(3) }),
    madeAt: 0,
    uses: 0,
  }
}

function drawCase(draw: Draw): Case {
  const tool = drawTool(draw)
  const rules = draw.many(draw.chance(0.2) ? 30 : 8, () => drawRule(draw, tool))
  const said = draw.many(2, () => draw.of([...TEXTS, ...NUMBERS, draw.of(PATHS), `${draw.of(HOSTS)}`, draw.of(TABLES), 'schema']))
  const read = draw.many(3, () => ({
    server: draw.of(SERVERS),
    text: draw.of([...TEXTS, ...NUMBERS]),
    powers: draw.some(['reads', 'brings-in'] as const, 0.6),
    values: new Map(draw.chance(0.4) ? [['repo', draw.of(PLACES)]] : []),
  }))
  const used = draw.many(3, () => draw.of(POWERS))
  const denied = draw.chance(0.05)
  const seenAgain = () => {
    const seen = new ConversationProvenance()
    seen.addMessage(said.join('\n'))
    for (const [n, { server, text, powers, values }] of read.entries())
      seen.addResult(server, { call: `call-${n}`, what: 'reading' }, text, powers, values)
    seen.countUse(used)
    if (denied) seen.recordDenial()
    return seen
  }
  return {
    tool,
    args: drawArgs(draw),
    rules,
    place: { folders: draw.some(FOLDERS), hosts: draw.some(HOSTS), recipients: draw.some(PEOPLE) },
    moment: {
      now: 1_000,
      ...(draw.chance(0.9) && { conversationId: draw.of(CONVERSATIONS) }),
      ...(draw.chance(0.9) && { turnId: draw.of(TURNS) }),
    },
    seen: seenAgain(),
    seenAgain,
  }
}

function frozen<T>(value: T): T {
  const isOpen = value !== null && typeof value === 'object' && !Object.isFrozen(value)
  if (isOpen && !(value instanceof Map || value instanceof ConversationProvenance)) {
    Object.freeze(value)
    Object.values(value).forEach(frozen)
  }
  return value
}

interface Judging {
  readonly act: Act
  readonly verdict: Verdict
}

const books = new WeakMap<readonly ConsentRule[], RuleBook>()

/** The same book for the same rules, as in the product. */
function bookOf(rules: readonly ConsentRule[]): RuleBook {
  const book = books.get(rules) ?? new RuleBook(rules)
  books.set(rules, book)
  return book
}

const acts = new WeakMap<Case, Act>()

export function judge(one: Case, changed: Partial<Case> = {}): Judging {
  const { tool, args, rules, place, seen, moment } = { ...one, ...changed }
  // Rules and places change no act.
  const same = tool === one.tool && args === one.args && seen === one.seen
  const act = (same && acts.get(one)) || readAct(tool, args, { ...FACTS, seen, base: '/home/ana/shop' })
  if (same) acts.set(one, act)
  if (Object.isFrozen(one.rules)) frozen(act)
  return { act, verdict: verdictOf(act, { rules: bookOf(rules), place, seen, ...moment }) }
}

/** Many numbers, each of which draws a case. */
export function holdsForAll(check: (draw: Draw, n: number) => void): void {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), (n) => check(new Draw(n), n)),
    { numRuns: CASES, endOnFailure: true },
  )
}

/** One case in so many must not be changed. */
const FROZEN = 16

export function holdsFor(check: (one: Case, draw: Draw) => void): void {
  holdsForAll((draw, n) => {
    const one = drawCase(draw)
    // Freezing all of them costs more than their verdicts.
    check(n % FROZEN === 0 ? frozen(one) : one, draw)
  })
}
