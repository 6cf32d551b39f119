import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { POWERS, type Power } from '../../src-shared/contract/consent.ts'
import { KNOWN_SERVERS } from './known-servers.data.ts'
import { knownPowers } from './known-servers.ts'

const folder = new URL('../../e2e/consent/published/', import.meta.url)
const recording = z.strictObject({
  name: z.string(),
  version: z.string(),
  tools: z.array(
    z.strictObject({
      name: z.string(),
      annotations: z.looseObject({ readOnlyHint: z.boolean().optional(), openWorldHint: z.boolean().optional() }).optional(),
      required: z.array(z.string()),
      properties: z.array(z.string()),
    }),
  ),
})
/** What the packages themselves listed, by package. */
const recordings = new Map(
  readdirSync(folder).map((file) => {
    const read = recording.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8')))
    expect(file).toBe(`${read.name.replace('/', '__')}.json`)
    return [read.name, read] as const
  }),
)
const listed = KNOWN_SERVERS.filter(({ source }) => source === 'listed by the package')

describe('what is known of published servers', () => {
  it('is of every package once, and of each version that was recorded', () => {
    const names = KNOWN_SERVERS.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
    expect(new Map(listed.map(({ name, version }) => [name, version]))).toEqual(
      new Map([...recordings.values()].map(({ name, version }) => [name, version])),
    )
    expect(KNOWN_SERVERS.filter(({ source, version }) => source === 'its documentation' && version !== undefined)).toEqual([])
  })

  it.each([...recordings])('%s: is of each tool that it lists, and of no other', (name, { tools }) => {
    const known = KNOWN_SERVERS.find((server) => server.name === name)?.tools ?? {}
    expect(Object.keys(known).sort()).toEqual(tools.map((tool) => tool.name).sort())
  })

  it.each(KNOWN_SERVERS)('$name: names powers once each, from the mildest', ({ name, tools }) => {
    for (const [tool, powers] of Object.entries(tools)) {
      expect([tool, powers]).toEqual([tool, POWERS.filter((power) => powers.includes(power))])
      expect(knownPowers(name, tool)).toEqual(powers)
      if (powers.includes('destroys') || powers.includes('spends'))
        expect([tool, powers]).toEqual([tool, expect.arrayContaining(['changes'])])
    }
  })

  it('is not said of tools and packages that nobody has looked at', () => {
    expect(knownPowers(undefined, 'fetch')).toBeUndefined()
    expect(knownPowers('mcp-server-fetch', 'fetch')).toBeUndefined()
    expect(knownPowers('pypi:mcp-server-fetch', 'constructor')).toBeUndefined()
  })

  it('names only arguments that write a file and that such tools have', () => {
    for (const { name, writes = [] } of KNOWN_SERVERS) {
      const properties = (recordings.get(name)?.tools ?? []).flatMap((tool) => tool.properties)
      expect([name, writes.filter((argument) => !properties.includes(argument))]).toEqual([name, []])
    }
    // Whoever only looks at pages, and can be told a file, is covered by such an argument.
    for (const name of ['@playwright/mcp', 'chrome-devtools-mcp']) {
      const writes = KNOWN_SERVERS.find((server) => server.name === name)?.writes ?? []
      const lookers = (recordings.get(name)?.tools ?? []).filter((tool) => !knownPowers(name, tool.name)?.includes('changes'))
      const files = lookers.flatMap(({ properties }) => properties.filter((property) => /file|path/i.test(property)))
      expect([name, files.filter((file) => !writes.includes(file))]).toEqual([name, []])
      expect(files.length).toBeGreaterThan(0)
    }
  })
})

describe('hints that do not tell what a tool does', () => {
  /** `package tool` → the powers that its hint denies. */
  const denied = (
    hinted: (hints: { readOnlyHint?: boolean | undefined; openWorldHint?: boolean | undefined }) => boolean,
    powers: readonly Power[],
  ) =>
    Object.fromEntries(
      [...recordings.values()].flatMap(({ name, tools }) =>
        tools.flatMap((tool): [string, Power[]][] => {
          const does = powers.filter((power) => knownPowers(name, tool.name)?.includes(power))
          return hinted(tool.annotations ?? {}) && does.length > 0 ? [[`${name} ${tool.name}`, does]] : []
        }),
      ),
    )

  it('call a tool read-only that changes, destroys or sends', () => {
    expect(denied(({ readOnlyHint }) => readOnlyHint === true, ['changes', 'destroys', 'sends', 'spends'])).toEqual({
      // Scrapes its results with clicks and scripts where options say so.
      'firecrawl-mcp firecrawl_search': ['changes', 'sends'],
      // Hands a file of this computer to Firecrawl.
      'firecrawl-mcp firecrawl_parse': ['sends'],
      // Switches the context of every kubectl of this computer.
      'mcp-server-kubernetes kubectl_context': ['changes'],
      // Opens the project to this address and makes a database user.
      'mongodb-mcp-server atlas-connect-cluster': ['changes', 'sends'],
      // Reaches any host, with a password.
      'mongodb-mcp-server connect': ['sends'],
      // Writes a file.
      'mongodb-mcp-server export': ['changes'],
    })
  })

  it('call the world of a tool closed that brings in what strangers wrote, or sends', () => {
    expect(denied(({ openWorldHint }) => openWorldHint === false, ['brings-in', 'sends'])).toEqual({
      // Puts code on the internet.
      '@supabase/mcp-server-supabase deploy_edge_function': ['sends'],
      // Logs hold what visitors wrote.
      '@supabase/mcp-server-supabase query_logs': ['brings-in'],
      // Give back pages of the web.
      'firecrawl-mcp firecrawl_agent_status': ['brings-in'],
      'firecrawl-mcp firecrawl_check_crawl_status': ['brings-in'],
      'firecrawl-mcp firecrawl_monitor_check': ['brings-in'],
      'firecrawl-mcp firecrawl_monitor_checks': ['brings-in'],
      'firecrawl-mcp firecrawl_parse': ['sends'],
    })
  })
})
