// Some 1,000 cases of each in every run, 10,000 in a long one; FC_SEED draws others. A million takes some minutes each:
// CONSENT_CASES=1000000 npx vitest run --config e2e/vitest.config.ts --project unit src-main/consent/verdict.property.test.ts -t hint
import { posix } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { linked } from '../../e2e/test-hosts/consent-call.ts'
import type { JsonObject, JsonValue } from '../../src-shared/base/json.ts'
import { type ConsentRule, GUARDS, type Limit, type NamedPlace, POWERS, type Touch } from '../../src-shared/contract/consent.ts'
import type { ConsentRuleId, ConversationId, ServerId, TurnId } from '../../src-shared/contract/ids.ts'
import { toolHints } from '../../src-shared/contract/servers.ts'
import { type Act, readAct } from './act.ts'
import { hasPlainNames, isInert } from './inert-files.ts'
import { type DraftedOffer, offersFor } from './offers.ts'
import type { JudgedTool } from './powers.ts'
import { ConversationProvenance, PERSON, PRIVATE, STRANGER } from './provenance.ts'
import { sqlIsReadable } from './read-sql.ts'
import { RuleBook, type RuleContext } from './rules.ts'
import { isChoice, isFreeChoice } from './touches.ts'
import { asksForKeys, type Verdict, verdictOf } from './verdict.ts'
import { wordsIn } from './words.ts'

const CASES = Math.ceil(Number(process.env.CONSENT_CASES ?? (process.env.PARLEY_LONG === '1' ? 10_000 : 1_000)))
const TIMEOUT = 60_000 + CASES * 5

/** One number makes one case: cheap to draw a million of, and a red one is named by its number. */
class Draw {
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
  many<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.upTo(most) }, make)
  }
}

const SERVERS = ['shop', 'mail'] as const
const LAUNCHES = ['launch-1', 'launch-2'] as const
const PRINTS = ['print-1', 'print-2'] as const
const CONVERSATIONS: readonly [ConversationId, ConversationId] = ['one' as ConversationId, 'two' as ConversationId]
const TURNS: readonly [TurnId, TurnId] = ['first' as TurnId, 'second' as TurnId]
const FOLDERS = ['/home/ana/shop', '/home/ana/shop/docs', '/home/ana/mail', '/srv/data'] as const
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
const OUTSIDE: readonly [string, JsonValue][] = [
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
const NEVER: readonly [string, JsonValue][] = [
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
  ['deep', Array.from({ length: 30 }).reduce<JsonValue>((inner) => ({ inner }), 'x')],
  ['many', Array.from({ length: 3_000 }, (_, n) => n)],
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

interface Case {
  readonly tool: JudgedTool
  readonly args: JsonObject
  readonly rules: readonly ConsentRule[]
  readonly place: NamedPlace
  readonly moment: RuleContext
  /** Built each time, because a verdict could change it, and must not. */
  readonly seen: () => ConversationProvenance
}

const RESOLVED = linked({ '/home/ana/shop/link': '/srv/data/real', '/home/ana/shop/leads-out': '/outside/x' })
const FACTS = { home: '/home/ana', resolved: RESOLVED, repositories: new Map([['/home/ana/shop', '/home/ana/shop']]) }

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

function drawRule(
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
    seen() {
      const seen = new ConversationProvenance()
      seen.addMessage(said.join('\n'))
      for (const [n, { server, text, powers, values }] of read.entries())
        seen.addResult(server, { call: `call-${n}`, what: 'reading' }, text, powers, values)
      seen.countUse(used)
      if (denied) seen.recordDenial()
      return seen
    },
  }
}

/** With its members in the opposite order. */
function turned(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, one]) => [name, turned(one)]),
  )
}

function frozen<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value) && !(value instanceof Map)) {
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

function judge({ tool, args, rules, place, moment, seen }: Case, changed: Partial<Case> = {}): Judging {
  const now = changed.seen?.() ?? seen()
  const act = readAct(changed.tool ?? tool, changed.args ?? args, { ...FACTS, seen: now, base: '/home/ana/shop' })
  if (Object.isFrozen(rules)) frozen(act)
  const book = bookOf(changed.rules ?? rules)
  return { act, verdict: verdictOf(act, { rules: book, place: changed.place ?? place, seen: now, ...moment }) }
}

/** One case in so many must not be changed. */
const FROZEN = 16

/** Cases of one property, each drawn from one number. */
function holdsFor(check: (one: Case, draw: Draw) => void): void {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), (n) => {
      const draw = new Draw(n)
      const one = drawCase(draw)
      // Freezing all of them costs more than their verdicts.
      check(n % FROZEN === 0 ? frozen(one) : one, draw)
    }),
    { numRuns: CASES, endOnFailure: true },
  )
}

// The meaning of rules, written a second time and as plainly as possible.

const isUnder = (path: string, folder: string) => path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
const isMild = ({ powers }: Act) => powers.every((power) => power === 'reads' || power === 'brings-in')

function leavesNothingOut({ limits }: ConsentRule, { touches, tool }: Act): boolean {
  const kinds = limits.map(({ is }) => is)
  if (kinds.includes('any')) return true
  if (kinds.includes('recipient') && !touches.some(({ is }) => is === 'recipient')) return false
  const given = touches.map(({ argument }) => argument)
  const declared = Object.keys(tool.inputSchema.properties ?? {})
  return limits.every((limit) => limit.is !== 'value' || !declared.includes(limit.argument) || given.includes(limit.argument))
}

function covers(limit: Limit, touch: Touch, act: Act): boolean {
  if (limit.is === 'any') return true
  if (limit.is === 'folder') {
    if (touch.is !== 'path' || touch.path === undefined || posix.normalize(touch.path) !== touch.path) return false
    if (!isUnder(touch.path, limit.path)) return false
    if (isMild(act) || touch.path === limit.path) return true
    const runs = act.touches.some(({ is, argument }) => is === 'command' && argument === touch.argument)
    return touch.folder || runs ? hasPlainNames(touch.path, limit.path) : isInert(touch.path, limit.path)
  }
  if (limit.is === 'host') return touch.is === 'host' && touch.host === limit.host
  if (limit.is === 'recipient') return touch.is === 'recipient' && touch.value === limit.address
  if (limit.is === 'value') return touch.is !== 'path' && touch.argument === limit.argument && touch.value === limit.value
  if (limit.is === 'command') return touch.is === 'command' && touch.words === limit.words
  if (limit.is === 'named-items') return touch.is === 'item'
  if (limit.is === 'named-addresses') return touch.is === 'host' && touch.named === true
  if (limit.is === 'at-most')
    return touch.is === 'amount' && touch.argument === limit.argument && touch.amount <= limit.amount && touch.amount >= 0
  if (limit.is === 'kind') return 'kind' in touch && touch.kind === limit.kind
  if (limit.is === 'text') return touch.is === 'text' && touch.argument === limit.argument
  if (limit.is === 'said') {
    if (!('varies' in touch) || touch.argument !== limit.argument) return false
    return touch.varies === 'person' || (touch.varies === 'server' && limit.by === 'server')
  }
  return touch.is === 'statement' && touch.verb === limit.verb && touch.tables.every((table) => limit.tables.includes(table))
}

function holdsNow(rule: ConsentRule, { conversationId, turnId, now }: RuleContext): boolean {
  if (rule.conversationId && rule.conversationId !== conversationId) return false
  if (rule.turnId && rule.turnId !== turnId) return false
  return rule.scope !== 'until' || (rule.until ?? 0) > now
}

/** Bound to the very tool, holding now, with these powers. */
const mayAllow = (rule: ConsentRule, act: Act, moment: RuleContext) =>
  rule.effect === 'allow' &&
  rule.serverId === act.tool.serverId &&
  rule.launchIdentity === act.tool.launchIdentity &&
  rule.tools?.[act.tool.name] === act.tool.fingerprint &&
  holdsNow(rule, moment) &&
  act.powers.every((power) => rule.powers.includes(power))

function isNamedPlace(touch: Touch, place: NamedPlace): boolean {
  if (touch.is === 'path') return place.folders.some((folder) => touch.path !== undefined && isUnder(touch.path, folder))
  if (touch.is === 'host') return place.hosts.includes(touch.host)
  return touch.is === 'recipient' ? place.recipients.includes(touch.value) : touch.is === 'item' || touch.is === 'option'
}

const asRules = ({ draft }: DraftedOffer, moment: RuleContext): ConsentRule[] => [
  {
    ...draft,
    id: 'offered' as ConsentRuleId,
    effect: 'allow',
    ...(draft.scope !== 'always' && moment.conversationId && { conversationId: moment.conversationId as ConversationId }),
    ...(draft.scope === 'task' && moment.turnId && { turnId: moment.turnId as TurnId }),
    madeAt: 0,
    uses: 0,
  },
]

/** From the strictest: what a rule may move a verdict to. */
const STRICT = { deny: 0, ask: 1, allow: 2 } as const

beforeAll(() => sqlIsReadable)

describe('a verdict on any call under any rules', { timeout: TIMEOUT }, () => {
  it('allows only what a single rule covers, or what was named and is only read', () => {
    const allowed = { rule: 0, free: 0 }
    holdsFor((one) => {
      const { act, verdict } = judge(one)
      // Those that are found are those that there are.
      const whole = one.rules.filter(
        (rule) =>
          mayAllow(rule, act, one.moment) &&
          (isMild(act) || leavesNothingOut(rule, act)) &&
          act.touches.every(
            (touch) => (isMild(act) && isFreeChoice(touch)) || rule.limits.some((limit) => covers(limit, touch, act)),
          ),
      )
      const found = [...new RuleBook(one.rules).allowing(act, one.moment)]
      for (const rule of whole) if (!found.includes(rule)) expect(found).toContain(rule)
      if (verdict.is !== 'allow') return
      allowed[verdict.by] += 1
      expect(act.unread).toBeUndefined()
      expect(asksForKeys(act)).toBe(false)
      if (verdict.by === 'free') {
        expect(['protocol', 'published', 'trusted-hints', 'accepted', 'told']).toContain(act.known)
        expect(isMild(act)).toBe(true)
        const seen = one.seen()
        for (const touch of act.touches) {
          // Which of what is there, as long as no stranger alone has said it.
          const by = seen.sourcesOf(touch.value)
          if (isChoice(touch) && touch.is === 'value' && (by === 0 || (by & ~STRANGER) !== 0)) continue
          const said = (word: string) => (seen.sourcesOf(word) & PERSON) !== 0
          const isOfSchema = (table: string) => said('schema') && table.includes('.') && said(table.split('.')[0] ?? '')
          if (touch.is === 'statement') {
            expect(touch.verb).toBe('SELECT')
            for (const table of touch.tables)
              expect(said(table) || said(table.split('.').at(-1) ?? '') || isOfSchema(table), table).toBe(true)
            continue
          }
          if (touch.is === 'value' && touch.value === 'primary' && isChoice(touch)) continue
          if (!isNamedPlace(touch, one.place)) expect(seen.sourcesOf(touch.value) & PERSON, JSON.stringify(touch)).toBe(PERSON)
        }
        return
      }
      expect(one.rules).toContain(verdict.rule)
      expect(mayAllow(verdict.rule, act, one.moment)).toBe(true)
      const joined = one.rules.filter((rule) => mayAllow({ ...rule, powers: POWERS.slice() }, act, one.moment))
      for (const touch of act.touches) {
        if (isMild(act) && isChoice(touch)) continue
        const alone = verdict.rule.limits.some((limit) => covers(limit, touch, act))
        const together =
          touch.is === 'statement' &&
          touch.tables.every((table) =>
            joined.some(({ limits }) => limits.some((limit) => covers(limit, { ...touch, tables: [table] }, act))),
          )
        expect(alone || together, JSON.stringify(touch)).toBe(true)
      }
      for (const rule of one.rules)
        if (rule.effect !== 'allow' && rule.limits.length === 0 && rule.powers.length === 0 && !rule.tools && !rule.serverId)
          expect(holdsNow(rule, one.moment)).toBe(false)
    })
    expect(allowed.rule).toBeGreaterThan(CASES / 200)
    expect(allowed.free).toBeGreaterThan(CASES / 1_000)
  })

  it('is not relaxed by a rule that denies or asks, nor tightened by one that allows', () => {
    const moved = new Set<string>()
    holdsFor((one, draw) => {
      const before = judge(one).verdict
      for (const effect of ['deny', 'ask', 'allow'] as const) {
        const rules = [...one.rules]
        rules.splice(draw.upTo(rules.length), 0, drawRule(draw, one.tool, effect))
        const after = judge(one, { rules }).verdict
        if (after.is !== before.is) moved.add(`${effect}: ${before.is} to ${after.is}`)
        const step = STRICT[after.is] - STRICT[before.is]
        // A denial stays; a question is no denial.
        const fits =
          (effect === 'allow' ? step >= 0 : step <= 0) &&
          (before.is !== 'deny' || after.is === 'deny') &&
          (effect !== 'ask' || before.is === 'deny' || after.is !== 'deny') &&
          !(before.is === 'ask' && before.rule?.effect === 'ask' && after.is === 'allow')
        if (!fits) expect({ effect, before, after }).toBe('a step to the side of the rule')
      }
    })
    expect([...moved].sort()).toEqual(expect.arrayContaining(['allow: ask to allow', 'deny: allow to deny', 'deny: ask to deny']))
  })

  it('never allows what is outside every rule and every named place', () => {
    const outcomes = { allow: 0, ask: 0, deny: 0 }
    holdsFor((one, draw) => {
      const [name, value] = draw.of([['path', '/outside/x'], ...OUTSIDE])
      const rules = one.rules.filter(({ limits }) => !limits.some(({ is }) => is === 'any'))
      const { act, verdict } = judge(one, { rules, args: { ...one.args, [name]: value } })
      outcomes[verdict.is] += 1
      if (verdict.is === 'allow') expect({ name, value, act, verdict }).toBe('asked about')
      // Without it, the same call may run.
      outcomes.allow += judge(one, { rules }).verdict.is === 'allow' ? 1 : 0
    })
    expect(outcomes.allow).toBeGreaterThan(CASES / 200)
  })

  it('never allows what cannot be read or asks for keys, whatever rules there are', () => {
    holdsFor((one, draw) => {
      const [name, value] = draw.of([['path', '~/.ssh/id_ed25519'], ...NEVER])
      const { tool } = one
      const any: ConsentRule = {
        ...{ id: 'any' as ConsentRuleId, effect: 'allow', powers: [...POWERS], despite: [...GUARDS], madeAt: 0, uses: 0 },
        ...{ serverId: tool.serverId as ServerId, launchIdentity: tool.launchIdentity, tools: { [tool.name]: tool.fingerprint } },
        ...{ limits: [{ is: 'any' }], scope: 'always' },
      }
      const { act, verdict } = judge(one, { rules: [...one.rules, any], args: { ...one.args, [name]: value } })
      if (verdict.is === 'allow')
        expect({ name, value, touches: act.touches, known: act.known, powers: act.powers }).toBe('asked about')
    })
  })

  it('needs a rule of the same launch, definition, server and tool', () => {
    let allowed = 0
    holdsFor((one, draw) => {
      const rules = one.rules.filter(
        (rule) =>
          rule.serverId === one.tool.serverId &&
          rule.launchIdentity === one.tool.launchIdentity &&
          rule.tools?.[one.tool.name] === one.tool.fingerprint,
      )
      const before = judge(one, { rules }).verdict
      if (before.is !== 'allow' || before.by !== 'rule') return
      allowed += 1
      for (const other of [
        { launchIdentity: 'launch-3' },
        { fingerprint: 'print-3' },
        { serverId: 'another' },
        { name: draw.of(['__proto__', 'constructor', `${one.tool.name}2`]) },
      ]) {
        const after = judge(one, { rules, tool: { ...one.tool, ...other } }).verdict
        if (after.is === 'allow') expect([after.by, other]).toEqual(['free', other])
      }
    })
    expect(allowed).toBeGreaterThan(CASES / 200)
  })

  it('is not relaxed by a hint of a server whose hints the person does not trust (V26-TOOL-5)', () => {
    let hinted = 0
    holdsFor((one, draw) => {
      if (one.tool.hintsTrusted) return
      const claimed = { readOnlyHint: draw.chance(0.8), destructiveHint: draw.chance(0.2), openWorldHint: draw.chance(0.2) }
      const silent = judge(one, { tool: { ...one.tool, hints: toolHints({}) } })
      const hint = judge(one, { tool: { ...one.tool, hints: toolHints(claimed) } })
      if (silent.verdict.is === 'allow') hinted += 1
      const lost = silent.act.powers.filter((power) => !hint.act.powers.includes(power))
      if (lost.length > 0) expect({ claimed, hint, silent, lost }).toBe('no fewer powers')
      if (STRICT[hint.verdict.is] > STRICT[silent.verdict.is]) expect({ claimed, hint, silent }).toBe('no milder')
      if (hint.verdict.is !== 'ask' || silent.verdict.is !== 'ask') return
      const guards = hint.verdict.guards.map(({ guard }) => guard)
      for (const { guard } of silent.verdict.guards) if (!guards.includes(guard)) expect(guards).toContain(guard)
    })
    expect(hinted).toBeGreaterThan(CASES / 200)
  })

  it('lets nothing leave or be destroyed because the person called every tool read-only', () => {
    const outcomes = { freed: 0, held: 0 }
    holdsFor((one) => {
      const { defined: _defined, published: _published, told: _told, hintsTrusted: _trusted, ...unknown } = one.tool
      const before = judge(one, { tool: unknown })
      const { act, verdict } = judge(one, { tool: { ...unknown, told: ['reads'] } })
      if (act.known === 'named' || act.known === 'unknown') outcomes.held += 1
      if (verdict.is !== 'allow' || before.verdict.is === 'allow') return
      outcomes.freed += 1
      expect(['accepted', 'told']).toContain(act.known)
      // Neither its name nor its arguments say more; for what they say, a rule has to allow it.
      if (act.known === 'accepted') expect(before.act.powers).toEqual(act.powers)
      if (verdict.by === 'free') expect(isMild(act)).toBe(true)
      // An address filters what a verb of reading shows.
      if (act.known === 'told' && verdict.by === 'free') expect(act.touches.filter(({ is }) => is === 'recipient')).toEqual([])
      const seen = one.seen()
      if (verdict.by === 'rule' && verdict.rule.despite?.includes('flow')) return
      // A rule holds the values that it was made for, and a place was named by the person.
      const values = act.touches.filter(
        (touch) => verdict.by === 'free' && (touch.is === 'item' || !isNamedPlace(touch, one.place)),
      )
      for (const text of [...act.carries, ...values.map(({ value }) => value)])
        for (const word of wordsIn(text)) {
          const by = seen.sourcesOf(word)
          const own = (by & PERSON) !== 0 || seen.saidByServer(word, one.tool.serverId)
          if ((by & PRIVATE) !== 0 && !own) expect({ word, act, verdict }).toBe('asked about')
        }
    })
    expect(outcomes.freed).toBeGreaterThan(CASES / 1_000)
    expect(outcomes.held).toBeGreaterThan(CASES / 10)
  })

  it('never allows a change of a file that programs obey, however its name is spelled', () => {
    const names = [
      'package.json',
      'AGENTS.md',
      'Makefile',
      '.bashrc',
      '.git/hooks/x',
      'memory/a.md',
      'a.prompt.md',
      'conftest.py',
      'bin/a.js',
      'unheard.ts',
    ]
    const wide = (text: string) => text.replace(/[a-z]/gi, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))
    const spellings: readonly [(text: string) => string, ...((text: string) => string)[]] = [
      (text) => text,
      (text) => text.toUpperCase(),
      (text) => text.toLowerCase(),
      (text) => text.replace(/s/gi, 'ſ'),
      wide,
      (text) => `${text} `,
      (text) => `${text}.`,
      (text) => `${text}:stream`,
      (text) => `${text}\u200b`,
      (text) => text.replace('.', '\u2060.'),
      (text) => `sub/../${text}`,
      (text) => `./deep/${text}`,
      (text) => `${text.slice(0, 4)}~1.md`,
    ]
    const tools = ['write_file', 'edit_file', 'move_file', 'create_directory']
    const published = '@modelcontextprotocol/server-filesystem'
    let [free, asked] = [0, 0]
    holdsFor((one, draw) => {
      const folder = draw.of(FOLDERS)
      const name = draw.of(tools as [string, ...string[]])
      const bad = draw.chance(0.8)
      const file = bad ? draw.of(spellings)(draw.of(names as [string, ...string[]])) : 'docs/notes.md'
      const path = `${folder}/${file}`
      const args = name === 'move_file' ? { source: `${folder}/notes.md`, destination: path } : { path, content: 'x' }
      const tool = { ...one.tool, name, published, inputSchema: { type: 'object' as const } }
      const { defined: _defined, ...known } = tool
      const act = readAct(known, args, { ...FACTS, plain: { has: () => true }, seen: one.seen() })
      const place = { ...one.place, folders: [folder], editable: [folder] }
      const verdict = verdictOf(act, { ...one.moment, rules: new RuleBook([]), place, seen: one.seen() })
      // A folder of a name that only files are obeyed by holds nothing yet.
      if (bad && name !== 'create_directory') expect([path, verdict.is]).toEqual([path, 'ask'])
      if (verdict.is === 'allow') free += 1
      else asked += 1
    })
    expect(free).toBeGreaterThan(CASES / 20)
    expect(asked).toBeGreaterThan(CASES / 2)
  })

  it('is the same twice, whatever the order of arguments, of rules and of the calls before', () => {
    const earlier: Case[] = []
    holdsFor((one, draw) => {
      const first = judge(one)
      const shared = one.seen()
      const again = () => shared
      for (const other of earlier) {
        judge({ ...other, moment: one.moment }, { rules: one.rules, seen: again })
        judge({ ...other, tool: { ...other.tool, serverId: `${other.tool.serverId}-${draw.upTo(60)}` } }, { seen: again })
      }
      const book = [...one.rules].reverse()
      expect(judge(one, { seen: again })).toEqual(first)
      expect(judge(one, { tool: structuredClone(one.tool), args: structuredClone(one.args) }).verdict).toEqual(first.verdict)
      expect(judge(one, { rules: book }).verdict.is).toBe(first.verdict.is)
      const args = turned(one.args) as JsonObject
      expect(judge(one, { args })).toEqual({ ...first, act: { ...first.act, args } })
      earlier.push(one)
      if (earlier.length > 1) earlier.shift()
    })
  })

  it('lets each offered rule pass its own call, unless a guard explains why not, and no other', () => {
    const passed = { here: 0, guarded: 0 }
    holdsFor((one, draw) => {
      const { act, verdict } = judge(one, { rules: [] })
      if (verdict.is !== 'ask') return
      const asked = [{ act, verdict, siblings: [one.tool], readings: one.seen().readings }]
      const offers = offersFor(asked, { place: one.place, facts: FACTS, ...(draw.chance(0.5) && { others: [one.tool] }) })
      if (act.unread !== undefined || asksForKeys(act))
        expect(
          offers
            .filter(({ wide }) => !wide)
            .flatMap(({ draft: { also = [], ...first } }) => [first, ...also])
            .filter(({ despite }) => despite),
        ).toEqual([])
      for (const offer of offers.filter(({ wide }) => !wide)) {
        const rules = asRules(offer, one.moment)
        const after = judge(one, { rules }).verdict
        if (after.is === 'allow') passed.here += 1
        else if (asksForKeys(act)) expect(after.is).toBe('ask')
        else {
          passed.guarded += 1
          if (after.is !== 'ask' || after.guards.length === 0 || !after.rule)
            expect({ offer, act, after }).toBe('allowed or guarded')
        }
        const [name, value] = draw.of([['path', '/outside/x'], ...OUTSIDE])
        const elsewhere = judge(one, { rules, args: { ...one.args, [name]: value } })
        if (elsewhere.verdict.is === 'allow') expect({ offer, name, value, touches: elsewhere.act.touches }).toBe('asked about')
      }
    })
    expect(passed.here).toBeGreaterThan(CASES / 10)
    expect(passed.guarded).toBeGreaterThan(0)
  })
})
