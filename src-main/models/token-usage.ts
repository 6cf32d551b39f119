import type { TokenUsage } from '../../src-shared/contract/settings.ts'

/** What was used, with the cache's part where there is any: local servers and older models tell of none, or of null. */
export function tokenUsage(
  input: number,
  output: number,
  read: number | null | undefined,
  written: number | null | undefined,
): TokenUsage {
  return { input, output, ...(read && { cacheRead: read }), ...(written && { cacheWrite: written }) }
}
