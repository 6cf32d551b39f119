import { describe, expect, it } from 'vitest'
import { connectScripted, type ScriptedOptions } from '../../e2e/servers/linked/connect-scripted.ts'

const REGION = { type: 'string', 'x-mcp-header': 'Region' }
const listing = (properties: object) => [{ name: 'where', inputSchema: { type: 'object', properties } }]
const mismatch = () => {
  throw { code: -32020, message: 'Mcp-Param-Region does not match' }
}

/** A client over HTTP whose server offers `tools`; keeps what each call said in headers. */
async function calling(tools: () => unknown[], call: () => unknown, kind: ScriptedOptions['kind'] = 'streamable-http') {
  const headers: unknown[] = []
  const session = await connectScripted({
    known: { era: 'modern', by: 'choice' },
    ...(kind && { kind }),
    beforeSend: async (message, how) => {
      if ('method' in message && message.method === 'tools/call') headers.push(how?.mirrored)
    },
    replies: {
      'server/discover': () => ({ resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }),
      'tools/list': () => ({ resultType: 'complete', tools: tools(), ttlMs: 0, cacheScope: 'private' }),
      'tools/call': call,
    },
  })
  await session.client.catalog.load(session.options.signal)
  return { ...session, headers }
}

const done = () => ({ resultType: 'complete', content: [] })

describe('calls of tools with arguments in headers', () => {
  it('send them in headers over HTTP, and not over a pipe (V26-HTTP-9, V26-HTTP-16)', async () => {
    for (const kind of ['streamable-http', 'linked'] as const) {
      await using session = await calling(() => listing({ region: REGION }), done, kind)
      await session.client.callTool('where', { region: 'eu', q: 'x' }, session.options)
      expect(session.headers).toEqual([kind === 'linked' ? undefined : { Region: 'eu' }])
      expect(session.server.got('tools/call')[0]?.params.arguments).toEqual({ region: 'eu', q: 'x' })
    }
  })

  it('leave out a tool whose header annotation is invalid, say why, and keep the others (V26-HTTP-14, V26-HTTP-15)', async () => {
    const bad = { name: 'bad', inputSchema: { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } } }
    await using session = await calling(() => [bad, ...listing({ region: REGION })], done)
    const [first, second] = session.client.catalog.value.tools
    expect(first?.unusable).toMatch(/x-mcp-header at “a”/)
    expect(second).toMatchObject({ mirrored: [{ header: 'Region' }] })
    expect(second?.unusable).toBeUndefined()
    const told = () => session.remarks.filter((text) => text.includes('“bad”'))
    expect(told()).toEqual([expect.stringContaining('x-mcp-header')])
    await session.client.catalog.refresh()
    expect(told()).toHaveLength(1)
  })

  it('ignore header annotations over a pipe (V26-HTTP-16)', async () => {
    await using session = await calling(() => listing({ a: { type: 'number', 'x-mcp-header': '' } }), done, 'linked')
    expect(session.client.catalog.value.tools[0]?.unusable).toBeUndefined()
  })

  it('send no headers for an unknown tool (V26-HTTP-19)', async () => {
    await using session = await calling(() => [], done)
    await session.client.callTool('where', { region: 'eu' }, session.options)
    expect(session.headers).toEqual([undefined])
  })

  it('are not sent when an argument cannot be a header (V26-HTTP-13)', async () => {
    await using session = await calling(() => listing({ region: REGION }), done)
    await expect(session.client.callTool('where', { region: ['eu'] }, session.options)).rejects.toMatchObject({
      code: 'not-sent',
    })
    expect(session.server.got('tools/call')).toEqual([])
  })

  it('are retried once with the headers of the newest definition, and a new id (V26-HTTP-18, V26-HTTP-19)', async () => {
    let properties: object = { region: { type: 'string' } }
    let calls = 0
    const looked: unknown[] = []
    await using session = await calling(
      () => listing(properties),
      () => (calls++ === 0 ? mismatch() : done()),
    )
    properties = { region: REGION }
    const again = async () => {
      looked.push(session.client.catalog.tool('where')?.mirrored, session.server.got('tools/call').length)
    }
    await session.client.callTool('where', { region: 'eu' }, { ...session.options, again })
    expect(session.headers).toEqual([undefined, { Region: 'eu' }])
    expect(looked).toEqual([[{ path: ['region'], header: 'Region' }], 1])
    const [first, second] = session.server.got('tools/call')
    expect(second?.id).not.toBe(first?.id)
  })

  it('are not retried when the caller refuses the changed tool (V26-HTTP-18)', async () => {
    await using session = await calling(() => listing({ region: REGION }), mismatch)
    const again = () => Promise.reject(new Error('not this one'))
    await expect(session.client.callTool('where', { region: 'eu' }, { ...session.options, again })).rejects.toThrow(
      'not this one',
    )
    expect(session.server.got('tools/call')).toHaveLength(1)
  })

  it('fail with the server’s message when it refuses them twice (V26-HTTP-18)', async () => {
    await using session = await calling(() => listing({ region: REGION }), mismatch)
    await expect(session.client.callTool('where', { region: 'eu' }, session.options)).rejects.toMatchObject({ code: -32020 })
    expect(session.server.got('tools/call')).toHaveLength(2)
    expect(session.server.got('tools/list')).toHaveLength(2)
  })
})
