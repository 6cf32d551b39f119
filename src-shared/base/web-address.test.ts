import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { webAddress } from './web-address.ts'

describe('an address', () => {
  it.each([
    ['https://example.org/a?b#c', 'example.org', []],
    ['https://EXAMPLE.org', 'example.org', []],
    ['http://example.org', 'example.org', ['http']],
    ['https://аррӏе.com/login', 'xn--80ak6aa92e.com', ['punycode']],
    ['https://xn--80ak6aa92e.com/', 'xn--80ak6aa92e.com', ['punycode']],
    ['https://bank.example@evil.example/', 'evil.example', ['user']],
    ['https://a@b@evil.example', 'evil.example', ['user']],
    ['https:\\\\evil.example\\@bank.example/', 'evil.example', ['hidden']],
    ['https://evil.example#@bank.example/', 'evil.example', []],
    ['https://example.org/?path=a\\b', 'example.org', []],
    ['https://bank.exa\nmple.evil.example/', 'bank.example.evil.example', ['hidden']],
    ['https://evil\t.example/', 'evil.example', ['hidden']],
    ['https://bank.example\u00ad.evil.example/', 'bank.example.evil.example', ['hidden']],
    ['https://evil.example/\u202ekcart', 'evil.example', ['hidden']],
    ['https://bank。example/', 'bank.example', []],
    ['https://evil.example／@bank.example/', 'bank.example', ['user']],
    ['https://example.org:8443/', 'example.org:8443', ['port']],
    ['https://93.184.216.34/', '93.184.216.34', ['ip']],
    ['https://10.0.0.1:8443/', '10.0.0.1:8443', ['port', 'ip', 'local']],
    ['http://127.0.0.1:631/admin', '127.0.0.1:631', ['local']],
    ['http://0x7f000001/', '127.0.0.1', ['local']],
    ['http://[::ffff:a00:1]/', '[::ffff:a00:1]', ['http', 'ip', 'local']],
    ['https://router.local/', 'router.local', ['local']],
    ['https://router./', 'router.', ['local']],
    ['https://[::1]/', '[::1]', ['local']],
    [`https://example.org/${'a'.repeat(2_000)}`, 'example.org', ['long']],
    [`https://bank.example.${'a.'.repeat(40)}evil.example/`, `bank.example.${'a.'.repeat(40)}evil.example`, ['long']],
  ])('%j shows its host and anything unusual about it (SEC-21)', (url, host, warnings) => {
    expect(webAddress(url)).toMatchObject({ host, warnings })
  })

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://example.org',
    'example.org',
    '',
    'https://evil.example／bank.example/',
  ])('%j is invalid', (url) => {
    expect(webAddress(url)).toBeUndefined()
  })

  const pieces = [
    ...[
      'https:',
      'http:',
      '//',
      '\\\\',
      '/',
      '\\',
      '@',
      ':',
      '.',
      '?',
      '#',
      '%2f',
      '%40',
      '%00',
      '[::1]',
      '0x7f.1',
      '443',
      '8443',
    ],
    ...[
      'bank.example',
      'evil.example',
      'аррӏе.com',
      'ｂank',
      '。',
      '／',
      '\n',
      '\t',
      ' ',
      '\u202e',
      '\u00ad',
      '\u200d',
      '\ufffd',
    ],
  ]
  const part = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 4 }))
  const texts = fc.tuple(fc.constantFrom('https://', 'http:\\\\', 'https:', ''), fc.array(part, { maxLength: 8 }))

  it('opens at the host that was shown, in any spelling (SEC-04, SEC-21)', () => {
    fc.assert(
      fc.property(texts, ([head, rest]) => {
        const address = webAddress(head + rest.join(''))
        if (!address) return
        const { href, before, host, after } = address
        const opened = new URL(href)
        expect(opened.href).toBe(href)
        expect(opened.host).toBe(host)
        expect(before + host + after).toBe(href)
        expect(href).toMatch(/^[\x21-\x7e]+$/)
        expect(webAddress(href)).toMatchObject({ href, before, host, after })
      }),
      { numRuns: 2_000 },
    )
  })
})
