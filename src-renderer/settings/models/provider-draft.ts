import { isLoopbackHost } from '../../../src-shared/base/hosts.ts'
import type { ProviderConfig, ProviderRecord } from '../../../src-shared/contract/settings.ts'
import { headerProblem, type PairDraft, pairsOf, pairValues } from '../../forms/pair-drafts.ts'
import { KIND_LABELS } from './provider-labels.ts'

export interface ProviderDraft {
  readonly kind: ProviderConfig['kind']
  readonly name: string
  readonly baseUrl: string
  readonly key: string
  /** One id per line. */
  readonly models: string
  readonly headers: readonly PairDraft[]
}

/** The form of a provider; an empty one without it. */
export function providerDraftOf(provider: ProviderRecord | undefined): ProviderDraft {
  const kind = provider && provider.kind !== 'demo' ? provider.kind : 'anthropic'
  const models = (provider?.ownModels ?? []).join('\n')
  return {
    kind,
    name: provider?.name ?? '',
    baseUrl: provider?.baseUrl ?? '',
    key: '',
    models,
    headers: pairsOf(provider?.headers ?? {}),
  }
}

/** The configuration of a draft, without empty lines, named after its kind if it has no name. */
export function providerConfigOf({ kind, name, baseUrl, models, headers }: ProviderDraft): ProviderConfig {
  return {
    kind,
    name: name.trim() || KIND_LABELS[kind],
    ...(baseUrl.trim() !== '' && { baseUrl: baseUrl.trim() }),
    models: models.split('\n').flatMap((line) => line.trim() || []),
    headers: pairValues(headers, 'headers', new Map(), headerProblem),
  }
}

/** Problems of headers, by key of the row. */
export function headerProblems({ headers }: Pick<ProviderDraft, 'headers'>): ReadonlyMap<string, string> {
  const errors = new Map<string, string>()
  pairValues(headers, 'headers', errors, headerProblem)
  return errors
}

/** The problem of the address, which is required when the kind has no default. */
export function baseUrlProblem({ kind, baseUrl }: Pick<ProviderDraft, 'kind' | 'baseUrl'>): string | undefined {
  const text = baseUrl.trim()
  if (text === '') return kind === 'openai-compatible' ? 'Enter the address of the service' : undefined
  if (!URL.canParse(text)) return 'This is not an address. Enter one like http://127.0.0.1:11434/v1'
  const { protocol, hostname } = new URL(text)
  if (!/^https?:$/.test(protocol)) return 'The address starts with https:// or http://'
  return protocol === 'https:' || isLoopbackHost(hostname) ? undefined : 'Outside this computer the address starts with https://'
}
