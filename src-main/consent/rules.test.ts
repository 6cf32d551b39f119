import { describe, expect, it } from 'vitest'
import { actOf, HERE, judgedTool, ruleFor, toolThat, verdictOn } from '../../e2e/test-hosts/consent-call.ts'
import type { ConsentRule, Limit, Touch } from '../../src-shared/contract/consent.ts'
import type { ConsentRuleId, ConversationId, ProjectId, ServerId, TurnId } from '../../src-shared/contract/ids.ts'
import { clausesOf, isIn, isNamed, RuleBook, reaches, withoutServer } from './rules.ts'

const path = (at?: string): Touch => ({ is: 'path', argument: 'path', value: '~/x', ...(at !== undefined && { path: at }) })
const host = (at: string, named?: true): Touch => ({
  is: 'host',
  argument: 'url',
  value: `https://${at}/`,
  host: at,
  ...(named && { named }),
})
const value = (argument: string, text: string): Touch => ({ is: 'value', argument, value: text })
const item: Touch = { is: 'item', argument: 'id', value: 'A-1' }
const statement = (verb: string, ...tables: string[]): Touch => ({ is: 'statement', argument: 'sql', value: 'x', verb, tables })
const amount = (of: number) => ({ is: 'amount', argument: 'amount', value: String(of), amount: of }) as const satisfies Touch
const recipient = (to: string): Touch => ({ is: 'recipient', argument: 'to', value: to })
const command = (words: string): Touch => ({ is: 'command', argument: 'command', value: `${words} x`, words })

describe('a limit', () => {
  it.each<[string, Limit, Touch[], Touch[]]>([
    [
      'folder',
      { is: 'folder', path: '/a' },
      [path('/a'), path('/a/b')],
      [path('/ab'), path('/'), path(), item, value('path', '/a')],
    ],
    ['host', { is: 'host', host: 'x.de' }, [host('x.de')], [host('y.x.de'), host('x.de:8443'), value('url', 'x.de')]],
    ['recipient', { is: 'recipient', address: 'A@x.de' }, [recipient('a@x.de')], [recipient('b@x.de'), value('to', 'a@x.de')]],
    [
      'value',
      { is: 'value', argument: 'repo', value: 'a/b' },
      [value('repo', 'a/b')],
      [value('repo', 'a/c'), value('fork', 'a/b'), { is: 'path', argument: 'repo', value: 'a/b' }],
    ],
    [
      'statement',
      { is: 'statement', verb: 'SELECT', tables: ['a', 'b'] },
      [statement('SELECT', 'a'), statement('SELECT', 'a', 'b')],
      [statement('SELECT', 'a', 'c'), statement('DELETE', 'a'), value('sql', 'SELECT')],
    ],
    [
      'command',
      { is: 'command', words: 'git log' },
      [command('git log')],
      [command('git'), command('git push'), value('command', 'git log')],
    ],
    [
      'at-most',
      { is: 'at-most', argument: 'amount', amount: 10 },
      [amount(10), amount(0)],
      [amount(10.01), amount(-1), amount(Number.NaN), { ...amount(5), argument: 'fee' }, value('amount', '5')],
    ],
    ['named-items', { is: 'named-items' }, [item], [value('id', 'A-1'), path('/a')]],
    ['named-addresses', { is: 'named-addresses' }, [host('x.de', true)], [host('x.de'), item]],
    ['any', { is: 'any' }, [path(), item, value('a', 'b'), host('x')], []],
  ])('%s includes what it names and nothing else', (_name, limit, inside, outside) => {
    for (const touch of inside) expect([touch, isIn(touch, limit)]).toEqual([touch, true])
    for (const touch of outside) expect([touch, isIn(touch, limit)]).toEqual([touch, false])
  })
})

describe('the named places', () => {
  const place = { folders: ['/a'], hosts: ['x.de'], recipients: ['a@x.de'] }
  it('include its folders, hosts, recipients, items and choices', () => {
    for (const touch of [path('/a/b'), host('x.de'), recipient('a@x.de'), item, { ...item, is: 'option' as const }])
      expect([touch, isNamed(touch, place)]).toEqual([touch, true])
    for (const touch of [
      path('/b'),
      path(),
      host('y.de', true),
      recipient('b@x.de'),
      value('a', 'b'),
      command('ls'),
      statement('SELECT'),
    ])
      expect([touch, isNamed(touch, place)]).toEqual([touch, false])
  })
})

const writer = toolThat('reads', 'changes')
const reader = toolThat('reads')
const folder: Limit = { is: 'folder', path: '/home/ana/shop' }

describe('a rule that allows', () => {
  it('covers a call when each of its reaches is within a limit', () => {
    const rule = ruleFor(writer, { limits: [folder, { is: 'value', argument: 'repo', value: 'a/b' }] })
    const of = (args: Parameters<typeof actOf>[1]) => reaches(rule, actOf(writer, args))
    expect(of({ path: '/home/ana/shop/x.csv' })).toBe(true)
    expect(of({ path: '/home/ana/shop/x.csv', repo: 'a/b' })).toBe(true)
    expect(of({ path: '/home/ana/shop/x.csv', repo: 'a/c' })).toBe(false)
    expect(of({ paths: ['/home/ana/shop/x.csv', '/etc/x.csv'] })).toBe(false)
  })

  it('that the person wrote for somebody covers no change that names nobody', () => {
    const sender = toolThat('sends')
    const rule = ruleFor(sender, {
      limits: [
        { is: 'recipient', address: 'a@x.de' },
        { is: 'text', argument: 'body' },
      ],
    })
    expect(reaches(rule, actOf(sender, { to: 'a@x.de', body: 'See you' }))).toBe(true)
    expect(reaches(rule, actOf(sender, { body: 'See you' }))).toBe(false)
  })

  it('covers no power beyond its own', () => {
    expect(reaches(ruleFor(writer, { powers: ['reads', 'changes'] }), actOf(writer, {}))).toBe(true)
    expect(reaches(ruleFor(writer, { powers: ['reads'] }), actOf(writer, {}))).toBe(false)
  })

  it.each(['.git/hooks/pre-commit', 'package.json', 'AGENTS.md', 'gulpfile.mjs', 'x.unheard'])(
    'does not allow a change of %s in its folder, unless it is for that file',
    (name) => {
      const args = { path: `/home/ana/shop/${name}` }
      expect(reaches(ruleFor(writer, { limits: [folder] }), actOf(writer, args))).toBe(false)
      expect(reaches(ruleFor(writer, { limits: [{ is: 'folder', path: args.path }] }), actOf(writer, args))).toBe(true)
      expect(reaches(ruleFor(reader, { limits: [folder] }), actOf(reader, args))).toBe(true)
      expect(
        reaches(
          ruleFor(writer, { limits: [{ is: 'folder', path: '/home/ana/.config' }] }),
          actOf(writer, { path: '/home/ana/.config/x.csv' }),
        ),
      ).toBe(false)
    },
  )

  it('lets the options of a reading vary, and none of a change', () => {
    const limits: Limit[] = [folder]
    const args = { path: '/home/ana/shop/x', force: false, frob: 'other' }
    expect(reaches(ruleFor(reader, { limits }), actOf(reader, args))).toBe(true)
    expect(reaches(ruleFor(writer, { limits }), actOf(writer, args))).toBe(false)
  })

  it('joins tables that were allowed for the same verb', () => {
    const select = (table: string): ConsentRule =>
      ruleFor(reader, { id: table as ConsentRuleId, limits: [{ is: 'statement', verb: 'SELECT', tables: [table] }] })
    const act = { ...actOf(reader, {}), touches: [statement('SELECT', 'a', 'b')] }
    const found = (...rules: ConsentRule[]) => [...new RuleBook(rules).allowing(act, { now: 0, conversationId: HERE })].length
    expect(found(select('a'))).toBe(0)
    expect(found(select('a'), select('b'))).toBeGreaterThan(0)
    expect(found(select('a'), { ...select('b'), limits: [{ is: 'statement', verb: 'DELETE', tables: ['b'] }] })).toBe(0)
    expect(found(select('a'), { ...select('b'), launchIdentity: 'other' })).toBe(0)
  })

  it.each<[string, Partial<ConsentRule>]>([
    ['another conversation', { conversationId: 'other' as ConversationId }],
    ['another project', { projectId: 'other' as ProjectId }],
    ['another turn', { turnId: 'other' as TurnId }],
    ['a time that is over', { scope: 'until', until: 1_000 }],
    ['a time that was not said', { scope: 'until' }],
    ['another launch', { launchIdentity: 'other' }],
    ['another definition', { tools: { act: 'other' } }],
    ['another tool', { tools: { other: 'print' } }],
    ['another server', { serverId: 'other' as ServerId }],
    ['no tool', { tools: {} }],
  ])('does not hold for %s', (_what, more) => {
    expect(verdictOn(actOf(writer, {}), [ruleFor(writer)]).is).toBe('allow')
    expect(verdictOn(actOf(writer, {}), [ruleFor(writer, more)]).is).toBe('ask')
  })

  it('lasts for its turn, until its time, or everywhere, as it says', () => {
    const { conversationId: _here, ...everywhere } = ruleFor(writer, { scope: 'always' })
    const turnId = 'turn' as TurnId
    expect(verdictOn(actOf(writer, {}), [everywhere]).is).toBe('allow')
    expect(verdictOn(actOf(writer, {}), [ruleFor(writer, { scope: 'until', until: 1_001 })]).is).toBe('allow')
    expect(verdictOn(actOf(writer, {}), [ruleFor(writer, { scope: 'task', turnId })], { turnId }).is).toBe('allow')
  })

  it('gives its name to the verdict when it is the narrowest', () => {
    const { conversationId: _here, ...always } = ruleFor(reader, {
      id: 'always' as ConsentRuleId,
      scope: 'always',
      limits: [folder],
    })
    const rules = [
      ruleFor(reader, { id: 'any' as ConsentRuleId }),
      always,
      ruleFor(reader, { id: 'here' as ConsentRuleId, limits: [folder] }),
      ruleFor(reader, { id: 'few' as ConsentRuleId, limits: [folder], powers: ['reads'] }),
    ]
    const found = new RuleBook(rules).allowing(actOf(reader, { path: '/home/ana/shop/x' }), { now: 0, conversationId: HERE })
    expect([...found].map(({ id }) => id)).toEqual(['few', 'here', 'always', 'any'])
  })

  it('is found where a text that the person dictated comes before its recipient', () => {
    const mail = toolThat('sends')
    const rule = ruleFor(mail, { powers: ['sends'], limits: [{ is: 'recipient', address: 'bob@x.de' }] })
    const subject: Touch = { is: 'text', argument: 'subject', value: '', dictated: true }
    const found = (...touches: Touch[]) =>
      new RuleBook([rule]).allowing({ ...actOf(mail, {}), touches }, { now: 0, conversationId: HERE })
    expect(found(recipient('bob@x.de'), subject)).toEqual([rule])
    expect(found(subject, recipient('bob@x.de'))).toEqual([rule])
    expect(found(subject, recipient('eve@x.de'))).toEqual([])
  })

  it('covers no change that none of its limits names, where it was made without the arguments of a call', () => {
    const change = toolThat('changes')
    const rule = ruleFor(change, { powers: ['changes'], limits: [{ is: 'named-items' }] })
    const touching = (...touches: Touch[]) => reaches(rule, { ...actOf(change, {}), touches })
    expect(touching(item)).toBe(true)
    expect(touching()).toBe(false)
    expect(touching({ is: 'text', argument: 'body', value: '', dictated: true })).toBe(false)
  })
})

describe('a rule that denies or asks', () => {
  const held = (more: Partial<ConsentRule>): ConsentRule => ({
    ...{ id: 'held' as ConsentRuleId, effect: 'deny', powers: [], limits: [], scope: 'always', madeAt: 0, uses: 0 },
    ...more,
  })
  const act = actOf(writer, { path: '/home/ana/shop/x' })

  it.each<[string, Partial<ConsentRule>, 'deny' | 'allow']>([
    ['everything', {}, 'deny'],
    ['any', { limits: [{ is: 'any' }] }, 'deny'],
    ['this server', { serverId: 'server' as ServerId }, 'deny'],
    ['this server and one that was launched otherwise', { serverId: 'server' as ServerId, launchIdentity: 'other' }, 'deny'],
    ['this tool, whatever its definition', { tools: { act: 'other' } }, 'deny'],
    ['one of its powers', { powers: ['changes', 'spends'] }, 'deny'],
    ['one of its places', { limits: [{ is: 'host', host: 'x.de' }, folder] }, 'deny'],
    ['another server', { serverId: 'other' as ServerId }, 'allow'],
    ['another tool', { tools: { other: 'print' } }, 'allow'],
    ['no tool', { tools: {} }, 'allow'],
    ['another power', { powers: ['spends'] }, 'allow'],
    ['another place', { limits: [{ is: 'folder', path: '/etc' }] }, 'allow'],
    ['this power elsewhere', { powers: ['changes'], limits: [{ is: 'folder', path: '/etc' }] }, 'allow'],
    ['another conversation', { conversationId: 'other' as ConversationId }, 'allow'],
    ['a time that is over', { scope: 'until', until: 999 }, 'allow'],
  ])('about %s leads to %s', (_what, more, is) => {
    expect(verdictOn(act, [ruleFor(writer), held(more)]).is).toBe(is)
    expect(verdictOn(act, [ruleFor(writer), held({ ...more, effect: 'ask' })]).is).toBe(is === 'deny' ? 'ask' : 'allow')
  })

  it('denies before it asks, and asks before another allows', () => {
    const ask = held({ effect: 'ask', id: 'ask' as ConsentRuleId })
    expect(verdictOn(act, [ask, held({}), ruleFor(writer)])).toMatchObject({ is: 'deny', rule: { id: 'held' } })
    expect(verdictOn(act, [ruleFor(writer), ask])).toMatchObject({
      is: 'ask',
      rule: { id: 'ask' },
      why: 'Your rule says to ask.',
    })
  })

  it('does not apply to a name that every object has', () => {
    const strange = judgedTool('constructor', { defined: ['reads', 'changes'] })
    expect(verdictOn(actOf(strange, {}), [held({ tools: { other: 'x' } })]).is).toBe('ask')
    expect(verdictOn(actOf(strange, {}), [ruleFor(strange, { tools: { other: 'x' } })]).is).toBe('ask')
  })
})

describe('a rule about several servers', () => {
  const tool = (serverId: string) => judgedTool('look', { serverId, defined: ['reads'] })
  const clause = (serverId: string, more: Partial<ConsentRule> = {}) => ({
    ...{ serverId: serverId as ServerId, launchIdentity: 'launch', tools: { look: 'print' }, powers: ['reads' as const] },
    ...{ limits: [{ is: 'any' as const }], ...more },
  })
  const rule = ruleFor(tool('a'), { ...clause('a', { despite: ['flow'], readings: 2 }), also: [clause('b'), clause('c')] })

  it('allows each of them its own part and no other', () => {
    const is = (serverId: string) => verdictOn(actOf(tool(serverId), { repo: 'x' }), [rule]).is
    expect(['a', 'b', 'c', 'd'].map(is)).toEqual(['allow', 'allow', 'allow', 'ask'])
  })

  it('sets no guard aside at one server that it set aside at another', () => {
    expect(clausesOf(rule).map(({ id, despite, readings }) => [id, despite, readings])).toEqual([
      ...[
        [rule.id, ['flow'], 2],
        [rule.id, undefined, undefined],
        [rule.id, undefined, undefined],
      ],
    ])
  })

  it('loses the part of a server that is removed, and nothing else', () => {
    const servers = (one: ConsentRule | undefined) =>
      one ? clausesOf(one).map(({ serverId, despite }) => [serverId, despite]) : []
    expect(servers(withoutServer(rule, 'a'))).toEqual([
      ['b', undefined],
      ['c', undefined],
    ])
    expect(servers(withoutServer(rule, 'c'))).toEqual([
      ['a', ['flow']],
      ['b', undefined],
    ])
    expect(withoutServer(rule, 'd')).toBe(rule)
    expect(withoutServer(ruleFor(tool('a')), 'a')).toBeUndefined()
  })
})
