import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { memoryStorage } from '../../../e2e/support/storage/memory-storage.ts'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, type ChatOptions, chatHost, ECHO } from '../../../e2e/test-hosts/chat-host.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import { TASKS } from '../../../src-shared/mcp/extensions.ts'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'
import type { UnplacedHead } from '../../storage/base/storage.ts'
import type { News } from '../core/platform.ts'
import { retryWith } from './conversation-branches.ts'

const state = (status: string, more: object = {}) => ({
  taskId: 'secret-id',
  status,
  lastUpdatedAt: '2026-11-22T08:00:00Z',
  ttl: null,
  ttlMs: null,
  ...more,
})
const RESULT = { content: [{ type: 'text', text: 'the report' }] }
const TOOL: Tool = { ...ECHO, execution: { taskSupport: 'required' } }
const FORMS = ['session', 'extension'] as const

/** A server whose task is in `status`, in either form. */
function server(form: (typeof FORMS)[number], status: { now: string }): ChatOptions {
  const modern = form === 'extension'
  const get = () => state(status.now, { statusMessage: 'half way', ...(status.now === 'completed' && { result: RESULT }) })
  return {
    modern,
    tools: [TOOL],
    onCall: () => (modern ? { resultType: 'task', ...state('working') } : { task: state('working') }),
    capabilities: modern ? { extensions: { [TASKS]: {} } } : { tasks: { requests: { tools: { call: {} } }, cancel: {} } },
    answers: { 'tasks/get': get, 'tasks/result': () => RESULT, 'tasks/cancel': () => state('cancelled') },
    replies: [[{ call: 'echo', args: { text: 'x' } }], ['Done.']],
  }
}

const called = (chat: ChatHost) => chat.servers.flatMap((one) => one.got('tools/call'))

/** As `until`, with a tenth of a second of the host's clock between two looks, since a task is asked about every two seconds. */
function untilBy<T>(clock: ManualClock, read: () => T, what: string): Promise<NonNullable<Awaited<T>>> {
  return until(() => {
    clock.advance(100)
    return read()
  }, what)
}

/** A conversation whose call runs in the background. */
async function background(options: ChatOptions) {
  const chat = await chatHost(options)
  const id = await chat.say('go')
  await chat.answer('once')
  const window = await chat.follow(id)
  const call = await until(() => window.calls.find(({ task }) => task !== undefined), 'the task')
  return { chat, id, window, call }
}

/** A host that ended while the call ran, and one that starts again on its data. */
async function afterRestart(form: (typeof FORMS)[number], status: { now: string }, options: ChatOptions = {}) {
  const before = await background(server(form, status))
  await before.chat.end()
  const again = await chatHost({ ...server(form, status), after: before.chat, replies: [['Done.']], ...options })
  return { ...before, again }
}

const REPORT = { status: 'finished', result: { content: [{ type: 'text', text: 'the report' }] } }

describe('a call in the background', () => {
  it.each(FORMS)(
    'is asked about again after a restart by itself, and is not repeated: %s (TASK-19, TASK-20, TASK-21)',
    async (form) => {
      const status = { now: 'working' }
      const news: News[] = []
      const clock = new ManualClock(Date.now())
      const platform = { notify: (one: News) => news.push(one) }
      const { chat, id, again } = await afterRestart(form, status, { clock, platform })
      expect(chat.servers.flatMap((one) => one.got('tasks/cancel'))).toEqual([])
      const listed = await until(() => again.host.state.snapshot.background[0], 'the list of what runs')
      expect(listed).toMatchObject({ conversationId: id, tool: 'echo', title: 'go' })
      status.now = 'completed'
      await untilBy(clock, () => again.host.state.snapshot.background[0]?.ended, 'the mark')
      expect(await again.call(id)).toMatchObject(REPORT)
      expect(news).toEqual([{ title: '“echo” has finished', body: 'go', about: { is: 'conversation', id } }])
      expect(called(chat).length + called(again).length).toBe(1)
      // The model has not spoken: Continue gives it the result.
      expect(again.model.requests).toEqual([])
      await again.host.conversations.open(id, (one) => one.retry())
      await again.idle(id)
      expect(JSON.stringify(again.model.request(0).messages)).toContain('the report')
      await again.follow(id)
      expect(again.host.state.snapshot.background).toEqual([])
      await again.end()
    },
  )

  it('is awaited by its turn when the person continues meanwhile', async () => {
    const status = { now: 'working' }
    const clock = new ManualClock(Date.now())
    const { id, again } = await afterRestart('session', status, { clock })
    await until(() => again.host.state.snapshot.background[0], 'the list of what runs')
    await again.host.conversations.open(id, (one) => one.retry())
    status.now = 'completed'
    await untilBy(clock, () => again.model.requests.length > 0, 'the model to be asked')
    await again.idle(id)
    expect(await again.call(id)).toMatchObject(REPORT)
    expect([called(again).length, again.model.requests.length]).toEqual([0, 1])
    await again.end()
  })

  it('shows after a restart where its task was (TASK-35)', async () => {
    const status = { now: 'working' }
    const { chat, id, window } = await background(server('session', status))
    const progressToken = chat.server.got('tools/call')[0]!.params._meta.progressToken
    chat.server.notify('notifications/progress', { progressToken, progress: 4, total: 10 })
    await until(() => window.calls[0]?.progress, 'the progress')
    await chat.end()
    const again = await chatHost({ ...server('session', status), after: chat })
    const reopened = await again.follow(id)
    const now = await until(() => reopened.calls.find((one) => one.status === 'running'), 'the task to be asked about')
    expect(now.task).toMatchObject({ reached: { progress: 4, total: 10 } })
    expect(now).not.toHaveProperty('progress')
    await again.end()
  })

  it('is held after eight questions until the person lets its server go on (TASK-18)', async () => {
    const clock = new ManualClock(Date.now())
    let key = 0
    const one = server('extension', { now: 'working' })
    const FORM = { message: 'Name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } }
    const get = () =>
      key === 9
        ? state('completed', { result: RESULT })
        : state('input_required', { inputRequests: { [`q${key}`]: { method: 'elicitation/create', params: FORM } } })
    const update = () => {
      key += 1
      return {}
    }
    const { chat, id, window, call } = await background({
      ...one,
      clock,
      answers: { ...one.answers, 'tasks/get': get, 'tasks/update': update },
    })
    const open = () => chat.host.state.snapshot.interactions.find((asked) => asked.kind === 'elicitation-form')
    for (let times = 0; times < 9; times++) {
      if (times === 8) {
        await untilBy(clock, () => window.calls[0]?.overdue, 'the call to be held')
        expect(window.calls[0]?.overdue).toMatchObject({ why: 'asks', times: 8 })
        expect(open()).toBeUndefined()
        expect(chat.host.servers.calls.overdue.keepWaiting(call.id)).toBe(true)
      }
      const asked = await untilBy(clock, open, 'the question')
      const answer = { action: 'accept' as const, content: { name: 'Ada' } }
      chat.host.interactions.answer({ id: asked.id, kind: 'elicitation-form', answer })
      await untilBy(clock, () => key === times + 1, 'the answer to arrive')
    }
    await untilBy(clock, () => window.value.turn?.status === 'finished', 'the end of the turn')
    await chat.idle(id)
    expect(await chat.call(id)).toMatchObject(REPORT)
    await chat.end()
  })

  it('is not asked about at a server that another launch runs (TASK-20)', async () => {
    const { chat, id, call } = await background(server('session', { now: 'working' }))
    await chat.end()
    const { conversations, messages } = memoryStorage(chat.memory)
    const stored = (await messages.transcript(id)).toolCalls.get(call.id)!
    const extras = { ...stored.extras, task: { ...(stored.extras!.task as object), launchIdentity: 'another' } }
    const event = { type: 'toolCall.changed', toolCall: stored.toolCall } as const
    await conversations.write([{ conversationId: id, event, extras }])
    const again = await chatHost({ ...server('session', { now: 'completed' }), after: chat })
    await until(async () => (await again.call(id)).status === 'failed', 'the call to end')
    expect((await again.call(id)).problem).toMatchObject({ code: 'task-lost' })
    expect(again.servers.flatMap((one) => one.got('tasks/get'))).toEqual([])
    await again.end()
  })

  it('is left by its reply, which goes on; the result is marked, and given on demand (TASK-31, TASK-32)', async () => {
    const status = { now: 'working' }
    const news: News[] = []
    const replies: ChatOptions['replies'] = [[{ call: 'echo', args: { text: 'x' } }], ['Meanwhile.'], ['Thanks.']]
    const clock = new ManualClock(Date.now())
    const platform = { notify: (one: News) => news.push(one) }
    const { chat, id, call, window } = await background({ ...server('session', status), replies, clock, platform })
    await chat.host.conversations.open(id, (one) => one.leaveCall(call.id))
    await chat.idle(id)
    expect(JSON.stringify(chat.model.request(1).messages)).toContain('runs this call in the background')
    expect(window.value.turn?.status).toBe('finished')
    expect(await chat.call(id)).toMatchObject({ status: 'running' })
    window.stop()
    status.now = 'completed'
    await untilBy(clock, () => chat.host.state.snapshot.background[0]?.ended, 'the mark')
    expect(await chat.call(id)).toMatchObject(REPORT)
    const told = news.filter(({ about }) => about?.is === 'conversation')
    expect([told.length, called(chat).length, chat.server.got('tasks/result').length]).toEqual([1, 1, 1])
    await chat.host.conversations.open(id, (one) => one.giveResult(call.id))
    await chat.idle(id)
    expect(JSON.stringify(chat.model.request(2).messages)).toContain('the report')
    await chat.end()
  })

  it('is stopped when no reply waits for it, and when its message goes (TASK-11, TASK-33)', async () => {
    const { chat, id, call } = await background({
      ...server('session', { now: 'working' }),
      replies: [
        [{ call: 'echo', args: { text: 'x' } }],
        ['Meanwhile.'],
        [{ call: 'echo', args: { text: 'y' } }],
        ['Then.'],
        ['Last.'],
      ],
    })
    await chat.host.conversations.open(id, (one) => one.leaveCall(call.id))
    await chat.idle(id)
    await chat.host.conversations.open(id, (one) => one.cancelCall(call.id))
    await until(async () => (await chat.call(id)).status === 'cancelled', 'the call to end')
    expect(chat.server.got('tasks/cancel')).toHaveLength(1)
    await chat.host.conversations.open(id, (one) => one.send('again'))
    await chat.answer('once')
    const second = await until(() => chat.host.state.snapshot.background[0], 'the second task')
    await chat.host.conversations.open(id, (one) => one.leaveCall(second.id))
    await chat.idle(id)
    await chat.host.conversations.open(id, (one) => retryWith(one))
    await until(() => chat.server.got('tasks/cancel').length === 2, 'the second to be cancelled')
    await chat.idle(id)
    await until(() => chat.host.state.snapshot.background.length === 0, 'the list to be empty')
    const { toolCalls } = await chat.storage.messages.transcript(id)
    expect([...toolCalls.keys()]).toEqual([call.id])
    await chat.end()
  })

  it('outlives its connection, however long the server is away, under the same launch only (TASK-20)', async () => {
    const status = { now: 'working' }
    const { chat, id } = await background(server('extension', status))
    await chat.host.servers.controls.stop(PLAYGROUND_ID)
    status.now = 'completed'
    expect(await chat.call(id)).toMatchObject({ status: 'running' })
    await chat.host.servers.controls.start(PLAYGROUND_ID)
    await chat.idle(id)
    expect(await chat.call(id)).toMatchObject(REPORT)
    expect([chat.servers.length, called(chat).length]).toEqual([2, 1])
    await chat.end()
  })

  it('stays with its conversation: a copy does not ask about it', async () => {
    const { id, chat } = await background(server('session', { now: 'working' }))
    await chat.end()
    const { conversations, messages } = memoryStorage(chat.memory)
    const copy = { ...(await conversations.head(id)), id: 'copy' } as UnplacedHead
    const at = (await messages.transcript(id)).messages.at(-1)!.message.id
    await conversations.fork(id, copy, { at, including: true })
    const { toolCalls } = await messages.transcript(copy.id)
    const extras = [...toolCalls.values()].map((one) => one.extras)
    expect(extras).toHaveLength(1)
    expect(extras[0]).not.toHaveProperty('task')
  })

  it.each(FORMS)('leaves the id of its task out of windows, exports and the log: %s (TASK-15)', async (form) => {
    const status = { now: 'working' }
    const clock = new ManualClock(Date.now())
    const options = { ...server(form, status), clock }
    const _meta = { 'io.modelcontextprotocol/related-task': { taskId: 'secret-id' } }
    const { chat, id, window } = await background({
      ...options,
      answers: { ...options.answers, 'tasks/result': () => ({ ...RESULT, _meta }) },
    })
    status.now = 'completed'
    await untilBy(clock, () => chat.model.requests.length > 1, 'the model to get the result')
    await chat.idle(id)
    expect(await chat.call(id)).toMatchObject(REPORT)
    const { url } = await chat.host.conversationFiles.export([id], 'json')
    // The platform of these tests makes links that are names of blobs.
    const exported = Buffer.from(await chat.host.storage.blobs.read(url)).toString('utf8')
    const log = chat.host.servers.configured.get(PLAYGROUND_ID).log.since(0, 'host')
    expect(exported).toContain('the report')
    expect(log).toContain('The task of “echo” began.')
    expect(JSON.stringify([window.value, chat.events, exported, log])).not.toContain('secret-id')
    await chat.end()
  })

  it('keeps the id of its task from windows, which see one call (TASK-15, TASK-30)', async () => {
    const { chat, id, window } = await background(server('session', { now: 'working' }))
    expect(JSON.stringify([window.value, chat.events])).not.toContain('secret-id')
    expect(window.calls.map(({ task }) => task !== undefined)).toEqual([true])
    await chat.host.conversations.open(id, (one) => one.cancel())
    expect(chat.servers.flatMap((one) => one.got('tasks/cancel'))).toHaveLength(1)
    expect(await chat.call(id)).toMatchObject({ status: 'cancelled' })
    await chat.end()
  })
})
