import { z } from 'zod'
import { PLACE_KINDS, POWERS, type Power } from '../../../src-shared/contract/consent.ts'
import known from './known-servers.json' with { type: 'json' }

const names = () => z.array(z.string()).readonly()

/** Powers in the order of POWERS, “reads sends”, or “nothing”. */
const powerSet = () =>
  z.string().refine((set) => set === 'nothing' || set === POWERS.filter((power) => set.split(' ').includes(power)).join(' '))

/** An argument that names a place of a kind, and the tool that lists such places. */
export type KnownPlace = z.output<ReturnType<typeof knownPlace>>
const knownPlace = () =>
  z.strictObject({
    kind: z.enum(PLACE_KINDS),
    argument: z.string(),
    listedBy: z.string(),
    /** The member of its result with the list. */
    list: z.string(),
    /** Other identifiers are of people or other kinds. */
    id: z.string().transform((pattern) => new RegExp(pattern)),
    /** The member of an entry with the name that people write after `#`. */
    called: z.string().optional(),
    /** Values that always mean a place of this kind. */
    own: names().optional(),
    /** Members `is_…` that a place of this kind may have; another one that is true makes it something else. */
    flags: names().optional(),
  })

/** A published server by its launch (`publishedPackage`), with the worst effects of each tool, whatever its hints say. */
const knownServer = () =>
  z.strictObject({
    /** A package of npm, or with the prefix `pypi:` or `docker:`, or the address of a hosted server (`publishedAddress`). */
    name: z.string(),
    /** Other names of the same server. */
    also: names().optional(),
    /** Why its tools have these powers. */
    note: z.string().optional(),
    /** The version that lists these tools; absent if they come from documentation. */
    version: z.string().optional(),
    /** Arguments that name an output file, which gives a call the power `changes`. */
    writes: names().optional(),
    /** Tools of Git that only add to the repository at `repo_path`. */
    records: names().optional(),
    places: z.array(knownPlace()).optional(),
    /** Browser tools whose results state the current page on a line of its own: “- Page URL: …”. */
    pages: names().optional(),
    /** Powers → tools. */
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
      places: server.places ?? [],
    }
    return [server.name, ...(server.also ?? [])].map((name) => [name, known] as const)
  }),
)

/** The reviewed powers of a published server's tool; undefined for others. */
export function knownPowers(published: string | undefined, tool: string): readonly Power[] | undefined {
  return published === undefined ? undefined : byName.get(published)?.tools.get(tool)
}

/** True if an argument of a known server names a file that the call writes. */
export function writesFile(published: string | undefined, argument: string): boolean {
  return published !== undefined && byName.get(published)?.writes.has(argument) === true
}

/** True if a tool of a known server only adds to the repository at `repo_path`. */
export function recordsOnly(published: string | undefined, tool: string): boolean {
  return published !== undefined && byName.get(published)?.records.has(tool) === true
}

/** The kinds of places of a known server. */
export function knownPlaces(published: string | undefined): readonly KnownPlace[] {
  return (published === undefined ? undefined : byName.get(published)?.places) ?? []
}

/** The form in which results name a browser's page; `claimed` for unknown servers. */
export function pageTelling(published: string | undefined, tool: string): 'stated' | 'never' | 'claimed' {
  const known = published === undefined ? undefined : byName.get(published)
  if (!known) return 'claimed'
  return known.pages.has(tool) ? 'stated' : 'never'
}
