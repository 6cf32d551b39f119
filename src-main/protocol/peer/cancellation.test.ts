import { describe, expect, it, vi } from 'vitest'
import { connectScripted, settled } from '../../../e2e/servers/linked/connect-scripted.ts'
import { until } from '../../../e2e/support/until.ts'
import type { Cause, ClientFeatures } from './client-features.ts'

const SILENT = { capabilities: { tools: {} }, replies: { 'tools/call': () => undefined } }

/** Sampling that works until it is told to stop. */
function workingFeatures() {
  const causes: Cause[] = []
  const finish: (() => void)[] = []
  const features: ClientFeatures = {
    sampling: {
      tools: false,
      context: false,
      createMessage: (_, cause) => {
        causes.push(cause)
        return new Promise((resolve, reject) => {
          finish.push(() => resolve({ role: 'assistant', content: { type: 'text', text: 'late' }, model: 'm' }))
          cause.signal.addEventListener('abort', () => reject(cause.signal.reason))
        })
      },
    },
  }
  return { features, causes, finish }
}

const SAMPLE = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 1 }

describe('a cancellation of ours', () => {
  it('names the request with its exact id and a reason (CANC-03)', async () => {
    await using session = await connectScripted(SILENT)
    const controller = new AbortController()
    const call = session.client.callTool('a', {}, { signal: controller.signal }).catch((error: unknown) => error)
    const [asked] = await session.server.waitFor('tools/call')
    controller.abort(new DOMException('stopped', 'AbortError'))
    expect(await call).toMatchObject({ name: 'AbortError' })
    const [cancel] = await session.server.waitFor('notifications/cancelled')
    expect(cancel?.params).toEqual({ requestId: asked?.id, reason: expect.any(String) })
  })

  it('is sent only while the request is in flight (CANC-01, CANC-10)', async () => {
    await using session = await connectScripted({ ...SILENT, replies: { 'tools/call': () => ({ content: [] }) } })
    const controller = new AbortController()
    await session.client.callTool('a', {}, { signal: controller.signal })
    controller.abort()
    await settled()
    expect(session.server.got('notifications/cancelled')).toHaveLength(0)
  })

  it('sends nothing when the signal had already ended', async () => {
    await using session = await connectScripted(SILENT)
    await expect(session.client.callTool('a', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
    await settled()
    expect(session.server.received).toHaveLength(2)
  })

  it('makes a later response irrelevant (CANC-04, CANC-10)', async () => {
    await using session = await connectScripted(SILENT)
    const controller = new AbortController()
    const call = session.client.callTool('a', {}, { signal: controller.signal }).catch((error: unknown) => error)
    const [asked] = await session.server.waitFor('tools/call')
    controller.abort()
    session.server.send({ jsonrpc: '2.0', id: asked?.id, result: { content: [] } })
    expect(await call).toMatchObject({ name: 'AbortError' })
    await settled()
    expect(session.remarks).toEqual(['The server answered a request that is not waiting; ignored.'])
  })

  it('leaves no listener on the signal, with or without an answer', async () => {
    await using session = await connectScripted({
      ...SILENT,
      replies: { 'tools/call': ({ name }) => (name === 'mute' ? undefined : { content: [] }) },
    })
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    await session.client.callTool('quick', {}, { signal })
    const failed = session.client.callTool('mute', {}, { signal, timeout: 10 }).catch(() => {})
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([2, 1])
    session.clock.advance(10)
    await failed
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([2, 2])
  })
})

describe('a cancellation of the server', () => {
  it('stops the work, and no answer is sent (CANC-05, CANC-07, SAMP-32)', async () => {
    const work = workingFeatures()
    await using session = await connectScripted({ features: work.features })
    session.server.send({ jsonrpc: '2.0', id: 's', method: 'sampling/createMessage', params: SAMPLE })
    await until(() => work.causes.length)
    session.server.notify('notifications/cancelled', { requestId: 's', reason: 'changed my mind' })
    await settled()
    expect(work.causes[0]?.signal.aborted).toBe(true)
    await settled()
    expect(session.server.received.filter(({ id }) => id === 's')).toHaveLength(0)
  })

  it('is logged with its reason (CANC-11)', async () => {
    const work = workingFeatures()
    await using session = await connectScripted({ features: work.features })
    session.server.send({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: SAMPLE })
    session.server.notify('notifications/cancelled', { requestId: 1, reason: 'changed my mind' })
    await until(() => session.remarks.length)
    expect(session.remarks).toEqual(['The server cancelled its sampling/createMessage: changed my mind'])
  })

  it('frees all that the request held, a thousand times over (CANC-06)', async () => {
    const work = workingFeatures()
    await using session = await connectScripted({ features: work.features })
    for (let id = 1; id <= 1000; id++) {
      session.server.send({ jsonrpc: '2.0', id, method: 'sampling/createMessage', params: SAMPLE })
      session.server.notify('notifications/cancelled', { requestId: id })
    }
    session.server.send({ jsonrpc: '2.0', id: 'last', method: 'sampling/createMessage', params: SAMPLE })
    await until(() => work.causes.length >= 1)
    await settled()
    work.finish.at(-1)?.()
    expect((await session.server.answerTo('last')).result.content.text).toBe('late')
  })

  it('for something unknown, finished or malformed is ignored (CANC-08, CANC-09)', async () => {
    await using session = await connectScripted()
    await session.server.ask('ping', undefined, 1)
    const before = session.server.received.length
    for (const params of [{ requestId: 99 }, { requestId: 1 }, { requestId: null }, { requestId: {} }, {}, undefined]) {
      session.server.notify('notifications/cancelled', params)
    }
    await settled()
    expect(session.server.received).toHaveLength(before)
    expect((await session.server.ask('ping', undefined, 2)).result).toEqual({})
  })

  it('after our answer changes nothing (CANC-10)', async () => {
    const work = workingFeatures()
    await using session = await connectScripted({ features: work.features })
    session.server.send({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: SAMPLE })
    await until(() => work.finish.length)
    work.finish[0]?.()
    await session.server.answerTo(1)
    session.server.notify('notifications/cancelled', { requestId: 1 })
    await settled()
    expect(session.server.received.filter(({ id, method }) => id === 1 && method === undefined)).toHaveLength(1)
  })

  it('never cancels a request of ours with the same id (CANC-13)', async () => {
    await using session = await connectScripted(SILENT)
    const call = session.client.callTool('a', {}, session.options)
    const [asked] = await session.server.waitFor('tools/call')
    session.server.notify('notifications/cancelled', { requestId: asked?.id })
    await settled()
    session.server.send({ jsonrpc: '2.0', id: asked?.id, result: { content: [] } })
    expect((await call).content).toEqual([])
  })
})

describe('the cause of a request of the server', () => {
  it('is the only call in flight, or one of several (ELIC-32, TRAN-76)', async () => {
    const work = workingFeatures()
    await using session = await connectScripted({ ...SILENT, features: work.features })
    const ids: (string | number)[] = []
    const call = () => session.client.callTool('a', {}, { ...session.options, onSent: (id) => ids.push(id) }).catch(() => {})
    void call()
    await session.server.waitFor('tools/call')
    session.server.send({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: SAMPLE })
    await until(() => work.causes.length === 1)
    expect(work.causes[0]).toMatchObject({ requestId: ids[0], candidates: [ids[0]] })
    void call()
    await session.server.waitFor('tools/call', 2)
    session.server.send({ jsonrpc: '2.0', id: 2, method: 'sampling/createMessage', params: SAMPLE })
    await until(() => work.causes.length === 2)
    expect(work.causes[1]).toMatchObject({ candidates: ids })
    expect(work.causes[1]).not.toHaveProperty('requestId')
  })
})
