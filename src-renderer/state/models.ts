import type { ModelEntry, ModelRef, ProviderRecord } from '../../src-shared/contract/settings.ts'

/** A model as one string for a native select; the provider's id holds no tab. */
export function modelKey(model: ModelRef): string {
  return `${model.provider}\t${model.model}`
}

export function modelName(providers: readonly ProviderRecord[], model: ModelRef): string {
  return modelEntry(providers, model)?.name ?? model.model
}

/** The model as its provider's record lists it. */
export function modelEntry(providers: readonly ProviderRecord[], model: ModelRef | undefined): ModelEntry | undefined {
  const provider = providers.find(({ id }) => id === model?.provider)
  return provider?.models.find(({ id }) => id === model?.model)
}

/** Its models need a key that is not here. */
export function lacksKey(provider: ProviderRecord | undefined): boolean {
  return provider?.key === 'missing' || provider?.key === 'saved-elsewhere'
}

/** Every model under its provider's name; the chosen one, if one is, is kept even when its provider no longer lists it. */
export function modelGroups(providers: readonly ProviderRecord[], chosen: ModelRef | undefined) {
  const groups = providers.map((provider) => ({
    label: provider.name,
    options: provider.models.map((model) => ({
      value: modelKey({ provider: provider.id, model: model.id }),
      label: model.name,
      model: { provider: provider.id, model: model.id },
    })),
  }))
  const known = chosen === undefined || groups.some((group) => group.options.some((option) => option.value === modelKey(chosen)))
  if (known) return groups.filter((group) => group.options.length > 0)
  const missing = { label: 'Not available now', options: [{ value: modelKey(chosen), label: chosen.model, model: chosen }] }
  return [...groups, missing].filter((group) => group.options.length > 0)
}
