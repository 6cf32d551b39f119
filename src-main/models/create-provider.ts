import { acceptable } from './accepted-request.ts'
import { createAnthropicProvider } from './anthropic-provider.ts'
import { ModelError, type ModelProvider } from './model-provider.ts'
import { createOpenAiChatProvider } from './openai-chat-provider.ts'
import { createOpenAiProvider } from './openai-responses-provider.ts'
import type { ProviderOptions } from './provider-options.ts'
import type { ServedKind } from './sent-tool.ts'

type Fetch = typeof globalThis.fetch

export function createProvider(kind: ServedKind, options: ProviderOptions): ModelProvider {
  const fetch = withoutSilentRetries(
    sameOriginFetch(withHeaders(options.fetch ?? globalThis.fetch, options.headers), options.name),
  )
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
 * Stops the SDKs from waiting silently when a provider names a time to retry, since the caller shows the wait. Both SDKs obey
 * `x-should-retry`.
 */
function withoutSilentRetries(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.ok || !(response.headers.has('retry-after') || response.headers.has('retry-after-ms'))) return response
    const headers = new Headers(response.headers)
    headers.set('x-should-retry', 'false')
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
  }
}

/** The person's headers override the SDK's: a gateway may need another Authorization. */
function withHeaders(fetch: Fetch, extra: ProviderOptions['headers']): Fetch {
  if (!extra) return fetch
  return (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
    for (const [name, value] of Object.entries(extra)) headers.set(name, value)
    return fetch(input, { ...init, headers })
  }
}

const MAX_REDIRECTS = 5
const SHOWN = 200

/**
 * A fetch that stays at its origin, since a request to a model carries the whole conversation and a key. Throws ModelError
 * `redirected` for a redirect to another origin or without end.
 */
function sameOriginFetch(fetch: Fetch, name: string): Fetch {
  return async (input, init) => {
    const first = new URL(input instanceof Request ? input.url : input)
    let url = first
    for (let redirects = 0; ; redirects++) {
      const response = await fetch(redirects === 0 ? input : url, { ...init, redirect: 'manual' })
      const target = REDIRECTS.has(response.status) ? response.headers.get('location') : null
      if (target === null) return response
      const next = URL.parse(target, url.href) ?? undefined
      if (next?.origin !== first.origin || redirects === MAX_REDIRECTS) {
        await response.body?.cancel()
        throw redirected(name, first, next?.origin === first.origin ? undefined : (next?.origin ?? target.slice(0, SHOWN)))
      }
      // Any other status would turn a POST into a GET and lose its body.
      if (!KEEPING.has(response.status) && (init?.method ?? 'GET') !== 'GET') return response
      await response.body?.cancel()
      url = next
    }
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const KEEPING = new Set([307, 308])

function redirected(name: string, { origin }: URL, elsewhere: string | undefined): ModelError {
  const [what, todo] =
    elsewhere === undefined
      ? ['without end.', 'Correct its address.']
      : [`to ${elsewhere}. Nothing was sent there.`, 'If you trust that address, enter it instead.']
  return new ModelError('redirected', `${name} at ${origin} redirects ${what}`, { todo })
}
