import { HostError } from '../../../src-shared/contract/errors.ts'
import type { Page } from '../../../src-shared/contract/schema-parts.ts'
import { type ToolDetails, type ToolEntry, toolHints } from '../../../src-shared/contract/servers.ts'
import { isForModels } from '../../../src-shared/mcp/app-tools.ts'
import type { Resource } from '../../../src-shared/mcp/content.ts'
import { type Prompt, type ResourceTemplate, toolTitle } from '../../../src-shared/mcp/primitives.ts'
import type { CatalogTool } from '../../client/catalog.ts'
import { comparedDefinition } from '../core/fingerprint.ts'
import { type ShowIcons, shownIcons } from '../core/icons.ts'

const PAGE_SIZE = 200
/** Characters of one page, so that huge entries still travel in small pages. */
const PAGE_CHARACTERS = 256 * 1024
/** Characters of a description in a list; the entry's own page has the whole. */
const DESCRIPTION_LIMIT = 1000
/** Characters of the largest definition that a window gets. */
const DEFINITION_LIMIT = 1024 * 1024

/**
 * One page of the matching entries, each as `shape` makes it. The cursor is a position; windows read a changed list again, by its
 * version. Throws HostError `invalid-params`.
 */
export function pageOf<T, Shown = T>(
  all: readonly T[],
  options: { cursor?: string | undefined; search?: string | undefined },
  words: (entry: T) => readonly (string | undefined)[],
  shape: (entry: T) => Shown,
): Page<Shown> {
  const wanted = options.search?.trim().toLowerCase().split(/\s+/).filter(Boolean) ?? []
  const matching =
    wanted.length === 0
      ? all
      : all.filter((entry) => {
          const text = words(entry).join('\n').toLowerCase()
          return wanted.every((word) => text.includes(word))
        })
  const start = options.cursor === undefined ? 0 : Number(options.cursor)
  if (!Number.isSafeInteger(start) || start < 0) throw new HostError('invalid-params', 'This place is not in the list.')
  const items: Shown[] = []
  let characters = 0
  for (const entry of matching.slice(start, start + PAGE_SIZE)) {
    const shown = shape(entry)
    characters += JSON.stringify(shown).length
    if (items.length > 0 && characters > PAGE_CHARACTERS) break
    items.push(shown)
  }
  const end = start + items.length
  return { items, total: matching.length, ...(end < matching.length && { next: String(end) }) }
}

export interface ToolMarks {
  readonly hidden: boolean
  readonly changed: 'new' | 'changed' | undefined
  /** Cost of its definition for a model. */
  readonly tokens: number
}

export function toolEntry({ tool, unusable }: CatalogTool, marks: ToolMarks, show: ShowIcons = shownIcons): ToolEntry {
  return {
    name: tool.name,
    title: toolTitle(tool),
    description: cut(tool.description ?? ''),
    hints: toolHints(tool.annotations),
    tokens: marks.tokens,
    hidden: marks.hidden,
    ...(unusable !== undefined && { unusable }),
    ...(!isForModels(tool) && { appOnly: true }),
    ...(marks.changed && { changed: marks.changed }),
    ...show(tool.icons),
  }
}

/** The whole definition. Throws HostError `refused` when it is too large. */
export function toolDetails(entry: CatalogTool, marks: ToolMarks, show: ShowIcons = shownIcons): ToolDetails {
  const definition = comparedDefinition(entry.tool)
  if (JSON.stringify(definition).length > DEFINITION_LIMIT) {
    throw new HostError('refused', `The definition of “${entry.tool.name.slice(0, 100)}” is too large to be shown.`)
  }
  const { mirrored } = entry
  return {
    entry: toolEntry(entry, marks, show),
    definition,
    ...(mirrored && { mirrored: mirrored.map(({ path }) => cut(path.join('.'))) }),
  }
}

/** A resource, template or prompt for a list: without `_meta`, with its description cut to length. */
export function catalogEntry<T extends Resource | ResourceTemplate | Prompt>(entry: T, show: ShowIcons = shownIcons): T {
  const { _meta, icons, ...rest } = entry
  // Omitted members are optional in all three.
  return { ...rest, ...show(icons), ...(entry.description !== undefined && { description: cut(entry.description) }) } as T
}

const cut = (text: string): string => (text.length > DESCRIPTION_LIMIT ? `${text.slice(0, DESCRIPTION_LIMIT)}…` : text)
