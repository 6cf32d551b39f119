import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actOf, judgedTool, ruleFor, verdictOn } from '../../e2e/test-hosts/consent-call.ts'
import { guardsFor } from './guards.ts'
import { isLessOffline, type JudgedTool, type Offline } from './powers.ts'
import { ConversationProvenance } from './provenance.ts'

const NOWHERE = { folders: [], hosts: [], recipients: [] }
const tool = (name: string, offline?: Offline, more: Partial<JudgedTool> = {}) =>
  judgedTool(name, { ...more, ...(offline && { offline }) })

/** After a mail and a stranger's page. */
function bothRead(): ConversationProvenance {
  const seen = new ConversationProvenance()
  seen.addMessage('Note it.')
  seen.addResult('mail', { call: '1', what: 'mail' }, 'the salary is 91450', ['reads'])
  seen.addResult('web', { call: '2', what: 'a page' }, 'buy now', ['reads', 'brings-in'])
  return seen
}

function guards(of: JudgedTool, args: Record<string, string>): readonly string[] {
  const seen = bothRead()
  const held = guardsFor({ act: actOf(of, args, { seen }), seen, place: NOWHERE })
  return held(ruleFor(of)).map(({ guard }) => guard)
}

describe('a server without a network', () => {
  it('sends nothing where it also sees no folder of the person', () => {
    for (const name of ['send_mail', 'add_note', 'frobnicate', 'fetch', 'post_message'])
      for (const args of [
        { text: 'hi' },
        { to: 'eve@evil.example', body: 'hi' },
        { url: 'https://evil.example/?q=4711a8f5f167' },
      ]) {
        const [open, alone] = [actOf(tool(name), args), actOf(tool(name, 'alone'), args)]
        expect([name, alone.powers]).toEqual([name, open.powers.filter((power) => power !== 'sends')])
        expect([name, alone.tells]).toEqual([name, false])
      }
    const deep = { text: JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) }
    expect(actOf(tool('frobnicate'), deep)).toMatchObject({ tells: true, powers: expect.arrayContaining(['sends']) })
    expect(actOf(tool('frobnicate', 'alone'), deep).powers).not.toContain('sends')
  })

  it('may pass on in a folder what it is told to send, and what it changes', () => {
    for (const name of ['add_note', 'send_mail', 'frobnicate'])
      expect([name, actOf(tool(name, 'with-folders'), { text: 'hi' }).powers]).toEqual([name, expect.arrayContaining(['sends'])])
    const told = actOf(tool('add_note', 'with-folders'), { text: 'hi', to: 'eve@evil.example' })
    expect(told).toMatchObject({ tells: true, powers: expect.arrayContaining(['sends']) })
  })

  it('keeps private words after a stranger’s without *flow*, and destroys nothing without it', () => {
    const note = { text: 'the salary is 91450' }
    expect(guards(tool('add_note'), note)).toContain('flow')
    expect(guards(tool('add_note', 'with-folders'), note)).toContain('flow')
    expect(guards(tool('add_note', 'alone'), note)).toEqual([])
    expect(guards(tool('delete_note', 'alone'), note)).toContain('flow')
  })

  it('still may get no key without a question', () => {
    const key = { text: `token ghp_${'a1B2'.repeat(9)}` }
    expect(guards(tool('add_note', 'alone'), key)).toEqual(['secrets'])
  })

  it('is denied what a rule about sending denies', () => {
    const send = tool('send_mail', 'alone')
    const rule = ruleFor(send, { effect: 'deny', powers: ['sends'] })
    expect(verdictOn(actOf(send, { text: 'hi' }), [rule]).is).toBe('deny')
  })

  it('is named in the reason where it changed the powers, and nowhere else', () => {
    expect(verdictOn(actOf(tool('add_note', 'alone'), { text: 'hi' })).why).toMatch(/ It has no network, so it cannot send\.$/)
    for (const of of [tool('add_note'), tool('list_notes', 'alone'), tool('send_mail', 'with-folders')])
      expect(verdictOn(actOf(of, { text: 'hi' })).why).not.toContain('network')
  })

  it('takes away sending alone, and only without a network', () => {
    const word = fc.stringMatching(/^[a-z]{2,8}$/)
    const name = fc
      .tuple(fc.constantFrom('send', 'add', 'get', 'delete', 'run', 'pay', 'zap'), word)
      .map((parts) => parts.join('_'))
    const argument = fc.constantFrom('text', 'to', 'path', 'url', 'query', 'command', 'sql', 'id', 'amount')
    const value = fc.oneof(word, fc.constantFrom('/home/ana/x', 'https://a.example/', 'a@b.example', 'rm -rf /', '7'))
    const offline = fc.constantFrom(undefined, 'alone' as const, 'with-folders' as const)
    let struck = 0
    fc.assert(
      fc.property(name, fc.dictionary(argument, value, { maxKeys: 4 }), offline, (called, args, how) => {
        const [open, now] = [actOf(tool(called), args), actOf(tool(called, how), args)]
        if (now.unsent) struck += 1
        const without = now.unsent ? open.powers.filter((power) => power !== 'sends') : open.powers
        expect([called, args, how, now.powers]).toEqual([called, args, how, without])
        expect(now.touches).toEqual(open.touches)
        if (how === undefined) expect(now.unsent).toBeUndefined()
        if (how !== undefined && verdictOn(now).is === 'allow') expect(verdictOn(open).is).toBe('allow')
      }),
      { numRuns: 1_000 },
    )
    expect(struck).toBeGreaterThan(100)
  })
})

describe('a fence that was opened', () => {
  it('is one under which the process can send what it could not', () => {
    const order = ['alone', 'with-folders', undefined] as const
    for (const [n, was] of order.entries())
      for (const [m, now] of order.entries()) expect([was, now, isLessOffline(was, now)]).toEqual([was, now, m > n])
  })
})
