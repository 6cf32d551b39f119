import type { Effort, ModelPrice, ProviderKind } from '../../../src-shared/contract/settings.ts'
import type { ImageLimits } from '../../images/image-limits.ts'

/** Rank of a model among those of its maker. */
export type Tier = 'small' | 'middle' | 'large'

interface ModelFamily {
  /** Matches a model's id or a hint. */
  readonly pattern: RegExp
  readonly tier: Tier
  /** At the time of this build. */
  readonly price?: ModelPrice
  readonly kind?: ProviderKind
}

/** Anthropic charges a tenth for reading from the cache, and a quarter more for writing to it. */
const claude = (input: number, output: number): ModelPrice => ({ input, output, cacheRead: input / 10, cacheWrite: input * 1.25 })
const gpt = (input: number, output: number, cacheRead = input): ModelPrice => ({ input, output, cacheRead })

/** Most specific first. */
const FAMILIES: readonly ModelFamily[] = [
  { pattern: /claude.*haiku|haiku/, tier: 'small', price: claude(1, 5), kind: 'anthropic' },
  { pattern: /claude.*sonnet|sonnet/, tier: 'middle', price: claude(3, 15), kind: 'anthropic' },
  { pattern: /opus-4-(0|1|2025)|3-opus/, tier: 'large', price: claude(15, 75), kind: 'anthropic' },
  { pattern: /claude.*opus|opus/, tier: 'large', price: claude(5, 25), kind: 'anthropic' },
  { pattern: /gpt-5.*nano/, tier: 'small', price: gpt(0.05, 0.4, 0.005), kind: 'openai' },
  { pattern: /gpt-5.*mini/, tier: 'small', price: gpt(0.25, 2, 0.025), kind: 'openai' },
  { pattern: /gpt-5.*pro/, tier: 'large', price: gpt(15, 120), kind: 'openai' },
  { pattern: /gpt-5/, tier: 'middle', price: gpt(1.25, 10, 0.125), kind: 'openai' },
  { pattern: /gpt-4\.1-nano/, tier: 'small', price: gpt(0.1, 0.4, 0.025), kind: 'openai' },
  { pattern: /gpt-4\.1-mini/, tier: 'small', price: gpt(0.4, 1.6, 0.1), kind: 'openai' },
  { pattern: /gpt-4\.1/, tier: 'middle', price: gpt(2, 8, 0.5), kind: 'openai' },
  { pattern: /gpt-4o-mini/, tier: 'small', price: gpt(0.15, 0.6, 0.075), kind: 'openai' },
  { pattern: /gpt-4o/, tier: 'middle', price: gpt(2.5, 10, 1.25), kind: 'openai' },
  { pattern: /\bo\d-mini/, tier: 'small', price: gpt(1.1, 4.4, 0.55), kind: 'openai' },
  { pattern: /\bo\d/, tier: 'large', kind: 'openai' },
  { pattern: /gemini.*flash|flash/, tier: 'small' },
  { pattern: /gemini/, tier: 'large' },
  { pattern: /mini|small|lite|nano|tiny|[^\d.](?:[1-9]|1[0-4])b\b/, tier: 'small' },
  { pattern: /large|\bpro\b|[^\d.](?:[5-9]\d|\d{3})b\b/, tier: 'large' },
  { pattern: /medium|llama|mistral|qwen|deepseek|gpt|claude/, tier: 'middle' },
]

export function familyOf(name: string): ModelFamily | undefined {
  const lower = name.slice(0, 200).toLowerCase()
  return FAMILIES.find(({ pattern }) => pattern.test(lower))
}

/** A rough price; undefined for local models and unknown makers. */
export function priceOf(kind: ProviderKind, id: string): ModelPrice | undefined {
  if (kind === 'demo') return { input: 0, output: 0 }
  const family = familyOf(id)
  return family?.kind === kind ? family.price : undefined
}

/** 5 MiB of base64. */
const FIVE_MIB_ENCODED = (5 * 1024 * 1024 * 3) / 4

/**
 * Anthropic refuses more than 5 MB of base64, and more than 8000 pixels a side or 2000 in requests with more than twenty images. It
 * reduces images to 1568 pixels, so larger ones only take longer to send.
 */
const ANTHROPIC: ImageLimits = {
  edge: 1568,
  bytes: FIVE_MIB_ENCODED,
  types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
}
/** OpenAI fits images into 2048 × 2048 and refuses animated GIFs. */
const OPENAI: ImageLimits = { edge: 2048, bytes: FIVE_MIB_ENCODED, types: ['image/png', 'image/jpeg', 'image/webp'] }
/** Local model servers have small windows, and many know only these two types. */
const MODEST: ImageLimits = { edge: 1568, bytes: FIVE_MIB_ENCODED, types: ['image/png', 'image/jpeg'] }

/** Limits on images by provider, or by family if the provider serves models of others. */
export function imageLimits(kind: ProviderKind, id: string): ImageLimits {
  const maker = kind === 'openai-compatible' ? familyOf(id)?.kind : kind
  return maker === 'anthropic' ? ANTHROPIC : maker === 'openai' ? OPENAI : MODEST
}

/** Efforts by API and family, the most specific first. */
const EFFORTS_OF: readonly { readonly kind: ProviderKind; readonly pattern: RegExp; readonly efforts: readonly Effort[] }[] = [
  {
    kind: 'anthropic',
    pattern: /^claude-(?:opus-4-[5-9]|sonnet-4-[6-9]|[a-z]+-[5-9])(?!\d)/,
    efforts: ['low', 'medium', 'high'],
  },
  // These always use their full effort.
  { kind: 'openai', pattern: /^gpt-5[\d.]*-(?:chat|pro)/, efforts: [] },
  { kind: 'openai', pattern: /^gpt-5[\d.]*-codex/, efforts: ['low', 'medium', 'high'] },
  { kind: 'openai', pattern: /^gpt-5\.1/, efforts: ['none', 'low', 'medium', 'high'] },
  { kind: 'openai', pattern: /^gpt-5\.\d/, efforts: ['none', 'low', 'medium', 'high', 'xhigh'] },
  { kind: 'openai', pattern: /^gpt-5/, efforts: ['minimal', 'low', 'medium', 'high'] },
  { kind: 'openai', pattern: /^(?:o1|o3|o3-mini|o4-mini)(?:-\d{4}|$)/, efforts: ['low', 'medium', 'high'] },
  // Its reasoning need not be sent back with its calls.
  { kind: 'openai-compatible', pattern: /(?:^|\/)gpt-oss(?!-safeguard)/, efforts: ['low', 'medium', 'high'] },
]

/** Efforts by a model's name, for providers that do not list them. */
export function effortsOf(kind: ProviderKind, id: string): readonly Effort[] {
  const name = id.slice(0, 200).toLowerCase()
  return EFFORTS_OF.find((one) => one.kind === kind && one.pattern.test(name))?.efforts ?? []
}

/** Names of models that see, for providers that do not say so. */
const SEEING =
  /claude-(?:3|opus|sonnet|haiku)|gpt-(?:4o|4\.1|5)|gpt-4-turbo|\bo(?:[13](?!-mini)|4)|gemini|gemma-?[34]|llava|vision|[-.\d]vl\b|pixtral|llama-?4|mistral-small-?3\.[12]|mistral-medium-3|minicpm-v|internvl|grok-4|glm-[\d.]+v/

/** True if a model can see images, by its provider's list or else by its name. */
export function canSee(entry: { readonly vision?: boolean } | undefined, id: string): boolean {
  return entry?.vision ?? SEEING.test(id.slice(0, 200).toLowerCase())
}

/** True if a model takes PDF files: those that see do, if the API can send them. */
export function takesDocuments(kind: ProviderKind, entry: { readonly vision?: boolean } | undefined, id: string): boolean {
  return kind === 'anthropic' ? canSee(entry, id) : kind === 'openai' && canSee(undefined, id)
}
