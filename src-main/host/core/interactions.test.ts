import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import type { Id } from '../../../src-shared/base/json.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import { applyEvent, emptySnapshot, type HostEvent } from '../../../src-shared/contract/events.ts'
import type { InteractionId } from '../../../src-shared/contract/ids.ts'
import type { About, AnswerTo } from '../../../src-shared/contract/interactions.ts'
import { HostState } from './host-state.ts'
import { InteractionExpired, Interactions, OPEN_LIMIT, TooManyQuestions } from './interactions.ts'

const about = (serverId = 'files'): About => ({
  serverId: serverId as Id<'server'>,
  serverName: serverId,
  origin: 'server',
  cause: 'It wants to know something.',
})
const form = { message: 'Your name?', schema: { type: 'object' as const }, multiSelect: true, secrets: [], asksForSecret: false }

function setUp() {
  const clock = new ManualClock(1_000)
  const state = new HostState(emptySnapshot)
  const events: HostEvent[] = []
  state.onEvent((_seq, event) => events.push(event))
  const interactions = new Interactions({ state, clock })
  const controller = new AbortController()
  const ask = (from = about(), signal: AbortSignal = controller.signal) =>
    interactions.ask('elicitation-form', from, form, signal).catch((error: unknown) => error)
  const accept = (id: InteractionId, content: AnswerTo<'elicitation-form'>['content'] = {}) =>
    interactions.answer({ id, kind: 'elicitation-form', answer: { action: 'accept', content } })
  return { clock, state, events, interactions, controller, ask, accept }
}

const idOf = (state: HostState, at = 0): InteractionId => {
  const open = state.snapshot.interactions[at]
  if (!open) throw new Error('no open question')
  return open.id
}

describe('an interaction', () => {
  it('is data in the snapshot, so that a reload or a second window shows it', async () => {
    const { state, events, ask, accept } = setUp()
    const asked = ask()
    expect(JSON.parse(JSON.stringify(state.snapshot.interactions))).toEqual(state.snapshot.interactions)
    expect(state.snapshot.interactions).toMatchObject([{ kind: 'elicitation-form', question: form, askedAt: 1_000 }])
    accept(idOf(state))
    await asked
    expect(events.reduce(applyEvent, emptySnapshot)).toEqual(state.snapshot)
    expect(state.snapshot.interactions).toEqual([])
  })

  it('accepts the first valid answer; a late one, or one to an unknown question, changes nothing (ARCH-06)', async () => {
    const { state, events, ask, accept } = setUp()
    const asked = ask()
    const id = idOf(state)
    expect(accept(id, { name: 'Ada' })).toBe(true)
    expect(accept(id, { name: 'Eve' })).toBe(false)
    expect(accept('made-up' as InteractionId)).toBe(false)
    expect(await asked).toEqual({ action: 'accept', content: { name: 'Ada' } })
    expect(events.filter((event) => event.type === 'interaction.closed')).toEqual([
      { type: 'interaction.closed', id, outcome: 'answered' },
    ])
  })

  it('refuses an answer of the wrong kind, and stays open', async () => {
    const { state, interactions, controller, ask } = setUp()
    const asked = ask()
    const id = idOf(state)
    const answer = { decision: 'deny' } as const
    expect(() => interactions.answer({ id, kind: 'tool-consent', answer })).toThrow('This is a elicitation-form question.')
    expect(state.snapshot.interactions.length).toBe(1)
    controller.abort(new Error('over'))
    await asked
  })

  it('checks the content in the host, whatever the page accepted', async () => {
    const { state, interactions, controller } = setUp()
    const check = (answer: AnswerTo<'elicitation-form'>) => (answer.content?.age === 7 ? undefined : 'age must be 7')
    const asked = interactions.ask('elicitation-form', about(), form, controller.signal, { check })
    const id = idOf(state)
    const answer = (age: number) =>
      interactions.answer({ id, kind: 'elicitation-form', answer: { action: 'accept', content: { age } } })
    expect(() => answer(8)).toThrow('age must be 7')
    expect(answer(7)).toBe(true)
    expect(await asked).toEqual({ action: 'accept', content: { age: 7 } })
  })

  it('is withdrawn when its cause ends, with the reason', async () => {
    const { state, events, controller, ask, accept } = setUp()
    const asked = ask()
    const id = idOf(state)
    const reason = new Error('The server went away.')
    controller.abort(reason)
    expect(await asked).toBe(reason)
    expect(events.at(-1)).toEqual({ type: 'interaction.closed', id, outcome: 'withdrawn', why: 'The server went away.' })
    expect(accept(id)).toBe(false)
    expect(await ask()).toBe(reason)
  })

  it('ends after its time, which counts as no answer of a person', async () => {
    const { clock, state, events, ask } = setUp()
    const asked = ask()
    expect(state.snapshot.interactions[0]?.endsAt).toBe(1_000 + state.snapshot.settings.questionLife)
    clock.advance(state.snapshot.settings.questionLife)
    expect(await asked).toBeInstanceOf(InteractionExpired)
    expect(events.at(-1)).toMatchObject({ outcome: 'expired' })
    expect(clock.pending).toBe(0)
  })

  it('is refused beyond the number a server may have open, while other servers may ask (SEC-24)', async () => {
    const { state, controller, ask } = setUp()
    const asked = Array.from({ length: OPEN_LIMIT }, () => ask())
    expect(await ask()).toBeInstanceOf(TooManyQuestions)
    const other = ask(about('mail'))
    expect(state.snapshot.interactions.length).toBe(OPEN_LIMIT + 1)
    controller.abort(new Error('over'))
    await Promise.all([...asked, other])
  })

  it('waits for room when the model asks', async () => {
    const { state, interactions, controller, ask, accept } = setUp()
    const asked = Array.from({ length: OPEN_LIMIT }, () => ask())
    let room = false
    const waiting = interactions.room(about(), controller.signal).then(() => {
      room = true
    })
    await Promise.resolve()
    expect(room).toBe(false)
    accept(idOf(state))
    await waiting
    expect(room).toBe(true)
    controller.abort(new Error('over'))
    await Promise.all(asked)
  })

  it('shows a draft in every window and forgets it at the end, whose event has no content', async () => {
    const { state, events, interactions, ask, accept } = setUp()
    const asked = ask()
    const id = idOf(state)
    interactions.draft(id, { name: 'Ad' })
    expect(state.snapshot.interactions[0]?.draft).toEqual({ name: 'Ad' })
    expect(() => interactions.draft(id, 'x'.repeat(40_000))).toThrow(HostError)
    accept(id, { name: 'Ada' })
    await asked
    interactions.draft(id, { name: 'late' })
    expect(events.at(-1)).toEqual({ type: 'interaction.closed', id, outcome: 'answered' })
  })

  it('keeps no draft of what is secret (ELIC-28)', async () => {
    const { state, interactions, controller } = setUp()
    const asked = interactions.ask('elicitation-form', about(), { ...form, secrets: ['pin'] }, controller.signal)
    interactions.draft(idOf(state), { name: 'Ada', pin: '4711' })
    expect(state.snapshot.interactions[0]?.draft).toEqual({ name: 'Ada' })
    controller.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
  })

  it('is declined together with all others of its server, each with its own kind of no', async () => {
    const { state, interactions, controller, ask } = setUp()
    const sampling = interactions.ask('roots-request', about(), { suggestions: [] }, controller.signal)
    const asked = ask()
    const other = ask(about('mail'))
    expect(interactions.declineAll('files' as Id<'server'>)).toBe(2)
    expect(await asked).toEqual({ action: 'decline' })
    expect(await sampling).toEqual({ decision: 'decline' })
    expect(state.snapshot.interactions.length).toBe(1)
    controller.abort(new Error('over'))
    await other
  })

  it('leaves no listener and no timer behind', async () => {
    const { clock, state, ask, accept } = setUp()
    const asked = ask()
    accept(idOf(state))
    await asked
    expect(clock.pending).toBe(0)
  })
})
