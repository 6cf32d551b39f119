import { describe, expect, it, onTestFinished } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { startModelApi } from '../../../e2e/support/model-api.ts'
import { memoryStorage } from '../../../e2e/support/storage/memory-storage.ts'
import { until } from '../../../e2e/support/until.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import { emptySnapshot } from '../../../src-shared/contract/events.ts'
import type { ProviderConfig } from '../../../src-shared/contract/settings.ts'
import { Images } from '../../images/images.ts'
import { createProvider } from '../../models/create-provider.ts'
import { HostState } from '../core/host-state.ts'
import { HostSettings } from '../core/settings.ts'
import { TransientBlobs } from '../core/transient-blobs.ts'
import { Providers } from './providers.ts'

async function setUp() {
  const lifetime = new Lifetime('test')
  const api = await startModelApi(() => ({ text: 'Hello.' }))
  onTestFinished(async () => {
    await lifetime.end()
    await api.close()
  })
  const storage = memoryStorage()
  const state = new HostState(emptySnapshot)
  const clock = new ManualClock()
  const providers = new Providers({
    storage: { ...storage, blobs: new TransientBlobs(storage.blobs) },
    settings: new HostSettings({ records: storage.records, state }),
    images: new Images({ clock, lifetime }),
    state,
    clock,
    lifetime,
    factory: ({ kind, name, baseUrl }, key) =>
      createProvider(kind, { name, retries: 0, ...(baseUrl && { baseUrl }), ...(key && { key }) }),
    look: async () => false,
  })
  await providers.load()
  const added = async (baseUrl: string, key?: string, kind: ProviderConfig['kind'] = 'openai-compatible') => {
    const id = await providers.add({ kind, name: 'Local', baseUrl }, key)
    const record = () => state.snapshot.providers.find((one) => one.id === id)
    return until(() => (record()?.state === 'ready' || record()?.problem) && record(), 'the models')
  }
  return { api, storage, added }
}

describe('the address of a service', () => {
  it.each([
    ['openai-compatible', ''],
    ['openai-compatible', '/'],
    ['openai', ''],
  ] as const)(
    'of kind %s that lacks its /v1 (“%s”) is completed once its models are found there, and its key stays',
    async (kind, path) => {
      const { api, storage, added } = await setUp()
      const record = await added(`${api.url}${path}`, 'sk-secret', kind)
      expect(record).toMatchObject({ state: 'ready', baseUrl: `${api.url}/v1`, key: 'saved' })
      expect(record.models.length).toBeGreaterThan(0)
      expect([...(await storage.records.all('provider')).values()]).toMatchObject([{ baseUrl: `${api.url}/v1` }])
    },
  )

  it('stays unchanged where nothing is found below it, or where it names a version', async () => {
    const { api, added } = await setUp()
    for (const baseUrl of [`${api.url}/elsewhere`, `${api.url}/v2`]) {
      expect(await added(baseUrl)).toMatchObject({ baseUrl, problem: { code: 'unknown-model' } })
    }
  })
})
