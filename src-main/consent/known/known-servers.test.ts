import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { POWERS, type Power } from '../../../src-shared/contract/consent.ts'
import { publishedAddress, publishedPackage } from '../../host/launch/published-package.ts'
import known from './known-servers.json' with { type: 'json' }
import { KNOWN_SERVERS, knownPowers, pageTelling } from './known-servers.ts'

const folder = new URL('../../../e2e/consent/published/', import.meta.url)
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
/** The lists of the packages themselves, by package. */
const recordings = new Map(
  readdirSync(folder).map((file) => {
    const read = recording.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8')))
    expect(file).toBe(`${read.name.replace('/', '__')}.json`)
    return [read.name, read] as const
  }),
)
const listed = KNOWN_SERVERS.filter(({ version }) => version !== undefined)

describe('the table of published servers', () => {
  it('has every package once, in each version that was recorded', () => {
    const names = KNOWN_SERVERS.flatMap(({ name, also = [] }) => [name, ...also])
    expect(names).toEqual([...new Set(names)])
    expect(new Map(listed.map(({ name, version }) => [name, version]))).toEqual(
      new Map([...recordings.values()].map(({ name, version }) => [name, version])),
    )
  })

  it.each([...recordings])('has each tool that %s lists, and no other', (name, { tools }) => {
    const tool = KNOWN_SERVERS.find((server) => server.name === name)?.tools.keys() ?? []
    expect([...tool].sort()).toEqual(tools.map((tool) => tool.name).sort())
  })

  it.each(KNOWN_SERVERS)(
    'finds $name by each of its names, and lets it destroy or spend only where it changes',
    ({ name, also = [], tools }) => {
      for (const [tool, powers] of tools) {
        for (const one of [name, ...also]) expect([one, knownPowers(one, tool)]).toEqual([one, powers])
        if (powers.includes('destroys') || powers.includes('spends'))
          expect([tool, powers]).toEqual([tool, expect.arrayContaining(['changes'])])
      }
    },
  )

  it('names each tool of a server once', () => {
    const written = Object.values(known).flatMap((topic) => topic.flatMap(({ tools }) => Object.values(tools).flat()))
    expect(KNOWN_SERVERS.reduce((all, { tools }) => all + tools.size, 0)).toBe(written.length)
  })

  it('has as many tools with each power as were reviewed', () => {
    const powers = KNOWN_SERVERS.flatMap(({ tools }) => [...tools.values()])
    const counts = POWERS.map((power) => [power, powers.filter((all) => all.includes(power)).length])
    expect(Object.fromEntries(counts)).toEqual({
      reads: 1_060,
      'brings-in': 834,
      changes: 948,
      destroys: 251,
      sends: 622,
      spends: 57,
    })
    expect([powers.length, powers.filter((all) => all.length === 0).length]).toEqual([2_187, 83])
  })

  it('names servers as launches are named', () => {
    const line = (name: string) => {
      if (name.startsWith('pypi:')) return publishedPackage('uvx', [name.slice('pypi:'.length)])
      if (name.startsWith('docker:')) return publishedPackage('docker', ['run', name.slice('docker:'.length)])
      return name.includes('://') ? publishedAddress(name) : publishedPackage('npx', [name])
    }
    const names = KNOWN_SERVERS.flatMap(({ name, also = [] }) => [name, ...also])
    expect(names.map(line)).toEqual(names)
  })

  it('names browser tools that state their page, and none that repeats a page’s own claim', () => {
    for (const { pages = [], tools } of KNOWN_SERVERS)
      for (const tool of pages) expect([tool, tools.get(tool)]).toEqual([tool, expect.arrayContaining(['brings-in'])])
    expect(pageTelling('@playwright/mcp', 'browser_navigate')).toBe('stated')
    expect(pageTelling('@playwright/mcp', 'browser_console_messages')).toBe('never')
    expect(pageTelling('@playwright/mcp', 'browser_evaluate')).toBe('never')
    expect([pageTelling('another-browser', 'browser_navigate'), pageTelling(undefined, 'browser_navigate')]).toEqual([
      ...['claimed', 'claimed'],
    ])
  })

  it('does not cover tools and packages that nobody has reviewed', () => {
    expect(knownPowers(undefined, 'fetch')).toBeUndefined()
    expect(knownPowers('mcp-server-fetch', 'fetch')).toBeUndefined()
    expect(knownPowers('pypi:mcp-server-fetch', 'constructor')).toBeUndefined()
  })

  it('names only arguments that write a file and that such tools have', () => {
    for (const { name, writes = [] } of KNOWN_SERVERS) {
      const properties = (recordings.get(name)?.tools ?? []).flatMap((tool) => tool.properties)
      expect([name, writes.filter((argument) => !properties.includes(argument))]).toEqual([name, []])
    }
    // A tool that only looks at pages, and can be given a file, is covered by such an argument.
    for (const name of ['@playwright/mcp', 'chrome-devtools-mcp']) {
      const writes = KNOWN_SERVERS.find((server) => server.name === name)?.writes ?? []
      const lookers = (recordings.get(name)?.tools ?? []).filter((tool) => !knownPowers(name, tool.name)?.includes('changes'))
      const files = lookers.flatMap(({ properties }) => properties.filter((property) => /file|path/i.test(property)))
      expect([name, files.filter((file) => !writes.includes(file))]).toEqual([name, []])
      expect(files.length).toBeGreaterThan(0)
    }
  })
})

describe('wrong hints of published tools', () => {
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
    const found = Object.entries(denied(({ readOnlyHint }) => readOnlyHint === true, ['changes', 'destroys', 'sends', 'spends']))
    const charts = found.filter(([one]) => one.startsWith('@antv/mcp-server-chart '))
    // The service that draws has the data.
    expect(charts.map(([, powers]) => powers)).toEqual(Array(27).fill(['sends']))
    expect(Object.fromEntries(found.filter((one) => !charts.includes(one)))).toEqual({
      // Writes a file.
      '@softeria/ms-365-mcp-server download-bytes-to-file': ['changes'],
      // Anybody who has the address has the file.
      '@softeria/ms-365-mcp-server get-download-url': ['sends'],
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
      // Hands texts that are given to it to Pinecone.
      '@pinecone-database/mcp rerank-documents': ['sends'],
    })
  })

  it('call a tool closed-world that brings in what strangers wrote, or sends', () => {
    const found = Object.keys(denied(({ openWorldHint }) => openWorldHint === false, ['brings-in', 'sends']))
    const tools = (name: string) => found.flatMap((one) => (one.startsWith(`${name} `) ? [one.slice(name.length + 1)] : []))
    const servers = [...recordings.keys()].flatMap((name) => (tools(name).length > 0 ? [[name, tools(name).length]] : []))
    expect(Object.fromEntries(servers)).toEqual({
      // Anybody's programs and what they found.
      '@apify/actors-mcp-server': 12,
      // A model's notes on its readings.
      '@modelcontextprotocol/server-memory': 3,
      // Invitations, and telling guests.
      '@cocal/google-calendar-mcp': 8,
      // Projects that are shared.
      '@doist/todoist-mcp': 30,
      // Colleagues write its stories, and are told of changes.
      '@shortcut/mcp': 43,
      '@supabase/mcp-server-supabase': 2,
      'firecrawl-mcp': 5,
      // Rows hold what others wrote, and some databases send.
      '@bytebase/dbhub': 1,
      // A clipboard holds copied words; an app that is put on a phone sends.
      '@mobilenext/mobile-mcp': 2,
    })
    // Logs hold what visitors wrote; the other puts code on the internet.
    expect(tools('@supabase/mcp-server-supabase')).toEqual(['query_logs', 'deploy_edge_function'])
    // Give back pages of the web; a file of this computer is parsed there.
    expect(tools('firecrawl-mcp')).toEqual([
      'firecrawl_check_crawl_status',
      'firecrawl_agent_status',
      'firecrawl_parse',
      'firecrawl_monitor_checks',
      'firecrawl_monitor_check',
    ])
  })
})
