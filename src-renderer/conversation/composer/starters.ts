import { onlyReads, type ToolPowersView } from '../../../src-shared/contract/consent.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import type { Resource } from '../../../src-shared/mcp/content.ts'
import type { Prompt } from '../../../src-shared/mcp/primitives.ts'
import { chosenOf, isUri } from '../../offers/resource-entries.ts'
import type { ChosenResource } from '../../state/view-store.ts'
import { visibleText } from '../../ui/visible-text.ts'

/** Most things to begin an empty conversation with. */
export const STARTERS = 3
/** Characters of a name that a server chose. */
const NAME = 60

/** Begins the name of a tool that finds something without being told which: "read_file" would have to ask. */
const FINDS = /^(?:list|search)/

/** The beginnings of what one server lists. */
export interface ServerOffers {
  readonly server: ServerRecord
  readonly prompts: readonly Prompt[]
  readonly tools: readonly ToolPowersView[]
  readonly resources: readonly Resource[]
}

/** `write` alone puts words into the message, as the person's own: none of them are a server's. */
export type Starter = { readonly label: string } & (
  | { readonly is: 'write' }
  | { readonly is: 'prompt'; readonly server: ServerRecord; readonly item: Prompt }
  | { readonly is: 'resource'; readonly chosen: ChosenResource }
)

/** One of each server in turn, until there are three. */
export function startersOf(offers: readonly ServerOffers[]): readonly Starter[] {
  const byLabel = new Map(inTurn(offers.map(startersOfServer)).map((starter) => [starter.label, starter]))
  return [...byLabel.values()].slice(0, STARTERS)
}

function startersOfServer({ server, prompts, tools, resources }: ServerOffers): readonly Starter[] {
  const name = visibleText(server.name)
  const asks: readonly Starter[] = server.catalog.tools > 0 ? [{ is: 'write', label: `What can you do with ${name}?` }] : []
  const prompted = prompts.map(
    (item): Starter => ({ is: 'prompt', label: `${shown(item.title || item.name)} (${name})`, server, item }),
  )
  // Names of published tools are Parley's own knowledge; any other would be a server's words in the person's mouth.
  const looks = tools
    .filter(({ tool, guess }) => FINDS.test(tool) && guess.known === 'published' && onlyReads(guess.powers))
    .map(({ tool }): Starter => ({ is: 'write', label: `Show what ${shown(tool)} of ${name} finds` }))
  const read = resources
    .filter(({ uri }) => isUri(uri))
    .map(
      (one): Starter => ({
        is: 'resource',
        label: `Attach ${shown(one.title ?? one.name)} (${name})`,
        chosen: chosenOf(server, one),
      }),
    )
  return [...asks, ...inTurn([prompted, looks, read])]
}

/** The first of each list, then the second of each. */
function inTurn<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const cut = lists.map((list) => list.slice(0, STARTERS))
  return Array.from({ length: STARTERS }, (_, at) => cut.flatMap((list) => list.slice(at, at + 1))).flat()
}

const shown = (text: string) => visibleText(text.slice(0, NAME))
