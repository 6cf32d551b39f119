import type { Power } from '../../src-shared/contract/consent.ts'

interface KnownServer {
  /** On npm or PyPI. */
  readonly name: string
  readonly tools: Readonly<Record<string, readonly Power[]>>
}

export const KNOWN_SERVERS: readonly KnownServer[] = []
