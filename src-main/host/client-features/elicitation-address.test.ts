import { describe, expect, it } from 'vitest'
import { addressOf } from './elicitation-address.ts'

describe('an address that a server names', () => {
  it.each([
    ['https://example.org/a?b#c', 'example.org', []],
    ['https://EXAMPLE.org', 'example.org', []],
    ['http://example.org', 'example.org', ['http']],
    ['https://аррӏе.com/login', 'xn--80ak6aa92e.com', ['punycode']],
    ['https://xn--80ak6aa92e.com/', 'xn--80ak6aa92e.com', ['punycode']],
    ['https://bank.example@evil.example/', 'evil.example', ['user']],
    ['https://example.org:8443/', 'example.org:8443', ['port']],
    ['https://93.184.216.34/', '93.184.216.34', ['ip']],
    ['http://127.0.0.1:631/admin', '127.0.0.1:631', ['http', 'port', 'ip', 'local']],
    ['http://0x7f000001/', '127.0.0.1', ['http', 'ip', 'local']],
    ['https://router.local/', 'router.local', ['local']],
    ['https://[::1]/', '[::1]', ['ip', 'local']],
  ])('%s shows its host and what is odd about it', (url, host, warnings) => {
    expect(addressOf(url)).toEqual({ host, warnings })
  })

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'ftp://example.org', 'example.org', ''])('%s is none', (url) => {
    expect(addressOf(url)).toBeUndefined()
  })
})
