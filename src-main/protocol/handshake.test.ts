import { describe, expect, it } from 'vitest'
import { connectScripted, scripted, settled } from '../../e2e/servers/linked/connect-scripted.ts'
import { bounded, until } from '../../e2e/support/until.ts'
import { HandshakeError } from './handshake-error.ts'

const INTRODUCTION = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } }

async function firstRequest(server: ReturnType<typeof scripted>['server']) {
  const found = await until(() => server.got('initialize')[0])
  return found
}

describe('the handshake', () => {
  it('begins with initialize, which names the newest revision, our capabilities and our name (LIFE-01, LIFE-02, LIFE-04)', async () => {
    await using session = await connectScripted({ clientInfo: { name: 'parley', version: '1', title: 'Parley' } })
    expect(session.server.received[0]).toMatchObject({
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'parley', version: '1', title: 'Parley' },
      },
    })
  })

  it('declares what is served and nothing else (ROOT-01, SAMP-01, ELIC-01)', async () => {
    const never = () => Promise.reject(new Error('not asked'))
    const features = {
      roots: { list: never },
      sampling: { tools: true, context: false, createMessage: never },
      elicitation: { url: true, elicit: never },
    }
    await using all = await connectScripted({ features })
    expect(all.server.got('initialize')[0]?.params.capabilities).toEqual({
      roots: { listChanged: true },
      sampling: { tools: {} },
      elicitation: { form: {}, url: {} },
    })
    const withoutLinks = { elicitation: { url: false, elicit: never } }
    await using form = await connectScripted({ features: withoutLinks })
    expect(form.server.got('initialize')[0]?.params.capabilities).toEqual({ elicitation: { form: {} } })
    await using none = await connectScripted()
    expect(none.server.got('initialize')[0]?.params.capabilities).toEqual({})
  })

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const)(
    'declares elicitation when it offers %s, too (LIFE-22)',
    async (protocolVersion) => {
      const features = { elicitation: { url: true, elicit: () => Promise.reject(new Error('not asked')) } }
      await using session = await connectScripted({ features, protocolVersion, speaks: protocolVersion })
      const [initialize] = session.server.got('initialize')
      expect(initialize?.params).toMatchObject({ protocolVersion, capabilities: { elicitation: { form: {}, url: {} } } })
    },
  )

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'agrees on %s when the server answers with it (LIFE-03, LIFE-06)',
    async (protocolVersion) => {
      await using session = await connectScripted({ speaks: protocolVersion })
      expect(session.client.hello.protocolVersion).toBe(protocolVersion)
    },
  )

  it.each(['2099-01-01', '2025-3-26', '', 'latest'])(
    'ends when the server answers with the unknown version %j, before initialized (LIFE-05, LIFE-07, TRAP-13)',
    async (protocolVersion) => {
      await using session = scripted({ speaks: protocolVersion })
      const failure = await session.connect().catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(HandshakeError)
      expect(failure).toMatchObject({ code: 'version', details: { offered: '2025-11-25', theirs: [protocolVersion] } })
      await until(() => session.server.closed)
      expect(session.server.got('notifications/initialized')).toHaveLength(0)
    },
  )

  it('names the versions of both sides when none is common (LIFE-09)', async () => {
    await using session = scripted({ speaks: '2099-01-01' })
    await expect(session.connect()).rejects.toThrow(/2099-01-01.*2025-11-25/)
  })

  it('reads the server’s versions in a refusal, and names one to try again (LIFE-23, TRAP-20)', async () => {
    const refuse = () => {
      throw {
        code: -32602,
        message: 'Unsupported protocol version',
        data: { supported: ['2024-11-05'], requested: '2025-11-25' },
      }
    }
    await using session = scripted({ replies: { initialize: refuse } })
    await expect(session.connect()).rejects.toMatchObject({
      code: 'version',
      details: { theirs: ['2024-11-05'], retryWith: '2024-11-05' },
    })
    await until(() => session.server.closed)
  })

  it('offers another revision on a fresh connection when told to (LIFE-24)', async () => {
    await using session = await connectScripted({ speaks: '2024-11-05', protocolVersion: '2024-11-05' })
    expect(session.server.got('initialize')[0]?.params.protocolVersion).toBe('2024-11-05')
    expect(session.client.hello.protocolVersion).toBe('2024-11-05')
  })

  it('sends initialized once, before any other request, and answers pings meanwhile (LIFE-10, PING-02)', async () => {
    await using session = scripted({
      capabilities: { tools: {} },
      replies: { 'tools/list': () => ({ tools: [] }), initialize: () => undefined },
    })
    const connecting = session.connect()
    const first = await firstRequest(session.server)
    session.server.send({ jsonrpc: '2.0', id: first.id, result: { ...INTRODUCTION, capabilities: { tools: {} } } })
    session.server.send({ jsonrpc: '2.0', id: 'p', method: 'ping' })
    const client = await connecting
    await client.catalog.load(session.controller.signal)
    expect((await session.server.answerTo('p')).result).toEqual({})
    const methods = session.server.received.flatMap(({ method }) => method ?? [])
    expect(methods).toEqual(['initialize', 'notifications/initialized', 'tools/list'])
  })

  it('sends nothing but answers until the server has answered initialize (LIFE-11, LIFE-12, TRAP-17)', async () => {
    await using session = scripted({ replies: { initialize: () => undefined }, pingEvery: 1000 })
    const connecting = session.connect()
    const first = await firstRequest(session.server)
    session.server.notify('notifications/message', { level: 'info', data: 'starting' })
    expect((await session.server.ask('ping', undefined, 1)).result).toEqual({})
    session.clock.advance(5000)
    await settled()
    expect(session.server.received.flatMap(({ method }) => method ?? [])).toEqual(['initialize'])
    session.server.send({ jsonrpc: '2.0', id: first.id, result: INTRODUCTION })
    const client = await connecting
    const logs: unknown[] = []
    client.onLog.on(({ data }) => logs.push(data))
    expect(logs).toEqual(['starting'])
  })

  it('refuses earlier requests and holds later ones until initialized is sent (LIFE-13)', async () => {
    let accept: () => void = () => {}
    let asked = 0
    const list = async () => {
      asked++
      return { roots: [] }
    }
    await using session = scripted({
      features: { roots: { list } },
      replies: { initialize: () => undefined },
      beforeSend: (message) =>
        'method' in message && message.method === 'notifications/initialized'
          ? new Promise((resolve) => {
              accept = resolve
            })
          : undefined,
    })
    const connecting = session.connect()
    const first = await firstRequest(session.server)
    expect((await session.server.ask('roots/list', undefined, 1)).error?.code).toBe(-32600)
    session.server.send({ jsonrpc: '2.0', id: first.id, result: INTRODUCTION })
    session.server.send({ jsonrpc: '2.0', id: 2, method: 'roots/list' })
    expect((await session.server.ask('ping', undefined, 3)).result).toEqual({})
    await settled()
    expect(asked).toBe(0)
    accept()
    await connecting
    expect((await session.server.answerTo(2)).result).toEqual({ roots: [] })
  })

  it.each([
    ['protocolVersion', { capabilities: {}, serverInfo: { name: 's', version: '1' } }],
    ['capabilities', { protocolVersion: '2025-11-25', serverInfo: { name: 's', version: '1' } }],
    ['serverInfo', { protocolVersion: '2025-11-25', capabilities: {} }],
    ['serverInfo.name', { ...INTRODUCTION, serverInfo: { version: '1' } }],
    ['serverInfo.version', { ...INTRODUCTION, serverInfo: { name: 's' } }],
  ])('fails without %s (LIFE-14)', async (_, introduction) => {
    await using session = scripted({ introduction })
    await expect(session.connect()).rejects.toMatchObject({ name: 'HandshakeError', code: 'malformed' })
    await until(() => session.server.closed)
  })

  it('fails when the server stays silent, without a cancel on the wire (LIFE-26, CANC-02, TRAP-16)', async () => {
    await using session = scripted({ replies: { initialize: () => undefined }, handshakeTimeout: 5000 })
    const connecting = session.connect().catch((error: unknown) => error)
    await firstRequest(session.server)
    session.clock.advance(5000)
    expect(await connecting).toMatchObject({ code: 'timeout' })
    await until(() => session.server.closed)
    expect(session.server.received).toHaveLength(1)
  })

  it('is given up with its signal, without a cancel on the wire (CANC-02)', async () => {
    await using session = scripted({ replies: { initialize: () => undefined } })
    const connecting = session.connect().catch((error: unknown) => error)
    await firstRequest(session.server)
    session.controller.abort(new Error('enough'))
    expect(await connecting).toMatchObject({ message: 'enough' })
    await until(() => session.server.closed)
    expect(session.server.received).toHaveLength(1)
  })

  it('fails with the transport’s reason when the connection ends meanwhile (LIFE-36)', async () => {
    await using session = scripted({ replies: { initialize: () => undefined } })
    const connecting = session.connect().catch((error: unknown) => error)
    await firstRequest(session.server)
    await session.server.close()
    expect(await connecting).toMatchObject({ name: 'TransportError', code: 'closed' })
  })

  it('ignores a second answer to initialize (LIFE-45)', async () => {
    await using session = await connectScripted({ speaks: '2025-06-18' })
    const { id } = await firstRequest(session.server)
    session.server.send({ jsonrpc: '2.0', id, result: { ...INTRODUCTION, protocolVersion: '2024-11-05' } })
    await settled()
    expect(session.client.hello.protocolVersion).toBe('2025-06-18')
    expect(session.remarks).toHaveLength(1)
  })

  it('connects to a server without capabilities, and to one with unknown ones (ARCH-12, ARCH-13, SCHEMA-23)', async () => {
    await using bare = await connectScripted()
    expect(bare.client.hello.capabilities).toEqual({})
    const capabilities = { teleport: { range: 5 }, tools: {}, experimental: { a: {}, b: 5 } }
    await using odd = await connectScripted({ capabilities })
    expect(odd.client.hello.capabilities).toEqual({ tools: {}, experimental: { a: {} } })
    await using wrong = await connectScripted({ capabilities: { experimental: 'yes', logging: 5 } })
    expect(wrong.client.hello.capabilities).toEqual({})
  })

  it('declares no extension, since none is built (EXT-1)', async () => {
    await using session = await connectScripted({ capabilities: { extensions: { 'io.modelcontextprotocol/ui': {} } } })
    expect(session.server.got('initialize')[0]?.params.capabilities).not.toHaveProperty('extensions')
  })

  it('keeps extensions with a prefix, a name and settings, and works with a server that declares others (EXT-3, EXT-4)', async () => {
    const usable = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] }, 'com.example/x.y-z_1': {} }
    const odd = {
      ui: {},
      '/name': {},
      'com.example/': {},
      'a b/c': {},
      'com.example/yes': true,
      'com.example/list': [],
      ['x/'.repeat(200)]: {},
    }
    await using session = await connectScripted({ capabilities: { tools: {}, extensions: { ...usable, ...odd } } })
    expect(session.client.hello.capabilities).toEqual({ tools: {}, extensions: usable })
    expect(session.remarks).toHaveLength(1)
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`com.example/e${n}`, {}]))
    await using flood = await connectScripted({ capabilities: { extensions: many } })
    expect(Object.keys(flood.client.hello.capabilities.extensions ?? {})).toHaveLength(64)
    await using wrong = await connectScripted({ capabilities: { extensions: ['com.example/x'] } })
    expect(wrong.client.hello.capabilities).toEqual({})
  })

  it('keeps the instructions and the server’s info, without an address that could run something', async () => {
    const serverInfo = { name: 's', version: '1', title: 'Server', websiteUrl: 'javascript:alert(1)' }
    await using session = await connectScripted({ introduction: { ...INTRODUCTION, serverInfo, instructions: 'Be kind.' } })
    expect(session.client.hello.instructions).toBe('Be kind.')
    expect(session.client.hello.serverInfo).toEqual({ name: 's', version: '1', title: 'Server' })
  })

  it('has no shutdown message (LIFE-38)', async () => {
    const session = await connectScripted()
    await session.client.close()
    await until(() => session.server.closed)
    expect(session.server.received.flatMap(({ method }) => method ?? [])).toEqual(['initialize', 'notifications/initialized'])
    await session.lifetime.end()
  })
})

describe('the negotiated capabilities', () => {
  const capabilities = { resources: {} }

  it.each([
    ['tools/call', {}],
    ['resources/read', { tools: {} }],
    ['prompts/get', { tools: {} }],
    ['logging/setLevel', { tools: {} }],
  ])('keep %s from servers that did not declare it (LIFE-16, LIFE-18, ARCH-11)', async (method, declared) => {
    await using session = await connectScripted({ capabilities: declared })
    const { client, options } = session
    const attempt = {
      'tools/call': () => client.callTool('a', {}, options),
      'resources/read': () => client.readResource('a:b', options),
      'prompts/get': () => client.getPrompt('a', {}, options),
      'logging/setLevel': () => client.setLogLevel('info', options),
    }[method]
    await expect(attempt?.()).rejects.toMatchObject({ code: 'not-negotiated', method })
    expect(session.server.got(method)).toHaveLength(0)
  })

  it('allow no list that was not declared (TOOL-01, RES-01, PROMPT-01)', async () => {
    await using session = await connectScripted({ capabilities: { completions: {} } })
    await session.client.catalog.load(session.options.signal)
    expect(session.server.received.map(({ method }) => method)).toEqual(['initialize', 'notifications/initialized'])
  })

  it('allow subscriptions only where they were declared (LIFE-19, RES-08)', async () => {
    await using without = await connectScripted({ capabilities })
    await expect(without.client.subscribe('a:b', without.options)).rejects.toMatchObject({ code: 'not-negotiated' })
    await using withIt = await connectScripted({
      capabilities: { resources: { subscribe: true } },
      replies: { 'resources/subscribe': () => ({}) },
    })
    await withIt.client.subscribe('a:b', withIt.options)
    expect(withIt.server.got('resources/subscribe')[0]?.params).toEqual({ uri: 'a:b' })
  })

  it('allow context of completions only in revisions that have it (LIFE-15, LIFE-17, COMP-06)', async () => {
    for (const [protocolVersion, has] of [
      ['2025-03-26', false],
      ['2025-06-18', true],
    ] as const) {
      await using session = await connectScripted({
        speaks: protocolVersion,
        capabilities: { completions: {} },
        replies: { 'completion/complete': () => ({ completion: { values: [] } }) },
      })
      const ref = { type: 'ref/prompt', name: 'p' } as const
      await session.client.complete(ref, { name: 'a', value: '' }, { arguments: { b: '1' } }, session.options)
      const [asked] = await session.server.waitFor('completion/complete')
      expect(Object.hasOwn(asked?.params, 'context')).toBe(has)
    }
  })

  it('name the missing one when either side needs one that the other lacks (LIFE-25)', async () => {
    await using session = await connectScripted({ capabilities: {} })
    await expect(session.client.setLogLevel('info', session.options)).rejects.toMatchObject({
      code: 'not-negotiated',
      message: 'The server did not declare logging, so logging/setLevel is not sent.',
    })
    const demanding = scripted({
      replies: {
        initialize: ({ capabilities: declared }) => {
          if ((declared as { sampling?: unknown }).sampling) return undefined
          throw { code: -32602, message: 'This server needs sampling', data: { requiredCapabilities: { sampling: {} } } }
        },
      },
    })
    await using _ = demanding
    await expect(demanding.connect()).rejects.toMatchObject({
      name: 'ProtocolError',
      code: -32602,
      message: 'This server needs sampling',
      data: { requiredCapabilities: { sampling: {} } },
    })
    expect(demanding.server.closed).toBe(true)
    expect(demanding.server.got('notifications/initialized')).toEqual([])
  })

  it('hold in every revision alike, for “should” and “must” (LIFE-16, LIFE-17, TRAP-14)', async () => {
    for (const speaks of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      await using session = await connectScripted({ speaks, capabilities: { prompts: {} } })
      await expect(session.client.callTool('a', {}, session.options)).rejects.toMatchObject({ code: 'not-negotiated' })
      expect(session.server.got('tools/call')).toEqual([])
    }
  })

  it('include roots in every revision, even early ones (ROOT-01, TRAP-19)', async () => {
    for (const speaks of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      const features = { roots: { list: async () => ({ roots: [{ uri: 'file:///a' }] }) } }
      await using session = await connectScripted({ speaks, features })
      expect((await session.server.ask('roots/list', undefined, 1)).result).toEqual({ roots: [{ uri: 'file:///a' }] })
    }
  })

  it('allow no method but those of the protocol, in its spelling (TRAP-03)', async () => {
    const replies = Object.fromEntries(
      ['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'].map((method) => [method, () => ({})]),
    )
    await using session = await connectScripted({
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} },
      features: { roots: { list: async () => ({ roots: [] }) } },
      replies: {
        ...replies,
        ping: () => ({}),
        'tools/list': () => ({ tools: [] }),
        'tools/call': () => undefined,
        'resources/list': () => ({ resources: [] }),
        'resources/templates/list': () => ({ resourceTemplates: [] }),
        'resources/read': () => ({ contents: [] }),
        'prompts/list': () => ({ prompts: [] }),
        'prompts/get': () => ({ messages: [] }),
        'completion/complete': () => ({ completion: { values: [] } }),
      },
    })
    const { client, options } = session
    await client.catalog.load(options.signal)
    await client.ping(options)
    await client.setLogLevel('info', options)
    await client.subscribe('a:b', options)
    await client.unsubscribe('a:b', options)
    await client.readResource('a:b', options)
    await client.getPrompt('p', undefined, options)
    await client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }, undefined, options)
    const stop = new AbortController()
    const call = client.callTool('a', {}, { signal: stop.signal }).catch(() => {})
    stop.abort()
    await call
    client.rootsChanged()
    await session.server.waitFor('notifications/roots/list_changed')
    expect([...new Set(session.server.received.map(({ method }) => method))].sort()).toEqual([
      'completion/complete',
      'initialize',
      'logging/setLevel',
      'notifications/cancelled',
      'notifications/initialized',
      'notifications/roots/list_changed',
      'ping',
      'prompts/get',
      'prompts/list',
      'resources/list',
      'resources/read',
      'resources/subscribe',
      'resources/templates/list',
      'resources/unsubscribe',
      'tools/call',
      'tools/list',
    ])
  })

  it.each([
    ['tools', { 'tools/list': () => ({ tools: [] }) }],
    ['prompts', { 'prompts/list': () => ({ prompts: [] }) }],
    ['resources', { 'resources/list': () => ({ resources: [] }), 'resources/templates/list': () => ({ resourceTemplates: [] }) }],
  ])('accept changed %s that were never declared, with a note (LIFE-20)', async (noun, replies) => {
    await using session = await connectScripted({ capabilities: { [noun]: {} }, replies })
    session.server.notify(`notifications/${noun}/list_changed`)
    await settled()
    session.clock.advance(100)
    for (const method of Object.keys(replies)) await session.server.waitFor(method)
    expect(session.remarks).toEqual([`The server changed its ${noun} but did not declare list changes.`])
  })
})

describe('a deadline and the end of a connection', () => {
  const mute = {
    capabilities: { tools: {}, resources: {}, prompts: {}, logging: {}, completions: {} },
    requestTimeout: 1000,
    maxRequestTime: 3000,
  }
  const silent = (method: string) => ({ ...mute, replies: { [method]: () => undefined } })

  it.each(['tools/call', 'resources/read', 'prompts/get', 'logging/setLevel', 'completion/complete', 'ping'])(
    'gives up %s without an answer, and tells the server (LIFE-28, LIFE-29)',
    async (method) => {
      await using session = await connectScripted(silent(method))
      const { client, options } = session
      const attempt = {
        'tools/call': () => client.callTool('a', {}, options),
        'resources/read': () => client.readResource('a:b', options),
        'prompts/get': () => client.getPrompt('a', {}, options),
        'logging/setLevel': () => client.setLogLevel('info', options),
        'completion/complete': () =>
          client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }, undefined, options),
        ping: () => client.ping(options),
      }[method]
      const failure = attempt?.().catch((error: unknown) => error)
      const asked = await until(() => session.server.got(method)[0])
      session.clock.advance(1000)
      expect(await failure).toMatchObject({ code: 'timeout', method })
      const cancel = await until(() => session.server.got('notifications/cancelled')[0])
      expect(cancel.params.requestId).toBe(asked.id)
    },
  )

  it('can be set for each request (LIFE-30, TOOL-09)', async () => {
    await using session = await connectScripted(silent('tools/call'))
    const quick = session.client.callTool('a', {}, { ...session.options, timeout: 100 }).catch((error: unknown) => error)
    const slow = session.client.callTool('b', {}, session.options).catch((error: unknown) => error)
    await session.server.waitFor('tools/call', 2)
    session.clock.advance(100)
    expect(await quick).toMatchObject({ code: 'timeout' })
    expect(await session.server.waitFor('notifications/cancelled')).toHaveLength(1)
    session.clock.advance(900)
    expect(await slow).toMatchObject({ code: 'timeout' })
  })

  it('has a maximum that can be set for each request (LIFE-30, LIFE-32)', async () => {
    await using session = await connectScripted(silent('tools/call'))
    let progress = 0
    const options = { ...session.options, maxTime: 1500, onProgress: () => progress++ }
    const call = session.client.callTool('a', {}, options).catch((error: unknown) => error)
    const [asked] = await session.server.waitFor('tools/call')
    session.clock.advance(900)
    session.server.notify('notifications/progress', { progressToken: asked?.params._meta.progressToken, progress: 1 })
    await until(() => progress)
    session.clock.advance(600)
    expect(await bounded(call, 'the call to end')).toMatchObject({ code: 'timeout' })
  })

  it('is extended by progress, but never beyond the maximum (LIFE-31, LIFE-32)', async () => {
    await using session = await connectScripted(silent('tools/call'))
    let progress = 0
    let failure: unknown
    session.client.callTool('a', {}, { ...session.options, onProgress: () => progress++ }).catch((error: unknown) => {
      failure = error
    })
    const { params } = await until(() => session.server.got('tools/call')[0])
    for (let at = 1; at <= 3; at++) {
      session.clock.advance(900)
      session.server.notify('notifications/progress', { progressToken: params._meta.progressToken, progress: at })
      await until(() => progress === at)
      expect(failure).toBeUndefined()
    }
    session.clock.advance(300)
    await until(() => failure)
    expect(failure).toMatchObject({ code: 'timeout' })
  })

  it('is paused while that server asks the person something (PING-01, TRAP-21)', async () => {
    let answer: () => void = () => {}
    const list = () => new Promise<{ roots: [] }>((resolve) => (answer = () => resolve({ roots: [] })))
    await using session = await connectScripted({ ...silent('tools/call'), features: { roots: { list } } })
    let failure: unknown
    session.client.callTool('a', {}, session.options).catch((error: unknown) => {
      failure = error
    })
    await session.server.waitFor('tools/call')
    session.server.send({ jsonrpc: '2.0', id: 1, method: 'roots/list' })
    await settled()
    session.clock.advance(3_600_000)
    expect((await session.server.ask('ping', undefined, 2)).result).toEqual({})
    expect(failure).toBeUndefined()
    answer()
    await session.server.answerTo(1)
    await settled()
    session.clock.advance(1000)
    await until(() => failure)
    expect(failure).toMatchObject({ code: 'timeout' })
  })

  it('fails everything that waits when the connection ends, and ends the server’s requests (LIFE-36, LIFE-39)', async () => {
    let ended: AbortSignal | undefined
    const list = ({ signal }: { signal: AbortSignal }) => {
      ended = signal
      return new Promise<never>(() => {})
    }
    await using session = await connectScripted({ ...silent('tools/call'), features: { roots: { list } } })
    const failure = session.client.callTool('a', {}, session.options).catch((error: unknown) => error)
    session.server.send({ jsonrpc: '2.0', id: 1, method: 'roots/list' })
    await until(() => ended)
    await session.server.close()
    expect(await failure).toMatchObject({ code: 'closed' })
    expect(await session.client.closed).toBeUndefined()
    expect(ended?.aborted).toBe(true)
    await expect(session.client.ping(session.options)).rejects.toMatchObject({ code: 'closed' })
  })
})
