import { describe, expect, it } from 'vitest'
import { isPrivateAddress, Reachable } from './reachable.ts'

const names: Readonly<Record<string, readonly string[]>> = {
  'mcp.example.com': ['93.184.216.34'],
  'auth.example.com': ['93.184.216.35', '2606:2800::1'],
  'rebound.example.com': ['93.184.216.36', '10.0.0.1'],
  'mapped.example.com': ['::ffff:192.168.1.1'],
}
const lookUp = async (host: string) => {
  const found = names[host]
  if (!found) throw new Error('ENOTFOUND')
  return found
}

describe('Where discovery may lead, for a server on the internet', () => {
  const reachable = new Reachable('https://mcp.example.com/mcp', lookUp)

  it.each(['https://auth.example.com/x', 'https://mcp.example.com/y', 'https://unknown.example.org/z'])(
    'takes %s',
    async (url) => {
      expect((await reachable.check(url, 'it')).href).toBe(url)
    },
  )

  it.each([
    'http://auth.example.com/authorize',
    'ftp://auth.example.com/',
    'javascript:alert(1)',
    'nonsense',
    'https://user:pass@auth.example.com/',
  ])('takes nothing without encryption, and no other scheme: %s (AUTH-13)', async (url) => {
    await expect(reachable.check(url, 'it')).rejects.toMatchObject({ name: 'AuthorizationError', code: 'discovery' })
  })

  it.each([
    'https://10.1.2.3/token',
    'https://192.168.0.1/',
    'https://172.20.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[fd00::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://0x7f000001/',
    'https://localhost/',
    'http://localhost:8080/',
    'https://router.local/',
    'https://vault.corp.internal/',
    'https://intranet/',
    'https://rebound.example.com/',
    'https://mapped.example.com/',
  ])('does not knock at a private door: %s (AUTH-28)', async (url) => {
    await expect(reachable.check(url, 'it')).rejects.toMatchObject({ code: 'discovery' })
  })
})

describe('Where discovery may lead, for a server in a private network', () => {
  it.each(['http://127.0.0.1:9000/mcp', 'https://10.0.0.5/mcp', 'https://mcp.corp.internal/mcp'])(
    'may lead into it: %s (AUTH-28)',
    async (server) => {
      const reachable = new Reachable(server, lookUp)
      expect((await reachable.check('https://10.0.0.9/authorize', 'it')).host).toBe('10.0.0.9')
      await expect(reachable.check('http://10.0.0.9/authorize', 'it')).rejects.toMatchObject({ code: 'discovery' })
    },
  )
})

describe('A private address', () => {
  it.each(['10.0.0.1', '100.64.0.1', '172.16.0.1', '192.168.1.1', '169.254.1.1', '0.0.0.0', '::1', '::', 'fe80::1', 'fc00::1'])(
    'is one: %s',
    (address) => expect(isPrivateAddress(address)).toBe(true),
  )
  it.each(['8.8.8.8', '172.32.0.1', '2606:4700::1111', 'host.example'])('is none: %s', (address) =>
    expect(isPrivateAddress(address)).toBe(false),
  )
})
