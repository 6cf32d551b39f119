import { describe, expect, it } from 'vitest'
import { exceptionsProblem, proxyAddress, proxyProblem } from './proxy-address.ts'

describe('the address of a proxy', () => {
  it.each([
    ['http://proxy.example:8080', 'http://proxy.example:8080'],
    [' proxy.example:8080/ ', 'http://proxy.example:8080'],
    ['https://me@10.0.0.1', 'https://me@10.0.0.1'],
    ['http://[::1]:3128', 'http://[::1]:3128'],
  ])('may be %s', (typed, kept) => {
    expect(proxyProblem(typed)).toBeUndefined()
    expect(proxyAddress(typed)).toBe(kept)
  })

  it.each([
    ['', /Enter the address/],
    ['socks5://proxy.example:1080', /SOCKS/],
    ['ftp://proxy.example', /starts with/],
    ['http://', /not an address/],
    ['proxy example', /not an address/],
    ['http://me:secret@proxy.example:8080', /password/],
    ['http://proxy.example/proxy.pac', /ends after the port/],
  ])('is refused with a reason as “%s”', (typed, said) => {
    expect(proxyProblem(typed)).toMatch(said)
    expect(proxyProblem(typed)).not.toContain('secret')
  })
})

describe('the hosts without a proxy', () => {
  it.each([
    '',
    'localhost, 127.0.0.1 ::1',
    '*',
    '.corp.example;*.other.example',
    'exact.example:8443,[::1]:80',
    'bücher.example',
  ])('may be “%s”', (list) => expect(exceptionsProblem(list)).toBeUndefined())

  it.each(['10.0.0.0/8', 'https://intranet.example', 'a*b.example', 'no"quotes'])('may not be %s', (entry) => {
    expect(exceptionsProblem(`localhost, ${entry}`)).toContain(`“${entry}” is not a host`)
  })
})
