import { describe, expect, it } from 'vitest'
import { isDeepLink, MAX_LINK_LENGTH, readDeepLink } from './deep-link.ts'

const config = { command: 'npx', args: ['-y', 'größe?>>~'] }
const base64 = (value: unknown, encoding: 'base64' | 'base64url' = 'base64') =>
  Buffer.from(JSON.stringify(value)).toString(encoding)
const link = (name: string, value: string) => `parley://mcp/install?${new URLSearchParams({ name, config: value })}`
const id = '0b0f6f0e-8a0c-4a52-9d5e-0a2b3c4d5e6f'

describe('a link from outside', () => {
  it.each([
    ['base64', link('files', base64(config))],
    ['base64url', link('files', base64(config, 'base64url'))],
    ['base64 whose plus signs nobody escaped', `parley://mcp/install?name=files&config=${base64(config)}`],
    ['plain JSON', link('files', JSON.stringify(config))],
  ])('with a server as %s opens a review of exactly that', (_form, text) => {
    const read = readDeepLink(text)
    expect(read.is === 'review' && JSON.parse(read.text)).toEqual({ mcpServers: { files: config } })
  })

  it('opens a conversation by its id alone', () => {
    expect(readDeepLink(`parley://conversation/${id}`)).toEqual({ is: 'conversation', id })
    expect(readDeepLink(`parley://conversation/${id}/../x`).is).toBe('refused')
    expect(readDeepLink(`parley://conversation/${id}?send=hello`)).toEqual({ is: 'conversation', id })
  })

  it.each([
    ['another scheme', 'https://mcp/install?name=a&config={}'],
    ["the page's own address", 'parley://app/index.html'],
    ['a blob of the page', `parley://app/blob/${'0'.repeat(64)}`],
    ['a port', `parley://mcp:1/install?name=a&config=${base64(config)}`],
    ['a user', `parley://u:p@mcp/install?name=a&config=${base64(config)}`],
    ['another path', `parley://mcp/install/now?name=a&config=${base64(config)}`],
    ['no name', `parley://mcp/install?config=${base64(config)}`],
    ['two names', `parley://mcp/install?name=a&name=b&config=${base64(config)}`],
    ['two configurations', `parley://mcp/install?name=a&config=${base64(config)}&config=${base64(config)}`],
    ['no configuration', 'parley://mcp/install?name=a'],
    ['a name without end', link('n'.repeat(201), base64(config))],
    ['what is no base64', link('a', '$(whoami)')],
    ['bytes that are no text', link('a', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]).toString('base64'))],
    ['a list', link('a', base64([config]))],
    ['nothing to run', link('a', base64({ args: [] }))],
    ['what is no address at all', 'parley:'],
  ])('with %s is refused in words', (_what, text) => {
    const read = readDeepLink(text)
    expect(read).toEqual({ is: 'refused', why: expect.stringMatching(/^[A-Z].+\.$/) })
  })

  it('is refused unread when it is longer than any real one', () => {
    expect(readDeepLink(link('a', base64({ command: 'x'.repeat(MAX_LINK_LENGTH) })))).toEqual({
      is: 'refused',
      why: 'It is too long.',
    })
  })

  it('treats a name with a meaning in JavaScript as a name', () => {
    const read = readDeepLink(link('__proto__', base64(config)))
    expect(read.is === 'review' && read.text).toBe(`{"mcpServers":{"__proto__":${JSON.stringify(config)}}}`)
  })

  it('is told apart from files and switches by its scheme', () => {
    expect(['parley://x', 'PARLEY:x', 'parley'].map(isDeepLink)).toEqual([true, true, false])
  })
})
