import { describe, expect, it, onTestFinished } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { memoryStorage } from '../../../e2e/support/storage/memory-storage.ts'
import { until } from '../../../e2e/support/until.ts'
import { ScriptedProvider } from '../../../e2e/test-hosts/scripted-provider.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import { emptySnapshot } from '../../../src-shared/contract/events.ts'
import type { ProviderId } from '../../../src-shared/contract/ids.ts'
import { DEMO_MODEL, type ProviderConfig } from '../../../src-shared/contract/settings.ts'
import { Images } from '../../images/images.ts'
import { ModelError } from '../../models/model-provider.ts'
import { HostState } from '../core/host-state.ts'
import { HostSettings } from '../core/settings.ts'
import { TransientBlobs } from '../core/transient-blobs.ts'
import { Providers } from './providers.ts'

const local: ProviderConfig = { kind: 'openai-compatible', name: 'Local', baseUrl: 'http://127.0.0.1:11434/v1', models: ['mine'] }
const anthropic: ProviderConfig = { kind: 'anthropic', name: 'Anthropic' }

async function setUp(options: { look?: (url: string) => Promise<boolean> } = {}) {
  const lifetime = new Lifetime('test')
  onTestFinished(() => lifetime.end())
  const storage = memoryStorage()
  const state = new HostState(emptySnapshot)
  const settings = new HostSettings({ records: storage.records, state })
  const model = new ScriptedProvider()
  const clock = new ManualClock()
  const keys: (string | undefined)[] = []
  const sent: Readonly<Record<string, string>>[] = []
  const providers = new Providers({
    storage: { ...storage, blobs: new TransientBlobs(storage.blobs) },
    settings,
    images: new Images({ clock, lifetime }),
    state,
    clock,
    lifetime,
    factory: (_record, key, headers) => {
      keys.push(key)
      sent.push(headers)
      return model
    },
    look: options.look ?? (async () => false),
  })
  await providers.load()
  const record = (id: ProviderId) => state.snapshot.providers.find((one) => one.id === id)
  const settled = (id: ProviderId) => until(() => record(id)?.state !== 'looking' && record(id), 'the models')
  return { storage, state, settings, model, clock, keys, sent, providers, record, settled }
}

describe('providers', () => {
  it('always include the Demo model, which says that it is no AI', async () => {
    const { state, providers } = await setUp()
    expect(state.snapshot.providers).toMatchObject([{ kind: 'demo', name: 'Demo (not an AI)', state: 'ready' }])
    await expect(providers.remove(state.snapshot.providers[0]!.id)).rejects.toMatchObject({ code: 'not-found' })
  })

  it.each(['change', 'setKey', 'setWindow'] as const)('stay removed, whatever %s is under way', async (what) => {
    const { storage, providers, record, settled } = await setUp()
    const id = await providers.add(local, 'key')
    await settled(id)
    const changing = {
      change: () => providers.change(id, { ...local, name: 'Other' }),
      setKey: () => providers.setKey(id, 'another'),
      setWindow: () => providers.setWindow(id, 'mine', 4096),
    }[what]()
    const removing = providers.remove(id)
    await Promise.allSettled([changing, removing])
    expect(record(id)).toBeUndefined()
    expect((await storage.records.all('provider')).size).toBe(0)
    expect(await storage.secrets.get(`provider/${id}`)).toBeUndefined()
  })

  it.each(['change', 'setKey', 'setWindow'] as const)('that are being removed accept no %s any longer', async (what) => {
    const { storage, providers, record, settled } = await setUp()
    const id = await providers.add(local, 'key')
    await settled(id)
    const removing = providers.remove(id)
    const late = {
      change: () => providers.change(id, { ...local, name: 'Other' }),
      setKey: () => providers.setKey(id, 'another'),
      setWindow: () => providers.setWindow(id, 'mine', 4096),
    }[what]()
    await expect(late).rejects.toMatchObject({ code: 'not-found' })
    await removing
    expect(record(id)).toBeUndefined()
    expect((await storage.records.all('provider')).size).toBe(0)
    expect(await storage.secrets.get(`provider/${id}`)).toBeUndefined()
  })

  it('send their headers; what looks like a key is kept as a secret, and goes to no other address', async () => {
    const { storage, providers, record, sent, settled } = await setUp()
    const headers = { 'X-Title': { text: 'Parley' }, 'X-Api-Key': { text: 'gate-1234' } }
    const id = await providers.add({ ...local, headers })
    await settled(id)
    expect(sent.at(-1)).toEqual({ 'X-Title': 'Parley', 'X-Api-Key': 'gate-1234' })
    const kept = record(id)?.headers ?? {}
    expect(kept).toEqual({ 'X-Title': { text: 'Parley' }, 'X-Api-Key': { secret: expect.any(String) } })
    expect(JSON.stringify(await storage.records.all('provider').then((all) => [...all]))).not.toContain('gate-1234')

    await providers.change(id, { ...local, headers: { ...kept, 'X-Title': { text: 'Mine' } } })
    await settled(id)
    expect(sent.at(-1)).toEqual({ 'X-Title': 'Mine', 'X-Api-Key': 'gate-1234' })

    const elsewhere = { ...local, baseUrl: 'https://elsewhere.example/v1' }
    await providers.change(id, { ...elsewhere, headers: kept })
    await settled(id)
    expect(sent.at(-1)).toEqual({ 'X-Title': 'Parley' })
    await providers.change(id, { ...local, headers: kept })
    await settled(id)
    expect(sent.at(-1)).toEqual({ 'X-Title': 'Parley' })
    const another = await providers.add({ ...local, headers: { 'X-Mine': { secret: `provider/${id}` } } })
    await settled(another)
    expect(sent.at(-1)).toEqual({})
  })

  it('accept no header that the request itself sets, and none of two lines', async () => {
    const { providers, state } = await setUp()
    for (const headers of [{ Host: { text: 'x' } }, { 'X-A': { text: 'a\r\nHost: b' } }, { 'a b': { text: 'x' } }]) {
      await expect(providers.add({ ...local, headers })).rejects.toMatchObject({ code: 'invalid-params' })
    }
    expect(state.snapshot.providers).toHaveLength(1)
  })

  it('let a person set the window of a model: that wins, outlives a restart, and can be taken back', async () => {
    const { storage, model, providers, record, settled } = await setUp()
    model.models = [
      { id: 'told', name: 'Told', contextWindow: 8192 },
      { id: 'silent', name: 'Silent' },
    ]
    const id = await providers.add(local)
    await settled(id)
    const windows = () => Object.fromEntries(record(id)!.models.map((one) => [one.id, one.contextWindow]))
    expect(windows()).toEqual({ mine: undefined, told: 8192, silent: undefined })
    await providers.setWindow(id, 'told', 4096)
    await providers.setWindow(id, 'silent', 32_000)
    expect(windows()).toEqual({ mine: undefined, told: 4096, silent: 32_000 })
    expect(await providers.open({ provider: id, model: 'silent' })).toMatchObject({ window: 32_000 })
    await providers.refresh(id)
    await providers.change(id, { ...local, name: 'Renamed' })
    await settled(id)
    expect(record(id)?.models).toContainEqual({ id: 'told', name: 'Told', contextWindow: 4096, ownWindow: true })
    expect((await storage.records.all('provider')).get(id)).toMatchObject({ windows: { told: 4096, silent: 32_000 } })
    await providers.setWindow(id, 'told', null)
    expect(windows()).toMatchObject({ told: 8192 })
  })

  it('keep a window named in a refusal over a restart, and the person’s own figure wins over it', async () => {
    const { storage, model, providers, record, settled } = await setUp()
    model.models = [{ id: 'told', name: 'Told', contextWindow: 131_072 }]
    const id = await providers.add(local)
    await settled(id)
    const windowNow = () => record(id)?.models.find((one) => one.id === 'told')?.contextWindow
    await providers.learnWindow({ provider: id, model: 'told' }, 8192)
    expect(windowNow()).toBe(8192)
    expect((await storage.records.all('provider')).get(id)).toMatchObject({ learnedWindows: { told: 8192 } })
    await providers.refresh(id)
    await providers.change(id, { ...local, name: 'Renamed' })
    await settled(id)
    expect(windowNow()).toBe(8192)
    await providers.setWindow(id, 'told', 32_768)
    expect(windowNow()).toBe(32_768)
  })

  it('offer models that chat and those named by hand, judged by name where the list is silent', async () => {
    const { model, providers, record, settled } = await setUp()
    model.models = ['text-embedding-3-small', 'gpt-5', 'gpt-oss:20b', 'my-embedder'].map((id) => ({ id, name: id }))
    const id = await providers.add({ kind: 'openai', name: 'OpenAI', models: ['my-embedder'] }, 'sk')
    await settled(id)
    expect(record(id)?.models.map((one) => one.id)).toEqual(['my-embedder', 'gpt-5', 'gpt-oss:20b'])
    expect(record(id)?.models[1]).toMatchObject({
      vision: true,
      efforts: ['minimal', 'low', 'medium', 'high'],
      price: { input: 1.25, output: 10 },
    })
  })

  it('ask a model for an effort only where it accepts one, by its provider, else by its name', async () => {
    const { model, providers, settled } = await setUp()
    model.models = [
      { id: 'claude-told-9', name: 'Told', efforts: ['low', 'max'] },
      { id: 'claude-opus-5-5', name: 'None', efforts: [] },
    ]
    const id = await providers.add(anthropic, 'sk')
    const effort = (name: string, wanted: 'low' | 'high' | 'max') =>
      providers.traitsOf({ provider: id, model: name, effort: wanted }).effort
    await settled(id)
    expect([effort('claude-told-9', 'max'), effort('claude-told-9', 'high')]).toEqual(['max', undefined])
    expect(effort('claude-opus-5-5', 'low')).toBeUndefined()
    expect([effort('claude-sonnet-5-5', 'high'), effort('claude-haiku-4-5', 'high')]).toEqual(['high', undefined])
  })

  it('finish listing when a window is set meanwhile', async () => {
    const { model, providers, record, settled } = await setUp()
    const id = await providers.add(local)
    await settled(id)
    const held = Promise.withResolvers<void>()
    const list = model.listModels.bind(model)
    model.listModels = async () => {
      await held.promise
      return list()
    }
    const refreshed = providers.refresh(id)
    await providers.setWindow(id, 'mine', 5000)
    held.resolve()
    await refreshed
    expect(record(id)?.state).toBe('ready')
    expect(record(id)?.models[0]).toMatchObject({ id: 'mine', contextWindow: 5000 })
  })

  it('make the first model that is connected the default, unless the person chose another one meanwhile', async () => {
    const { providers, settings, settled } = await setUp()
    const first = await providers.add(local)
    await settled(first)
    expect(settings.current.defaultModel).toEqual({ provider: first, model: 'mine' })
    const second = await providers.add({ ...local, name: 'Other' })
    await settled(second)
    expect(settings.current.defaultModel.provider).toBe(first)
    await settings.change({ defaultModel: DEMO_MODEL })
    await providers.refresh(second)
    expect(settings.current.defaultModel).toEqual(DEMO_MODEL)
  })

  it('leave the Demo the default while no model was reached', async () => {
    const { model, providers, settings, settled } = await setUp()
    const list = model.listModels.bind(model)
    model.listModels = () => Promise.reject(new ModelError('unauthorized', 'Not this key.', { todo: 'Enter it again.' }))
    const id = await providers.add(local)
    await settled(id)
    expect(settings.current.defaultModel).toEqual(DEMO_MODEL)
    model.listModels = list
    await providers.setKey(id, 'right')
    await until(() => settings.current.defaultModel.provider === id, 'the default model')
  })

  it('pass the default model on when its provider is removed: to another provider, else to the Demo model', async () => {
    const { providers, settings, settled } = await setUp()
    const [first, second] = [await providers.add(local), await providers.add({ ...local, name: 'Other' })]
    await Promise.all([settled(first), settled(second)])
    const mine = { provider: first, model: 'mine' }
    await settings.change({ defaultModel: mine, titleModel: mine, samplingModel: mine })
    await providers.remove(first)
    expect(settings.current).toMatchObject({ titleModel: null, samplingModel: null })
    expect(settings.current.defaultModel).toEqual({ provider: second, model: 'mine' })
    await providers.remove(second)
    expect(settings.current.defaultModel).toEqual(DEMO_MODEL)
  })

  it('tell which models were entered by hand, so that a change keeps them', async () => {
    const { providers, record, settled } = await setUp()
    const id = await providers.add(local)
    await settled(id)
    expect(record(id)).toMatchObject({ ownModels: ['mine'], models: [{ id: 'mine' }, { id: 'scripted' }] })
    await providers.change(id, { ...local, name: 'Renamed', models: record(id)?.ownModels ?? [] })
    await settled(id)
    expect(record(id)).toMatchObject({ name: 'Renamed', ownModels: ['mine'], models: [{ id: 'mine' }, { id: 'scripted' }] })
  })

  it('keep a key in the secret store and nowhere that a window can see (SEC-18)', async () => {
    const { storage, state, providers, keys, settled } = await setUp()
    const id = await providers.add(anthropic, 'sk-secret')
    expect(await settled(id)).toMatchObject({ key: 'saved', state: 'ready', models: [{ id: 'scripted' }] })
    expect(keys).toEqual(['sk-secret'])
    expect(JSON.stringify(state.snapshot)).not.toContain('sk-secret')
    expect(JSON.stringify([...(await storage.records.all('provider'))])).not.toContain('sk-secret')
    await providers.setKey(id, null)
    await until(() => state.snapshot.providers.at(-1)?.problem, 'the problem')
    expect(await settled(id)).toMatchObject({ key: 'missing', problem: { code: 'no-key' } })
  })

  it('never send a key to another address than its own', async () => {
    const { storage, providers, settled } = await setUp()
    const id = await providers.add({ ...local, baseUrl: 'https://models.example/v1' }, 'sk-secret')
    await settled(id)
    await providers.change(id, { ...local, baseUrl: 'https://elsewhere.example/v1' })
    await settled(id)
    expect(await storage.secrets.get(`provider/${id}`)).toBeUndefined()
  })

  it('accept https addresses, and http only on this computer', async () => {
    const { providers } = await setUp()
    const add = (baseUrl: string) => providers.add({ ...local, baseUrl })
    for (const bad of ['http://models.example/v1', 'file:///etc/passwd', 'nonsense', 'http://127.0.0.1.evil.example/']) {
      await expect(add(bad)).rejects.toMatchObject({ code: 'invalid-params' })
    }
    for (const good of ['http://localhost:1/v1', 'http://models.localhost.:1', 'http://[::1]:1', 'https://models.example'])
      await add(good)
  })

  it('list the models that a person named next to the served ones, and show why none could be listed', async () => {
    const { model, providers, record, settled } = await setUp()
    const id = await providers.add(local)
    expect(await settled(id)).toMatchObject({ key: 'not-needed', models: [{ id: 'mine' }, { id: 'scripted' }] })
    model.listModels = async () => {
      throw new ModelError('unauthorized', 'The key is wrong.', { todo: 'Enter another.' })
    }
    await providers.refresh(id)
    expect(record(id)).toMatchObject({ problem: { code: 'unauthorized', todo: 'Enter another.' }, models: [{ id: 'mine' }, {}] })
  })

  it('give up when a provider does not answer about its models', async () => {
    const { clock, model, providers, record } = await setUp()
    model.listModels = () => new Promise(() => {})
    const id = await providers.add(local)
    await until(() => record(id)?.state === 'looking' && clock.pending === 1, 'the question')
    clock.advance(20_000)
    await until(() => record(id)?.state === 'idle', 'the end')
    expect(record(id)?.problem).toMatchObject({ code: 'unreachable' })
    expect(clock.pending).toBe(0)
  })

  it('can be given up while their models are listed, which leaves no problem', async () => {
    const { clock, model, providers, record, settled } = await setUp()
    const id = await providers.add(local)
    await settled(id)
    model.listModels = () => new Promise(() => {})
    const giveUp = new AbortController()
    const refreshed = providers.refresh(id, giveUp.signal)
    giveUp.abort()
    await refreshed
    expect(record(id)).toMatchObject({ state: 'idle', listed: 1 })
    expect(record(id)?.problem).toBeUndefined()
    expect(clock.pending).toBe(0)
  })

  it('send a test message to the default model if it is theirs, else to their first, and show when the first word came', async () => {
    const { clock, settings, model, providers, settled } = await setUp()
    const id = await providers.add(local)
    await settled(id)
    const { signal } = new AbortController()
    const words = Promise.withResolvers<void>()
    model.push([{ thinking: 'hm' }, { wait: words.promise }, 'Hello', '.'])
    const tried = providers.try(id, signal)
    await until(() => model.requests.length === 1, 'the request')
    clock.advance(800)
    words.resolve()
    expect(await tried).toEqual({ model: 'mine', answer: 'Hello.', firstWord: 800 })
    expect(model.request(0)).toMatchObject({ model: 'mine', tools: [], maxTokens: 500 })
    await settings.change({ defaultModel: { provider: id, model: 'scripted' } })
    expect(await providers.try(id, signal)).toMatchObject({ model: 'scripted', answer: 'Done.' })
    model.push([{ fail: new ModelError('rate-limited', 'Not now.', { todo: 'Wait.', said: 'slow down' }) }])
    expect(await providers.try(id, signal)).toMatchObject({ problem: { what: 'Not now.', said: 'slow down', todo: 'Wait.' } })
    expect(clock.pending).toBe(0)
  })

  it('end a test message that is unanswered for a minute, endless, or given up', async () => {
    const { clock, model, providers, settled } = await setUp()
    const id = await providers.add(local)
    await settled(id)
    const never = new Promise<void>(() => {})
    model.push([{ wait: never }], ['x'.repeat(5000), { wait: never }], [{ wait: never }])
    const giveUp = new AbortController()
    const late = providers.try(id, giveUp.signal)
    await until(() => model.requests.length === 1, 'the request')
    clock.advance(60_000)
    expect(await late).toMatchObject({ problem: { code: 'unreachable', what: 'mine did not finish within 60 seconds.' } })
    expect(await providers.try(id, giveUp.signal)).toMatchObject({ answer: expect.stringMatching(/^x{300,}/) })
    const stopped = providers.try(id, giveUp.signal)
    await until(() => model.requests.length === 3, 'the request')
    giveUp.abort(new Error('given up'))
    await expect(stopped).rejects.toThrow('given up')
    expect(clock.pending).toBe(0)
  })

  it('find a local Ollama and a local LM Studio', async () => {
    const asked: string[] = []
    const look = async (url: string) => {
      asked.push(url)
      if (url.includes('1234')) throw new Error('refused')
      return true
    }
    const { providers } = await setUp({ look })
    expect(await providers.findLocal()).toEqual([{ name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' }])
    expect(asked).toEqual(['http://127.0.0.1:11434/v1/models', 'http://127.0.0.1:1234/v1/models'])
  })
})
