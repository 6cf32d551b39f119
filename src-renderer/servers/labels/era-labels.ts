import type { ServerOptions, ServerRecord } from '../../../src-shared/contract/servers.ts'
import type { DeprecatedFeature } from '../../../src-shared/mcp/primitives.ts'

/** The choices of protocol revisions for a server. */
export const ERAS: readonly { readonly value: ServerOptions['era']; readonly label: string }[] = [
  { value: 'auto', label: 'Automatic' },
  { value: 'legacy', label: 'Handshake only (up to 2025-11-25)' },
  { value: 'modern', label: '2026-07-28 only' },
]

const DEPRECATED: Readonly<Record<DeprecatedFeature, string>> = {
  roots: 'roots',
  sampling: 'sampling',
  logging: 'logging',
  'http-sse': 'HTTP+SSE',
}

/** Labels of features in use that 2026-07-28 deprecates (V26-DEPR-1). */
export function deprecatedInUse({ deprecated = [], credentials = [] }: ServerRecord): readonly string[] {
  const registered = credentials.some(({ client }) => client === 'dynamic')
  return [...deprecated.map((feature) => DEPRECATED[feature]), ...(registered ? ['dynamic registration'] : [])]
}
