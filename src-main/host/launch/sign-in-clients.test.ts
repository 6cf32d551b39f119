import { expect, test } from 'vitest'
import type { SignInConfig } from '../../../src-shared/contract/authorization.ts'
import { SignInClients } from './sign-in-clients.ts'

const URL = 'https://mcp.example/mcp'
const FOR = 'https://login.example'
const before = { origin: 'https://mcp.example', clientId: 'night', secret: 'hush', scopes: [], issuer: FOR }

function wanted(issuer?: string): SignInConfig {
  return { by: 'client', clientId: 'night', proof: { kept: 'secret' }, scopes: [], ...(issuer !== undefined && { issuer }) }
}

test('a saved secret goes only to its own authorization server (XAUTH-3)', () => {
  expect(SignInClients.of(wanted(FOR), URL, before)).toEqual(before)
  expect(SignInClients.of(wanted(), URL, before)).toEqual(before)
  expect(() => SignInClients.of(wanted('https://elsewhere.example'), URL, before)).toThrow('Enter it again.')
})

test('a saved secret that was never used may be given its authorization server', () => {
  const { issuer: _, ...unused } = before
  expect(SignInClients.of(wanted(FOR), URL, unused)).toEqual(before)
})

test.each(['http://localhost:1/', 'http://127.0.0.2:1/', 'http://[::1]:1/', 'http://login.localhost:1/'])(
  'an authorization server at %s counts as on this computer',
  (issuer) => {
    expect(SignInClients.of(wanted(issuer), URL, { ...before, issuer })).toMatchObject({ issuer })
    expect(() => SignInClients.of(wanted('http://login.example/'), URL, before)).toThrow(/https/)
  },
)
