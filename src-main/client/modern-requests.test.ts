import { describe, expect, it } from 'vitest'
import { connectScripted, settled } from '../../e2e/servers/linked/connect-scripted.ts'
import type { Reply } from '../../e2e/servers/linked/scripted-server.ts'
import type { Progress } from '../../src-shared/mcp/primitives.ts'
import type { ClientFeatures } from '../protocol/peer/client-features.ts'

const ALL = { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} }
const META = 'io.modelcontextprotocol/'
const done = () => ({ content: [] })
const silent = () => undefined

const connect = (replies: Record<string, Reply> = {}, more: object = {}) =>
  connectScripted({ modern: true, capabilities: ALL, replies, ...more })

describe('our metadata of a request', () => {
  const features: ClientFeatures = {
    elicitation: { url: true, elicit: async () => ({ action: 'cancel' }) },
    sampling: {
      tools: true,
      context: false,
      createMessage: async () => ({ role: 'assistant', content: { type: 'text', text: '' }, model: 'm' }),
    },
    roots: { list: async () => ({ roots: [] }) },
  }

  it('is in every one of them, with nothing of a session (V26-META-1, V26-META-3, V26-META-5)', async () => {
    const lists = {
      'tools/list': () => ({ tools: [] }),
      'resources/list': () => ({ resources: [] }),
      'resources/templates/list': () => ({ resourceTemplates: [] }),
      'prompts/list': () => ({ prompts: [] }),
    }
    const reads = { 'resources/read': () => ({ contents: [] }), 'prompts/get': () => ({ messages: [] }) }
    const complete = { 'completion/complete': () => ({ completion: { values: [] } }) }
    await using session = await connect({ ...lists, ...reads, ...complete, 'tools/call': done }, { features })
    const { client, options, server } = session
    await client.catalog.load(options.signal)
    await client.callTool('a', undefined, options)
    await client.readResource('a:b', options)
    await client.getPrompt('p', undefined, options)
    await client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }, undefined, options)
    expect(server.received.map(({ method }) => method).toSorted()).toEqual(
      ['server/discover', ...Object.keys({ ...lists, ...reads, ...complete }), 'tools/call'].toSorted(),
    )
    for (const { params } of server.received) {
      expect(params._meta).toEqual({
        [`${META}protocolVersion`]: '2026-07-28',
        [`${META}clientInfo`]: { name: 'parley', version: '0.1.0' },
        [`${META}clientCapabilities`]: { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} },
      })
    }
  })

  it('is an empty object where nothing is offered (V26-META-1)', async () => {
    await using session = await connect()
    expect(session.server.received[0]?.params._meta[`${META}clientCapabilities`]).toEqual({})
  })

  it('stays next to a progress token, and no key of ours or of a trace is added (V26-META-6, V26-META-10, V26-META-11)', async () => {
    await using session = await connect({ 'tools/call': done })
    await session.client.callTool('a', {}, { ...session.options, onProgress: () => {} })
    const keys = ['protocolVersion', 'clientInfo', 'clientCapabilities'].map((key) => META + key)
    expect(Object.keys(session.server.got('tools/call')[0]?.params._meta).toSorted()).toEqual(
      [...keys, 'progressToken'].toSorted(),
    )
  })
})

describe('a request of ours', () => {
  it('has an id that was never used before (V26-ERR-5)', async () => {
    await using session = await connect({ 'tools/call': done, 'resources/read': () => ({ contents: [] }) })
    const { client, options, server } = session
    await Promise.all([client.callTool('a', {}, options), client.callTool('a', {}, options), client.readResource('a:b', options)])
    await client.callTool('a', {}, options)
    const ids = server.received.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(typeof id === 'string' || Number.isSafeInteger(id)).toBe(true)
  })

  it('never causes an error with one of the server’s own codes (V26-ERR-3)', async () => {
    await using session = await connect()
    session.server.send({ jsonrpc: '2.0', id: 1, method: 'roots/list', params: {} })
    session.server.send({ jsonrpc: '2.0', id: 2, method: 'ping' })
    session.server.send({ jsonrpc: '2.0', id: 3, method: 'no/such' })
    await settled()
    expect(session.server.received.map(({ method }) => method)).toEqual(['server/discover'])
    expect(session.remarks).toHaveLength(3)
  })

  it('survives a batch, which answers nothing (V26-ERR-7)', async () => {
    await using session = await connect({ 'tools/call': silent })
    const call = session.client.callTool('a', {}, session.options)
    const [request] = await session.server.waitFor('tools/call')
    session.server.send([{ jsonrpc: '2.0', id: request?.id, result: { resultType: 'complete', content: [] } }])
    session.server.send({
      jsonrpc: '2.0',
      id: request?.id,
      result: { resultType: 'complete', content: [{ type: 'text', text: 'alone' }] },
    })
    expect((await call).content).toEqual([{ type: 'text', text: 'alone' }])
    expect(session.remarks).toEqual([expect.stringContaining('batch')])
  })

  it('ends at its deadline, whatever progress it makes, and is cancelled (V26-CANC-1, V26-CANC-2)', async () => {
    await using session = await connect({ 'tools/call': silent })
    const { client, clock, server, options } = session
    const call = client.callTool('a', {}, { ...options, timeout: 1_000, maxTime: 2_500, onProgress: () => {} })
    const ended = expect(call).rejects.toMatchObject({ code: 'timeout' })
    const [request] = await server.waitFor('tools/call')
    for (let progress = 1; progress <= 3; progress++) {
      clock.advance(800)
      server.notify('notifications/progress', { progressToken: request?.params._meta.progressToken, progress })
      await settled()
    }
    expect(server.got('notifications/cancelled')).toEqual([])
    clock.advance(100)
    await ended
    const [cancelled] = await server.waitFor('notifications/cancelled')
    expect(cancelled?.params).toEqual({ requestId: request?.id, reason: 'The request timed out.' })
  })

  it('that is given up is cancelled once on a pipe, and late answers are ignored (V26-CANC-2, V26-CANC-4)', async () => {
    await using session = await connect({ 'tools/call': silent })
    const controller = new AbortController()
    const heard: Progress[] = []
    const call = session.client.callTool('a', {}, { signal: controller.signal, onProgress: (reached) => heard.push(reached) })
    const [request] = await session.server.waitFor('tools/call')
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    const [cancelled] = await session.server.waitFor('notifications/cancelled')
    expect(cancelled?.params).toMatchObject({ requestId: request?.id, reason: expect.any(String) })
    const token = request?.params._meta.progressToken
    session.server.notify('notifications/progress', { progressToken: token, progress: 1 })
    session.server.send({ jsonrpc: '2.0', id: request?.id, result: { resultType: 'complete', content: [] } })
    await settled()
    expect(heard).toEqual([])
    expect(session.server.got('notifications/cancelled')).toHaveLength(1)
    expect(session.remarks).toHaveLength(2)
  })

  it('is not cancelled after its answer (V26-CANC-2)', async () => {
    await using session = await connect({ 'tools/call': done })
    const controller = new AbortController()
    await session.client.callTool('a', {}, { signal: controller.signal })
    controller.abort()
    await settled()
    expect(session.server.got('notifications/cancelled')).toEqual([])
  })

  it('tells when its cancellation was asked for, and when it was sent (V26-CANC-6)', async () => {
    await using session = await connect({ 'tools/call': silent })
    const controller = new AbortController()
    let told: Promise<void> | undefined
    const call = session.client.callTool('a', {}, { signal: controller.signal, onCancelling: (word) => (told = word) })
    await session.server.waitFor('tools/call')
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    expect(told).toBeInstanceOf(Promise)
    await told
    expect(session.server.got('notifications/cancelled')).toHaveLength(1)
  })

  it('cannot be cancelled by the server (V26-CANC-5)', async () => {
    await using session = await connect({ 'tools/call': silent })
    const call = session.client.callTool('a', {}, session.options)
    const [request] = await session.server.waitFor('tools/call')
    session.server.notify('notifications/cancelled', { requestId: request?.id, reason: 'no' })
    session.server.notify('notifications/cancelled', { requestId: 'nothing' })
    session.server.send({ jsonrpc: '2.0', id: request?.id, result: { resultType: 'complete', content: [] } })
    expect((await call).content).toEqual([])
    expect(session.remarks).toEqual(Array(2).fill(expect.stringContaining('not a subscription; ignored')))
  })
})

describe('progress', () => {
  const ask = { resultType: 'input_required', requestState: 's' }

  it('is asked for with a token of each request, and never sent (V26-PROG-1, V26-PROG-3)', async () => {
    let legs = 0
    let report = (_progressToken: unknown) => {}
    await using session = await connect({
      'tools/call': ({ _meta }) => {
        report(Object(_meta).progressToken)
        return legs++ === 0 ? ask : done()
      },
    })
    const { client, clock, server, options } = session
    report = (progressToken) => server.notify('notifications/progress', { progressToken, progress: 1 })
    const heard: Progress[] = []
    const call = client.callTool('a', {}, { ...options, onProgress: (reached) => heard.push(reached) })
    await server.waitFor('tools/call')
    await settled()
    clock.advance(400)
    await call
    await client.callTool('b', {}, { ...options, onProgress: () => {} })
    const tokens = server.got('tools/call').map(({ params }) => params._meta.progressToken)
    expect(new Set(tokens).size).toBe(3)
    for (const token of tokens) expect(typeof token === 'string' || Number.isSafeInteger(token)).toBe(true)
    expect(heard).not.toEqual([])
    expect(server.got('notifications/progress')).toEqual([])
  })

  it('that does not rise, is for nothing, or is late is ignored and extends no deadline (V26-PROG-2)', async () => {
    await using session = await connect({ 'tools/call': silent })
    const { client, clock, server, options } = session
    const heard: Progress[] = []
    const call = client.callTool('a', {}, { ...options, timeout: 1_000, onProgress: (reached) => heard.push(reached) })
    const ended = expect(call).rejects.toMatchObject({ code: 'timeout' })
    const [request] = await server.waitFor('tools/call')
    const progressToken = request?.params._meta.progressToken
    server.notify('notifications/progress', { progressToken, progress: 5 })
    await settled()
    clock.advance(900)
    for (const progress of [5, 4, -1, 'x', null]) server.notify('notifications/progress', { progressToken, progress })
    server.notify('notifications/progress', { progressToken: String(progressToken), progress: 6 })
    server.notify('notifications/progress', { progressToken: 99, progress: 6 })
    await settled()
    clock.advance(100)
    await ended
    server.notify('notifications/progress', { progressToken, progress: 7 })
    await settled()
    expect(heard).toEqual([{ progress: 5 }])
  })

  it('never goes back on screen when a call takes several requests (V26-PROG-2)', async () => {
    const heard: Progress[] = []
    await using session = await connect({ 'tools/call': silent })
    const { client, clock, server, options } = session
    const call = client.callTool('a', {}, { ...options, onProgress: (reached) => heard.push(reached) })
    const tell = async (leg: number, progress: object) => {
      const progressToken = server.got('tools/call')[leg]?.params._meta.progressToken
      server.notify('notifications/progress', { progressToken, ...progress })
      await settled()
    }
    const answer = async (leg: number, result: object) => {
      server.send({ jsonrpc: '2.0', id: server.got('tools/call')[leg]?.id, result })
      await settled()
    }
    await server.waitFor('tools/call')
    await tell(0, { progress: 1, total: 10 })
    await tell(0, { progress: 6, total: 10 })
    await answer(0, ask)
    clock.advance(400)
    await server.waitFor('tools/call', 2)
    await tell(1, { progress: 1, total: 4, message: 'again' })
    await tell(1, { progress: 2, total: 4 })
    await tell(1, { progress: 3, total: 4 })
    await answer(1, { resultType: 'complete', content: [] })
    await call
    expect(heard).toEqual([
      { progress: 1, total: 10 },
      { progress: 6, total: 10 },
      { progress: 6, total: 10, message: 'again' },
      { progress: 3, total: 4 },
    ])
  })
})
