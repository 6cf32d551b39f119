import { matchesWords } from '../../src-shared/base/matches-words.ts'
import type { ModelEntry, ModelRef, ProviderRecord } from '../../src-shared/contract/settings.ts'

/** Identifies a model, without its effort; the id of a provider holds no tab. */
export function modelKey(model: ModelRef): string {
  return `${model.provider}\t${model.model}`
}

export function modelLabel(providers: readonly ProviderRecord[], model: ModelRef): string {
  return modelEntry(providers, model)?.name ?? model.model
}

export function modelEntry(providers: readonly ProviderRecord[], model: ModelRef | undefined): ModelEntry | undefined {
  const provider = providers.find(({ id }) => id === model?.provider)
  return provider?.models.find(({ id }) => id === model?.model)
}

/** The model, unless its provider is gone. */
export function ofKnownProvider(providers: readonly ProviderRecord[], model: ModelRef | undefined): ModelRef | undefined {
  return providers.some(({ id }) => id === model?.provider) ? model : undefined
}

/** True if the provider's key is missing on this computer. */
export function lacksKey(provider: ProviderRecord | undefined): boolean {
  return provider?.key === 'missing' || provider?.key === 'saved-elsewhere'
}

interface ModelOption {
  /** The key of the model, so that the record is an option of a select. */
  readonly value: string
  readonly label: string
  readonly model: ModelRef
  /** The entry in the record of its provider; made of the id when the provider no longer lists it. */
  readonly entry: ModelEntry
  readonly providerName: string
}

interface ModelGroup {
  readonly key: string
  readonly label: string
  readonly options: readonly ModelOption[]
}

/** Recent models come first in lists longer than this. */
const MANY = 8
const RECENT = 5

/**
 * The models that match the search, grouped by provider; in long lists recent ones come first. The chosen model stays, even when
 * its provider no longer lists it.
 */
export function modelGroups(
  providers: readonly ProviderRecord[],
  chosen: ModelRef | undefined,
  { recent = [], search = '' }: { readonly recent?: readonly ModelRef[]; readonly search?: string } = {},
): readonly ModelGroup[] {
  const listed = providers.map(
    ({ id, name, models }): ModelGroup => ({
      key: id,
      label: name,
      options: models.map((entry) => {
        const model = { provider: id, model: entry.id }
        return { value: modelKey(model), label: entry.name, model, entry, providerName: name }
      }),
    }),
  )
  const all = new Map(listed.flatMap(({ options }) => options.map((option) => [option.value, option])))
  const lastUsed = [...new Set(recent.map(modelKey))].flatMap((key) => all.get(key) ?? [])
  const first = all.size > MANY ? lastUsed.slice(0, RECENT) : []
  const gone = chosen && !all.has(modelKey(chosen)) ? [unlistedOption(chosen)] : []
  const found = ({ entry: { id, name }, providerName }: ModelOption) => matchesWords(`${id}\n${name}\n${providerName}`, search)
  return [
    { key: 'recent', label: 'Recent', options: first.filter(found) },
    ...listed.map((group) => ({ ...group, options: group.options.filter((one) => !first.includes(one) && found(one)) })),
    { key: 'gone', label: 'Not available now', options: gone.filter(found) },
  ].filter(({ options }) => options.length > 0)
}

/** The option's model, with the present effort if that model takes it. */
export function withEffort({ model, entry }: ModelOption, { effort }: ModelRef): ModelRef {
  const { provider, model: id } = model
  return { provider, model: id, ...(effort && entry.efforts?.includes(effort) && { effort }) }
}

function unlistedOption(model: ModelRef): ModelOption {
  const { model: id } = model
  return { value: modelKey(model), label: id, model, entry: { id, name: id }, providerName: '' }
}
