// As many cases as in verdict.property.test.ts.
import { describe, expect, it } from 'vitest'
import { actOf, judgedTool, ruleFor, verdictOn } from '../../e2e/test-hosts/consent-call.ts'
import {
  CASES,
  type Case,
  type Draw,
  drawRule,
  FACTS,
  FOLDERS,
  holdsFor,
  holdsForAll,
  judge,
  TIMEOUT,
} from '../../e2e/test-hosts/drawn-case.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import { type ConsentRule, type GuardNote, onlyReads, POWERS, type Power } from '../../src-shared/contract/consent.ts'
import type { FencePolicy } from '../../src-shared/contract/servers.ts'
import { offlineUnder } from '../host/launch/fence-policy.ts'
import { publishedPackage } from '../host/launch/published-package.ts'
import { offersFor } from './offers.ts'
import { type JudgedTool, powersOf } from './powers.ts'
import { ConversationProvenance } from './provenance.ts'

type Some<T> = readonly [T, ...T[]]
const some = (text: string) => [...text] as unknown as Some<string>
const LETTERS = some('abcdefghijklmnopqrstuvwxyz')
const DIGITS = some('0123456789')

/** A runner with options that leave its package as it is, and the one that names a package. */
interface Runner {
  readonly program: string
  readonly sub: readonly string[]
  readonly plain: Some<string>
  readonly named: string
}
const NODE = ['-y', '--yes', '-q', '--quiet', '--prefer-offline', '--offline', '--no-install'] as const
const PYTHON = ['-q', '--no-progress', '--isolated', '--refresh', '--offline', '-n', '--python=3.12'] as const
const RUNNERS: Some<Runner> = [
  { program: 'npx', sub: [], plain: NODE, named: '--package' },
  { program: 'npm', sub: ['exec'], plain: NODE, named: '--package' },
  { program: 'pnpm', sub: ['dlx'], plain: ['-s', '--silent'], named: '--package' },
  { program: 'yarn', sub: ['dlx'], plain: ['-q', '--quiet'], named: '--package' },
  { program: 'bunx', sub: [], plain: ['--bun', '-y'], named: '--package' },
  { program: 'bun', sub: ['x'], plain: ['--bun', '-y'], named: '--package' },
  { program: 'uvx', sub: [], plain: PYTHON, named: '--from' },
  { program: 'uv', sub: ['tool', 'run'], plain: PYTHON, named: '--from' },
  { program: 'pipx', sub: ['run'], plain: ['-q', '--python=3.12'], named: '--spec' },
]

interface Line {
  wrapped: (line: string[]) => string[]
  program: string
  sub: readonly string[]
  options: string[]
  spec: string
  /** The option before the package, and the command after it. */
  named: string[]
  command: string[]
}

const at = (draw: Draw, all: readonly string[], more: readonly string[]) => all.toSpliced(draw.upTo(all.length), 0, ...more)

/** Each makes the line one that may start something else. */
const TWISTS: Some<(line: Line, draw: Draw, word: string) => void> = [
  (line, draw, word) => {
    const option = draw.of([
      `-${draw.of(some('bcdefghijklmoruvwxz'))}`,
      `--${word}x`,
      `--${word}-x`,
      '--registry',
      '--with',
      '--call',
    ])
    line.options = at(draw, line.options, [`${option}${draw.of(['', '=x', '=/tmp/x'])}`, ...draw.many(1, () => 'x')])
  },
  (line, draw, word) => {
    const before = [
      './',
      '../',
      '/tmp/',
      '~/',
      'file:',
      'git+https://x.example/',
      'https://x.example/',
      'npm:',
      `${word}/`,
      '\u200b',
    ]
    line.spec = `${draw.of(before as unknown as Some<string>)}${line.spec}`
  },
  (line, draw, word) => {
    const after = [
      '@npm:',
      '@file:',
      '@./',
      '@https://x.example/',
      '@git+ssh://x/',
      '/',
      ' @ file:///',
      '@github:x/',
      '#',
      '.tgz#',
    ]
    line.spec = `${line.spec}${draw.of(after as unknown as Some<string>)}${word}`
  },
  (line, draw, word) => {
    line.named = line.named.length > 0 ? line.named : ['--package']
    line.command = [draw.of(['sh', 'node', 'python', word, `./${line.command[0] ?? ''}`])]
  },
  (line, _draw, word) => {
    line.named = ['--package', word, '--package']
  },
  (line, draw, word) => {
    line.sub = draw.of([['install'], ['remove'], ['exec', 'exec'], [word], [...line.sub, word]])
  },
  (line, draw, word) => {
    line.program = draw.of([
      ...([`./${line.program}`, `/tmp/${line.program}`, `C:\\x\\${line.program}`, `bin/${line.program}`] as const),
      `${line.program}${word}`,
    ])
  },
  (line, draw, word) => {
    line.wrapped = draw.of<Line['wrapped']>([
      (all) => ['env', 'A=b', ...all],
      (all) => ['sh', '-c', all.join(' ')],
      (all) => ['bash', '-lc', all.join(' ')],
      (all) => [draw.of(['sudo', 'nice', 'time', 'exec', word]), ...all],
      (all) => ['cmd', '/k', ...all],
      (all) => ['cmd', '/c', ...at(draw, all, [draw.of(['&', '|', '%x%', '^', 'a&b', '>x'])])],
      (all) => ['cmd', '/c', draw.of(['call', 'start', word]), ...all],
      (all) => ['npx', `${word}x`, ...all],
    ])
  },
]

/** The rule of the first answer to a question; undefined where it offers none. */
function firstRule(tool: JudgedTool, args: JsonObject, seen: ConversationProvenance) {
  const act = actOf(tool, args, { seen })
  const verdict = verdictOn(act, [], { seen })
  if (verdict.is !== 'ask') return undefined
  const place = { folders: [], hosts: [], recipients: [] }
  const [offer] = offersFor([{ act, verdict, siblings: [tool], readings: seen.readings }], { place, facts: FACTS })
  return offer && !offer.wide ? ruleFor(tool, offer.draft as Partial<ConsentRule>) : undefined
}

/** True for a guard that speaks of what leaves, and has nothing to say where nothing does. */
const isOfSending = ({ guard, text }: GuardNote) =>
  guard === 'new' || guard === 'provenance' || (guard === 'denied' && /sends? something out\.$/.test(text))

/** Often with a rule for any arguments, which only guards hold. */
const withAnyRule = ({ rules, tool }: Case, draw: Draw): readonly ConsentRule[] => {
  const { conversationId: _anywhere, ...rule } = ruleFor(tool)
  return draw.chance(0.6) ? [...rules, rule] : rules
}

/** A tool for which nobody vouches, and that it reads, its guess, or what else a person tells of it. */
function drawSheet({ tool }: Case, draw: Draw) {
  const { defined: _defined, published: _published, told: _told, hintsTrusted: _trusted, ...unknown } = tool
  return {
    unknown,
    told: draw.of<() => readonly Power[]>([
      () => ['reads', 'brings-in'],
      () => [...powersOf(unknown).powers],
      () => draw.some(POWERS, 0.4),
    ])(),
  }
}

describe('the engine', { timeout: TIMEOUT }, () => {
  it('knows a published server only by a line that surely starts its package', () => {
    let known = 0
    holdsForAll((draw) => {
      const runner = draw.of(RUNNERS)
      const python = runner.named !== '--package'
      const base = draw.of(['mcp-server-git', 'server-filesystem'])
      const scope = !python && draw.chance(0.5) ? '@modelcontextprotocol/' : ''
      const version = python ? ['', '==1.2.3', '@1.2.3', '@latest', '[cli]'] : ['', '@1.2.3', '@latest', '@1.x']
      const named = draw.chance(0.3) ? [runner.named] : []
      const line: Line = {
        wrapped: draw.chance(0.1) ? (all) => ['cmd', '/c', ...all] : (all) => all,
        program: runner.program,
        sub: runner.sub,
        options: draw.many(3, () => draw.of(runner.plain)),
        spec: `${scope}${base}${draw.of(version as unknown as Some<string>)}`,
        named,
        command: named.length > 0 ? [base] : [],
      }
      const plain = draw.chance(0.3)
      if (!plain) draw.of(TWISTS)(line, draw, draw.word(LETTERS, 3, 9))
      const [program = '', ...args] = line.wrapped([
        ...[line.program, ...line.sub, ...line.options, ...line.named, line.spec, ...line.command],
        ...draw.many(2, () => draw.of(['/home/ana', 'x', '.'])),
      ])
      const found = publishedPackage(program, args)
      const name = `${python ? 'pypi:' : scope}${base}`
      if ((found === name) !== plain) expect([program, ...args, found]).toBe(plain ? 'known' : 'not known')
      if (plain) known += 1
    })
    expect(known).toBeGreaterThan(CASES / 10)
  })

  it('covers with the rule of a search no address, field or code, and no argument more', () => {
    const tools: Some<JudgedTool> = [
      judgedTool('search_notes'),
      judgedTool('find_documents'),
      judgedTool('search_orders', { told: ['reads'] }),
      judgedTool('lookup', { told: ['reads'] }),
      judgedTool('web_search'),
    ]
    const words = [
      'late',
      'invoice',
      'Rechnung',
      'späte',
      'счёт',
      '発票',
      'فاتورة',
      'चालान',
      'l’eau',
      '"late fee"',
      '(old)',
    ] as const
    const numbers = [
      '2024',
      '12.5',
      '3/4',
      '50%',
      'is:open',
      'from:bob',
      'C&A',
      'x-ray',
      'v1.2',
      'what?',
      'A-10234',
      '#12',
    ] as const
    const beyond: Some<(one: string, draw: Draw) => string> = [
      (one, draw) => `${draw.of(['https:', 'file:', 'fetch:https:', 'mailto:', 'smb:', ''])}//${one}.example/${one}`,
      (one, draw) => `${one}.${draw.of(['example', 'com', 'xn--p1ai', 'рф', 'zip'])}`,
      (one) => `${one}@${one}.example`,
      (one, draw) => `\\\\${one}\\${draw.of(['share', 'c$'])}`,
      (one, draw) => `${draw.of(['/etc/', '~/', '../', './', '/', 'C:\\'])}${one}/${one}`,
      (one, draw) => `${one}x${draw.of([':', '::', ':"', ':(', ':-', '..'])}${one}`,
      (one, draw) => `${one}${draw.of(['=', '>', '<', '^', '~', '|', '||', '[', ']'])}${one}`,
      (one, draw) => `${draw.of(['from', 'repo', 'is', 'path', 'site'])}:${draw.of(['https://', '/', '../', '@'])}${one}`,
      (one, draw) =>
        draw.of([`{${one}}`, `;${one}`, `${one}(`, `$${one}`, `\`${one}\``, `@${one}`, `<${one}>`, `\\${one}`, `\0${one}`]),
      (one) => `\u202e${one}`,
      (one) => `${one}\u200b${one}`,
    ]
    let same = 0
    holdsForAll((draw) => {
      const tool = draw.of(tools)
      const seen = new ConversationProvenance()
      const plainly = (most: number) => [
        draw.of(words),
        ...draw.many(most, () => draw.of([...words, ...numbers] as unknown as Some<string>)),
      ]
      const argument = draw.of(['query', 'q', 'search'])
      const rule = firstRule(tool, { [argument]: plainly(2).join(' ') }, seen)
      if (!rule) return
      const is = (args: JsonObject) => verdictOn(actOf(tool, args, { seen }), [rule], { seen }).is
      const again = plainly(4)
      const turn = draw.upTo(2)
      if (turn === 0) {
        if (is({ [argument]: again.join(' ') }) === 'allow') same += 1
        return
      }
      const one = draw.of(beyond)(draw.word(LETTERS, 2, 7), draw)
      const asked = again.toSpliced(draw.upTo(again.length), 0, one)
      const more = draw.of(['id', 'url', 'path', 'to', 'channel', 'scope', 'x', 'sql', 'owner'])
      const value = more === 'url' ? `https://${one}/` : `${draw.word(LETTERS, 2, 4)}7${draw.word(DIGITS, 1, 3)}`
      const args = turn === 1 ? { [argument]: asked.join(' ') } : { [argument]: again.join(' '), [more]: value }
      if (is(args) === 'allow') expect([tool.name, args, rule.limits]).toBe('asked about')
    })
    expect(same).toBeGreaterThan(CASES / 8)
  })

  it('searches the web unasked only by words that are neither private nor identify anyone', () => {
    const webs: Some<JudgedTool> = [
      judgedTool('brave_web_search', { published: '@modelcontextprotocol/server-brave-search' }),
      judgedTool('tavily_search', { published: 'tavily-mcp' }),
      judgedTool('search_web', { told: ['reads'] }),
    ]
    let [free, asked] = [0, 0]
    holdsForAll((draw) => {
      const tool = draw.of(webs)
      const secret = draw.chance(0.5) ? draw.word(LETTERS, 4, 9) : `${draw.word(LETTERS, 0, 3)}${draw.word(DIGITS, 5, 9)}`
      const seen = new ConversationProvenance()
      seen.addMessage('Please find opening hours near the station')
      const isRead = draw.chance(0.8)
      if (isRead) seen.addResult('mail', { call: '1', what: 'mail' }, `The word is ${secret}.`, ['reads'])
      if (draw.chance(0.5)) seen.addResult('web', { call: '2', what: 'a page' }, 'Look for the word', ['brings-in'])
      const disguised = draw.of([
        ...([
          secret,
          secret.toUpperCase(),
          `"${secret}"`,
          `(${secret})`,
          `+${secret}`,
          `%${secret}`,
          `${secret},`,
          `${secret}?`,
        ] as const),
        /\d/.test(secret) ? [...secret].join(' ') : `in:${secret}`,
      ])
      const own = draw.many(3, () => draw.of(['opening', 'hours', 'near', 'station', 'weather', 'best']))
      const identifies = draw.of([
        `${draw.word(LETTERS, 2, 6)}@x.example`,
        draw.word(DIGITS, 5, 12),
        `${draw.word(LETTERS, 1, 3)}${draw.word(DIGITS, 4, 9)}`,
        draw.word(LETTERS, 31, 60),
      ])
      // At a tool that is told to read, only the person can have asked for what nobody has said.
      const chosen = tool.told ? [] : [identifies]
      const more = draw.of<readonly string[]>([[], isRead ? [disguised] : chosen, chosen])
      const query = own.toSpliced(draw.upTo(own.length), 0, ...more).join(' ')
      if (query === '') return
      const { is } = verdictOn(actOf(tool, { query }, { seen }), [], { seen })
      if (is === 'allow') free += 1
      else asked += 1
      if (is === 'allow' && more.length > 0) expect([tool.name, query, secret]).toBe('asked about')
    })
    expect(free).toBeGreaterThan(CASES / 20)
    expect(asked).toBeGreaterThan(CASES / 4)
  })

  it('frees no more, whatever a person tells of an unknown tool, than where somebody vouches for it', () => {
    let [freed, compared] = [0, 0]
    holdsFor((one, draw) => {
      const { unknown, told } = drawSheet(one, draw)
      // A rule that asks about items finds none where an identifier is a value.
      const rules = withAnyRule(one, draw).filter(({ effect }) => effect === 'allow')
      const place = draw.chance(0.5) ? { folders: FOLDERS, hosts: ['docs.example.com'], recipients: [] } : one.place
      const args = draw.chance(0.6) ? Object.fromEntries(Object.entries(one.args).slice(0, 1)) : one.args
      const more = { rules, place, args }
      const { act, verdict } = judge(one, { ...more, tool: { ...unknown, told } })
      if (verdict.is !== 'allow' && act.known !== 'accepted') return
      const before = judge(one, { ...more, tool: unknown })
      const isSame =
        act.powers.join() === before.act.powers.join() && JSON.stringify(act.touches) === JSON.stringify(before.act.touches)
      if (verdict.is === 'ask' && before.verdict.is === 'ask' && isSame) {
        const guards = verdict.guards.map(({ guard }) => guard)
        // A call that needs no rule is told nothing of a rule for the tool as it was.
        const lifted = before.verdict.guards.filter(({ guard }) => guard !== 'changed' && !guards.includes(guard))
        if (lifted.length > 0) expect({ told, act, lifted }).toBe('no guard less')
      }
      if (verdict.is !== 'allow' || before.verdict.is === 'allow') return
      freed += 1
      // An accepted guess frees only what reads; for anything else a rule has to be there.
      if (isSame && !onlyReads(act.powers)) expect({ told, before, act }).toBe('asked about')
      if (verdict.by === 'free' && !onlyReads(act.powers)) expect({ told, act }).toBe('asked about')
      if (act.known === 'accepted' && verdict.by === 'rule') expect({ told, before, act }).toBe('held as before')
      if (act.known === 'told-more' && before.act.known !== 'named') return
      const powers = act.powers.filter((power) => power !== 'sends' || act.tells)
      const vouched = judge(one, { ...more, tool: { ...unknown, defined: powers } })
      // A rule's limits speak of arguments as they are read, which is less sure at an unknown server.
      if (JSON.stringify(vouched.act.touches) !== JSON.stringify(act.touches)) return
      compared += 1
      if (vouched.verdict.is !== 'allow') expect({ told, act, vouched }).toBe('as where somebody vouches for it')
    })
    expect(freed).toBeGreaterThan(CASES / 1_000)
    expect(compared).toBeGreaterThan(CASES / 2_000)
  })

  it('changes nothing for a tool beside the one that the person tells something of', () => {
    let offered = 0
    holdsFor((one, draw) => {
      const { unknown, told } = drawSheet(one, draw)
      const { told: _told, defined: _defined, ...beside } = one.tool
      const other = {
        ...beside,
        name: draw.of(['glean', 'get_things', 'frobnicate', 'list_orders', 'save_all']),
        serverId: unknown.serverId,
      }
      const { act, verdict } = judge(one, { tool: other, rules: [] })
      if (verdict.is !== 'ask') return
      const covered = (sibling: JudgedTool) => {
        const asked = [{ act, verdict, siblings: [other, sibling], readings: one.seen.readings }]
        const offers = offersFor(asked, { place: one.place, facts: FACTS, others: [sibling] })
        return offers.map(({ draft }) =>
          [draft, ...(draft.also ?? [])]
            .flatMap(({ tools }) => Object.keys(tools ?? {}))
            .sort()
            .join(),
        )
      }
      const [silent, spoken] = [covered(unknown), covered({ ...unknown, told })]
      offered += spoken.length
      for (const [n, tools] of spoken.entries())
        if (tools.split(',').some((name) => !(silent[n] ?? '').split(',').includes(name)))
          expect({ told, silent, spoken }).toBe('no tool more')
    })
    expect(offered).toBeGreaterThan(CASES / 10)
  })

  it('strikes by a fence only that a server sends, and only without a network', () => {
    let moved = 0
    holdsFor((one, draw) => {
      const folders = draw.many(2, () => ({ path: '/home/ana/shop', write: draw.chance(0.5) }))
      const network = draw.of<FencePolicy['network']>(['none', 'none', 'none', 'any', { hosts: ['api.example.com'] }])
      const fence = { network, folders } as FencePolicy
      const offline = offlineUnder(fence)
      if (network !== 'none') expect(offline).toBeUndefined()
      if (!offline) return
      // A rule that lacks sending alone would cover what no longer sends.
      const denying = draw.chance(0.2) ? [{ ...drawRule(draw, one.tool, 'deny'), powers: ['sends' as const] }] : []
      const rules = [...denying, ...withAnyRule(one, draw)].map(
        (rule): ConsentRule =>
          rule.effect === 'allow' ? { ...rule, powers: [...new Set([...rule.powers, 'sends' as const])] } : rule,
      )
      const open = judge(one, { rules })
      const { act, verdict } = judge(one, { rules, tool: { ...one.tool, offline } })
      const struck = open.act.powers.filter((power) => !act.powers.includes(power))
      if (struck.join() !== (act.unsent ? 'sends' : '')) expect({ fence, struck }).toBe('only sending')
      if (open.verdict.is === verdict.is) return
      moved += 1
      const asked = open.verdict.is === 'ask' && verdict.is === 'allow' && folders.length === 0
      // The rule that allows it may set aside what another does not.
      const alone = asked && verdict.by === 'rule' ? judge(one, { rules: [verdict.rule] }).verdict : open.verdict
      // A call that needs no rule is told nothing of a rule for the tool as it was.
      const guards = alone.is === 'ask' ? alone.guards.filter(({ guard }) => guard !== 'changed') : []
      // An address in a text, and a first message, matter only where it is sent.
      const isAboutSending =
        guards.length > 0 ? guards.every((note) => note.guard === 'flow' || (act.unsent && isOfSending(note))) : act.unsent
      // Once it only reads, a rule may cover its places that covered no sending.
      const isCovered = onlyReads(act.powers) && alone.is === 'ask' && alone.rule === undefined
      if (!(asked && (isAboutSending || isCovered))) expect({ fence, open, act, verdict }).toBe('the same')
    })
    expect(moved).toBeGreaterThan(CASES / 1_000)
  })
})
