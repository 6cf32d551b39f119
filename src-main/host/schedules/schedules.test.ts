import { expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, type ChatOptions, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import type { ConversationId, ProjectId, ProviderId, ScheduleId, ServerId } from '../../../src-shared/contract/ids.ts'
import type { ScheduleConfig } from '../../../src-shared/contract/schedules.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import type { News } from '../core/platform.ts'

const STEP = 5_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = new Date(2026, 5, 1, 8, 59).getTime()

const DAILY: ScheduleConfig = {
  name: 'Morning brief',
  prompt: 'Sum up what is new.',
  time: { is: 'at', minute: 9 * 60, days: [0, 1, 2, 3, 4, 5, 6] },
  project: null,
  model: null,
  servers: [PLAYGROUND_ID],
  tokens: 100_000,
  minutes: 30,
  missed: 'once',
}
const OFTEN: ScheduleConfig = { ...DAILY, time: { is: 'every', minutes: 5 } }
const forever = new Promise(() => {})
const CALL = [{ call: 'echo', args: { text: 'a' } }] as const

interface Scheduled {
  readonly chat: ChatHost
  readonly clock: ManualClock
  readonly id: ScheduleId
  readonly news: News[]
}

async function scheduled(config: ScheduleConfig, options: ChatOptions = {}): Promise<Scheduled> {
  const clock = new ManualClock(START)
  const news: News[] = []
  const chat = await chatHost({ clock, ...options, platform: { notify: (one) => news.push(one), ...options.platform } })
  const { id } = await chat.host.schedules.add(config)
  return { chat, clock, id, news }
}

/** Another host with the same data folder, after some time. */
async function reopened({ chat, clock, id, news }: Scheduled, later = 0, options: ChatOptions = {}): Promise<Scheduled> {
  await chat.end()
  clock.advance(later)
  const after = await chatHost({ clock, after: chat, ...options, platform: { notify: (one) => news.push(one) } })
  return { chat: after, clock, id, news }
}

const runsOf = ({ chat, id }: Scheduled) => chat.host.schedules.read(id).runs
const noticesOf = ({ chat }: Scheduled) => chat.host.state.snapshot.notices.map(({ problem }) => problem.what)

/** The first run of the history once it is `status`. */
async function run(one: Scheduled, status: string) {
  return until(() => {
    const [last] = runsOf(one)
    return last?.is === status ? last : undefined
  }, `a run that is ${status}`)
}

async function conversationOf(one: Scheduled): Promise<ConversationId> {
  const { conversation } = await run(one, 'running')
  if (!conversation) throw new Error('The run has no conversation.')
  return conversation
}

/** Moves the clock, and waits until the host has looked at it. */
async function pass({ chat, clock }: Scheduled, ms: number): Promise<void> {
  const end = clock.now() + ms
  // In steps, so that the server can answer pings.
  while (clock.now() < end) {
    clock.advance(Math.min(STEP, end - clock.now()))
    await new Promise(setImmediate)
  }
  await chat.host.schedules.look()
}

/** As long as runs wait after the start of Parley. */
const WAKING = 30_000

it('A schedule runs at its time in a conversation of its own, and its end is in the history', async () => {
  const one = await scheduled(DAILY, { replies: [['All is well.', { done: { usage: { input: 300, output: 20 } } }]] })
  await pass(one, MINUTE - 1)
  expect(runsOf(one)).toEqual([])
  await pass(one, 1)
  const { conversation } = await run(one, 'finished')
  expect(runsOf(one)).toMatchObject([{ is: 'finished', at: START + MINUTE, tokens: 320 }])
  const [head] = one.chat.host.state.snapshot.conversations
  expect(head).toMatchObject({ id: conversation, title: 'Morning brief', schedule: one.id })
  expect(one.chat.model.request(0).messages).toMatchObject([{ role: 'user', content: [{ text: 'Sum up what is new.' }] }])
  expect(one.chat.host.schedules.read(one.id).next).toBe(START + MINUTE + DAY)
  await until(() => one.news.length === 1, 'the notification')
  expect(one.news).toEqual([{ title: 'Morning brief', body: 'It has run.', about: { is: 'conversation', id: conversation } }])
  await until(() => one.chat.host.state.snapshot.conversations[0]?.archived === true, 'the archive')
})

it('A question waits for an hour, and its answer lets the run go on', async () => {
  const one = await scheduled(DAILY, { replies: [CALL, ['Echoed.']] })
  await pass(one, MINUTE)
  const conversation = await conversationOf(one)
  await one.chat.question()
  // More than the timeout of other questions and than the limit of time, which stands still.
  await pass(one, HOUR)
  expect(one.chat.host.state.snapshot.interactions).toMatchObject([
    { kind: 'tool-consent', about: { conversationId: conversation } },
  ])
  expect(one.news).toMatchObject([{ about: { is: 'question' } }])
  expect(one.chat.calls).toEqual([])
  await one.chat.answer('once')
  expect(await run(one, 'finished')).toMatchObject({ conversation })
  expect(one.chat.calls).toEqual([{ name: 'echo', arguments: { text: 'a' } }])
})

it('A question of the person’s own conversation ends at its timeout', async () => {
  const { chat, clock } = await scheduled(DAILY, { replies: [CALL] })
  const id = await chat.say('Echo a.')
  await chat.question()
  clock.advance(HOUR)
  await chat.idle(id)
  expect(await chat.call(id)).toMatchObject({ status: 'declined' })
})

it('A permission for a run’s conversation does not carry over to the next run', async () => {
  const one = await scheduled(DAILY, { replies: [CALL, ['Echoed.'], CALL] })
  await pass(one, MINUTE)
  await one.chat.question()
  await one.chat.answer('conversation')
  await run(one, 'finished')
  await one.chat.host.schedules.runNow(one.id)
  await one.chat.question()
  expect(one.chat.calls).toHaveLength(1)
})

it('A run that waits is not doubled: the next ones are skipped and told', async () => {
  const one = await scheduled(OFTEN, { replies: [CALL] })
  await pass(one, 5 * MINUTE)
  await one.chat.question()
  for (let n = 0; n < 3; n++) await pass(one, 5 * MINUTE)
  expect(runsOf(one)).toMatchObject([{ is: 'skipped', at: START + 10 * MINUTE, times: 3 }, { is: 'running' }])
  expect(noticesOf(one)).toEqual(['“Morning brief” was due while its last run was still running or waiting for you.'])
  expect(one.chat.host.state.snapshot.conversations).toHaveLength(1)
})

it('A run uses the servers of its schedule alone', async () => {
  const one = await scheduled({ ...DAILY, servers: [] })
  await pass(one, MINUTE)
  await run(one, 'finished')
  expect(one.chat.model.request(0).tools).toEqual([])
})

it('A run that used its tokens stops before the next request', async () => {
  const usage = { input: 900, output: 100 }
  const one = await scheduled({ ...DAILY, tokens: 1_000 }, { replies: [[...CALL, { done: { usage } }]] })
  await pass(one, MINUTE)
  await one.chat.answer('once')
  const { problem } = await run(one, 'stopped')
  expect(problem).toMatchObject({ code: 'token-limit', what: 'This run used its 1,000 tokens.' })
  expect(one.chat.model.requests).toHaveLength(1)
  // A person who goes on has no such limit.
  await one.chat.host.conversations.open(runsOf(one)[0]?.conversation as ConversationId, (conversation) => conversation.retry())
  await run(one, 'finished')
})

it('A run that worked for its minutes is stopped', async () => {
  const one = await scheduled({ ...DAILY, minutes: 2 }, { replies: [[{ wait: forever }]] })
  await pass(one, MINUTE)
  await until(() => one.chat.model.requests.length === 1, 'the request')
  one.clock.advance(2 * MINUTE)
  const { problem } = await run(one, 'stopped')
  expect(problem).toMatchObject({ code: 'time-limit', what: 'This run worked for 2 minutes, which is its limit.' })
  await until(() => one.news.length === 1, 'the notification')
  expect(one.news).toMatchObject([{ body: problem?.what }])
})

it('A run that Parley’s end interrupted goes on after the restart, and its question is asked again', async () => {
  const first = await scheduled(DAILY, { replies: [CALL] })
  await pass(first, MINUTE)
  const conversation = await conversationOf(first)
  await first.chat.question()
  const one = await reopened(first, HOUR, { replies: [['Echoed.']] })
  await one.chat.question()
  expect(runsOf(one)).toMatchObject([{ is: 'running', conversation }])
  await one.chat.answer('once')
  await run(one, 'finished')
  expect(one.chat.calls).toHaveLength(1)
  expect(one.chat.host.state.snapshot.conversations).toHaveLength(1)
})

it('A run whose prompt was not sent before Parley ended is sent after the restart', async () => {
  const first = await scheduled(DAILY)
  const { schedules, conversations } = first.chat.host
  const { id: conversation } = await conversations.create({ schedule: first.id })
  const { config } = schedules.read(first.id)
  const stored = { config, from: START, runs: [{ is: 'running' as const, at: START, conversation }] }
  await first.chat.storage.records.put('schedule', first.id, stored)
  const one = await reopened(first)
  expect(await run(one, 'finished')).toMatchObject({ conversation })
})

it('One run makes up for those that were missed while Parley was closed', async () => {
  const one = await reopened(await scheduled(DAILY), 3 * DAY)
  await pass(one, WAKING - 1)
  // Networks and servers come back first.
  expect(runsOf(one)).toEqual([])
  await pass(one, 1)
  await run(one, 'finished')
  expect(runsOf(one)).toMatchObject([{ is: 'finished' }, { is: 'missed', at: START + MINUTE, times: 3 }])
  expect(noticesOf(one)).toEqual(['“Morning brief” was due 3 times while Parley was closed or the computer slept.'])
})

it('Missed runs are told and left out where the person chose so', async () => {
  const one = await reopened(await scheduled({ ...DAILY, missed: 'skip' }), 2 * DAY + 12 * HOUR)
  await pass(one, WAKING)
  expect(runsOf(one)).toMatchObject([{ is: 'missed', times: 3 }])
  expect(one.chat.host.state.snapshot.conversations).toEqual([])
  expect(one.chat.host.schedules.read(one.id).next).toBe(START + MINUTE + 3 * DAY)
})

it('A clock that was set back by days begins to count again', async () => {
  const first = await scheduled(DAILY)
  await first.chat.storage.records.put('schedule', first.id, { config: DAILY, from: START + 2 * DAY, runs: [] })
  const one = await reopened(first)
  await one.chat.host.schedules.look()
  expect(one.chat.host.schedules.read(one.id).next).toBe(START + MINUTE)
})

it.each([
  ['project', { project: 'gone' as ProjectId }, 'Its project was removed.'],
  ['model', { model: { provider: 'gone' as ProviderId, model: 'm' } }, 'The provider of its model was removed.'],
  ['server', { servers: ['gone' as ServerId] }, 'Its server “gone” was removed.'],
])('A schedule whose %s was removed pauses and says so', async (_what, gone, what) => {
  const first = await scheduled(DAILY)
  await first.chat.storage.records.put('schedule', first.id, { config: { ...DAILY, ...gone }, from: START, runs: [] })
  const one = await reopened(first, MINUTE)
  await pass(one, WAKING)
  expect(one.chat.host.schedules.read(one.id)).toMatchObject({ paused: { is: 'missing', what }, runs: [] })
  expect(noticesOf(one)).toEqual([`“Morning brief” is paused. ${what}`])
  await expect(one.chat.host.schedules.pause(one.id, false)).rejects.toThrow(`${what} Edit the schedule first.`)
  await expect(one.chat.host.schedules.runNow(one.id)).rejects.toThrow(`${what} Edit the schedule first.`)
  await one.chat.host.schedules.change(one.id, DAILY)
  expect(one.chat.host.schedules.read(one.id).next).toBe(START + DAY + MINUTE)
})

it('A restored schedule neither runs nor resumes before the person has saved it', async () => {
  const first = await scheduled(DAILY)
  const restored = { config: DAILY, from: 0, paused: { is: 'restored' as const }, runs: [] }
  await first.chat.storage.records.put('schedule', first.id, restored)
  const one = await reopened(first, DAY)
  const { schedules } = one.chat.host
  await pass(one, WAKING)
  expect(runsOf(one)).toEqual([])
  await expect(schedules.runNow(one.id)).rejects.toThrow('It came with a backup. Read it and save it first.')
  await expect(schedules.pause(one.id, false)).rejects.toThrow('It came with a backup. Read it and save it first.')
  await schedules.change(one.id, DAILY)
  await schedules.runNow(one.id)
  await run(one, 'finished')
})

it('A paused schedule does not run, and counts from when it is resumed', async () => {
  const one = await scheduled(OFTEN)
  await one.chat.host.schedules.pause(one.id, true)
  await pass(one, 25 * MINUTE)
  expect(runsOf(one)).toEqual([])
  expect(one.chat.host.schedules.read(one.id)).not.toHaveProperty('next')
  await one.chat.host.schedules.pause(one.id, false)
  expect(one.chat.host.schedules.read(one.id).next).toBe(START + 30 * MINUTE)
})

it('A removed schedule can be brought back with its history, also after the removal of another', async () => {
  const one = await scheduled(DAILY)
  await one.chat.host.schedules.runNow(one.id)
  await run(one, 'finished')
  const { id: other } = await one.chat.host.schedules.add(DAILY)
  await one.chat.host.schedules.remove(one.id)
  await one.chat.host.schedules.remove(other)
  expect(one.chat.host.state.snapshot.schedules).toEqual([])
  await one.chat.host.schedules.restore(one.id)
  await expect(one.chat.host.schedules.restore(one.id)).rejects.toThrow('cannot be brought back')
  expect(runsOf(one)).toMatchObject([{ is: 'finished' }])
})

it('A run is not started by hand while another one waits', async () => {
  const one = await scheduled(DAILY, { replies: [CALL] })
  await one.chat.host.schedules.runNow(one.id)
  await one.chat.question()
  await expect(one.chat.host.schedules.runNow(one.id)).rejects.toThrow('It is running, or waits for your answer.')
})

it('The ledger gives what a run did', async () => {
  const one = await scheduled(DAILY, { replies: [CALL] })
  const { id: conversationId } = await one.chat.host.schedules.runNow(one.id)
  await one.chat.answer('deny')
  await run(one, 'finished')
  const { items, total } = await one.chat.storage.ledger.page({ conversationId, limit: 10 })
  expect({ items, total }).toMatchObject({ items: [{ tool: 'echo', decision: 'denied' }], total: 1 })
  expect(await one.chat.storage.ledger.page({ conversationId: 'other' as ConversationId, limit: 10 })).toEqual({
    items: [],
    total: 0,
  })
})

it.each([
  ['no prompt', { prompt: '  ' }, 'A schedule needs a prompt.'],
  ['a server that is not there', { servers: ['gone' as ServerId] }, 'Its server “gone” was removed.'],
])('A schedule with %s is refused', async (_what, wrong, why) => {
  const one = await scheduled(DAILY)
  await expect(one.chat.host.schedules.add({ ...DAILY, ...wrong })).rejects.toThrow(why)
})

it('A run waits for a server that restarts', async () => {
  const one = await scheduled(DAILY)
  const { chat, clock } = one
  chat.server.close()
  await until(() => chat.host.state.snapshot.servers[PLAYGROUND_ID]?.state.is === 'restarting', 'the restart')
  await chat.host.schedules.runNow(one.id)
  await until(() => {
    clock.advance(100)
    return runsOf(one)[0]?.is === 'finished'
  }, 'the run')
  expect(chat.model.request(0).tools).toContainEqual(expect.objectContaining({ name: 'echo' }))
})

it('A host of the command line runs no schedule', async () => {
  const { chat, clock, id } = await scheduled(DAILY)
  await chat.end()
  clock.advance(DAY)
  const brief = await chatHost({ clock, after: chat, runsSchedules: false })
  clock.advance(WAKING)
  for (let n = 0; n < 20; n++) await new Promise(setImmediate)
  await brief.end()
  expect((await chatHost({ clock, after: brief })).host.schedules.read(id).runs).toEqual([])
})
