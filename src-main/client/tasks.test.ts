import { describe, expect, it } from 'vitest'
import { connectScripted, type ScriptedOptions, settled } from '../../e2e/servers/linked/connect-scripted.ts'
import type { Reply } from '../../e2e/servers/linked/scripted-server.ts'
import { bounded } from '../../e2e/support/until.ts'
import { TASKS } from '../../src-shared/mcp/extensions.ts'
import type { Cause, ClientFeatures } from '../protocol/peer/client-features.ts'
import { TransportError } from '../protocol/peer/transport.ts'
import { ProtocolError } from '../protocol/shapes/json-rpc.ts'
import { TaskLost, type TaskNews } from './task-run.ts'

const DECLARED = { tools: {}, tasks: { requests: { tools: { call: {} } }, cancel: {} } }
const START = Date.parse('2026-11-22T08:00:00Z')
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()
const state = (status: string, seconds = 0, more: object = {}) => ({
  taskId: 'k',
  status,
  createdAt: at(0),
  lastUpdatedAt: at(seconds),
  ttl: null,
  pollInterval: 1000,
  ...more,
})
const done = (text: string) => ({ content: [{ type: 'text', text }] })
const FORM = { message: 'Name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } }

function willing() {
  const causes: Cause[] = []
  const features: ClientFeatures = {
    elicitation: {
      url: false,
      elicit: async (_params, cause) => {
        causes.push(cause)
        cause.answeredByPerson?.()
        return { action: 'accept', content: { name: 'Ada' } }
      },
    },
  }
  return { features, causes }
}

/** A session server with one tool, whose task says these states one after another and then the last for ever. */
async function session(states: readonly unknown[], options: ScriptedOptions = {}, support: string | null = 'required') {
  const left = [...states]
  const scripted = await connectScripted({
    capabilities: DECLARED,
    ...options,
    replies: {
      'tools/list': () => ({
        tools: [{ name: 'a', inputSchema: { type: 'object' }, ...(support !== null && { execution: { taskSupport: support } }) }],
      }),
      'tools/call': () => ({ task: state('working') }),
      'tasks/get': () => (left.length > 1 ? left.shift() : left[0]),
      'tasks/result': () => done('result'),
      'tasks/cancel': () => state('cancelled', 99),
      ...options.replies,
    },
  })
  await scripted.client.catalog.load(scripted.options.signal)
  return scripted
}

/** A modern server; each look at its task gives the next state. */
function modern(states: readonly unknown[], replies: Record<string, Reply> = {}, features: ClientFeatures = {}) {
  const left = [...states]
  return connectScripted({
    modern: true,
    capabilities: { tools: {}, extensions: { [TASKS]: {} } },
    features: { ...features, extensions: { [TASKS]: {} } },
    replies: {
      'tools/call': () => ({ resultType: 'task', ...state('working'), content: [] }),
      'tasks/get': () => (left.length > 1 ? left.shift() : left[0]),
      'tasks/update': () => ({}),
      'tasks/cancel': () => ({}),
      ...replies,
    },
  })
}

/** Moves time until the call has ended. */
async function ended<T>({ clock }: { readonly clock: { advance(ms: number): void } }, call: Promise<T>): Promise<T> {
  let over = false
  const end = () => {
    over = true
  }
  call.then(end, end)
  let waited = 0
  while (!over) {
    await settled()
    clock.advance(500)
    waited += 500
    expect(waited, 'The call does not end.').toBeLessThan(60 * 60_000)
  }
  return call
}

const methods = (server: { readonly received: readonly { readonly method?: string }[] }) =>
  server.received.flatMap(({ method }) => (method?.startsWith('tasks/') || method === 'tools/call' ? [method] : []))

describe('a tool call as a task of a session', () => {
  it('is requested as one, polled, and read at its end (TASK-1, TASK-2, TASK-5)', async () => {
    await using scripted = await session([state('working', 1, { statusMessage: 'half\nway' }), state('completed', 2)])
    const news: TaskNews[] = []
    const { client, options, server } = scripted
    const result = await ended(scripted, client.callTool('a', { n: 1 }, { ...options, onTask: (heard) => void news.push(heard) }))
    expect(result.content).toEqual(done('result').content)
    expect(server.got('tools/call')[0]?.params).toEqual({ name: 'a', arguments: { n: 1 }, task: { ttl: 86_400_000 } })
    expect(methods(server)).toEqual(['tools/call', 'tasks/get', 'tasks/get', 'tasks/result'])
    expect(news.map(({ status, statusMessage }) => [status, statusMessage])).toEqual([
      ['working', undefined],
      ['working', 'half way'],
      ['completed', undefined],
    ])
  })

  it('is not looked at before it can be found again after a crash (TASK-19)', async () => {
    await using scripted = await session([state('completed', 1)])
    const { client, options, server, clock } = scripted
    const kept = Promise.withResolvers<void>()
    const call = client.callTool('a', {}, { ...options, onTask: () => kept.promise })
    await settled()
    clock.advance(60_000)
    await settled()
    expect(methods(server)).toEqual(['tools/call'])
    kept.resolve()
    await ended(scripted, call)
    expect(methods(server)).toEqual(['tools/call', 'tasks/get', 'tasks/result'])
  })

  it('is a plain call when the tool does not need one, or the server runs none (TASK-1, TASK-2)', async () => {
    for (const [support, capabilities] of [
      ['optional', DECLARED],
      ['forbidden', DECLARED],
      [null, DECLARED],
      ['required', { tools: {} }],
      ['required', { tools: {}, tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} } } } }],
    ] as const) {
      const replies = { 'tools/call': () => done('plain') }
      await using scripted = await session([], { capabilities, replies }, support)
      const { client, options, server } = scripted
      expect((await client.callTool('a', {}, options)).content).toEqual(done('plain').content)
      expect(server.got('tools/call')[0]?.params).not.toHaveProperty('task')
    }
  })

  it('is asked for where it need not be one only when the person wants it, or after a call of over 30 seconds (TASK-3)', async () => {
    const took = [0, 31_000, 0, 0]
    let clock: { advance(ms: number): void } | undefined
    const call: Reply = ({ task: wanted }) => {
      clock?.advance(took.shift() ?? 0)
      return wanted ? { task: state('completed', 1) } : done('plain')
    }
    await using scripted = await session([], { replies: { 'tools/call': call } }, 'optional')
    clock = scripted.clock
    for (const asTask of [false, false, false, false, true]) {
      await ended(scripted, scripted.client.callTool('a', {}, { ...scripted.options, asTask }))
    }
    const asked = scripted.server.got('tools/call').map(({ params }) => params.task !== undefined)
    expect(asked).toEqual([false, false, true, false, true])
  })

  it('is logged with its tool at its beginning and its end, without its id (TASK-15, TASK-27)', async () => {
    await using scripted = await session([state('completed', 1)])
    await ended(scripted, scripted.client.callTool('a', {}, scripted.options))
    await using failing = await modern([state('failed', 2, { error: { code: -32050, message: 'out of paper' } })])
    await ended(failing, failing.client.callTool('a', {}, failing.options)).catch(() => {})
    expect([...scripted.remarks, ...failing.remarks].filter((line) => line.includes('task'))).toEqual([
      'The task of “a” began.',
      'The task of “a” ended, and its result was read.',
      'The task of “a” began.',
      'The task of “a” gave no result: out of paper',
    ])
  })

  it('is retried once the other way when the server refuses this one (TASK-4)', async () => {
    for (const [support, code] of [
      ['required', -32601],
      ['optional', -32600],
    ] as const) {
      const wrong = (params: Record<string, unknown>) => (params.task !== undefined) === (support === 'required')
      const call: Reply = (params) => {
        if (wrong(params)) throw { code, message: 'the other way' }
        return params.task ? { task: state('working') } : done('result')
      }
      await using scripted = await session([state('completed', 1)], { replies: { 'tools/call': call } }, support)
      const { client, options, server } = scripted
      await expect(ended(scripted, client.callTool('a', {}, options))).resolves.toMatchObject(done('result'))
      expect(server.got('tools/call')).toHaveLength(2)
    }
  })

  it('is not sent a third time when the server refuses both ways (TASK-4)', async () => {
    for (const support of ['required', 'optional']) {
      const call = () => {
        throw { code: -32601, message: 'neither way' }
      }
      await using scripted = await session([], { replies: { 'tools/call': call } }, support)
      const { client, options, server } = scripted
      await expect(ended(scripted, client.callTool('a', {}, options))).rejects.toThrow('neither way')
      expect(server.got('tools/call')).toHaveLength(2)
    }
  })

  it('shows a refusal that came as a result, and is not retried (TASK-4)', async () => {
    const refused = { ...done('MCP error -32601'), isError: true }
    await using scripted = await session([], { replies: { 'tools/call': () => refused } })
    expect(await scripted.client.callTool('a', {}, scripted.options)).toMatchObject(refused)
    expect(scripted.server.got('tools/call')).toHaveLength(1)
  })

  it('returns the tool’s own error (TASK-10)', async () => {
    const replies = { 'tasks/result': () => ({ ...done('no such year'), isError: true }) }
    await using scripted = await session([state('failed', 1)], { replies })
    const result = await ended(scripted, scripted.client.callTool('a', {}, scripted.options))
    expect(result).toMatchObject({ isError: true, ...done('no such year') })
  })

  it('is stopped by a request about the task, not by a notification (TASK-11)', async () => {
    await using scripted = await session([state('working', 1)])
    const stop = new AbortController()
    const call = scripted.client.callTool('a', {}, { signal: stop.signal })
    await scripted.server.waitFor('tools/call')
    await settled()
    stop.abort(new Error('stopped'))
    await expect(ended(scripted, call)).rejects.toThrow('stopped')
    expect(scripted.server.got('tasks/cancel')[0]?.params).toEqual({ taskId: 'k' })
    expect(scripted.server.got('notifications/cancelled')).toEqual([])
  })

  it('counts with its result when it ended before it could be stopped (TASK-13)', async () => {
    const tooLate = () => {
      throw { code: -32602, message: 'It is completed.' }
    }
    await using scripted = await session([state('completed', 1)], { replies: { 'tasks/cancel': tooLate } })
    const stop = new AbortController()
    const call = scripted.client.callTool('a', {}, { signal: stop.signal })
    await scripted.server.waitFor('tools/call')
    await settled()
    stop.abort()
    expect((await ended(scripted, call)).content).toEqual(done('result').content)
  })

  it('keeps running when the reason to stop leaves it (TASK-20)', async () => {
    await using scripted = await session([state('working', 1)])
    const stop = new AbortController()
    const call = scripted.client.callTool('a', {}, { signal: stop.signal, leavesTask: () => true })
    await scripted.server.waitFor('tools/call')
    await settled()
    stop.abort(new Error('quit'))
    await expect(ended(scripted, call)).rejects.toThrow('quit')
    expect(scripted.server.got('tasks/cancel')).toEqual([])
  })

  it('is cancelled when its creating answer comes after Stop (TASK-12)', async () => {
    await using scripted = await session([], { replies: { 'tools/call': () => undefined } })
    const { client, server } = scripted
    const stop = new AbortController()
    const call = client.callTool('a', {}, { signal: stop.signal })
    const [asked] = await server.waitFor('tools/call')
    stop.abort(new Error('stopped'))
    await expect(call).rejects.toThrow('stopped')
    await server.waitFor('notifications/cancelled')
    server.send({ jsonrpc: '2.0', id: asked?.id, result: { task: state('working') } })
    expect((await server.waitFor('tasks/cancel'))[0]?.params).toEqual({ taskId: 'k' })
  })

  it('may end before the answer that creates it (TASK-7, TASK-8)', async () => {
    await using scripted = await session([state('working', 1)], { replies: { 'tools/call': () => undefined } })
    const { client, options, server } = scripted
    const call = client.callTool('a', {}, options)
    const [asked] = await server.waitFor('tools/call')
    server.notify('notifications/tasks/status', state('completed', 5))
    server.send({ jsonrpc: '2.0', id: asked?.id, result: { task: state('working') } })
    expect((await bounded(call, 'an end for which no time need pass')).content).toEqual(done('result').content)
    expect(server.got('tasks/get')).toEqual([])
  })

  it('reports progress for as long as it runs (TASK-14)', async () => {
    await using scripted = await session([state('working', 1), state('completed', 2)])
    const { client, options, server, remarks } = scripted
    const heard: number[] = []
    const call = client.callTool('a', {}, { ...options, onProgress: ({ progress }) => void heard.push(progress) })
    const [asked] = await server.waitFor('tools/call')
    await settled()
    const progressToken = asked?.params._meta.progressToken
    server.notify('notifications/progress', { progressToken, progress: 4 })
    await ended(scripted, call)
    server.notify('notifications/progress', { progressToken, progress: 5 })
    await settled()
    expect(heard).toEqual([4])
    expect(remarks.join()).toContain('no current request')
  })

  it('asks its questions as the call that caused it, while its result is awaited (TASK-9, TASK-16)', async () => {
    const { features, causes } = willing()
    await using scripted = await session([state('input_required', 1)], {
      features,
      replies: { 'tasks/result': () => undefined },
    })
    const { client, options, server } = scripted
    const sent: unknown[] = []
    const call = client.callTool('a', {}, { ...options, onSent: (id) => void sent.push(id) })
    const waiting = ended(scripted, call)
    waiting.catch(() => {}) // Awaited below, unless the server waits in vain.
    const [result] = await server.waitFor('tasks/result')
    const _meta = { 'io.modelcontextprotocol/related-task': { taskId: 'k' } }
    await server.ask('elicitation/create', { ...FORM, _meta }, 'q')
    expect(causes[0]?.requestId).toBe(sent[0])
    // Longer than any request may take.
    scripted.clock.advance(3 * 60 * 60_000)
    await settled()
    server.send({ jsonrpc: '2.0', id: result?.id, result: done('for Ada') })
    expect((await waiting).content).toEqual(done('for Ada').content)
    expect(server.got('tasks/result')).toHaveLength(1)
  })

  it('ends with a reason when the server does not know it any longer, or has dropped it (TASK-20, TASK-22)', async () => {
    const unknown = () => {
      throw { code: -32602, message: 'unknown' }
    }
    await using forgetful = await session([], { replies: { 'tasks/get': unknown } })
    await expect(ended(forgetful, forgetful.client.callTool('a', {}, forgetful.options))).rejects.toMatchObject({
      code: 'task-lost',
    })
    await using brief = await session([state('working', 1, { ttl: 1000 })])
    await expect(ended(brief, brief.client.callTool('a', {}, brief.options))).rejects.toMatchObject({ code: 'task-lost' })
    expect(brief.clock.now() - 1_000_000).toBeGreaterThan(300_000)
  })

  it.each([
    [5_000, 5_000],
    [1, 1_000],
    [1e9, 60_000],
    [undefined, 2_000],
  ])('is looked at as its newest answer asks, within 1 to 60 seconds: %s becomes %d (TASK-6)', async (pollInterval, wait) => {
    const looks: number[] = []
    const get = () => {
      looks.push(scripted.clock.now())
      return looks.length === 1 ? state('working', 1, { pollInterval }) : state('completed', 2)
    }
    await using scripted = await session([], { replies: { 'tasks/get': get } })
    await ended(scripted, scripted.client.callTool('a', {}, scripted.options))
    const [first = 0, second = 0] = looks
    expect(second - first).toBeGreaterThanOrEqual(wait)
    // A quarter more at random, and the half second by which this test moves time.
    expect(second - first).toBeLessThanOrEqual(wait * 1.25 + 500)
  })

  it('is looked at once at a time, and not in lockstep with others (TASK-6)', async () => {
    let tasks = 0
    const looks: number[] = []
    const replies: Record<string, Reply> = {
      'tools/call': () => ({ task: state('working', 0, { taskId: `k${tasks++}` }) }),
      'tasks/get': () => {
        looks.push(scripted.clock.now())
        return undefined
      },
    }
    await using scripted = await session([], { replies })
    const calls = Array.from({ length: 8 }, () => scripted.client.callTool('a', {}, scripted.options))
    for (const call of calls) call.catch(() => {}) // They end with the connection.
    await scripted.server.waitFor('tools/call', 8)
    for (let step = 0; step < 200; step++) {
      await settled()
      scripted.clock.advance(10)
    }
    expect(looks).toHaveLength(8)
    expect(new Set(looks).size).toBeGreaterThan(1)
    scripted.clock.advance(20_000)
    await settled()
    expect(looks).toHaveLength(8)
  })

  it('is looked at once a second at most when it claims to ask and refuses its questions (TASK-6)', async () => {
    let looks = 0
    const replies: Record<string, Reply> = {
      // It ends in the end, or this test would not when it is looked at without a pause.
      'tasks/get': () => state(++looks < 1000 ? 'input_required' : 'completed', looks),
      'tasks/result': () => {
        if (looks < 1000) throw { code: -32603, message: 'No question is there.' }
        return done('result')
      },
    }
    await using scripted = await session([], { replies })
    const { client, clock, options } = scripted
    const before = clock.now()
    const call = client.callTool('a', {}, options)
    call.catch(() => {}) // Awaited below, unless it is looked at too often.
    while (looks < 10) {
      clock.advance(500)
      await settled()
    }
    expect(looks).toBeLessThan(20)
    expect(clock.now() - before).toBeGreaterThan(9_000)
    await ended(scripted, call)
  })

  it('outlives failed polls, and polls less often meanwhile (TASK-6)', async () => {
    let looks = 0
    const replies = {
      'tasks/get': () => {
        if (++looks < 5) throw { code: -32603, message: 'busy' }
        return state('completed', 1)
      },
    }
    await using scripted = await session([], { replies })
    await ended(scripted, scripted.client.callTool('a', {}, scripted.options))
    expect(scripted.clock.now() - 1_000_000).toBeGreaterThan((1 + 2 + 4 + 8 + 16) * 1000)
  })

  it('outlives a long network failure, and gives up on a server that refuses for long (TASK-6, TASK-20)', async () => {
    let away = 0
    await using scripted = await session([state('completed', 1)], {
      beforeSend: (message) => {
        if ('method' in message && message.method === 'tasks/get' && ++away < 30)
          throw new TransportError('unreachable', 'no route')
        return undefined
      },
    })
    await ended(scripted, scripted.client.callTool('a', {}, scripted.options))
    expect(away).toBe(30)
    const busy = () => {
      throw { code: -32603, message: 'busy' }
    }
    await using refusing = await session([], { replies: { 'tasks/get': busy } })
    await expect(ended(refusing, refusing.client.callTool('a', {}, refusing.options))).rejects.toThrow('busy')
  })

  it('waits for a sign-in that a look, its result or an answer needs, and then goes on (TASK-20)', async () => {
    let signedIn = 0
    const refused: string[] = []
    await using scripted = await session([state('completed', 1)], {
      beforeSend: (message) => {
        if (!('method' in message) || !message.method.startsWith('tasks/') || refused.includes(message.method)) return undefined
        refused.push(message.method)
        throw new TransportError('unauthorized', 'Your sign-in has expired.')
      },
    })
    const signs = async () => {
      signedIn += 1
      return true
    }
    const options = { ...scripted.options, signedIn: signs }
    const call = ended(scripted, scripted.client.callTool('a', {}, options))
    await expect(call).resolves.toMatchObject(done('result'))
    expect([refused, signedIn]).toEqual([['tasks/get', 'tasks/result'], 2])
    expect(scripted.server.got('tools/call')).toHaveLength(1)
  })

  it('ends when it needs a sign-in that its server has no place for', async () => {
    await using scripted = await session([], {
      beforeSend: (message) => {
        if ('method' in message && message.method === 'tasks/get') throw new TransportError('unauthorized', 'No token.')
        return undefined
      },
    })
    const options = { ...scripted.options, signedIn: async () => false }
    await expect(ended(scripted, scripted.client.callTool('a', {}, options))).rejects.toThrow('No token.')
  })

  it('continues over another connection, and is not called again (TASK-20, TASK-21)', async () => {
    await using first = await session([state('working', 1)])
    const call = first.client.callTool('a', {}, first.options)
    await first.server.waitFor('tools/call')
    await settled()
    const lost = expect(call).rejects.toBeInstanceOf(TaskLost)
    await first.server.close()
    await lost
    const { ref } = (await call.catch((error: unknown) => error)) as TaskLost
    await using second = await session([state('completed', 1)])
    const result = await ended(second, second.client.callTool('a', {}, { ...second.options, task: ref }))
    expect(result.content).toEqual(done('result').content)
    expect(second.server.got('tools/call')).toEqual([])
  })

  it('is refused beyond thirty-two at one server (TASK-26)', async () => {
    let next = 0
    const call = () => ({ task: state('working', 0, { taskId: `k${next++}` }) })
    await using scripted = await session([state('working', 1)], { replies: { 'tools/call': call } })
    const { client, options, server } = scripted
    const calls = Array.from({ length: 33 }, () => client.callTool('a', {}, options))
    const refused = Promise.race(calls).catch(String)
    for (const running of calls) running.catch(() => {})
    await server.waitFor('tools/call', 33)
    await settled()
    expect(server.got('tasks/cancel').map(({ params }) => params)).toEqual([{ taskId: 'k32' }])
    expect(await refused).toContain('32 tasks')
  })
})

describe('a tool call that a modern server makes a task', () => {
  it('ends with the result in its state, even when that is an error (TASK-23)', async () => {
    const result = { ...done('bad year'), isError: true }
    await using scripted = await modern([state('working', 1), state('completed', 2, { result })])
    const ended_ = await ended(scripted, scripted.client.callTool('a', {}, scripted.options))
    expect(ended_).toMatchObject(result)
    expect(scripted.server.got('tools/call')[0]?.params).not.toHaveProperty('task')
  })

  it('is read whichever type its state claims (TASK-25)', async () => {
    await using scripted = await modern([{ resultType: 'task', ...state('completed', 2, { result: done('ok') }) }])
    expect((await ended(scripted, scripted.client.callTool('a', {}, scripted.options))).content).toEqual(done('ok').content)
  })

  it('rejects with the error of a failed task', async () => {
    await using scripted = await modern([state('failed', 2, { error: { code: -32050, message: 'out of paper' } })])
    const call = ended(scripted, scripted.client.callTool('a', {}, scripted.options))
    await expect(call).rejects.toEqual(new ProtocolError(-32050, 'out of paper'))
  })

  it('answers each question once, by its key, as the call that caused it (TASK-16, TASK-17)', async () => {
    const { features, causes } = willing()
    const asks = (seconds: number) =>
      state('input_required', seconds, { inputRequests: { q: { method: 'elicitation/create', params: FORM } } })
    const states = [asks(1), asks(2), asks(3), state('completed', 4, { result: done('ok') })]
    await using scripted = await modern(states, {}, features)
    const sent: unknown[] = []
    const onSent = (id: unknown) => void sent.push(id)
    await ended(scripted, scripted.client.callTool('a', {}, { ...scripted.options, onSent }))
    expect(causes.map(({ requestId }) => requestId)).toEqual([sent[0]])
    const { taskId, inputResponses } = scripted.server.got('tasks/update')[0]?.params ?? {}
    expect([taskId, inputResponses]).toEqual(['k', { q: { action: 'accept', content: { name: 'Ada' } } }])
    expect(scripted.server.got('tasks/update')).toHaveLength(1)
  })

  it('asks a ninth time only once the person lets it go on (TASK-18)', async () => {
    const { features, causes } = willing()
    const allowed = Promise.withResolvers<void>()
    const asked: number[] = []
    let key = 0
    const asks = () =>
      key === 9
        ? state('completed', 99, { result: done('ok') })
        : state('input_required', key, { inputRequests: { [`q${key}`]: { method: 'elicitation/create', params: FORM } } })
    const next = () => {
      key += 1
      return {}
    }
    await using scripted = await modern([], { 'tasks/get': asks, 'tasks/update': next }, features)
    const { client, options, clock } = scripted
    const mayAskOn = (times: number) => {
      asked.push(times)
      return allowed.promise
    }
    const call = client.callTool('a', {}, { ...options, mayAskOn })
    for (let looks = 0; looks < 60; looks++) {
      await settled()
      clock.advance(1500)
    }
    expect([asked, causes.length]).toEqual([[8], 8])
    allowed.resolve()
    expect((await ended(scripted, call)).content).toEqual(done('ok').content)
    expect([asked, causes.length]).toEqual([[8], 9])
  })

  it('is given up when a question changes under its key (TASK-17)', async () => {
    const { features } = willing()
    const asks = (message: string) =>
      state('input_required', 1, { inputRequests: { q: { method: 'elicitation/create', params: { ...FORM, message } } } })
    await using scripted = await modern([asks('Name?'), asks('Password?')], {}, features)
    const call = ended(scripted, scripted.client.callTool('a', {}, scripted.options))
    await expect(call).rejects.toMatchObject({ code: 'asked-wrongly' })
    expect(scripted.server.got('tasks/cancel')).toHaveLength(1)
  })

  it('is polled for half a minute after Stop, and a late result counts (TASK-13)', async () => {
    for (const last of [state('completed', 9, { result: done('late') }), state('working', 9)]) {
      await using scripted = await modern([state('working', 1), state('working', 2), last])
      const stop = new AbortController()
      const news: TaskNews[] = []
      const onTask = (heard: TaskNews) => void news.push(heard)
      const call = scripted.client.callTool('a', {}, { signal: stop.signal, onTask })
      await scripted.server.waitFor('tools/call')
      await settled()
      const before = scripted.clock.now()
      stop.abort(new Error('stopped'))
      const end = await ended(scripted, call).catch((error: unknown) => error)
      if (last.status === 'completed') expect(end).toMatchObject(done('late'))
      else {
        expect(end).toEqual(new Error('stopped'))
        expect(news.at(-1)).toMatchObject({ unconfirmed: true })
        expect(scripted.clock.now() - before).toBeGreaterThanOrEqual(30_000)
      }
    }
  })

  it('is an invalid answer when tasks were not declared, or to another request (TASK-23)', async () => {
    const answer = () => ({ resultType: 'task', ...state('working') })
    const replies = { 'tools/call': answer, 'prompts/get': answer }
    await using undeclared = await connectScripted({ modern: true, capabilities: { tools: {} }, replies })
    const called = ended(undeclared, undeclared.client.callTool('a', {}, undeclared.options))
    await expect(called).rejects.toMatchObject({ code: 'invalid-result' })
    const capabilities = { prompts: {}, extensions: { [TASKS]: {} } }
    const features = { extensions: { [TASKS]: {} } }
    await using prompts = await connectScripted({ modern: true, capabilities, features, replies })
    await expect(prompts.client.getPrompt('p', {}, prompts.options)).rejects.toMatchObject({ code: 'invalid-result' })
  })
})
