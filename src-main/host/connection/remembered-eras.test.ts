import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import type { FoundEra, RecordStore } from '../../storage/base/storage.ts'
import { RememberedEras } from './remembered-eras.ts'

const WEEK = 7 * 24 * 60 * 60_000

/** A disk that holds what was found, and nothing else. */
function disk() {
  const kept = new Map<string, FoundEra>()
  const records = {
    all: async () => new Map(kept),
    put: async (_collection: string, key: string, value: FoundEra) => void kept.set(key, value),
    remove: async (_collection: string, key: string) => void kept.delete(key),
  }
  return { kept, records: records as unknown as RecordStore }
}

describe('a remembered era', () => {
  it.each(['silence', 'exit'] as const)('outlives a restart of the host: %s (V26-NEG-14, V26-NEG-15)', async (by) => {
    const { records } = disk()
    const clock = new ManualClock(WEEK)
    await new RememberedEras(records, clock).settle('launch', { by }, false)
    const next = new RememberedEras(records, clock)
    await next.load()
    expect(next.of('launch')).toBe(by)
    expect(next.of('another launch')).toBeUndefined()
  })

  it('lasts seven days from its discovery, however often it was right (V26-NEG-15)', async () => {
    const { kept, records } = disk()
    const clock = new ManualClock(WEEK)
    const eras = new RememberedEras(records, clock)
    await eras.settle('launch', { by: 'silence' }, false)
    clock.advance(WEEK - 1)
    await eras.settle('launch', { by: 'memory' }, false)
    expect(eras.of('launch')).toBe('silence')
    clock.advance(1)
    expect(eras.of('launch')).toBeUndefined()
    const next = new RememberedEras(records, clock)
    await next.load()
    expect(kept.size).toBe(0)
  })

  it('includes the kind of an address, until that no longer answers (V26-NEG-15)', async () => {
    const { kept, records } = disk()
    const eras = new RememberedEras(records, new ManualClock())
    await eras.settle('launch', { by: 'refusal' }, true)
    expect(eras.of('launch')).toBe('http-sse')
    await eras.settle('launch', { by: 'memory' }, true)
    expect(eras.of('launch')).toBe('http-sse')
    await eras.settle('launch', { by: 'memory' }, false)
    expect(eras.of('launch')).toBeUndefined()
    expect(kept.size).toBe(0)
  })

  it('is not stored for a plain answer: an updated server is noticed at its next start (V26-NEG-15)', async () => {
    const { kept, records } = disk()
    const eras = new RememberedEras(records, new ManualClock())
    await eras.settle('launch', { by: 'silence' }, false)
    await eras.settle('launch', { by: 'answer' }, false)
    expect(kept.size).toBe(0)
  })
})
