import { describe, expect, it } from 'vitest'
import type { ServerConfig } from '../../../src-shared/contract/servers.ts'
import { checkConfig, shownLaunch } from './server-config.ts'

const local = (part: Partial<Extract<ServerConfig['launch'], { type: 'local' }>> = {}) =>
  ({ type: 'local', command: 'node', args: [], env: {}, ...part }) as const
const remote = (url: string, headers: Record<string, { text: string }> = {}) => ({ type: 'remote', url, headers }) as const

describe('the form of a server', () => {
  const cases: readonly (readonly [string, ServerConfig])[] = [
    ['needs a name', { name: '', launch: local() }],
    ['needs a command', { name: 'a', launch: local({ command: ' ' }) }],
    ['not a valid variable name', { name: 'a', launch: local({ env: { 'A=B': { text: '' } } }) }],
    ['NUL character', { name: 'a', launch: local({ args: ['\0'] }) }],
    ['is not an address', { name: 'a', launch: remote('nonsense') }],
    ['starts with https://', { name: 'a', launch: remote('file:///etc/passwd') }],
    ['Outside this computer', { name: 'a', launch: remote('http://example.com/mcp') }],
    ['into a header', { name: 'a', launch: remote('https://u:p@example.com/') }],
    ['line breaks', { name: 'a', launch: remote('https://example.com/', { 'X-A': { text: 'a\r\nb' } }) }],
    ['not a valid header name', { name: 'a', launch: remote('https://example.com/', { 'X A': { text: 'b' } }) }],
    ['is set by Parley itself', { name: 'a', launch: remote('https://example.com/', { Host: { text: 'b' } }) }],
  ]

  it.each(cases)('is refused with a sentence: … %s …', (words, config) => {
    expect(() => checkConfig(config)).toThrowError(words)
  })

  it('accepts correct values, http on this computer included', () => {
    for (const url of ['https://example.com/mcp', 'http://localhost:3000/mcp', 'http://127.0.0.1/', 'http://[::1]:8080/sse']) {
      expect(() => checkConfig({ name: 'My server 2', launch: remote(url) })).not.toThrow()
    }
  })

  it('shows references in place of what looks secret, by name or by look', () => {
    const env = {
      CITY: { text: 'Oslo' },
      GITHUB_TOKEN: { text: 'abc' },
      OTHER: { text: 'sk-abcdefghijklmnop' },
      KEPT: { secret: 'x' },
    }
    expect(shownLaunch(local({ env }))).toMatchObject({
      env: {
        CITY: { text: 'Oslo' },
        GITHUB_TOKEN: { secret: 'in-the-clear:GITHUB_TOKEN' },
        OTHER: { secret: 'in-the-clear:OTHER' },
        KEPT: { secret: 'x' },
      },
    })
  })
})
