import { describe, expect, it } from 'vitest'
import { bearerChallenge, parseChallenges, scopesOf } from './challenge.ts'

const URL = 'https://api.example/.well-known/oauth-protected-resource/mcp'

describe('A challenge of a server', () => {
  it.each([
    `Bearer resource_metadata="${URL}"`,
    `bearer resource_metadata=${URL}`,
    `BEARER realm="a, b=c", Resource_Metadata = "${URL}"`,
    `Basic realm="x", Bearer error="invalid_token", resource_metadata="${URL}"`,
    `Negotiate YIIabc==, Bearer resource_metadata="${URL}", scope="a b"`,
    `Bearer, Bearer resource_metadata="${URL}"`,
    `,, Bearer\trealm="",resource_metadata="${URL.replace('/', '\\/')}"`,
  ])('is read in every spelling: %s (AUTH-44, AUTH-45)', (header) => {
    expect(bearerChallenge(header).resourceMetadata).toBe(URL)
  })

  it('may list several schemes, each with its own parameters', () => {
    expect(parseChallenges('Digest nonce="a\\"b", qop=auth, Bearer scope="x"')).toEqual([
      { scheme: 'digest', params: { nonce: 'a"b', qop: 'auth' } },
      { scheme: 'bearer', params: { scope: 'x' } },
    ])
  })

  it('yields its error and its scopes', () => {
    const header = 'Bearer error="insufficient_scope", scope="files:read  files:write files:read", error_description="More"'
    expect(bearerChallenge(header)).toEqual({
      error: 'insufficient_scope',
      scopes: ['files:read', 'files:write'],
      description: 'More',
    })
  })

  it.each([undefined, '', ',', '=', '"', 'Bearer "', '"""", =,=, Basic', 'Bearer a=', '\u0000\u0001', 'x'.repeat(50_000)])(
    'leads nowhere when it is not a Bearer challenge with metadata',
    (header) => {
      expect(bearerChallenge(header).resourceMetadata).toBeUndefined()
    },
  )

  it('is read up to a bound', () => {
    expect(bearerChallenge(`Bearer ${'a=b, '.repeat(100_000)}resource_metadata="${URL}"`).resourceMetadata).toBeUndefined()
    expect(scopesOf(Array.from({ length: 500 }, (_, at) => `s${at}`).join(' '))).toHaveLength(100)
  })
})
