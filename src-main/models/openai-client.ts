import type OpenAI from 'openai'
import type { ProviderOptions } from './provider-options.ts'

/** Makes the SDK's client at its first use. `missingKey` returns the key to send when none is saved, or throws. */
export function openAiClient(
  { key, fetch, retries = 1 }: ProviderOptions,
  baseURL: string,
  missingKey: () => string,
): () => Promise<OpenAI> {
  let client: Promise<OpenAI> | undefined
  return () => {
    const apiKey = key ?? missingKey()
    client ??= import('openai').then(
      // No key, organization or project from the environment: only the person's own.
      ({ default: Sdk }) =>
        new Sdk({ apiKey, baseURL, organization: null, project: null, maxRetries: retries, ...(fetch && { fetch }) }),
    )
    return client
  }
}
