import type { ScriptedOptions } from './connect-scripted.ts'
import type { Reply, Wire } from './scripted-server.ts'

interface ModernScript extends ScriptedOptions {
  /** What `server/discover` gets, beside what it must. */
  readonly discovery?: Record<string, unknown>
}

/** A scripted server of 2026-07-28, and a client that knows it for one. Results without a type are given theirs. */
export function modern({ capabilities = {}, discovery, replies = {}, ...more }: ModernScript = {}): ScriptedOptions {
  const found = { supportedVersions: ['2026-07-28'], capabilities, ttlMs: 0, cacheScope: 'private', ...discovery }
  const all: Record<string, Reply> = { 'server/discover': () => found, ...replies }
  const typed = Object.entries(all).map(
    ([method, reply]) =>
      [
        method,
        (params: Record<string, unknown>, request: Wire) => {
          const result = reply(params, request)
          return typeof result === 'object' && result !== null ? { resultType: 'complete', ...result } : result
        },
      ] as const,
  )
  return { known: { era: 'modern', by: 'choice' }, ...more, replies: Object.fromEntries(typed) }
}
