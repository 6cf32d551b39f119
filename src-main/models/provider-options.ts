/** Options that every provider is made from. The key stays inside it. */
export interface ProviderOptions {
  /** As the person named it. */
  readonly name: string
  /** Overrides the API's own address; needed for OpenAI-compatible servers. */
  readonly baseUrl?: string
  readonly key?: string
  /** Sent with each request, in place of what the SDK would send under the same names. */
  readonly headers?: Readonly<Record<string, string>>
  /** Carries every request, so that proxies and certificates are honoured in one place. */
  readonly fetch?: typeof globalThis.fetch
  /** How often the SDK repeats a request that failed for a passing reason. */
  readonly retries?: number
}
