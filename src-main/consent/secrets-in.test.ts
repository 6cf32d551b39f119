import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactUnknown } from '../../src-shared/base/secrets.ts'
import { mayHoldSecret, secretsIn } from './secrets-in.ts'

describe('the search for keys in a text', () => {
  it.each([
    ['API_KEY=hunter2hunter2', ['hunter2hunter2']],
    ['"password": "correct-horse"', ['correct-horse']],
    ['db_passwd: s3cr3t-s3cr3t', ['s3cr3t-s3cr3t']],
    ['client_secret = abcdefgh', ['abcdefgh']],
    ['key sk-live-4f9a8b7c6d5e4f3a2b1c0d9e', ['sk-live-4f9a8b7c6d5e4f3a2b1c0d9e']],
    ['ghp_abcdefghijklmnopqrst0123456789ABCDEF', ['ghp_abcdefghijklmnopqrst0123456789ABCDEF']],
    ['Your one-time code is 482913.', ['482913']],
    ['{"verification_code": "48-29-13"}', ['48-29-13']],
    ['Security code: 0815', ['0815']],
    ['-----BEGIN PRIVATE KEY-----', ['PRIVATE KEY-----']],
    ['API_KEY=hunter2hunter2 API_KEY=hunter2hunter2', ['hunter2hunter2']],
  ])('finds %s', (text, found) => {
    expect(secretsIn(text)).toEqual(found)
  })

  it.each([
    'API_KEY=your-key-here',
    'API_KEY=$API_KEY_HERE',
    'token: <token>',
    'password: changeme123',
    'token=process.env.TOKEN',
    'password: short',
    'The token is nice',
    'The security code of 2024 was reviewed',
    'code: 482913',
    'a8f5f167f44f4964e6c998dee827110ca8f5f167',
    '123e4567-e89b-12d3-a456-426614174000',
    'sk-abcdefghijklmnopqrstuvwxyzabcd',
    'internationalisation-and-localisation-2',
  ])('does not find %s', (text) => {
    expect(secretsIn(text)).toEqual([])
  })
})

describe('the quick look for secrets', () => {
  it('misses nothing that the thorough one finds', () => {
    const pieces = [
      ...[
        'Bearer ',
        'basic ',
        'DIGEST\t',
        'Negotiate\n',
        'sk-',
        'ghp_',
        'github_pat_',
        'glpat-',
        'xoxb-',
        'AKIA',
        'ASIA',
        'AIza',
        'eyJ',
      ],
      ...[
        '"token": "',
        '"my_api_key":"',
        '"Authorization" : "',
        'authorization:',
        'Cookie :',
        'x-api-key:',
        '"mcp-session-id":"',
      ],
      ...[
        'https://',
        'a:b@',
        '?token=',
        '&code=',
        '?state=',
        '&x-key=',
        'session_id=',
        'password=',
        'api_key: ',
        'secret "',
        'auth_key=',
        'one-time code ',
        'security code: ',
      ],
      ...['-----BEGIN PRIVATE KEY-----', ' ', '"', '=', ':', '&', '?', '/', '.', '-', '_', '+', '\n', 'test', 'live', 'npm', 'x'],
      ...['abcdef1', '4829', 'ABCD1234', '0123456789ab', 'a1b2c3d4e5f6', 'ABCDEFGHIJKLMNOP', `${'x'.repeat(25)}1`],
    ]
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((some) => some.join(''))
    let found = 0
    fc.assert(
      fc.property(text, (one) => {
        if (secretsIn(one).length === 0 && redactUnknown(one) === one) return
        found++
        expect([one, mayHoldSecret(one)]).toEqual([one, true])
      }),
      { numRuns: 5_000 },
    )
    expect(found).toBeGreaterThan(500)
    expect(mayHoldSecret('/home/ana/shop/src/discounts/rounding.ts')).toBe(false)
  })
})
