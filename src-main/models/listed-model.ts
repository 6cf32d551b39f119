import { defined } from '../../src-shared/base/defined.ts'
import { isObject } from '../../src-shared/base/json.ts'
import { EFFORTS, type Effort, type ModelEntry } from '../../src-shared/contract/settings.ts'
import { listedWindow } from './served-windows.ts'

const MAX_NAME_LENGTH = 200
/** US dollars for a million tokens. */
const MAX_PRICE = 100_000

/**
 * Reads a row of `GET /models` in the OpenAI format, with the additions of OpenRouter, Mistral and Together. Undefined for a model
 * that cannot chat.
 */
export function listedModel(row: unknown): ModelEntry | undefined {
  if (!isObject(row) || typeof row.id !== 'string') return undefined
  const { id, name, architecture, capabilities, supported_parameters: parameters, pricing, type } = row
  const { input_modalities: takes, output_modalities: gives } = isObject(architecture) ? architecture : {}
  const can = isObject(capabilities) ? capabilities : {}
  if (Array.isArray(gives) && !gives.includes('text')) return undefined
  if (can.completion_chat === false || (typeof type === 'string' && NO_CHAT.test(type))) return undefined
  const vision = Array.isArray(takes) ? takes.includes('image') : can.vision
  const tools = Array.isArray(parameters) ? parameters.includes('tools') : can.function_calling
  const contextWindow = listedWindow(row)
  const price = listedPrice(pricing)
  return {
    id,
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, MAX_NAME_LENGTH) : id,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(typeof vision === 'boolean' && { vision }),
    ...(typeof tools === 'boolean' && { tools }),
    ...(price && { price }),
  }
}

const NO_CHAT = /^(?:embeddings?|image|audio|moderation|rerank|transcribe)$/

/** OpenRouter's format: dollars for one token, as text. */
function listedPrice(pricing: unknown): ModelEntry['price'] {
  if (!isObject(pricing)) return undefined
  const named = (one: unknown) => {
    const price = typeof one === 'string' && one !== '' ? Number(one) * 1_000_000 : Number.NaN
    return price >= 0 && price <= MAX_PRICE ? price : undefined
  }
  const [input, output] = [named(pricing.prompt), named(pricing.completion)]
  const [cacheRead, cacheWrite] = [named(pricing.input_cache_read), named(pricing.input_cache_write)]
  if (input === undefined || output === undefined) return undefined
  return { input, output, ...defined({ cacheRead, cacheWrite }) }
}

/** Capabilities of a model in Anthropic's list, as far as it names them. */
export function anthropicTraits(capabilities: unknown): Pick<ModelEntry, 'vision' | 'efforts'> & { readonly adaptive?: boolean } {
  if (!isObject(capabilities)) return {}
  const supported = (one: unknown) => isObject(one) && one.supported === true
  const { image_input: images, effort, thinking } = capabilities
  const types = isObject(thinking) && isObject(thinking.types) ? thinking.types : {}
  const efforts: readonly Effort[] = isObject(effort) && supported(effort) ? EFFORTS.filter((one) => supported(effort[one])) : []
  return {
    ...(isObject(images) && { vision: supported(images) }),
    ...(isObject(effort) && { efforts }),
    ...(isObject(types.adaptive) && { adaptive: supported(types.adaptive) }),
  }
}
