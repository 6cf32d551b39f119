import { describe, expect, it } from 'vitest'
import { headerValue, requestHeaders } from './request-headers.ts'

const META = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }
const request = (method: string, params: object = {}) =>
  ({ jsonrpc: '2.0', id: 1, method, params: { ...META, ...params } }) as const
const encoded = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`

describe('the headers of a request', () => {
  it('give its version and method exactly as the body does (V26-HTTP-3, V26-HTTP-4)', () => {
    expect(requestHeaders(request('resources/templates/list'))).toEqual({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'resources/templates/list',
    })
  })

  it('name its subject for six methods and no other (V26-HTTP-5, TASK-24)', () => {
    const about = { name: 'Name', uri: 'file:///A', taskId: 'T', ref: { name: 'no' } }
    const named = (method: string) => requestHeaders(request(method, about))['mcp-name']
    expect([named('tools/call'), named('prompts/get'), named('resources/read')]).toEqual(['Name', 'Name', 'file:///A'])
    expect([named('tasks/get'), named('tasks/update'), named('tasks/cancel')]).toEqual(['T', 'T', 'T'])
    const others = ['server/discover', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']
    for (const method of [...others, 'completion/complete', 'subscriptions/listen', 'toString']) {
      expect(named(method)).toBeUndefined()
    }
  })

  it('carry mirrored arguments under their own names (V26-HTTP-9)', () => {
    const headers = requestHeaders(request('tools/call', { name: 'a' }), { 'Region-2': 'us', __proto__x: '' })
    expect(headers).toMatchObject({ 'mcp-param-region-2': 'us', 'mcp-param-__proto__x': '' })
  })

  it('are encoded for names as for arguments (V26-HTTP-6)', () => {
    const headers = requestHeaders(request('tools/call', { name: 'größe' }), { A: ' x' })
    expect(headers).toMatchObject({ 'mcp-name': encoded('größe'), 'mcp-param-a': encoded(' x') })
  })
})

describe('a value in a header', () => {
  it.each([
    ['text', 'us-west1'],
    ['text with spaces and signs inside', 'a b: "c", ~!'],
    ['nothing', ''],
    ['one mark only', '=?base64?abc'],
    ['the other mark only', 'abc?='],
    ['another marked word', '=?utf-8?q?abc?='],
  ])('is unchanged: %s (V26-HTTP-6)', (_, text) => {
    expect(headerValue(text)).toBe(text)
  })

  it.each([
    ['a tab', 'a\tb'],
    ['a line break', 'a\r\nb'],
    ['a null', 'a\0b'],
    ['a delete', 'a\x7fb'],
    ['a letter beyond ASCII', 'ü'],
    ['a character beyond 16 bits', '💡'],
    ['a space before', ' a'],
    ['a space after', 'a '],
    ['only a space', ' '],
    ['a no-break space', '\u00a0'],
    ['what looks encoded', '=?base64?YQ==?='],
    ['what looks encoded, and is not', '=?base64?!?='],
    ['what looks encoded in capitals', '=?BASE64?YQ==?='],
    ['two marks that overlap', '=?base64?='],
  ])('is encoded with %s (V26-HTTP-6)', (_, text) => {
    expect(headerValue(text)).toBe(encoded(text))
  })

  it('is padded, in the usual alphabet (V26-HTTP-6)', () => {
    expect(headerValue('ÿ')).toBe('=?base64?w78=?=')
    expect(headerValue('ïÿ¿')).toBe('=?base64?w6/Dv8K/?=')
  })
})
