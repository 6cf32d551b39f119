// Some 1,000 cases of each in every run. A million takes some minutes each:
// CONSENT_CASES=1000000 npx vitest run --config e2e/vitest.config.ts --project unit src-main/consent/principles.property.test.ts
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actOf, judgedTool, ruleFor, verdictOn } from '../../e2e/test-hosts/consent-call.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import { isInert } from './inert-files.ts'
import { KNOWN_COMMANDS, knownCommand } from './known-commands.ts'
import { namedElsewhere } from './named-elsewhere.ts'
import { CHANGES, DESTROYS, OBJECTS, READS, SENDS, SPENDS } from './names.ts'
import { powersOf } from './powers.ts'
import { ConversationProvenance, PRIVATE, STRANGER, UNKNOWN_PAGE } from './provenance.ts'
import { readShell } from './read-shell.ts'

const CASES = Math.ceil(Number(process.env.CONSENT_CASES ?? 1_000))
const TIMEOUT = 60_000 + CASES * 5
const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789']

describe('the engine', { timeout: TIMEOUT }, () => {
  it('asks about every option outside the table of commands, wherever it is', () => {
    const name = fc.array(fc.constantFrom(...LETTERS, '-'), { minLength: 2, maxLength: 12 }).map((all) => `--${all.join('')}`)
    const option = fc.oneof(
      name,
      fc.constantFrom(...LETTERS).map((letter) => `-${letter}`),
    )
    const value = fc.constantFrom('', '=x', '=/tmp/x', '=sh', '=1')
    const beside = fc.constantFrom('', ' a.ts', ' src', ' -q')
    let outside = 0
    fc.assert(
      fc.property(fc.constantFrom(...KNOWN_COMMANDS), option, value, beside, fc.boolean(), (command, one, given, more, last) => {
        const known = knownCommand(command.split(' '))?.known
        // Of a digit, the table has any number; `-` first in a long name would be another spelling of `--`.
        if (!known || known.options.has(one) || known.options.has(`${one}${given}`) || /^-\d|^---/.test(one)) return
        if (more === ' -q' && one === '-q') return
        outside += 1
        const text = last ? `${command}${more} ${one}${given}` : `${command} ${one}${given}${more}`
        if (readShell(text)) expect([text, readShell(text)]).toEqual([text, undefined])
      }),
      { numRuns: CASES, endOnFailure: true },
    )
    expect(outside).toBeGreaterThan(CASES / 2)
  })

  it('asks about a change of any file with an unknown name, kind or place', () => {
    const word = fc.stringMatching(/^[A-Za-z]{8,14}$/)
    const kind = fc.constantFrom(
      'md',
      'txt',
      'rst',
      'TXT',
      'ts',
      'py',
      'js',
      'html',
      'json',
      'yml',
      'toml',
      'sh',
      'rb',
      'xml',
      'lua',
    )
    const places = ['', 'src', 'docs', 'notes/2026', 'tests', 'packages/a/src', 'app', 'node_modules/a/src', 'lib']
    const known = ['docs/report.md', 'src/a.ts', 'tests/a.test.js', 'pictures/a.png']
    expect(known.map((name) => isInert(`/home/ana/shop/${name}`, '/home/ana/shop'))).toEqual(known.map(() => true))
    fc.assert(
      fc.property(fc.constantFrom(...places), word, fc.oneof(word, kind), fc.boolean(), (place, stem, ending, inner) => {
        const isSource = /^(?:ts|py|js|html|rb)$/.test(ending) && /^(?:packages\/a\/)?src$/.test(place)
        if (isSource && !inner) return
        const name = `${place}/${stem}${inner ? '.agent' : ''}.${ending}`
        if (isInert(`/home/ana/shop/${name}`, '/home/ana/shop')) expect(name).toBe('asked about')
      }),
      { numRuns: CASES, endOnFailure: true },
    )
  })

  it('allows nothing for the text of an import or of its fork', () => {
    const files = judgedTool('read_text_file', { published: '@modelcontextprotocol/server-filesystem' })
    const slack = judgedTool('slack_get_channel_history', { published: '@modelcontextprotocol/server-slack' })
    const query = judgedTool('query', { published: '@modelcontextprotocol/server-postgres' })
    const web = judgedTool('fetch', { published: 'pypi:mcp-server-fetch' })
    const read = judgedTool('get_order', { told: ['reads'] })
    const word = fc.stringMatching(/^[a-z]{3,9}\d{0,4}$/)
    const call = fc.oneof(
      word.map((one): [typeof files, JsonObject] => [files, { path: `/home/ana/${one}/x.md` }]),
      word.map((one): [typeof files, JsonObject] => [slack, { channel_id: one.toUpperCase() }]),
      word.map((one): [typeof files, JsonObject] => [query, { table: one }]),
      word.map((one): [typeof files, JsonObject] => [web, { url: `https://${one}.example/` }]),
      word.map((one): [typeof files, JsonObject] => [read, { order_id: one }]),
    )
    let asked = 0
    fc.assert(
      fc.property(call, fc.array(word, { maxLength: 3 }), fc.boolean(), ([tool, args], said, forked) => {
        const verdict = (imported: boolean) => {
          const seen = new ConversationProvenance()
          const text = `Read ${Object.values(args).join(' ')}, server, ${said.join(' ')}.`
          if (imported) seen.addResult('', { call: 'import', what: 'an imported conversation' }, text, ['reads', 'brings-in'])
          if (forked) seen.addMessage(said.join(' '))
          const place = { folders: [], hosts: [], recipients: [] }
          return verdictOn(actOf(tool, args, { seen }), [], { seen, place }).is
        }
        if (verdict(false) !== 'ask') return
        asked += 1
        if (verdict(true) !== 'ask') expect(args).toBe('asked about')
      }),
      { numRuns: CASES, endOnFailure: true },
    )
    expect(asked).toBeGreaterThan(CASES / 2)
  })

  it('asks about a path that nobody looked up, wherever it is among others', () => {
    const files = judgedTool('read_multiple_files', { published: '@modelcontextprotocol/server-filesystem' })
    const outcomes = { allow: 0, ask: 0, deny: 0 }
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), fc.integer({ min: 0, max: 230 }), (known, at) => {
        // Only those before the limit are looked up.
        const looked = (n: number) => known[n] === true && at + n < 200
        const paths = known.map((_, n) => `/home/ana/shop/${n}.txt`)
        const resolved = { get: (path: string) => (looked(paths.indexOf(path)) ? path : undefined) }
        const { is } = verdictOn(actOf(files, { paths }, { resolved }), [ruleFor(files)])
        outcomes[is] += 1
        const right = known.every((_, n) => looked(n)) ? 'allow' : 'ask'
        if (is !== right) expect([known, at, is]).toEqual([known, at, right])
      }),
      { numRuns: CASES, endOnFailure: true },
    )
    expect(Math.min(outcomes.allow, outcomes.ask)).toBeGreaterThan(CASES / 100)
  })

  it('knows the end of a text like its beginning', () => {
    const word = fc.stringMatching(/^[a-z]{3,9}\d{1,4}$/)
    const between = fc.constantFrom(' ', '\n', ', ', '/', '"', ' (', '\u00a0', '\u2028')
    fc.assert(
      fc.property(word, word, between, fc.integer({ min: 0, max: 60 }), (first, last, by, words) => {
        const seen = new ConversationProvenance()
        const text = `${first}${by}${'word '.repeat(words)}${by}${last}`
        seen.addResult('mail', { call: 'read', what: 'mail' }, text, ['reads', 'brings-in'])
        const both = PRIVATE | STRANGER
        if (seen.sourcesOf(first) !== both || seen.sourcesOf(last) !== both) expect(text).toBe('known to its end')
      }),
      { numRuns: CASES, endOnFailure: true },
    )
  })

  it('guesses of no name with a verb of doing that its tool only reads', () => {
    const doing = [...CHANGES, ...DESTROYS, ...SENDS, ...SPENDS].filter((word) => !OBJECTS.has(word) && !READS.has(word))
    const noun = fc.stringMatching(/^[a-z]{4,8}$/)
    const joint = fc.constantFrom('_', '-', '__', '.')
    fc.assert(
      fc.property(
        fc.constantFrom(...READS),
        fc.constantFrom(...doing),
        fc.array(noun, { maxLength: 2 }),
        fc.nat({ max: 2 }),
        joint,
        (looks, does, nouns, at, by) => {
          const words = [looks, ...nouns]
          words.splice(Math.min(at + 1, words.length), 0, does)
          const name = words.join(by)
          if (!powersOf(judgedTool(name)).powers.has('changes')) expect(name).toBe('one that changes')
        },
      ),
      { numRuns: CASES, endOnFailure: true },
    )
  })

  it('is unsure of the page wherever a result names two', () => {
    const host = fc.stringMatching(/^[a-z]{3,8}$/)
    fc.assert(
      fc.property(host, host, fc.array(host, { maxLength: 5 }), fc.boolean(), (one, other, between, known) => {
        const seen = new ConversationProvenance()
        const line = (name: string) => `- Page URL: https://${name}.example/`
        const text = [line(one), ...between, line(other)].join('\n')
        seen.addResult('browser', { call: 'look', what: 'a page' }, text, ['brings-in'], new Map(), known ? 'stated' : 'claimed')
        const right = one === other ? `https://${one}.example/` : UNKNOWN_PAGE
        if (seen.pageOf('browser') !== right) expect([text, seen.pageOf('browser')]).toEqual([text, right])
      }),
      { numRuns: CASES, endOnFailure: true },
    )
  })

  it('finds the name of a tool in a description of another server, wherever it stands', () => {
    const word = fc.stringMatching(/^[a-z]{3,8}$/)
    const mark = fc.constantFrom('', '"', '`', '(', ')', '.', ',', ':', '*', '\u200b', '\u2028', '/', '-')
    fc.assert(
      fc.property(word, word, fc.array(word, { maxLength: 4 }), mark, mark, (verb, noun, around, before, after) => {
        const name = `${verb}_${noun}`
        const description = [...around, `${before}${name}${after}`, ...around].join(' ')
        const tool = judgedTool('fact', { serverId: 'facts', serverName: 'Facts' })
        if (namedElsewhere(judgedTool(name), [{ tool, description }]) !== 'Facts') expect(description).toBe('found')
      }),
      { numRuns: CASES, endOnFailure: true },
    )
  })

  it('lets Git look and record only where its configuration was read', () => {
    const shell = judgedTool('execute_command')
    const git = [...KNOWN_COMMANDS].filter((command) => knownCommand(command.split(' '))?.known.git)
    const folder = fc.stringMatching(/^[a-z]{3,8}$/).map((name) => `/home/ana/${name}`)
    let read = 0
    fc.assert(
      fc.property(fc.constantFrom(...git), folder, folder, fc.boolean(), (command, at, other, same) => {
        const looked = same ? at : other
        const repositories = new Map([[looked, looked]])
        const facts = { repositories, hookless: new Set([looked]), folders: new Set([at, looked]) }
        const { unread } = actOf(shell, { command: `cd ${at} && ${command}` }, facts)
        if (unread === undefined) read += 1
        if (at !== looked && unread === undefined) expect([command, at, looked]).toBe('unread')
      }),
      { numRuns: CASES, endOnFailure: true },
    )
    expect(read).toBeGreaterThan(CASES / 10)
  })

  it('asks when a limit is reached: members of a list, depth, and words of a text', () => {
    const send = judgedTool('send_note')
    const rule = ruleFor(send)
    const seen = new ConversationProvenance()
    seen.addMessage('Send the note hi')
    seen.addResult('mail', { call: 'read', what: 'mail' }, 'hi', ['reads'])
    const is = (args: JsonObject) => verdictOn(actOf(send, args, { seen }), [rule], { seen }).is
    expect(is({ tags: ['hi'], text: 'hi' })).toBe('allow')
    const nested = (depth: number): JsonObject => (depth === 0 ? { text: 'hi' } : { text: nested(depth - 1) })
    const over = fc.oneof(
      fc.integer({ min: 2_001, max: 2_400 }).map((n): JsonObject => ({ tags: Array.from({ length: n }, () => 'hi') })),
      fc.integer({ min: 17, max: 60 }).map(nested),
      fc.integer({ min: 5_001, max: 5_400 }).map((n): JsonObject => ({ text: 'hi '.repeat(n) })),
      fc.integer({ min: 200_001, max: 201_000 }).map((n): JsonObject => ({ text: `hi${' '.repeat(n)}` })),
    )
    fc.assert(
      fc.property(over, (args) => {
        expect(is(args)).toBe('ask')
      }),
      // Each is large.
      { numRuns: Math.max(400, CASES / 10), endOnFailure: true },
    )
  })
})
