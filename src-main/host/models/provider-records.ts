import { defined } from '../../../src-shared/base/defined.ts'
import { isConfidential } from '../../../src-shared/base/hosts.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { HostSnapshot } from '../../../src-shared/contract/events.ts'
import type { ProviderId } from '../../../src-shared/contract/ids.ts'
import {
  DEMO_MODEL,
  DEMO_PROVIDER_ID,
  MODEL_LIMIT,
  type ModelEntry,
  type ModelRef,
  type ProviderConfig,
  type ProviderKind,
  type ProviderRecord,
} from '../../../src-shared/contract/settings.ts'
import type { StoredProvider } from '../../storage/base/storage.ts'
import { canChat } from './chat-models.ts'
import { canSee, effortsOf, priceOf, takesDocuments } from './model-families.ts'
import { checkHeaders } from './provider-headers.ts'
import { windowOf } from './token-estimate.ts'

/** Usual addresses of local model servers. */
export const LOCAL_KINDS = [
  { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
] as const

export const DEMO_RECORD: ProviderRecord = {
  id: DEMO_PROVIDER_ID,
  kind: 'demo',
  name: 'Demo (not an AI)',
  key: 'not-needed',
  models: [{ id: 'demo', name: 'Demo (not an AI)', contextWindow: 128_000, vision: false }],
  state: 'ready',
}

/** The stored record of a provider, with its windows and without its headers. Throws HostError `invalid-params`. */
export function toStored(
  id: ProviderId,
  { kind, name, baseUrl, models, headers }: ProviderConfig,
  { windows, learnedWindows }: Pick<StoredProvider, 'windows' | 'learnedWindows'> = {},
): StoredProvider {
  checkHeaders(headers ?? {})
  if (!name.trim()) throw new HostError('invalid-params', 'A provider needs a name.')
  if (kind === 'openai-compatible' && !baseUrl) throw new HostError('invalid-params', 'Enter its address.')
  // Keys and conversations are sent there.
  if (baseUrl !== undefined && !isConfidential(URL.parse(baseUrl))) {
    throw new HostError('invalid-params', 'The address must be https, or http on this computer.')
  }
  return {
    id,
    kind,
    name: name.trim(),
    models: (models ?? []).slice(0, MODEL_LIMIT),
    ...defined({ baseUrl, windows, learnedWindows }),
  }
}

/**
 * The record with `/v1` after its address, with which most addresses of OpenAI-like APIs end; undefined if it has a version already.
 * Anthropic's SDK adds it itself.
 */
export function withVersion(stored: StoredProvider): (StoredProvider & { readonly baseUrl: string }) | undefined {
  const url = stored.kind === 'anthropic' ? null : URL.parse(stored.baseUrl ?? '')
  if (!url || url.pathname.split('/').some((part) => /^v\d/.test(part))) return undefined
  return { ...stored, baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, '')}/v1` }
}

/**
 * The models that the person added, then the provider's chat models. Windows are the person's, else the provider's, else the family's.
 */
export function modelsOf(
  { kind, models: named, windows = {}, learnedWindows = {} }: StoredProvider,
  listed: readonly ModelEntry[],
): readonly ModelEntry[] {
  const own = named.map((id) => listed.find((entry) => entry.id === id) ?? { id, name: id })
  const all = [...own, ...listed.filter(({ id }) => !named.includes(id) && canChat(id))].slice(0, MODEL_LIMIT)
  return all.map((listedEntry): ModelEntry => {
    const entry = withTraits(listedEntry, kind)
    const set = Object.hasOwn(windows, entry.id) ? windows[entry.id] : undefined
    if (set !== undefined) return { ...entry, contextWindow: set, ownWindow: true }
    const learned = Object.hasOwn(learnedWindows, entry.id) ? learnedWindows[entry.id] : undefined
    const contextWindow = learned ?? windowOf(entry, entry.id)
    return contextWindow === undefined ? entry : { ...entry, contextWindow }
  })
}

/** Adds the traits that the provider does not list, by the model's name. */
function withTraits(entry: ModelEntry, kind: StoredProvider['kind']): ModelEntry {
  const efforts = entry.efforts ?? effortsOf(kind, entry.id)
  const price = entry.price ?? priceOf(kind, entry.id)
  const { efforts: _efforts, ...rest } = entry
  const sees = canSee(entry, entry.id)
  const documents = takesDocuments(kind, entry, entry.id)
  return {
    ...rest,
    ...(sees && { vision: true }),
    ...(documents && { documents }),
    ...(efforts.length > 0 && { efforts }),
    ...(price && { price }),
  }
}

/** Sets the window of a model, or with null removes it. Throws HostError `invalid-params`. */
export function withWindow(stored: StoredProvider, model: string, tokens: number | null): StoredProvider {
  const { windows: before = {}, ...rest } = stored
  const windows = Object.entries(before).filter(([id]) => id !== model)
  if (tokens !== null) {
    if (windows.length >= MODEL_LIMIT)
      throw new HostError('invalid-params', 'Too many context windows are set for this provider.')
    windows.push([model, tokens])
  }
  return windows.length > 0 ? { ...rest, windows: Object.fromEntries(windows) } : rest
}

/** Adds the window that the provider named in a refusal, and drops the oldest when there are too many. */
export function withLearnedWindow(stored: StoredProvider, model: string, tokens: number): StoredProvider {
  const others = Object.entries(stored.learnedWindows ?? {}).filter(([id]) => id !== model)
  return { ...stored, learnedWindows: Object.fromEntries([...others.slice(1 - MODEL_LIMIT), [model, tokens]]) }
}

/** The kind of the default model's provider. */
export function defaultKindOf({ providers, settings }: Pick<HostSnapshot, 'providers' | 'settings'>): ProviderKind {
  return providers.find(({ id }) => id === settings.defaultModel.provider)?.kind ?? 'openai-compatible'
}

/** The first model of a real provider, else the Demo model. */
export function firstModel(records: readonly ProviderRecord[]): ModelRef {
  const provider = records.find(({ kind, models }) => kind !== 'demo' && models.length > 0)
  const model = provider?.models[0]
  return provider && model ? { provider: provider.id, model: model.id } : DEMO_MODEL
}
