import { describe, expect, it } from 'vitest'
import { connectScripted, type ScriptedOptions, settled } from '../../e2e/servers/linked/connect-scripted.ts'
import type { Reply } from '../../e2e/servers/linked/scripted-server.ts'

const LEVEL = 'io.modelcontextprotocol/logLevel'
const REPLIES: Record<string, Reply> = {
  'tools/call': () => ({ content: [] }),
  'resources/read': () => ({ contents: [] }),
  'subscriptions/listen': () => undefined,
}

const modern = (options: ScriptedOptions = {}) =>
  connectScripted({
    modern: true,
    known: { era: 'modern', by: 'choice' },
    capabilities: { logging: {}, tools: {}, resources: { subscribe: true } },
    ...options,
    replies: { ...REPLIES, ...options.replies },
  })

describe('a log level', () => {
  it('is sent with every request but listen once a person chose it (V26-LOG-1)', async () => {
    await using all = await modern()
    const levels = () => all.server.received.map(({ method, params }) => [method, params._meta[LEVEL]])
    await all.client.callTool('a', {}, all.options)
    await all.client.setLogLevel('warning', all.options)
    await all.client.callTool('a', {}, all.options)
    await all.client.readResource('a:1', all.options)
    all.client.subscribe('a:1', all.options).catch(() => {})
    await all.server.waitFor('subscriptions/listen')
    expect(levels()).toEqual([
      ['server/discover', undefined],
      ['tools/call', undefined],
      ['tools/call', 'warning'],
      ['resources/read', 'warning'],
      ['subscriptions/listen', undefined],
    ])
  })

  it('is not sent when the server did not declare logging (V26-LOG-1)', async () => {
    await using all = await modern({ capabilities: { tools: {} } })
    await all.client.setLogLevel('debug', all.options)
    await all.client.callTool('a', {}, all.options)
    expect(all.server.got('tools/call')[0]?.params._meta).not.toHaveProperty([LEVEL])
  })

  it('flags messages that nobody asked for or that are below it (V26-LOG-2)', async () => {
    await using all = await modern()
    const problems: (string | undefined)[] = []
    all.client.onLog.on(({ problem }) => problems.push(problem))
    const say = async (level: string) => {
      all.server.notify('notifications/message', { level, data: 'x' })
      await settled()
    }
    await say('error')
    await all.client.setLogLevel('warning', all.options)
    await say('info')
    await say('error')
    expect(problems).toEqual(['nobody asked for it', 'it is below the level asked for', undefined])
  })

  const refuses: Reply = (params) => {
    const { _meta } = params as { _meta: Record<string, unknown> }
    if (_meta[LEVEL] !== undefined) throw { code: -32602, message: 'level' }
    return { contents: [], content: [] }
  }

  it('that is refused is left out of the retried read and all that follows, and reported (V26-LOG-3)', async () => {
    await using all = await modern({ replies: { 'resources/read': refuses } })
    await all.client.setLogLevel('debug', all.options)
    await all.client.readResource('a:1', all.options)
    await all.client.readResource('a:2', all.options)
    expect(all.server.got('resources/read').map(({ params }) => params._meta[LEVEL])).toEqual(['debug', undefined, undefined])
    expect(all.remarks.filter((text) => text.includes('refused the log level “debug”'))).toHaveLength(1)
    await all.client.setLogLevel('info', all.options)
    await all.client.callTool('a', {}, all.options)
    expect(all.server.got('tools/call').at(-1)?.params._meta[LEVEL]).toBe('info')
  })

  it('that is refused does not repeat a call (V26-LOG-3)', async () => {
    await using all = await modern({ replies: { 'tools/call': refuses } })
    await all.client.setLogLevel('debug', all.options)
    await expect(all.client.callTool('a', {}, all.options)).rejects.toMatchObject({ code: -32602 })
    expect(all.server.got('tools/call')).toHaveLength(1)
  })
})
