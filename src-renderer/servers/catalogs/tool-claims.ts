import type { ToolHints } from '../../../src-shared/contract/servers.ts'

export interface Claim {
  readonly short: string
  readonly sentence: string
}

/** The server's hints in words that say whose they are (TOOL-11). */
export function hintClaims(hints: ToolHints): readonly Claim[] {
  const world = hints.openWorld
    ? { short: 'reaches outside', sentence: 'It may reach the outside world.' }
    : { short: 'stays local', sentence: 'It claims to stay within its own data.' }
  if (hints.readOnly) return [{ short: 'claims to only read', sentence: 'It claims to change nothing.' }, world]
  return [
    hints.destructive
      ? { short: 'may destroy', sentence: 'It may change or delete things.' }
      : { short: 'claims to only add', sentence: 'It claims to add things without changing others.' },
    ...(hints.idempotent
      ? [{ short: 'claims to be repeatable', sentence: 'It claims that a second call changes nothing more.' }]
      : []),
    world,
  ]
}
