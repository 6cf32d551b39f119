import { describe, expect, it } from 'vitest'
import { authorizationBase, canonicalResource, speaksFor } from './resource-uri.ts'

describe('The resource that tokens are requested for', () => {
  it.each([
    ['https://MCP.Example.com/Server/MCP', 'https://mcp.example.com/Server/MCP'],
    ['HTTPS://mcp.example.com', 'https://mcp.example.com'],
    ['https://mcp.example.com/', 'https://mcp.example.com'],
    ['https://mcp.example.com:443/mcp/', 'https://mcp.example.com/mcp'],
    ['https://mcp.example.com:8443/mcp#part', 'https://mcp.example.com:8443/mcp'],
    ['http://127.0.0.1:9000/mcp?tenant=a', 'http://127.0.0.1:9000/mcp?tenant=a'],
  ])('of %s is %s (AUTH-53, AUTH-54, AUTH-55)', (written, canonical) => {
    expect(canonicalResource(written)).toBe(canonical)
  })

  it.each([
    ['https://api.example.com/v1/mcp', 'https://api.example.com'],
    ['https://api.example.com:8443/a/b?c', 'https://api.example.com:8443'],
  ])('does not change where 2025-03-26 looks: %s → %s (AUTH-33, TRAP-37)', (server, base) => {
    expect(authorizationBase(server)).toBe(base)
  })

  it.each([
    ['https://a.example/mcp', 'https://a.example/mcp', true],
    ['https://A.example/mcp/', 'https://a.example/mcp', true],
    ['https://a.example', 'https://a.example/mcp', true],
    ['https://a.example/', 'https://a.example/mcp', true],
    ['https://a.example/mcp', 'https://a.example/mcp/deep', true],
    ['https://a.example/mc', 'https://a.example/mcp', false],
    ['https://a.example/mcp/deep', 'https://a.example/mcp', false],
    ['https://a.example:8443/mcp', 'https://a.example/mcp', false],
    ['http://a.example/mcp', 'https://a.example/mcp', false],
    ['https://b.example/mcp', 'https://a.example/mcp', false],
    ['https://a.example/mcp?tenant=b', 'https://a.example/mcp?tenant=a', false],
    ['nonsense', 'https://a.example/mcp', false],
  ])('may be described by metadata of %s for %s: %s (AUTH-48, TRAP-42)', (resource, server, may) => {
    expect(speaksFor(resource, server)).toBe(may)
  })
})
