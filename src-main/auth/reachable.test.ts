import { describe, expect, it } from 'vitest'
import { Reachable } from './reachable.ts'

const names: Readonly<Record<string, readonly string[]>> = {
  'mcp.example.com': ['93.184.216.34'],
  'auth.example.com': ['93.184.216.35', '2606:2800::1'],
  'rebound.example.com': ['93.184.216.36', '10.0.0.1'],
  'mapped.example.com': ['::ffff:192.168.1.1'],
  'zoned.example.com': ['fe80::1%eth0'],
  'translated.example.com': ['64:ff9b::a00:1'],
  'both.example.com': ['10.0.0.1', '93.184.216.37'],
}
const lookUp = async (host: string) => {
  const found = names[host]
  if (!found) throw new Error('ENOTFOUND')
  return found
}

describe('Discovery for a server on the internet', () => {
  const reachable = new Reachable('https://mcp.example.com/mcp', lookUp)

  it.each(['https://auth.example.com/x', 'https://mcp.example.com/y', 'https://unknown.example.org/z'])(
    'may go to %s',
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
  ])('refuses other schemes and connections without encryption: %s (AUTH-13)', async (url) => {
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
    'https://zoned.example.com/',
    'https://translated.example.com/',
    'https://[64:ff9b::a00:1]/',
    'https://[2002:a00:1::]/',
    'https://[fec0::1]/',
    'https://[::ffff:0:10.0.0.1]/',
    'https://[::10.0.0.1]/',
    'https://router.local./',
    'https://intranet./',
    'https://localhost./',
    'https://0x0a.0x0.0x0.0x1/',
    'https://012.0.0.1/',
    'https://10.1/',
  ])('refuses private addresses: %s (AUTH-28)', async (url) => {
    await expect(reachable.check(url, 'it')).rejects.toMatchObject({ code: 'discovery' })
  })
})

describe('Discovery for a server in a private network', () => {
  it.each(['http://127.0.0.1:9000/mcp', 'https://10.0.0.5/mcp', 'https://mcp.corp.internal/mcp'])(
    'may go into that network: %s (AUTH-28)',
    async (server) => {
      const reachable = new Reachable(server, lookUp)
      expect((await reachable.check('https://10.0.0.9/authorize', 'it')).host).toBe('10.0.0.9')
      await expect(reachable.check('http://10.0.0.9/authorize', 'it')).rejects.toMatchObject({ code: 'discovery' })
    },
  )

  it.each([
    'http://localhost:8080/',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://0.0.0.0/',
    'https://[::ffff:127.0.0.1]/',
  ])('never goes from another computer to this one: %s (AUTH-13, AUTH-28)', async (url) => {
    for (const server of ['https://10.0.0.5/mcp', 'https://mcp.corp.internal/mcp']) {
      await expect(new Reachable(server, lookUp).check(url, 'it')).rejects.toMatchObject({ code: 'discovery' })
    }
  })

  it.each(['http://127.0.0.1:9000/mcp', 'http://localhost:9000/mcp', 'http://mcp.localhost./mcp'])(
    'may go from this computer to this computer: %s (AUTH-13)',
    async (server) => {
      const reachable = new Reachable(server, lookUp)
      for (const url of ['http://localhost:8080/', 'http://auth.localhost:1/', 'http://[::1]:1/', 'https://localhost/']) {
        expect((await reachable.check(url, 'it')).href).toBe(url)
      }
    },
  )

  it('needs all addresses of the server’s name to be private: adding one opens nothing (AUTH-28)', async () => {
    const reachable = new Reachable('https://both.example.com/mcp', lookUp)
    await expect(reachable.check('https://10.0.0.9/authorize', 'it')).rejects.toMatchObject({ code: 'discovery' })
  })
})
