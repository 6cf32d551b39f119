import type { Power } from '../../src-shared/contract/consent.ts'
import { KNOWN_SERVERS } from './known-servers.data.ts'

/** Published servers by package name → what their tools do, by tool name. */
const byPackage = new Map(KNOWN_SERVERS.map(({ name, tools }) => [name, new Map(Object.entries(tools))]))

/** What a tool of a widely used published server really does; undefined where nobody has looked. */
export function knownPowers(published: string | undefined, tool: string): readonly Power[] | undefined {
  return published === undefined ? undefined : byPackage.get(published)?.get(tool)
}
