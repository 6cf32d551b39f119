// Some 1,000 cases of each in every run, 10,000 in a long one; FC_SEED draws others. A million takes some minutes each:
// CONSENT_CASES=1000000 npx vitest run --config e2e/vitest.config.ts --project unit --reporter verbose src-main/consent/verdict.property
// A second process can run the other three at the same time: principles.property, unsaid.property and freed.property; launches that
// are known as published have one in published-launch.integration.test.ts.
import { posix } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  CASES,
  drawRule,
  FACTS,
  FOLDERS,
  holdsFor,
  judge,
  NEVER,
  OUTSIDE,
  TIMEOUT,
  TOO_MUCH,
} from '../../e2e/test-hosts/drawn-case.ts'
import { type ConsentRule, GUARDS, type Limit, type NamedPlace, POWERS, type Touch } from '../../src-shared/contract/consent.ts'
import type { ConsentRuleId, ConversationId, ServerId, TurnId } from '../../src-shared/contract/ids.ts'
import { toolHints } from '../../src-shared/contract/servers.ts'
import { type Act, readAct } from './act.ts'
import { hasPlainNames, isInert } from './inert-files.ts'
import { type DraftedOffer, offersFor } from './offers.ts'
import { PERSON, PRIVATE, STRANGER } from './provenance.ts'
import { sqlIsReadable } from './read-sql.ts'
import { RuleBook, type RuleContext } from './rules.ts'
import { isChoice, isFreeChoice } from './touches.ts'
import { asksForKeys, verdictOf } from './verdict.ts'
import { wordsIn } from './words.ts'

// The meaning of rules, written a second time and as plainly as possible.

const isUnder = (path: string, folder: string) => path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
const isMild = ({ powers }: Act) => powers.every((power) => power === 'reads' || power === 'brings-in')

function leavesNothingOut({ limits }: ConsentRule, act: Act): boolean {
  const { touches, tool } = act
  const kinds = limits.map(({ is }) => is)
  if (kinds.includes('any')) return true
  if (limits.length > 0 && !limits.some((limit) => touches.some((touch) => covers(limit, touch, act)))) return false
  if (kinds.includes('recipient') && !touches.some(({ is }) => is === 'recipient')) return false
  const given = touches.map(({ argument }) => argument)
  const declared = Object.keys(tool.inputSchema.properties ?? {})
  return limits.every((limit) => limit.is !== 'value' || !declared.includes(limit.argument) || given.includes(limit.argument))
}

/** A text needs no limit where the rule has none for its argument. */
const isFreeText = (touch: Touch, { limits }: ConsentRule) =>
  touch.is === 'text' &&
  touch.dictated === true &&
  !limits.some((limit) => 'argument' in limit && limit.argument === touch.argument)

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
  // A channel is named like a recipient.
  if (touch.is === 'recipient' || touch.is === 'value') return place.recipients.includes(touch.value)
  return touch.is === 'item' || touch.is === 'option'
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

const NONE: readonly ConsentRule[] = []

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
            (touch) =>
              (isMild(act) && isFreeChoice(touch)) ||
              isFreeText(touch, rule) ||
              rule.limits.some((limit) => covers(limit, touch, act)),
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
        const seen = one.seen
        for (const touch of act.touches) {
          // Which of what is there, as long as no stranger alone has said it.
          const by = seen.sourcesOf(touch.value)
          const isStrangers = (by: number) => by !== 0 && (by & ~STRANGER) === 0
          if (isChoice(touch) && touch.is === 'value' && !isStrangers(by)) continue
          // The words of a search that goes to nobody.
          const isAway = act.touches.some(({ is }) => is === 'host' || is === 'recipient')
          if (touch.is === 'text' && !isAway && !wordsIn(touch.value).some((word) => isStrangers(seen.sourcesOf(word)))) continue
          // Others' words may be searched for in the web, and private ones that its server itself said.
          const isSecret = (word: string) =>
            (seen.sourcesOf(word) & (PRIVATE | PERSON)) === PRIVATE && !seen.saidByServer(word, act.tool.serverId)
          if (touch.is === 'text' && !isAway && !act.powers.includes('reads') && !wordsIn(touch.value).some(isSecret)) continue
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
        if ((isMild(act) && isChoice(touch)) || isFreeText(touch, verdict.rule)) continue
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
      const [name, value] = draw.of(OUTSIDE)
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
      const [name, value] = draw.of(draw.chance(0.02) ? TOO_MUCH : NEVER)
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
      const seen = one.seen
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
    const NO_RULES = new RuleBook([])
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
      const act = readAct(known, args, { ...FACTS, plain: { has: () => true }, seen: one.seen })
      const place = { ...one.place, folders: [folder], editable: [folder] }
      const verdict = verdictOf(act, { ...one.moment, rules: NO_RULES, place, seen: one.seen })
      // A folder of a name that only files are obeyed by holds nothing yet.
      if (bad && name !== 'create_directory' && verdict.is !== 'ask') expect([path, verdict.is]).toEqual([path, 'ask'])
      if (verdict.is === 'allow') free += 1
      else asked += 1
    })
    expect(free).toBeGreaterThan(CASES / 20)
    expect(asked).toBeGreaterThan(CASES / 2)
  })

  it('lets each offered rule pass its own call, unless a guard explains why not, and no other', () => {
    const passed = { here: 0, guarded: 0 }
    holdsFor((one, draw) => {
      const { act, verdict } = judge(one, { rules: NONE })
      if (verdict.is !== 'ask') return
      const asked = [{ act, verdict, siblings: [one.tool], readings: one.seen.readings }]
      const offers = offersFor(asked, { place: one.place, facts: FACTS, ...(draw.chance(0.5) && { others: [one.tool] }) })
      const narrow = offers.filter(({ wide }) => !wide)
      if (act.unread !== undefined || asksForKeys(act)) {
        const despite = narrow.filter(({ draft: { also = [], ...first } }) => [first, ...also].some((clause) => clause.despite))
        if (despite.length > 0) expect(despite).toEqual([])
      }
      for (const offer of narrow) {
        const rules = asRules(offer, one.moment)
        const after = judge(one, { rules }).verdict
        if (after.is === 'allow') passed.here += 1
        else if (asksForKeys(act)) {
          if (after.is !== 'ask') expect(after.is).toBe('ask')
        } else {
          passed.guarded += 1
          if (after.is !== 'ask' || after.guards.length === 0 || !after.rule)
            expect({ offer, act, after }).toBe('allowed or guarded')
        }
        const [name, value] = draw.of(OUTSIDE)
        const elsewhere = judge(one, { rules, args: { ...one.args, [name]: value } })
        if (elsewhere.verdict.is === 'allow') expect({ offer, name, value, touches: elsewhere.act.touches }).toBe('asked about')
      }
    })
    expect(passed.here).toBeGreaterThan(CASES / 10)
    expect(passed.guarded).toBeGreaterThan(0)
  })
})
