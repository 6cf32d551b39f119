import { describe, expect, it } from 'vitest'
import { APP_DOMAINS } from '../../../src-shared/contract/apps.ts'
import { appPolicy, appSource, hostsOf, readDomains } from './app-domains.ts'

/** The directives of every policy, in their order. */
const DIRECTIVES = [
  'default-src',
  'script-src',
  'style-src',
  'img-src',
  'font-src',
  'media-src',
  'connect-src',
  'worker-src',
  'frame-src',
  'base-uri',
  'object-src',
  'form-action',
  'sandbox',
  'report-uri',
]

const directives = (policy: string) => policy.split(';').map((one) => one.trim().split(' ')[0])

const HOSTILE = [
  // More than a source, and other sources.
  'https://a.example.com; script-src *',
  'https://a.example.com;',
  'https://a.example.com, https://b.example.com',
  'https://a.example.com https://b.example.com',
  "https://a.example.com 'self'",
  "'self'",
  "'unsafe-hashes'",
  "'none'",
  '"https://a.example.com"',
  '*',
  'https:',
  'https://',
  'https://*',
  'https://*.',
  'data:',
  'blob:',
  'filesystem:',
  'a.example.com',
  '//a.example.com',
  // Line breaks and what reads like one.
  'https://a.example.com\r\nset-cookie: a=b',
  'https://a.example.com\nx',
  '\nhttps://a.example.com',
  'https://a.example.com\n',
  'https://a.example.com\0',
  'https://a.example.com\u2028',
  'https://a.example.com\u00a0',
  'https://a\u202e.example.com',
  'https://a\u200b.example.com',
  'https:\\\\a.example.com',
  'https://a.example.com\\',
  '\thttps://a.example.com',
  // Other schemes.
  'http://a.example.com',
  'ws://a.example.com',
  'ftp://a.example.com',
  'file:///etc/passwd',
  'javascript://a.example.com/%0aalert(1)',
  'parley-page://app',
  'https+x://a.example.com',
  'HTTPS//a.example.com',
  // More than an origin.
  'https://a.example.com/path',
  'https://a.example.com//',
  'https://a.example.com?a',
  'https://a.example.com#a',
  'https://name@a.example.com',
  'https://name:word@a.example.com',
  'https://a.example.com:0',
  'https://a.example.com:65536',
  'https://a.example.com:*',
  'https://a.example.com:443:443',
  'https://a.example.com:-1',
  'https://a.example.com:1e3',
  // Wildcards that reach further than a domain of one owner.
  'https://*.com',
  'https://*.*.example.com',
  'https://a.*.example.com',
  'https://a*.example.com',
  'https://**.example.com',
  // This machine and its network, in every way to write it.
  'https://localhost',
  'https://localhost:5173',
  'https://a.localhost',
  'https://127.0.0.1',
  'https://127.0.0.1:8443',
  'https://127.1',
  'https://0x7f.0.0.1',
  'https://0x7f000001',
  'https://2130706433',
  'https://0177.0.0.1',
  'https://0.0.0.0',
  'https://10.0.0.1',
  'https://192.168.1.1',
  'https://169.254.169.254',
  'https://8.8.8.8',
  'https://[::1]',
  'https://[::ffff:127.0.0.1]:443',
  'https://printer.local',
  'https://router.lan',
  'https://nas.home',
  'https://wiki.corp.internal',
  'https://router.home.arpa',
  'https://intranet',
  'https://*.local',
  'wss://localhost',
  // Names that no host has.
  'https://a..example.com',
  'https://.example.com',
  'https://-a.example.com',
  'https://a-.example.com',
  'https://a_b.example.com',
  'https://%61.example.com',
  'https://exämple.com',
  'https://a.example.com.',
  'https://a.example.1',
  `https://${'a'.repeat(64)}.example.com`,
  `https://${'a.'.repeat(130)}example.com`,
  `https://a.example.com${' '.repeat(10_000)}`,
]

const NO_TEXT = [undefined, null, 1, true, {}, [], ['https://a.example.com'], { toString: () => 'https://a.example.com' }]

describe('a declared domain', () => {
  it.each([...HOSTILE.map((one) => [JSON.stringify(one).slice(0, 80), one] as const)])(
    '%s is refused (APP-7)',
    (_shown, declared) => {
      expect(appSource(declared, 'connect')).toBeUndefined()
      expect(appSource(declared, 'resource')).toBeUndefined()
    },
  )

  it('must be a text (APP-7)', () => {
    for (const declared of NO_TEXT) expect(appSource(declared, 'connect')).toBeUndefined()
  })

  it.each([
    ['https://a.example.com', 'https://a.example.com'],
    ['https://a.example.com/', 'https://a.example.com'],
    ['HTTPS://A.Example.COM', 'https://a.example.com'],
    ['https://a.example.com:8443', 'https://a.example.com:8443'],
    ['https://a.example.com:00443', 'https://a.example.com:443'],
    ['https://*.tiles.example.com', 'https://*.tiles.example.com'],
    ['https://*.example.com', 'https://*.example.com'],
    ['https://xn--exmple-cua.com', 'https://xn--exmple-cua.com'],
    ['https://1a.example.com', 'https://1a.example.com'],
    ['https://internal.example.com', 'https://internal.example.com'],
  ])('%s becomes %s (APP-7)', (declared, source) => {
    expect(appSource(declared, 'connect')).toBe(source)
    expect(appSource(declared, 'resource')).toBe(source)
  })

  it('may have a socket to connect to, and none to load from (APP-7)', () => {
    expect(appSource('wss://live.example.com', 'connect')).toBe('wss://live.example.com')
    expect(appSource('wss://live.example.com', 'resource')).toBeUndefined()
  })
})

describe('the declared domains of a page', () => {
  it('are split into allowed and refused ones (APP-7)', () => {
    expect(
      readDomains({
        connectDomains: ['https://a.example.com', 'https://a.example.com/', 'https://b.example.com; script-src *'],
        resourceDomains: ['https://*.cdn.example.com', 7],
        frameDomains: ['https://frames.example.com'],
        baseUriDomains: ['https://base.example.com'],
        scriptSrc: ['https://unknown.example.com'],
      }),
    ).toEqual({
      domains: { connect: ['https://a.example.com'], resource: ['https://*.cdn.example.com'] },
      refused: ['https://frames.example.com', 'https://base.example.com', 'https://b.example.com; script-src *', '(no text)'],
    })
  })

  it.each([undefined, null, 'https://a.example.com', 7, [], ['https://a.example.com'], { connectDomains: null }])(
    'are empty in %j',
    (csp) => {
      expect(readDomains(csp).domains).toEqual({ connect: [], resource: [] })
    },
  )

  it('are not taken from a prototype (APP-7)', () => {
    const csp = JSON.parse('{"__proto__":{"connectDomains":["https://a.example.com"]}}')
    expect(readDomains(csp).domains.connect).toEqual([])
  })

  it('are limited to what a record holds, however many a server sends (APP-7)', () => {
    const many = Array.from({ length: 300_000 }, (_, n) => `https://n${n}.example.com`)
    const { domains, refused } = readDomains({ connectDomains: many, resourceDomains: many, frameDomains: many })
    expect(domains.connect).toHaveLength(APP_DOMAINS)
    expect(domains.resource).toHaveLength(APP_DOMAINS)
    expect(refused).toHaveLength(APP_DOMAINS)
  })

  it('are shown as they were written, cut to a line', () => {
    expect(readDomains({ connectDomains: [`https://${'x'.repeat(5_000)}`] }).refused[0]?.length).toBe(200)
  })

  it('name their hosts once', () => {
    expect(hostsOf({ connect: ['wss://a.example.com', 'https://a.example.com'], resource: ['https://*.b.example.com'] })).toEqual(
      ['a.example.com', '*.b.example.com'],
    )
  })
})

describe('the policy of a view', () => {
  it('allows nothing without declared domains (APP-5, APP-6)', () => {
    expect(appPolicy(undefined, '/app/v/blocked')).toBe(
      "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:; style-src 'unsafe-inline'; " +
        "img-src data: blob:; font-src data:; media-src data: blob:; connect-src 'none'; worker-src blob:; frame-src 'none'; " +
        "base-uri 'none'; object-src 'none'; form-action 'none'; sandbox allow-scripts allow-forms; " +
        'report-uri /app/v/blocked',
    )
    expect(appPolicy({ connect: [], resource: [] }, '/app/v/blocked')).toBe(appPolicy(undefined, '/app/v/blocked'))
  })

  it('allows the declared domains, each for its own purpose (APP-5, APP-6)', () => {
    const policy = appPolicy({ connect: ['https://api.example.com'], resource: ['https://*.cdn.example.com'] }, '/r')
    const found = new Map(policy.split('; ').map((one) => [one.split(' ')[0], one.split(' ').slice(1)]))
    expect(found.get('connect-src')).toEqual(['https://api.example.com'])
    for (const kind of ['script-src', 'style-src', 'img-src', 'font-src', 'media-src']) {
      expect(found.get(kind)?.at(-1)).toBe('https://*.cdn.example.com')
      expect(found.get(kind)).not.toContain('https://api.example.com')
    }
    for (const kind of ['frame-src', 'base-uri', 'object-src', 'form-action', 'default-src'])
      expect(found.get(kind)).toEqual(["'none'"])
    expect(found.get('sandbox')).toEqual(['allow-scripts', 'allow-forms'])
  })

  it('has the same directives and never our own address, whatever a server declares (APP-6, APP-7)', () => {
    const plain = appPolicy(undefined, '/r')
    for (const declared of [...HOSTILE, ...scrambled(5_000)]) {
      const { domains } = readDomains({ connectDomains: [declared], resourceDomains: [declared], frameDomains: [declared] })
      const policy = appPolicy(domains, '/r')
      expect(directives(policy)).toEqual(DIRECTIVES)
      expect(policy).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp},"\\]|[^\x20-\x7e]/u)
      expect(policy).not.toContain("'self'")
      if (domains.connect.length + domains.resource.length === 0) expect(policy).toBe(plain)
    }
  })
})

/** Texts of what a header, an address and a source are made of, always the same ones. */
function* scrambled(count: number): Generator<string> {
  const parts = [
    'https://',
    'wss://',
    'a',
    'b.example.com',
    '.',
    '*',
    '*.',
    ';',
    ',',
    ' ',
    "'self'",
    '\n',
    '\r',
    '\0',
    ':',
    '443',
    '/',
    '@',
    '#',
    '?',
    '%3b',
    '[',
    ']',
    '\\',
    '"',
    'ä',
    '\u2028',
    'script-src',
    'data:',
  ]
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  for (let n = 0; n < count; n += 1) {
    yield ['https://', ...Array.from({ length: 1 + next(6) }, () => parts[next(parts.length)])].join('')
  }
}
