import { describe, expect, it } from 'vitest'
import { type ChatOptions, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'

const region = { type: 'string', 'x-mcp-header': 'Region' }
const deep = { type: 'object', properties: { key: { type: 'string', 'x-mcp-header': 'Key' } } }
const where = (properties: Record<string, object>): Tool => ({ name: 'where', inputSchema: { type: 'object', properties } })
const PLAIN = where({ region: { type: 'string' } })
const MIRRORED = where({ region, in: deep })
const ARGS = { region: 'eu', in: { key: 'k' } }

/** A chat with a server of 2026-07-28 over HTTP. */
async function httpChat(options: ChatOptions) {
  const discovery = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
  const replies = options.replies ?? [[{ call: 'where', args: ARGS }]]
  return chatHost({ ...options, replies, kind: 'streamable-http', answers: { 'server/discover': () => discovery } })
}

const mismatch = { code: -32020, message: 'Mcp-Param-Region is missing' }

describe('arguments sent as headers', () => {
  it('are named in the question and on the tool’s page (V26-HTTP-29)', async () => {
    const chat = await httpChat({ tools: [MIRRORED] })
    const id = await chat.say('go')
    const { question } = await chat.question()
    expect(question.calls.map(({ mirrored }) => mirrored)).toEqual([['region', 'in.key']])
    expect(chat.host.servers.catalogs.tool(PLAYGROUND_ID, 'where').mirrored).toEqual(['region', 'in.key'])
    await chat.answer('once')
    await chat.idle(id)
    expect((await chat.call(id)).status).toBe('finished')
  })

  it('are not mentioned where none are sent (V26-HTTP-29)', async () => {
    const chat = await httpChat({ tools: [MIRRORED], replies: [[{ call: 'where', args: { in: {} } }]] })
    await chat.say('go')
    expect((await chat.question()).question.calls[0]).not.toHaveProperty('mirrored')
    await chat.answer('deny')
  })

  it('are asked about again when the server’s definition has changed (V26-HTTP-18)', async () => {
    let calls = 0
    const chat = await httpChat({
      tools: [PLAIN],
      onCall: () => {
        if (calls++ > 0) return { resultType: 'complete', content: [] }
        chat.tools.list = [MIRRORED]
        throw mismatch
      },
    })
    const id = await chat.say('go')
    const first = await chat.question()
    await chat.answer('once')
    await expect.poll(async () => (await chat.question()).id).not.toBe(first.id)
    const { question } = await chat.question()
    expect(question.calls[0]).toMatchObject({ mirrored: ['region', 'in.key'], changed: { before: expect.any(String) } })
    expect(chat.calls).toHaveLength(1)
    await chat.answer('once')
    await chat.idle(id)
    expect((await chat.call(id)).status).toBe('finished')
    expect(chat.calls).toHaveLength(2)
  })

  it('are not sent again when the person does not allow the new definition (V26-HTTP-18)', async () => {
    const chat = await httpChat({
      tools: [PLAIN],
      onCall: () => {
        chat.tools.list = [MIRRORED]
        throw mismatch
      },
    })
    const id = await chat.say('go')
    const first = await chat.question()
    await chat.answer('once')
    await expect.poll(async () => (await chat.question()).id).not.toBe(first.id)
    await chat.answer('deny')
    await chat.idle(id)
    expect((await chat.call(id)).status).toBe('declined')
    expect(chat.calls).toHaveLength(1)
  })

  it('are not sent when one cannot be a header, and the model is told (V26-HTTP-13)', async () => {
    const list = where({ region, n: { type: 'integer', 'x-mcp-header': 'N' } })
    const chat = await httpChat({ tools: [list], replies: [[{ call: 'where', args: { n: 2 ** 60 } }]] })
    const id = await chat.say('go')
    await chat.answer('once')
    await chat.idle(id)
    const { status, problem } = await chat.call(id)
    expect([status, problem?.code, problem?.said]).toEqual(['failed', 'invalid-arguments', expect.stringContaining('“n”')])
    expect(chat.calls).toEqual([])
  })

  it('make a tool unusable when its annotation is invalid, and its page says why (V26-HTTP-14, V26-HTTP-15)', async () => {
    const bad = where({ region: { type: 'number', 'x-mcp-header': 'Region' } })
    const chat = await httpChat({ tools: [PLAIN] })
    chat.tools.list = [bad, { ...PLAIN, name: 'good' }]
    await chat.host.servers.catalogs.refresh(PLAYGROUND_ID, new AbortController().signal)
    expect(chat.host.servers.tools.all().map(({ tool }) => tool.name)).toEqual(['good'])
    const { items } = chat.host.servers.catalogs.tools(PLAYGROUND_ID, {})
    expect(items.map(({ name, unusable }) => [name, unusable])).toEqual([
      ['where', expect.stringContaining('x-mcp-header')],
      ['good', undefined],
    ])
    const id = await chat.say('go')
    await chat.idle(id)
    expect((await chat.call(id)).status).toBe('failed')
    expect(chat.calls).toEqual([])
  })
})
