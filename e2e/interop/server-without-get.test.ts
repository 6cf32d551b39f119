import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HttpServer } from '../servers/small/http-server.ts'
import { ServerHost } from '../test-hosts/server-host.ts'

describe('a server with sessions that answers GET with 404', () => {
  it('is called by the official client and by ours, in one session each (TRAN-40)', async () => {
    const server = await HttpServer.listen()
    onTestFinished(() => server.close())
    server.getStatus = 404
    const official = new Client({ name: 'official', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL(server.url))
    await official.connect(transport)
    onTestFinished(() => official.close())
    const answer = { content: [{ type: 'text', text: 'hello from afar' }] }
    expect(await official.callTool({ name: 'echo', arguments: {} })).toMatchObject(answer)
    expect(server.count('initialize')).toBe(1)

    const parley = await ServerHost.open()
    const id = await parley.ready('far', { type: 'remote', url: server.url, headers: {} })
    expect(await parley.call(id, 'echo')).toBe('hello from afar')
    expect(parley.record('far').state.is).toBe('ready')
    expect(server.count('initialize')).toBe(2)
    expect(server.count('tools/call')).toBe(2)
  })
})
