import { acceptable } from './accepted-request.ts'
import { createAnthropicProvider } from './anthropic-provider.ts'
import type { ModelProvider } from './model-provider.ts'
import { createOpenAiChatProvider } from './openai-chat-provider.ts'
import { createOpenAiProvider } from './openai-responses-provider.ts'
import type { ProviderOptions } from './provider-options.ts'
import { sameOriginFetch } from './same-origin-fetch.ts'
import type { ServedKind } from './sent-tool.ts'

type Fetch = typeof globalThis.fetch

/** The provider for what a person configured. */
export function createProvider(kind: ServedKind, options: ProviderOptions): ModelProvider {
  const fetch = leavingWaits(sameOriginFetch(withHeaders(options.fetch ?? globalThis.fetch, options.headers), options.name))
  return acceptable(adapterFor(kind, { ...options, fetch }), kind)
}

function adapterFor(kind: ServedKind, options: ProviderOptions): ModelProvider {
  switch (kind) {
    case 'anthropic':
      return createAnthropicProvider(options)
    case 'openai':
      return createOpenAiProvider(options)
    case 'openai-compatible':
      return createOpenAiChatProvider({ ...options, baseUrl: options.baseUrl ?? 'http://127.0.0.1:11434/v1' })
  }
}

/**
 * Keeps the SDKs from waiting in silence when a provider says when to try again: the caller shows the wait. `x-should-retry` is the
 * header by which both SDKs are told.
 */
function leavingWaits(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.ok || !(response.headers.has('retry-after') || response.headers.has('retry-after-ms'))) return response
    const headers = new Headers(response.headers)
    headers.set('x-should-retry', 'false')
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
  }
}

/** The person's headers win over those of the SDK: a gateway may want another Authorization. */
function withHeaders(fetch: Fetch, extra: ProviderOptions['headers']): Fetch {
  if (!extra) return fetch
  return (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
    for (const [name, value] of Object.entries(extra)) headers.set(name, value)
    return fetch(input, { ...init, headers })
  }
}
