export interface ProviderOptions {
  readonly name: string
  /** Overrides the API's own address; needed for OpenAI-compatible servers. */
  readonly baseUrl?: string
  readonly key?: string
  /** Sent with each request, overriding the SDK's headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sends every request, with the proxy and certificates of the host. */
  readonly fetch?: typeof globalThis.fetch
  readonly retries?: number
}
