import { describe, expect, it } from 'vitest'
import { firstUsable, proxyAt, proxyFromEnvironment } from './proxies.ts'

describe('the proxies of the environment', () => {
  const environment = {
    HTTPS_PROXY: 'http://me:pw@proxy.example:8080',
    http_proxy: 'plain.example',
    NO_PROXY: 'localhost, .internal.example,*.other.example,10.0.0.1, exact.example:8443,[::1],2001:db8::1',
  }
  it.each([
    ['https://api.example/x', 'PROXY me:pw@proxy.example:8080'],
    ['http://api.example/', 'PROXY plain.example:80'],
    ['https://localhost:3000/', 'DIRECT'],
    ['https://a.internal.example/', 'DIRECT'],
    ['https://a.other.example/', 'DIRECT'],
    ['https://notinternal.example/', 'PROXY me:pw@proxy.example:8080'],
    ['https://10.0.0.1/', 'DIRECT'],
    ['https://[::1]/', 'DIRECT'],
    ['https://[2001:db8::1]/', 'DIRECT'],
    ['https://exact.example:8443/', 'DIRECT'],
    ['https://exact.example/', 'PROXY me:pw@proxy.example:8080'],
  ])('reach %s by %s', async (url, expected) => {
    expect(await proxyFromEnvironment(environment)(url)).toBe(expected)
  })

  it('are not used where none is set, everything is exempt, or the value is invalid', async () => {
    expect(await proxyFromEnvironment({})('https://a.example/')).toBe('DIRECT')
    expect(await proxyFromEnvironment({ ALL_PROXY: 'http://p', NO_PROXY: '*' })('https://a.example/')).toBe('DIRECT')
    expect(await proxyFromEnvironment({ https_proxy: 'http://' })('https://a.example/')).toBe('DIRECT')
  })
})

describe('a proxy in Settings', () => {
  it('is used for all but the exempt hosts, with its separate password', async () => {
    const proxyFor = proxyAt('http://me@proxy.example:8080', 'localhost;.internal.example', 'p@ss:word/')
    expect(await proxyFor('https://api.example/')).toBe('PROXY me:p%40ss%3Aword%2F@proxy.example:8080')
    expect(await proxyFor('https://a.internal.example/')).toBe('DIRECT')
    expect(await proxyAt('https://proxy.example', '', undefined)('http://api.example/')).toBe('HTTPS proxy.example:443')
  })

  it('is never bypassed when its address is unreadable', async () => {
    const proxyFor = proxyAt('http://', '.internal.example', undefined)
    await expect(proxyFor('https://api.example/')).rejects.toThrow('cannot be read')
    expect(await proxyFor('https://a.internal.example/')).toBe('DIRECT')
  })
})

describe('the choice of a proxy', () => {
  it('is the first usable one', () => {
    expect(firstUsable('DIRECT')).toBeUndefined()
    expect(firstUsable('SOCKS5 s:1080; PROXY p:8080; DIRECT')).toBe('http://p:8080')
    expect(firstUsable('HTTPS p:443')).toBe('https://p:443')
    expect(firstUsable('SOCKS s:1080; DIRECT')).toBeUndefined()
    expect(() => firstUsable('SOCKS s:1080')).toThrow(/SOCKS/)
  })
})
