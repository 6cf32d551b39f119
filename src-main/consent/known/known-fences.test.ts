import { expect, it } from 'vitest'
import { KNOWN_FENCES, OPEN_SERVERS } from './known-fences.ts'
import { KNOWN_SERVERS, knownPowers } from './known-servers.ts'

it.each([...KNOWN_FENCES])('the fence of %s is for a server of which the tools are known', (name) => {
  expect(KNOWN_SERVERS.map((server) => server.name)).toContain(name)
})

it('a server that does not work behind a fence has none', () => {
  expect([...KNOWN_FENCES.keys()].filter((name) => OPEN_SERVERS.has(name))).toEqual([])
})

it('a server with a tool that opens any address has no known fence', () => {
  const open = [...KNOWN_FENCES.keys()].filter((name) =>
    ['puppeteer_navigate', 'browser_navigate', 'fetch'].some((tool) => knownPowers(name, tool)),
  )
  expect(open).toEqual([])
})
