import { describe, expect, it } from 'vitest'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { KeptOffer, RecordStore } from '../../storage/base/storage.ts'
import { KeptOffers } from './kept-offers.ts'

const ID = 's' as ServerId

/** A disk that holds offers, and counts what is written. */
function disk() {
  const kept = new Map<string, KeptOffer>()
  const written: string[] = []
  const records = {
    all: async () => new Map(kept),
    put: async (_collection: string, key: string, value: KeptOffer) => {
      written.push(key)
      kept.set(key, value)
    },
    remove: async (_collection: string, key: string) => void kept.delete(key),
  }
  return { written, records: records as unknown as RecordStore }
}

const offer = (description: string): KeptOffer => ({
  launchIdentity: 'launch',
  hello: { protocolVersion: '2025-11-25', capabilities: { tools: {} } },
  catalog: {
    tools: [{ tool: { name: 'a', description, inputSchema: { type: 'object' } } }],
    ...{ resources: [], templates: [], prompts: [], problems: [] },
  },
})

describe('the stored offers of a server', () => {
  it('are known after a restart of the host, for their own launch alone', async () => {
    const { records } = disk()
    await new KeptOffers(records).keep(ID, offer('as it was'))
    const next = new KeptOffers(records)
    await next.load()
    expect(next.of(ID, 'launch')).toMatchObject({ catalog: offer('as it was').catalog })
    expect(next.of(ID, 'another launch')).toBeUndefined()
  })

  it('are written once while they stay the same', async () => {
    const { records, written } = disk()
    const offers = new KeptOffers(records)
    await offers.keep(ID, offer('the same'))
    await offers.keep(ID, offer('the same'))
    expect(written).toEqual([ID])
  })

  it('are dropped beyond 1 MiB, so that no list fills the memory', async () => {
    const { records } = disk()
    const offers = new KeptOffers(records)
    await offers.keep(ID, offer('short'))
    await offers.keep(ID, offer('long'.repeat(300_000)))
    expect(offers.of(ID, 'launch')).toBeUndefined()
    expect((await records.all('kept-offer')).size).toBe(0)
  })
})
