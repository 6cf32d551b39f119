import { describe, expect, it } from 'vitest'
import { looksSecret, REDACTED, redactUnknown } from '../../../src-shared/base/secrets.ts'
import { holdsSecret, redactor, withoutSecretArguments } from './redact.ts'

describe('names of secrets', () => {
  it('are recognized in every spelling', () => {
    const names = [
      'API_KEY',
      'apiKey',
      'OPENAI_API_KEY',
      'GITHUB_TOKEN',
      'githubToken',
      'DB_PASSWORD',
      'Authorization',
      'X-Api-Key',
      'CLIENT_SECRET',
      'DATABASE_URL',
      'AUTH',
      'Cookie',
      'NPM_AUTH_TOKEN',
      'PRIVATE_KEY',
    ]
    expect(names.filter((name) => !looksSecret(name))).toEqual([])
    const harmless = [
      'PORT',
      'HOME',
      'AUTHOR',
      'KEYBOARD',
      'MONKEY',
      'CITY',
      'NODE_ENV',
      'LOG_LEVEL',
      'Accept-Language',
      'COMPASS',
      'MAX_TOKENS',
      'SESSION_TIMEOUT',
    ]
    expect(harmless.filter(looksSecret)).toEqual([])
  })

  it('are not needed where the value itself looks like a key', () => {
    expect(holdsSecret('OTHER', 'ghp_0123456789abcdefghijABCD')).toBe(true)
    expect(holdsSecret('OTHER', 'plain text')).toBe(false)
    expect(holdsSecret('API_KEY', '')).toBe(false)
  })
})

describe('redaction', () => {
  it.each([
    ['authorization: Bearer abc.def.ghi', 'authorization: '],
    ['{"authorization":"Basic dXNlcjpwdw=="}', '"}'],
    ['{"access_token":"abc","expires_in":3600}', '"expires_in":3600}'],
    ['mcp-session-id: 1868a90c-77f1', 'mcp-session-id: '],
    ['GET https://x.example/cb?code=abc123&lang=en', '&lang=en'],
    ['key sk-proj-abcdefghijklmnop was used', ' was used'],
    ['eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl', ''],
    ['connecting with db_password=abcd1234 to host=db', ' to host=db'],
    ["API_KEY='abc d' set", ' set'],
  ])('removes the secret from %j and leaves the rest (SEC-25)', (text, rest) => {
    const clean = redactUnknown(text)
    expect(clean).toContain(REDACTED)
    expect(clean).toContain(rest)
    expect(clean).not.toMatch(/abc|dXNl|1868|eyJz/)
  })

  it('leaves the mere name of a secret', () => {
    for (const text of ['password=$PASSWORD', 'token=<yours>', 'max_tokens=4096', 'secret=***', 'The password: ask Ana'])
      expect(redactUnknown(text)).toBe(text)
    const long = `${'a-'.repeat(200_000)}password=abcdef`
    expect(redactUnknown(long).endsWith(REDACTED)).toBe(true)
  })

  it('removes secrets from arguments, in any form', () => {
    const args = ['--api-key=abcd', '--token', 'efgh', '-e', 'DB_PASSWORD=ijkl', '--port', '80', 'sk-abcdefghijklmnop']
    expect(withoutSecretArguments(args)).toEqual([
      ...[`--api-key=${REDACTED}`, '--token', REDACTED, '-e', `DB_PASSWORD=${REDACTED}`, '--port', '80', REDACTED],
    ])
  })

  it('keeps JSON parseable', () => {
    const text = JSON.stringify({ params: { token: 'a"b\\c', list: ['Bearer abcdefgh'], n: 1 } })
    expect(JSON.parse(redactUnknown(text))).toEqual({ params: { token: REDACTED, list: [`Bearer ${REDACTED}`], n: 1 } })
  })

  it('removes known values as they are, in JSON, in addresses and in base64, along with likely ones (LOG-13)', () => {
    const secret = 'p ä"ss/wörd'
    const { redact } = redactor([secret, 'abc'])
    const forms = [secret, JSON.stringify(secret), encodeURIComponent(secret), Buffer.from(secret).toString('base64')]
    for (const form of forms) expect(redact(`x ${form} y`)).toMatch(/^x "?‹redacted›"? y$/)
    expect(redact(`${secret} and Bearer abcdef123456`)).not.toMatch(/abcdef|wörd/)
    // A value as short as that would take half of every text with it.
    expect(redact('abcdef')).toBe('abcdef')
  })

  it('removes a secret that contains another as a whole', () => {
    const { redact } = redactor(['hunter', 'hunter2-and-more'])
    expect(redact('hunter2-and-more')).toBe(REDACTED)
  })
})
