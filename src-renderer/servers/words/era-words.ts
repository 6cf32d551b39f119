import type { ServerOptions } from '../../../src-shared/contract/servers.ts'

/** Which revisions a server is spoken to in, as a person chooses it. */
export const ERAS: readonly { readonly value: ServerOptions['era']; readonly label: string }[] = [
  { value: 'auto', label: 'Automatic' },
  { value: 'legacy', label: 'Handshake only (up to 2025-11-25)' },
  { value: 'modern', label: '2026-07-28 only' },
]
