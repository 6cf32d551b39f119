import { describe, expect, it } from 'vitest'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, type ChatOptions, chatHost, ECHO } from '../../../e2e/test-hosts/chat-host.ts'
import { TASKS } from '../../../src-shared/mcp/extensions.ts'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'

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

/** A conversation whose call runs in the background. */
async function background(options: ChatOptions) {
  const chat = await chatHost(options)
  const id = await chat.say('go')
  await chat.answer('once')
  const window = await chat.follow(id)
  const call = await until(() => window.calls.find(({ task }) => task !== undefined), 'the task')
  return { chat, id, window, call }
}

describe('a call in the background', () => {
  it.each(FORMS)(
    'goes on after a restart with the same task, and is not made again: %s (TASK-19, TASK-20, TASK-21)',
    async (form) => {
      const status = { now: 'working' }
      const { chat, id, call } = await background(server(form, status))
      expect(call).toMatchObject({ status: 'running' })
      await chat.end()
      expect(chat.servers.flatMap((one) => one.got('tasks/cancel'))).toEqual([])
      status.now = 'completed'
      const again = await chatHost({ ...server(form, status), after: chat, replies: [['Done.']] })
      const interrupted = await again.call(id)
      expect(interrupted).toMatchObject({ status: 'interrupted', task: {} })
      expect(interrupted.problem?.what).toContain('in the background')
      await again.host.conversations.open(id, (one) => one.retry())
      await again.idle(id)
      expect(await again.call(id)).toMatchObject({
        status: 'finished',
        result: { content: [{ type: 'text', text: 'the report' }] },
      })
      expect([called(chat).length, called(again).length]).toEqual([1, 0])
      await again.end()
    },
  )

  it('keeps the id of its task from windows, which see one call (TASK-15, TASK-30)', async () => {
    const { chat, id, window } = await background(server('session', { now: 'working' }))
    expect(JSON.stringify([window.value, chat.events])).not.toContain('secret-id')
    await chat.host.conversations.open(id, (one) => one.cancel())
    expect(chat.servers.flatMap((one) => one.got('tasks/cancel'))).toHaveLength(1)
    expect(await chat.call(id)).toMatchObject({ status: 'cancelled' })
    await chat.end()
  })
})
