import { defined } from '../../../src-shared/base/defined.ts'
import type { SamplingModel } from '../../../src-shared/contract/sampling.ts'
import type { ModelEntry, ModelPrice, ModelRef, ProviderRecord } from '../../../src-shared/contract/settings.ts'
import type { SamplingMessage } from '../../../src-shared/mcp/client-requests.ts'
import { cut } from '../core/content-views.ts'
import type { Candidate } from '../models/model-choice.ts'
import { blocksOf } from './sampling-blocks.ts'
import { needsOf } from './sampling-request.ts'

const SHOWN_MODELS = 24

interface Usable extends Candidate {
  readonly price?: ModelPrice
}

/** Every model whose provider has its key, with the reason why it cannot take these messages. */
export function usableModels(providers: readonly ProviderRecord[], messages: readonly SamplingMessage[]): readonly Usable[] {
  return providers.flatMap((provider) => {
    if (provider.key === 'missing' || provider.key === 'saved-elsewhere') return []
    return provider.models.map((entry): Usable => {
      const unsuitable = unsuitableFor(entry, messages)
      const { price } = entry
      return {
        model: { provider: provider.id, model: entry.id },
        name: provider.kind === 'demo' ? entry.name : `${cut(entry.name, 80)} (${cut(provider.name, 60)})`,
        demo: provider.kind === 'demo',
        ...defined({ unsuitable, price }),
      }
    })
  })
}

/** The reason why a model cannot take these messages, for the person (SAMP-34). */
export function unsuitableFor(
  entry: Pick<ModelEntry, 'vision'> | undefined,
  messages: readonly SamplingMessage[],
): string | undefined {
  const needs = needsOf(messages)
  if (needs.audio) return 'It cannot hear audio.'
  if (messages.some(({ role, content }) => role === 'assistant' && blocksOf(content).some(({ type }) => type === 'image'))) {
    return 'It cannot take an image in a message of the assistant.'
  }
  return needs.images && entry?.vision === false ? 'It cannot see images.' : undefined
}

/** The models that a question lists, the chosen one first. */
export function shownModels(models: readonly Usable[], chosen: ModelRef): readonly SamplingModel[] {
  const isChosen = ({ model }: Usable) => model.provider === chosen.provider && model.model === chosen.model
  return [...models.filter(isChosen), ...models.filter((one) => !isChosen(one))]
    .slice(0, SHOWN_MODELS)
    .map(({ model, name, unsuitable, price }) => ({
      model,
      name,
      ...defined({ unsuitable, price }),
    }))
}
