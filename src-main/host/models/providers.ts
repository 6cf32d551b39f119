import { randomUUID } from 'node:crypto'
import { timeLimit } from '../../../src-shared/base/clock.ts'
import { Emitter } from '../../../src-shared/base/emitter.ts'
import { InTurn } from '../../../src-shared/base/in-turn.ts'
import { orAborted } from '../../../src-shared/base/or-aborted.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ProviderId } from '../../../src-shared/contract/ids.ts'
import {
  DEMO_PROVIDER_ID,
  type Effort,
  type KeyState,
  type ModelEntry,
  type ModelPrice,
  type ModelRef,
  type ModelTrial,
  type ProviderConfig,
  type ProviderKind,
  type ProviderRecord,
} from '../../../src-shared/contract/settings.ts'
import { createDemoProvider } from '../../models/demo-provider.ts'
import { ModelError, type ModelProvider } from '../../models/model-provider.ts'
import { StorageError, type StoredProvider } from '../../storage/base/storage.ts'
import type { HostCore } from '../core/host-core.ts'
import { KeptRecords } from '../core/kept-records.ts'
import { canSee, effortsOf, imageLimits, takesDocuments } from './model-families.ts'
import type { FitImage } from './model-images.ts'
import { modelProblem } from './model-stream.ts'
import { tryModel } from './model-trial.ts'
import { forgetHeaders, readHeaders, storeHeaders } from './provider-headers.ts'
import {
  DEMO_RECORD,
  firstModel,
  LOCAL_KINDS,
  modelsOf,
  toStored,
  withLearnedWindow,
  withVersion,
  withWindow,
} from './provider-records.ts'
import { windowOf } from './token-estimate.ts'

export type ProviderFactory = (
  record: StoredProvider,
  key: string | undefined,
  headers: Readonly<Record<string, string>>,
) => ModelProvider

/** Requests a URL on this computer; true if a model server answers there. */
export type LookLocal = (url: string, signal: AbortSignal) => Promise<boolean>

const LIST_TIMEOUT = 20_000
/** Errors of a service for a path that it does not have. */
const NOT_THERE: ReadonlySet<ModelError['code']> = new Set(['unknown-model', 'bad-request', 'broken-stream', 'server-error'])

interface ProvidersParts extends Pick<HostCore, 'storage' | 'settings' | 'images' | 'state' | 'clock' | 'lifetime'> {
  /** Without it only the Demo model is there. */
  readonly factory?: ProviderFactory | undefined
  readonly look: LookLocal
}

export interface ModelTraits {
  readonly kind: ProviderKind
  readonly vision: boolean
  /** True if it takes PDF files. */
  readonly documents: boolean
  /** In tokens; undefined when unknown. */
  readonly window: number | undefined
  /** The wanted effort, if the model takes it. */
  readonly effort: Effort | undefined
}

export interface OpenModel extends ModelTraits {
  readonly provider: ModelProvider
  /** Present whether or not the model is known to see. */
  readonly fitImage: FitImage
}

/** Model providers: configured here, keys in the secret store, models listed on request. */
export class Providers {
  readonly onRemoved = new Emitter<ProviderId>()
  readonly #parts: ProvidersParts
  readonly #stored: KeptRecords<'provider'>
  readonly #adapters = new Map<string, ModelProvider>()
  /** Added since the start, and not reached yet. */
  readonly #added = new Set<ProviderId>()
  /** The last list of models of each provider. */
  readonly #listed = new Map<string, readonly ModelEntry[]>()
  readonly #changes = new InTurn()

  constructor(parts: ProvidersParts) {
    this.#parts = parts
    this.#stored = new KeptRecords(parts.storage.records, 'provider')
    this.#adapters.set(DEMO_PROVIDER_ID, createDemoProvider({ clock: parts.clock }))
  }

  /** Puts the records into the snapshot; `refreshAll` lists their models later. */
  async load(): Promise<void> {
    await this.#stored.load()
    const records = await Promise.all(this.#stored.values().map((stored) => this.#record(stored)))
    this.#emit([DEMO_RECORD, ...records])
  }

  /** Traits by the provider's record, or by the model's name if the record lacks them or is gone. */
  traitsOf({ provider, model, effort }: ModelRef): ModelTraits {
    const record = this.#shown(provider)
    const entry = record?.models.find(({ id }) => id === model)
    const kind = record?.kind ?? 'openai-compatible'
    const efforts = entry ? (entry.efforts ?? []) : effortsOf(kind, model)
    return {
      kind,
      vision: canSee(entry, model),
      documents: takesDocuments(kind, entry, model),
      window: windowOf(entry, model),
      effort: effort && efforts.includes(effort) ? effort : undefined,
    }
  }

  priceOf({ provider, model }: ModelRef): ModelPrice | undefined {
    return this.#shown(provider)?.models.find(({ id }) => id === model)?.price
  }

  /** Throws ModelError when the provider was removed or has no key. */
  async open(model: ModelRef): Promise<OpenModel> {
    if (!this.#shown(model.provider)) {
      throw new ModelError('unknown-model', 'The provider of this model was removed.', { todo: 'Choose another model.' })
    }
    const provider = await this.#adapter(model.provider)
    const traits = this.traitsOf(model)
    const limits = imageLimits(traits.kind, model.model)
    return { ...traits, provider, fitImage: (image) => this.#parts.images.fit(image, limits) }
  }

  async add(config: ProviderConfig, key?: string): Promise<ProviderId> {
    const id = randomUUID() as ProviderId
    const plain = toStored(id, config)
    const headers = await storeHeaders(id, config.headers ?? {}, {}, this.#secrets)
    const stored = { ...plain, headers }
    if (key) await this.#secrets.set(secretId(id), key)
    await this.#stored.put(id, stored)
    this.#show(await this.#record(stored))
    this.#added.add(id)
    this.#refreshSoon(id)
    return id
  }

  change(id: ProviderId, config: ProviderConfig): Promise<void> {
    return this.#changes.run(async () => {
      const before = this.#existing(id)
      const plain = toStored(id, config, before)
      const moved = before.baseUrl !== plain.baseUrl || before.kind !== plain.kind
      const earlier = before.headers ?? {}
      const headers = await storeHeaders(id, config.headers ?? {}, moved ? {} : earlier, this.#secrets)
      const stored = { ...plain, headers }
      // A key is never sent to another address than the one it was entered for.
      if (moved) await this.#secrets.remove(secretId(id))
      await this.#stored.put(id, stored)
      await forgetHeaders(earlier, headers, this.#secrets)
      this.#adapters.delete(id)
      this.#show(await this.#record(stored))
      this.#refreshSoon(id)
    })
  }

  /** Also resets the settings that use its models: another default model, titles from the first words, sampling as in the chat. */
  remove(id: ProviderId): Promise<void> {
    return this.#changes.run(async () => {
      const { headers = {} } = this.#existing(id)
      await this.#stored.remove(id)
      await this.#secrets.remove(secretId(id))
      await forgetHeaders(headers, {}, this.#secrets)
      this.#adapters.delete(id)
      this.#listed.delete(id)
      this.#emit(this.#all().filter((record) => record.id !== id))
      const { settings } = this.#parts
      if (settings.current.defaultModel.provider === id) await settings.change({ defaultModel: firstModel(this.#all()) })
      if (settings.current.titleModel?.provider === id) await settings.change({ titleModel: null })
      if (settings.current.samplingModel?.provider === id) await settings.change({ samplingModel: null })
      this.onRemoved.fire(id)
    })
  }

  setKey(id: ProviderId, key: string | null): Promise<void> {
    return this.#changes.run(async () => {
      const stored = this.#existing(id)
      await (key ? this.#secrets.set(secretId(id), key) : this.#secrets.remove(secretId(id)))
      this.#adapters.delete(id)
      this.#show(await this.#record(stored))
      this.#refreshSoon(id)
    })
  }

  /** Lists its models. The record shows the result or the problem, and neither when aborted. */
  async refresh(id: ProviderId, giveUp?: AbortSignal): Promise<void> {
    if (id === DEMO_PROVIDER_ID) return
    const stored = this.#existing(id)
    const shown = this.#shown(id)
    if (shown) this.#show({ ...withoutProblem(shown), state: 'looking' })
    const { clock, lifetime } = this.#parts
    using limit = timeLimit(clock, LIST_TIMEOUT, noAnswer, lifetime.signal, ...(giveUp ? [giveUp] : []))
    const { signal } = limit
    try {
      const listed = await orAborted(this.#list(stored, signal), signal)
      if (this.#isSame(stored)) this.#listed.set(id, listed)
      await this.#beginWith(id, stored)
      await this.#showIfSame(stored, { state: 'ready' })
    } catch (error) {
      if (lifetime.signal.aborted) return
      if (giveUp?.aborted) return await this.#showIfSame(stored, { state: 'idle' })
      await this.#showIfSame(stored, { state: 'idle', problem: modelProblem(error, clock.now()) })
    }
  }

  /** Makes the first model that the person connects the default. Later they may prefer the Demo. */
  async #beginWith(id: ProviderId, stored: StoredProvider): Promise<void> {
    if (!this.#added.delete(id) || !this.#isSame(stored)) return
    const { settings } = this.#parts
    const [first] = (await this.#record(stored)).models
    if (!first || settings.current.defaultModel.provider !== DEMO_PROVIDER_ID) return
    await settings.change({ defaultModel: { provider: id, model: first.id } })
  }

  /** Tries the default model if it is this provider's, else the provider's first. */
  try(id: ProviderId, signal: AbortSignal): Promise<ModelTrial> {
    const { name } = this.#existing(id)
    const { clock, lifetime, settings } = this.#parts
    const own = settings.current.defaultModel
    const model = own.provider === id ? own.model : this.#shown(id)?.models[0]?.id
    if (model === undefined) {
      const todo = 'Test the connection, or add a model with Edit, under More models.'
      throw new HostError('not-found', `${name} offers no model. ${todo}`)
    }
    const open = () => this.#adapter(id)
    return tryModel(model, { open, clock, signal: AbortSignal.any([signal, lifetime.signal]) })
  }

  /** Sets the person's value; null returns to the provider's. */
  setWindow(id: ProviderId, model: string, tokens: number | null): Promise<void> {
    return this.#changes.run(() => this.#keepWindow(id, (stored) => withWindow(stored, model, tokens)))
  }

  /** Keeps the window that a provider named in a refusal; the person's own value still wins. */
  learnWindow({ provider, model }: ModelRef, tokens: number): Promise<void> {
    return this.#changes.run(() => this.#keepWindow(provider, (stored) => withLearnedWindow(stored, model, tokens)))
  }

  async #keepWindow(id: ProviderId, change: (stored: StoredProvider) => StoredProvider): Promise<void> {
    const stored = change(this.#existing(id))
    await this.#stored.put(id, stored)
    const record = await this.#record(stored)
    const problem = this.#shown(id)?.problem
    this.#show(problem ? { ...record, problem } : record)
  }

  /** Lists the models of every provider that has its key. */
  async refreshAll(): Promise<void> {
    const able = this.#all().filter((record) => record.kind !== 'demo' && (record.key === 'saved' || record.key === 'not-needed'))
    await Promise.allSettled(able.map((record) => this.refresh(record.id)))
  }

  /** The local model servers that answer now. */
  async findLocal(): Promise<readonly { name: string; baseUrl: string }[]> {
    const { look, lifetime } = this.#parts
    const answers = await Promise.all(
      // A failure means that nothing answers there.
      LOCAL_KINDS.map(({ baseUrl }) => look(`${baseUrl}/models`, lifetime.signal).catch(() => false)),
    )
    return LOCAL_KINDS.filter((_, at) => answers[at])
  }

  #refreshSoon(id: ProviderId): void {
    this.refresh(id).catch(() => {}) // The record shows the problem.
  }

  async #adapter(id: ProviderId): Promise<ModelProvider> {
    const known = this.#adapters.get(id)
    if (known) return known
    const adapter = await this.#createAdapter(this.#existing(id))
    this.#adapters.set(id, adapter)
    return adapter
  }

  async #createAdapter(stored: StoredProvider): Promise<ModelProvider> {
    const { factory } = this.#parts
    if (!factory) throw new ModelError('unreachable', 'This build has no adapter for it.', { todo: 'Choose the Demo model.' })
    const unreadable = (what: string) => (error: unknown) => {
      if (!(error instanceof StorageError)) throw error
      throw new ModelError('no-key', `${what} of ${stored.name} could not be read.`, {
        said: error.message,
        todo: 'Enter it here too.',
        cause: error,
      })
    }
    const key = await this.#secrets.get(secretId(stored.id)).catch(unreadable('The key'))
    const headers = await readHeaders(stored.headers ?? {}, this.#secrets).catch(unreadable('A header'))
    if (!key && stored.kind !== 'openai-compatible') {
      throw new ModelError('no-key', `${stored.name} needs a key.`, { todo: 'Enter the key.' })
    }
    return factory(stored, key, headers)
  }

  /** Lists models at the address, or below its `/v1`, which then becomes the address. That is the same host, so the key stays. */
  async #list(stored: StoredProvider, signal: AbortSignal): Promise<readonly ModelEntry[]> {
    const found = await (await this.#adapter(stored.id as ProviderId)).listModels(signal).catch((error: unknown) => {
      if (error instanceof ModelError && NOT_THERE.has(error.code)) return error
      throw error
    })
    const versioned = found instanceof ModelError || found.length === 0 ? withVersion(stored) : undefined
    const adapter = versioned && (await this.#createAdapter(versioned))
    const listed = await adapter?.listModels(signal).catch(() => undefined) // The first failure is thrown below.
    if (versioned && listed && listed.length > 0) {
      await this.#changes.run(() => this.#changeAddress(stored, versioned.baseUrl))
      return listed
    }
    if (found instanceof ModelError) throw found
    return found
  }

  async #changeAddress(stored: StoredProvider, baseUrl: string): Promise<void> {
    const now = this.#stored.get(stored.id)
    if (!now || !this.#isSame(stored)) return
    await this.#stored.put(stored.id, { ...now, baseUrl })
    this.#adapters.delete(stored.id as ProviderId)
  }

  async #record(stored: StoredProvider): Promise<ProviderRecord> {
    const id = stored.id as ProviderId
    const before = this.#shown(id)
    const listed = this.#listed.get(id)
    return {
      id,
      kind: stored.kind,
      name: stored.name,
      ...(stored.baseUrl !== undefined && { baseUrl: stored.baseUrl }),
      key: await this.#keyState(stored),
      models: modelsOf(stored, listed ?? []),
      ...(stored.headers && { headers: stored.headers }),
      ownModels: stored.models,
      ...(listed && { listed: listed.length }),
      state: before?.state ?? 'idle',
    }
  }

  async #keyState(stored: StoredProvider): Promise<KeyState> {
    const state = await this.#secrets.state(secretId(stored.id))
    return state === 'missing' && stored.kind === 'openai-compatible' ? 'not-needed' : state
  }

  /** Shows the result of listing, unless the provider was changed or removed meanwhile. */
  async #showIfSame(stored: StoredProvider, found: Partial<ProviderRecord>): Promise<void> {
    const record = await this.#record(this.#stored.get(stored.id) ?? stored)
    if (this.#isSame(stored)) this.#show({ ...record, ...found })
  }

  /** False once the provider was changed or removed: every change but that of a window replaces the array of models. */
  #isSame({ id, models }: StoredProvider): boolean {
    return this.#stored.get(id)?.models === models
  }

  get #secrets() {
    return this.#parts.storage.secrets
  }

  #existing(id: ProviderId): StoredProvider {
    const stored = this.#stored.get(id)
    if (!stored) throw new HostError('not-found', 'This provider no longer exists.')
    return stored
  }

  #all(): readonly ProviderRecord[] {
    return this.#parts.state.snapshot.providers
  }

  #shown(id: ProviderId): ProviderRecord | undefined {
    return this.#all().find((record) => record.id === id)
  }

  #show(record: ProviderRecord): void {
    const known = this.#all().some((one) => one.id === record.id)
    this.#emit(known ? this.#all().map((one) => (one.id === record.id ? record : one)) : [...this.#all(), record])
  }

  #emit(providers: readonly ProviderRecord[]): void {
    this.#parts.state.emit({ type: 'providers.changed', providers })
  }
}

function withoutProblem({ problem: _problem, ...record }: ProviderRecord): ProviderRecord {
  return record
}

const secretId = (id: string) => `provider/${id}`

function noAnswer(): ModelError {
  return new ModelError('unreachable', 'The provider did not answer.', { todo: 'Check the address and your connection.' })
}
