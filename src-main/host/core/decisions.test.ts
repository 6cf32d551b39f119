import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, chatHost, ECHO } from '../../../e2e/test-hosts/chat-host.ts'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { LedgerEntry } from '../../../src-shared/contract/consent.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import { DEFAULT_SETTINGS } from '../../../src-shared/contract/settings.ts'

const call = (args: JsonObject) => ({ call: 'echo', args })
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The person's answer to the one question: what was asked, with the first rule that is offered, or no. */
async function answer(chat: ChatHost, say: 'once' | 'remember' | 'deny'): Promise<void> {
  const { id, kind, question } = await chat.question()
  const calls = question.calls.map(({ toolCallId }) => toolCallId)
  const offer = question.offers[0]?.id
  if (say === 'deny') chat.host.interactions.answer({ id, kind, answer: { decision: 'deny' } })
  else if (say === 'once') chat.host.interactions.answer({ id, kind, answer: { decision: 'allow', calls } })
  else if (offer === undefined) throw new Error('No rule is offered.')
  else chat.host.interactions.answer({ id, kind, answer: { decision: 'allow', calls, offer } })
}

async function entries(chat: ChatHost): Promise<readonly LedgerEntry[]> {
  const { items } = await chat.storage.ledger.page({ limit: 50 })
  expect(await chat.storage.ledger.check(0)).toEqual({ entries: items.length, bytes: expect.any(Number) })
  return items.map(({ hash: _hash, ...entry }) => entry)
}

/** The common part of every entry about these arguments. */
const about = (args: string) => ({
  at: expect.any(Number),
  serverId: PLAYGROUND_ID,
  serverName: expect.stringMatching(/playground/i),
  tool: 'echo',
  arguments: args,
  argumentsHash: sha256(args),
})

describe('a decision about a tool call', () => {
  it('of the person is in the ledger with its arguments, and so are those of the new rule (TOOL-10)', async () => {
    const one = call({ text: 'a', more: 1 })
    const chat = await chatHost({ replies: [[one], ['Done.'], [one], ['Done again.']] })
    const id = await chat.say('go')
    await answer(chat, 'remember')
    await chat.idle(id)
    await chat.host.conversations.open(id, (opened) => opened.send('again'))
    await chat.idle(id)
    const [rule] = chat.host.consent.rules.list()
    expect(rule?.uses).toBe(1)
    expect(await entries(chat)).toEqual([
      {
        ...about('{"more":1,"text":"a"}'),
        number: 2,
        conversationId: id,
        toolCallId: expect.any(String),
        decision: 'allowed-by-rule',
        why: 'Your rule allows it.',
        ruleId: rule?.id,
        outcome: 'finished',
      },
      {
        ...about('{"more":1,"text":"a"}'),
        number: 1,
        conversationId: id,
        toolCallId: expect.any(String),
        decision: 'allowed-by-person',
        why: expect.stringContaining('You allowed it.'),
        outcome: 'finished',
      },
    ])
  })

  it('without a question is in the ledger, too', async () => {
    const reader = { ...ECHO, annotations: { readOnlyHint: true, openWorldHint: false } }
    const chat = await chatHost({ replies: [[call({ text: 'free' })], ['Done.']], tools: [reader] })
    await chat.host.consent.judged.trustHints(PLAYGROUND_ID, true)
    const id = await chat.say('go')
    await chat.idle(id)
    expect(await entries(chat)).toEqual([
      {
        ...about('{"text":"free"}'),
        number: 1,
        conversationId: id,
        toolCallId: expect.any(String),
        decision: 'free',
        why: 'Only you can have asked for this: no other server had brought in others’ words.',
        outcome: 'finished',
      },
    ])
  })

  it('against the call says who denied it: the person, or a rule of theirs', async () => {
    const chat = await chatHost({ replies: [[call({ text: '1' })], ['No.'], [call({ text: '2' })], ['No.']] })
    const id = await chat.say('go')
    await answer(chat, 'deny')
    await chat.idle(id)
    const ruleId = await chat.host.consent.rules.add({ effect: 'deny', serverId: PLAYGROUND_ID, powers: [], limits: [] })
    await chat.host.conversations.open(id, (one) => one.send('again'))
    await chat.idle(id)
    const nothing = { conversationId: id, toolCallId: expect.any(String), outcome: 'declined: denied' }
    expect(await entries(chat)).toEqual([
      {
        ...about('{"text":"2"}'),
        ...nothing,
        number: 2,
        decision: 'denied-by-rule',
        ruleId,
        why: expect.stringMatching(/^Your rule/),
      },
      { ...about('{"text":"1"}'), ...nothing, number: 1, decision: 'denied', why: expect.stringMatching(/^Denied/) },
    ])
    expect(chat.calls).toEqual([])
  })

  it('that nobody made is not recorded as a no', async () => {
    const clock = new ManualClock()
    const chat = await chatHost({ clock, replies: [[call({ text: 'late' })], ['No.']] })
    const id = await chat.say('go')
    await chat.question()
    clock.advance(DEFAULT_SETTINGS.questionLife)
    await chat.idle(id)
    expect(await entries(chat)).toMatchObject([{ decision: 'unanswered', outcome: 'declined: expired' }])
  })

  it('on a call by hand says whether it was confirmed', async () => {
    const say = { yes: true }
    const chat = await chatHost({ platform: { confirmCall: async () => say.yes } })
    const byHand = (args: JsonObject) => chat.host.byHand.call(PLAYGROUND_ID, 'echo', args, new AbortController().signal)
    await byHand({ text: 'yes' })
    say.yes = false
    await expect(byHand({ text: 'no' })).rejects.toMatchObject({ code: 'refused' })
    expect(await entries(chat)).toEqual([
      {
        ...about('{"text":"no"}'),
        number: 2,
        decision: 'denied',
        why: 'You ran it and did not confirm it.',
        outcome: 'declined: denied',
      },
      {
        ...about('{"text":"yes"}'),
        number: 1,
        decision: 'by-hand',
        why: 'You ran it and confirmed it.',
        outcome: 'finished',
      },
    ])
  })

  it('records a call that failed otherwise than one that worked', async () => {
    const onCall = () => ({ content: [{ type: 'text', text: 'no' }], isError: true })
    const chat = await chatHost({ onCall, replies: [[call({})], ['Oh.']] })
    const id = await chat.say('go')
    await answer(chat, 'once')
    await chat.idle(id)
    await chat.host.byHand.call(PLAYGROUND_ID, 'echo', {}, new AbortController().signal)
    expect((await entries(chat)).map(({ outcome }) => outcome)).toEqual(['error', 'error'])
  })

  it('is stored without what looks like a secret, while the hash is of what was sent', async () => {
    const chat = await chatHost()
    const args = { header: 'Bearer abcdef0123456789', text: 'sk-aaaaaaaaaaaaaaaaaaaa' }
    await chat.host.byHand.call(PLAYGROUND_ID, 'echo', args, new AbortController().signal)
    expect(chat.calls).toEqual([{ name: 'echo', arguments: args }])
    expect(await entries(chat)).toMatchObject([
      {
        arguments: '{"header":"Bearer ‹redacted›","text":"‹redacted›"}',
        argumentsHash: sha256(JSON.stringify(args)),
      },
    ])
  })

  it('has the head of long arguments, their size and the hash of the whole, and no part of a secret', async () => {
    const chat = await chatHost()
    const byHand = async (text: string) => {
      const json = JSON.stringify({ text })
      await chat.host.byHand.call(PLAYGROUND_ID, 'echo', { text }, new AbortController().signal)
      const [entry] = await entries(chat)
      expect(entry?.argumentsHash).toBe(sha256(json))
      expect(Buffer.byteLength(entry?.arguments ?? '')).toBeLessThanOrEqual(8 * 1024)
      return { entry, json }
    }
    const fits = await byHand('x'.repeat(8 * 1024 - '{"text":""}'.length))
    expect(fits.entry?.arguments).toBe(fits.json)
    expect(fits.entry).not.toHaveProperty('argumentsBytes')
    const wide = await byHand('é'.repeat(20_000))
    expect(wide.entry?.argumentsBytes).toBe(40_011)
    expect(wide.json.startsWith(wide.entry?.arguments ?? '-')).toBe(true)
    expect(wide.entry?.arguments?.length).toBeGreaterThan(4_000)
    const split = await byHand(`${'x '.repeat(4_086)}sk-${'a'.repeat(200)} and on ${'x '.repeat(9_000)}`)
    expect(split.entry?.arguments).not.toContain('sk-')
    // A hidden secret leaves room: later text moves up, but only text that was seen whole may.
    const moved = await byHand(`sk-${'a'.repeat(6_000)} ${'x '.repeat(3_135)}sk-${'b'.repeat(200)} ${'x '.repeat(9_000)}`)
    expect(moved.entry?.arguments).toContain('‹redacted› x x')
    expect(moved.entry?.arguments).not.toContain('sk-')
  })

  it('causes a visible problem when the ledger cannot be written', async () => {
    const broken = { add: () => Promise.reject(new Error('full')) }
    const chat = await chatHost({
      replies: [[call({})], ['Done.']],
      storage: (real) => ({ ...real, ledger: { ...real.ledger, ...broken } }),
    })
    const id = await chat.say('go')
    await answer(chat, 'once')
    await chat.idle(id)
    expect(await chat.call(id)).toMatchObject({ status: 'finished' })
    await until(() => chat.host.state.snapshot.notices.some(({ problem }) => problem.code === 'ledger-not-kept'), 'the notice')
  })
})
