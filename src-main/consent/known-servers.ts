import type { Power } from '../../src-shared/contract/consent.ts'
import { KNOWN_SERVERS } from './known-servers.data.ts'

/** Published servers, as `publishedPackage` names them, with what their tools do by tool name. */
const byName = new Map(
  KNOWN_SERVERS.map(({ name, tools, writes }) => [name, { tools: new Map(Object.entries(tools)), writes: new Set(writes) }]),
)

/** What a tool of a widely used published server really does; undefined where nobody has looked. */
export function knownPowers(published: string | undefined, tool: string): readonly Power[] | undefined {
  return published === undefined ? undefined : byName.get(published)?.tools.get(tool)
}

/** Whether an argument of a known server names a file that the call writes. */
export function writesFile(published: string | undefined, argument: string): boolean {
  return published !== undefined && byName.get(published)?.writes.has(argument) === true
}
