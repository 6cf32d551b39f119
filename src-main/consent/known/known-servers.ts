import { z } from 'zod'
import { POWERS, type Power } from '../../../src-shared/contract/consent.ts'
import known from './known-servers.json' with { type: 'json' }

const names = () => z.array(z.string()).readonly()

/** “reads sends”, from the mildest, or “nothing”. */
const powerSet = () =>
  z.string().refine((set) => set === 'nothing' || set === POWERS.filter((power) => set.split(' ').includes(power)).join(' '))

/** A published server by its launch (`publishedPackage`), with what each of its tools can do at worst, whatever its hints say. */
const knownServer = () =>
  z.strictObject({
    /** On npm; else with `pypi:` or `docker:` in front, or the address of one that is hosted (`publishedAddress`). */
    name: z.string(),
    /** Other names of the same server. */
    also: names().optional(),
    /** Why its tools have these powers. */
    note: z.string().optional(),
    /** The package that lists these tools. Absent where they were read from documentation. */
    version: z.string().optional(),
    /** Arguments that name a file to be written: with one of them any call of this server changes, too. */
    writes: names().optional(),
    /** Tools of Git that only add to what the repository at `repo_path` holds. */
    records: names().optional(),
    /** Tools of a browser whose results state which page it shows: “- Page URL: …” on a line of its own. */
    pages: names().optional(),
    /** Tools by what they can do. */
    tools: z.record(powerSet(), names()).transform((tools) => new Map(Object.entries(tools).flatMap(withPowers))),
  })

function withPowers([set, tools]: [string, readonly string[]]) {
  const powers: readonly Power[] = POWERS.filter((power) => set.split(' ').includes(power))
  return tools.map((tool) => [tool, powers] as const)
}

export const KNOWN_SERVERS = Object.values(z.record(z.string(), z.array(knownServer())).parse(known)).flat()

/** Published servers, by each of their names. */
const byName = new Map(
  KNOWN_SERVERS.flatMap((server) => {
    const known = {
      tools: server.tools,
      writes: new Set(server.writes),
      records: new Set(server.records),
      pages: new Set(server.pages),
    }
    return [server.name, ...(server.also ?? [])].map((name) => [name, known] as const)
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

/** True if a tool of a known server only adds to what the repository at `repo_path` holds. */
export function recordsOnly(published: string | undefined, tool: string): boolean {
  return published !== undefined && byName.get(published)?.records.has(tool) === true
}

/** How a result names the page that a browser shows, as far as somebody has looked at the server. */
export function pageTelling(published: string | undefined, tool: string): 'stated' | 'never' | 'claimed' {
  const known = published === undefined ? undefined : byName.get(published)
  if (!known) return 'claimed'
  return known.pages.has(tool) ? 'stated' : 'never'
}
