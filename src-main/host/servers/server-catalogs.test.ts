import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ConfiguredServers } from './configured-servers.ts'
import { ServerCatalogs } from './server-catalogs.ts'

/** Servers that are asked to read their lists again, and do so when they are told. */
function reading(...freshen: (() => Promise<void>)[]) {
  const value = { tools: [], resources: [], templates: [], prompts: [], problems: [] }
  const servers = freshen.map((one) => ({
    record: { state: { is: 'ready' } },
    tools: () => [],
    clients: { present: { freshen: one, catalog: { value } } },
  }))
  const configured = { all: () => servers, get: () => servers[0] } as unknown as ConfiguredServers
  const clock = new ManualClock()
  return { clock, catalogs: new ServerCatalogs(configured, () => 'openai', clock) }
}

const ID = 's' as ServerId

describe('the lists of servers', () => {
  it('are awaited together by a starting turn, for at most 2 s (V26-CACHE-11)', async () => {
    const first = Promise.withResolvers<void>()
    const { catalogs } = reading(
      () => first.promise,
      async () => {},
    )
    let begun = false
    const beginning = catalogs
      .freshen(() => true)
      .then(() => {
        begun = true
      })
    await new Promise(setImmediate)
    expect(begun).toBe(false)
    first.resolve()
    await beginning

    const slow = reading(() => new Promise(() => {}))
    const waiting = slow.catalogs.freshen(() => true).then(() => 'goes on')
    slow.clock.advance(2000)
    expect(await waiting).toBe('goes on')
  })

  it('never make a turn fail (V26-CACHE-11)', async () => {
    const { catalogs } = reading(() => Promise.reject(new Error('gone')))
    await expect(catalogs.freshen(() => true)).resolves.toBeUndefined()
  })

  it('are read again when a page opens and they are stale, not with each further page (V26-CACHE-11)', () => {
    let asked = 0
    const { catalogs } = reading(async () => void asked++)
    catalogs.tools(ID, {})
    catalogs.prompts(ID, {})
    catalogs.resources(ID, {})
    catalogs.templates(ID, {})
    expect(asked).toBe(4)
    catalogs.prompts(ID, { cursor: '0' })
    expect(asked).toBe(4)
  })
})
