import { describe, expect, it } from 'vitest'
import { MemoryBox } from '../../e2e/support/willing-person.ts'
import type { TokenGrant } from './grants.ts'
import { TokenStore } from './token-store.ts'

const GRANT: TokenGrant = {
  issuer: 'https://auth.example',
  resource: 'https://mcp.example/mcp',
  serverUrl: 'https://mcp.example/mcp',
  server: { issuer: 'https://auth.example', token_endpoint: 'https://auth.example/token' },
  client: { clientId: 'app', clientSecret: 'client-secret', how: 'dynamic' },
  tokens: { accessToken: 'access-1', refreshToken: 'refresh-1', scopes: [], at: 0 },
}

function storeOn(secrets: MemoryBox) {
  const told: string[][] = []
  return { store: new TokenStore({ secrets, owner: 'mcp', onSecrets: (all) => told.push([...all]) }), told }
}

describe('A stored sign-in', () => {
  it('reports its secrets to the redaction of logs, when obtained and when read again (AUTH-19, LOG-13)', async () => {
    const box = new MemoryBox()
    const { store, told } = storeOn(box)
    await store.put(GRANT)
    expect(told.at(-1)).toEqual(['access-1', 'refresh-1', 'client-secret'])
    await store.setTokens(GRANT, { accessToken: 'access-2', scopes: [], at: 1 })
    expect(told.at(-1)).toEqual(['access-1', 'refresh-1', 'client-secret', 'access-2'])
    const later = storeOn(box)
    await later.store.load()
    expect(later.told).toEqual([['access-2', 'client-secret']])
  })

  it('is in the secret store alone, and is gone with its last part (AUTH-19)', async () => {
    const box = new MemoryBox()
    const { store } = storeOn(box)
    await store.put(GRANT)
    expect([...box.texts.values()].join()).toContain('access-1')
    await store.clear()
    expect(box.texts.size).toBe(0)
  })
})
