import type { Power } from '../../../src-shared/contract/consent.ts'
import { BROWSERS } from './browsers.data.ts'
import { CLOUDS } from './clouds.data.ts'
import { COMPUTERS } from './computers.data.ts'
import { CUSTOMERS } from './customers.data.ts'
import { DATABASES } from './databases.data.ts'
import { DOCUMENTS } from './documents.data.ts'
import { FILES } from './files.data.ts'
import { HOUSES } from './houses.data.ts'
import type { KnownServer } from './known-server.ts'
import { MESSAGES } from './messages.data.ts'
import { NOTES } from './notes.data.ts'
import { OFFICES } from './offices.data.ts'
import { REPOSITORIES } from './repositories.data.ts'
import { SEARCHES } from './searches.data.ts'
import { TASKS } from './tasks.data.ts'
import { UTILITIES } from './utilities.data.ts'

export const KNOWN_SERVERS: readonly KnownServer[] = [
  ...[BROWSERS, CLOUDS, COMPUTERS, CUSTOMERS, DATABASES, DOCUMENTS, FILES],
  ...[HOUSES, MESSAGES, NOTES, OFFICES, REPOSITORIES, SEARCHES, TASKS, UTILITIES],
].flat()

/** Published servers, by each of their names, with what their tools do by tool name. */
const byName = new Map(
  KNOWN_SERVERS.flatMap(({ name, also = [], tools, writes, pages }) => {
    const known = { tools: new Map(Object.entries(tools)), writes: new Set(writes), pages: new Set(pages) }
    return [name, ...also].map((one) => [one, known] as const)
  }),
)

/** The true powers of a tool of a widely used published server; undefined where nobody has looked. */
export function knownPowers(published: string | undefined, tool: string): readonly Power[] | undefined {
  return published === undefined ? undefined : byName.get(published)?.tools.get(tool)
}

/** True if an argument of a known server names a file that the call writes. */
export function writesFile(published: string | undefined, argument: string): boolean {
  return published !== undefined && byName.get(published)?.writes.has(argument) === true
}

/** How a result names the page that a browser shows, as far as somebody has looked at the server. */
export function pageTelling(published: string | undefined, tool: string): 'stated' | 'never' | 'claimed' {
  const known = published === undefined ? undefined : byName.get(published)
  if (!known) return 'claimed'
  return known.pages.has(tool) ? 'stated' : 'never'
}
