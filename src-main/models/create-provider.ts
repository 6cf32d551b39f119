import type { ProviderKind } from '../../src-shared/contract/settings.ts'
import { createAnthropicProvider } from './anthropic-provider.ts'
import type { ModelProvider } from './model-provider.ts'
import { createOpenAiChatProvider } from './openai-chat-provider.ts'
import { createOpenAiProvider } from './openai-responses-provider.ts'
import type { ProviderOptions } from './provider-options.ts'
import { sameOriginFetch } from './same-origin-fetch.ts'

/** The provider for what a person configured. */
export function createProvider(kind: Exclude<ProviderKind, 'demo'>, given: ProviderOptions): ModelProvider {
  const options = { ...given, fetch: sameOriginFetch(given.fetch ?? globalThis.fetch, given.name) }
  switch (kind) {
    case 'anthropic':
      return createAnthropicProvider(options)
    case 'openai':
      return createOpenAiProvider(options)
    case 'openai-compatible':
      return createOpenAiChatProvider({ ...options, baseUrl: options.baseUrl ?? 'http://127.0.0.1:11434/v1' })
  }
}
