import type { TokenUsage } from '../../src-shared/contract/settings.ts'

/** Token usage; local servers and older models report no cache, or null. */
export function usageFromSdk(
  input: number,
  output: number,
  read: number | null | undefined,
  written: number | null | undefined,
): TokenUsage {
  return { input, output, ...(read && { cacheRead: read }), ...(written && { cacheWrite: written }) }
}
