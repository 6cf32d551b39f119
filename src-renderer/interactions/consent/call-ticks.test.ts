import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { ConsentCall, GuardNote, Offer, Power, PowersKnown } from '../../../src-shared/contract/consent.ts'
import type { ConversationId, ServerId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import { PowerBadges } from '../../content/PowerBadges.tsx'
import { CallTicks } from './CallTicks.tsx'
import { OneCall } from './OneCall.tsx'
import { Reason } from './Reason.tsx'
import { RuleOffers } from './RuleOffers.tsx'

const path = `/srv/${'deep/'.repeat(150)}end.md`
const call: ConsentCall = {
  toolCallId: '1' as ToolCallId,
  serverId: 'fs' as ServerId,
  serverName: 'filesystem',
  tool: 'read',
  title: 'read',
  description: '',
  arguments: { json: JSON.stringify({ path, head: 3 }) },
  hints: { readOnly: true, destructive: false, idempotent: false, openWorld: false },
  fingerprint: 'f',
  powers: ['sends', 'reads'],
  known: 'named',
  telling: path,
  order: [],
  why: 'No rule covers it.',
  guards: [{ guard: 'provenance', text: 'It came\u202e from others.', argument: 'path', sources: ['a', 'b'] }],
}
const conversationId = 'talk' as ConversationId
const one = (change: Partial<ConsentCall> = {}) =>
  renderToStaticMarkup(createElement(OneCall, { call: { ...call, ...change }, conversationId }))
const reason = (change: Partial<ConsentCall> = {}) =>
  renderToStaticMarkup(createElement(Reason, { calls: [{ ...call, ...change }], conversationId }))
const plain = (markup: string) => markup.replace(/<[^>]*>/g, '')

describe('a call in a question', () => {
  it('shows recipients and contents first, whole and unchanged, and folds none of it', () => {
    const body = Array.from({ length: 60 }, (_, n) => `Line ${n} of the mail`).join('\n')
    const args = { format: 'text', body, to: ['Bela@Example.com', 'carl@example.com'], deep: { a: { b: { c: 'bottom' } } } }
    const page = plain(one({ arguments: { json: JSON.stringify(args) }, order: ['to', 'body'] }))
    expect(page).toContain('Bela@Example.com')
    expect(page).toContain('Line 59 of the mail')
    expect(page).toContain('bottom')
    expect(page.indexOf('Bela')).toBeLessThan(page.indexOf('Line 0 of'))
    expect(page.indexOf('Line 59')).toBeLessThan(page.indexOf('format'))
    expect(one({ arguments: { json: JSON.stringify(args) } })).not.toContain('<button')
  })

  it('marks the argument that a warning names', () => {
    const page = one()
    expect(page.match(/content-marked/g)).toHaveLength(1)
    expect(page.match(/<tr[^>]*content-marked[^>]*>.*?<\/tr>/)?.[0]).toContain('path')
  })

  it('has one warning below the title and others after the arguments, inert, with links to the results behind them', () => {
    const page = reason()
    expect(plain(one())).not.toContain('It came')
    const further: GuardNote = { guard: 'flow', text: 'It was read in private.' }
    expect(plain(one({ guards: [...call.guards, further] }))).toContain('It was read in private.')
    expect(page).not.toContain('\u202e')
    expect(page.match(/href="#\/conversations\/talk"/g)).toHaveLength(2)
    expect(plain(page)).toContain('Show where it comes from')
  })

  it('has a plain line for everyday powers, and a box for unusual ones', () => {
    expect(reason({ guards: [] })).toMatch(/^<p[^>]*>.*No rule covers it/)
    const everyday: GuardNote = { guard: 'new', text: 'This is the first call.' }
    expect(reason({ guards: [everyday] })).not.toContain('content-guard')
    expect(plain(reason({ guards: [everyday] }))).toBe('This is the first call.')
    expect(reason({ guards: [everyday, ...call.guards] })).toContain('content-guard')
  })

  it('shows powers from the mildest, and says when they are guessed', () => {
    const badges = (known: PowersKnown) => plain(renderToStaticMarkup(createElement(PowerBadges, { powers: call.powers, known })))
    expect(badges('named')).toMatch(/Reads\s*Sends out\s*\(guessed\)/)
    for (const known of ['protocol', 'published', 'trusted-hints'] as const) expect(badges(known)).not.toContain('guessed')
  })

  it('shows a power that is only possible as such and without alarm, and an unknown tool as one that may do anything', () => {
    const badges = (powers: readonly Power[], known: PowersKnown, possible?: readonly Power[]) =>
      renderToStaticMarkup(createElement(PowerBadges, { powers, known, possible }))
    const add = badges(['changes', 'sends'], 'named', ['sends'])
    expect(plain(add)).toMatch(/Changes\s*May send out/)
    expect(add).not.toContain('chip-wait')
    expect(badges(['sends'], 'named', [])).toContain('chip-wait')
    const unknown = badges(['reads', 'brings-in', 'changes', 'destroys', 'sends'], 'unknown')
    expect(plain(unknown)).toBe('May do anything')
    expect(unknown).not.toMatch(/chip-(?:wait|fail)|Destroys/)
  })

  it('among others has a tick named by its tool and the whole distinguishing value', () => {
    const calls = [call, { ...call, toolCallId: '2' as ToolCallId, telling: '/srv/other.md' }]
    const unticked = ['2' as ToolCallId]
    const page = renderToStaticMarkup(createElement(CallTicks, { calls, unticked, onChange: () => {}, conversationId }))
    const names = [...page.matchAll(/<label[^>]*>(.*?)<\/label>/g)].map(([, label]) => plain(label ?? ''))
    expect(names).toEqual([`read ${path}`, 'read /srv/other.md'])
    expect([...page.matchAll(/<input[^>]*>/g)].map(([input]) => input.includes('checked'))).toEqual([true, false])
  })
})

describe('calls of one tool', () => {
  const ticket = (id: number, more: object = {}, change: Partial<ConsentCall> = {}): ConsentCall => ({
    ...call,
    toolCallId: `${id}` as ToolCallId,
    tool: 'update_ticket',
    arguments: { json: JSON.stringify({ id, tags: ['howto'], status: 'closed', ...more }) },
    telling: `id ${id}`,
    order: ['status', 'id'],
    guards: [],
    ...change,
  })
  const page = (...calls: ConsentCall[]) =>
    renderToStaticMarkup(createElement(CallTicks, { calls, unticked: [], onChange: () => {}, conversationId }))
  const rowsOf = (markup: string) =>
    markup
      .split('<tr>')
      .slice(1)
      .map((row) => plain(row.replaceAll('</td>', '|')))

  it('stand in rows, and what is the same in all of them stands above, once', () => {
    const markup = page(ticket(41), ticket(42), ticket(43, { tags: ['howto', 'urgent'] }))
    expect(plain(markup)).toContain('The same in all 3 callsstatusclosed')
    expect(plain(markup).match(/closed/g)).toHaveLength(1)
    expect(plain(markup.match(/<thead>.*?<\/thead>/)?.[0] ?? '')).toBe('Callidtags')
    expect(rowsOf(markup).slice(-2)).toEqual([
      'update_ticket id 42|42|howto|',
      expect.stringMatching(/^update_ticket id 43\|43\|howtourgent\|/),
    ])
    expect(markup.match(/type="checkbox"/g)).toHaveLength(3)
  })

  it.each([
    ['a warning', ticket(42, {}, { guards: [{ guard: 'flow', text: 'It was read in private.' }] })],
    ['a reason of its own', ticket(42, {}, { why: 'You have not named it.' })],
    ['another argument', ticket(42, { notify: true })],
    ['a long text', ticket(42, { status: 'x'.repeat(200) })],
    ['a text of two lines', ticket(42, { status: 'closed\nfor good' })],
    ['a nested value', ticket(42, { status: { to: 'closed' } })],
    ['arguments that are sent as headers', ticket(42, {}, { mirrored: ['id'] })],
    ['arguments that nothing checked', ticket(42, {}, { unchecked: 'Its schema is too large.' })],
    [
      'arguments of which only the beginning is here',
      ticket(
        42,
        {},
        { arguments: { json: '{"id":42', whole: { blob: '0'.repeat(64), bytes: 9, mimeType: 'application/json' } } },
      ),
    ],
  ])('are shown one by one where one of them has %s', (_what, other) => {
    expect(page(ticket(41), other)).not.toContain('<thead>')
  })
})

describe('the offered rules', () => {
  const offers: readonly Offer[] = [
    { id: 'task', scope: 'task', label: 'Allow reads until this reply ends', wide: true },
    { id: 'conversation', scope: 'conversation', label: 'Allow reads in /srv in this conversation' },
    { id: 'any', scope: 'always', label: 'Allow read with any arguments always', wide: true },
  ]
  const shown = (some: readonly Offer[], held = false) =>
    renderToStaticMarkup(createElement(RuleOffers, { offers: some, held, grave: false, some: false, onAllow: () => {} }))

  it('show the narrowest alone, and the wide ones behind a button', () => {
    const page = shown(offers)
    expect(page).toContain('Allow reads in /srv in this conversation')
    expect(page).not.toContain('until this reply ends')
    expect(page).not.toContain('any arguments')
    expect(page).toContain('aria-expanded="false"')
  })

  it('cannot be chosen while held, and are absent without offers', () => {
    expect(shown(offers, true)).toMatch(/<button[^>]*disabled=""[^>]*><bdi><span>Allow reads in/)
    expect(shown(offers)).not.toContain('disabled=""')
    expect(shown([])).toBe('')
    expect(plain(shown(offers.filter(({ wide }) => wide)))).toBe('More')
  })
})
