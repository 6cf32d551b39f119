import { describe, expect, it } from 'vitest'
import { connectScripted } from '../../e2e/servers/linked/connect-scripted.ts'

const ECHO = { name: 'echo', inputSchema: { type: 'object' } }

describe('a client', () => {
  it('lists and calls a tool', async () => {
    await using session = await connectScripted({
      capabilities: { tools: {} },
      replies: {
        'tools/list': () => ({ tools: [ECHO] }),
        'tools/call': (params) => ({ content: [{ type: 'text', text: JSON.stringify(params) }] }),
      },
    })
    await session.client.catalog.load(session.options.signal)
    expect(session.client.catalog.value.tools).toEqual([{ tool: ECHO }])
    const result = await session.client.callTool('echo', { a: 1 }, session.options)
    expect(result).toEqual({ content: [{ type: 'text', text: '{"name":"echo","arguments":{"a":1}}' }], warnings: [] })
  })
})
