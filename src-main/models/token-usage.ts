import type { TokenUsage } from '../../src-shared/contract/settings.ts'

/** Tokens used, with the cache's part where there is any: local servers and older models report none, or null. */
export function usageFromSdk(
  input: number,
  output: number,
  read: number | null | undefined,
  written: number | null | undefined,
): TokenUsage {
  return { input, output, ...(read && { cacheRead: read }), ...(written && { cacheWrite: written }) }
}
