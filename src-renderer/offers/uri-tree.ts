import { isFolder } from '../content/viewers/resource-kind.ts'
import type { ResourceEntry } from './resource-entries.ts'

export interface UriBranch {
  /** One step of the addresses below, as written. */
  readonly label: string
  readonly path: string
  readonly branches: readonly UriBranch[]
  /** The resource whose path ends here. */
  readonly entries: readonly ResourceEntry[]
  /** Resources in it and in all branches below. */
  readonly count: number
}

interface Growing {
  readonly label: string
  readonly path: string
  readonly branches: Map<string, Growing>
  readonly entries: ResourceEntry[]
}

/** Deeper addresses are entries of the branch at this depth. */
const MAX_DEPTH = 24

/** Addresses as a tree: the server, scheme and host, then a branch per step of the path. */
export function uriTree(entries: readonly ResourceEntry[]): readonly UriBranch[] {
  const top: Growing = { label: '', path: '', branches: new Map(), entries: [] }
  for (const entry of entries) {
    const steps = [entry.server.name, ...stepsOf(entry)]
    let at = top
    for (const step of steps.slice(0, MAX_DEPTH)) {
      const next = at.branches.get(step) ?? { label: step, path: `${at.path}\n${step}`, branches: new Map(), entries: [] }
      at.branches.set(step, next)
      at = next
    }
    at.entries.push(entry)
  }
  return finished(top).branches
}

/** The branches above an entry; a folder is a branch itself (RES-19). */
function stepsOf({ resource, invalid }: ResourceEntry): readonly string[] {
  if (invalid) return ['Not an address']
  const [, root = '', path = ''] = /^([a-z][a-z0-9+.-]*:(?:\/\/[^/?#]*)?)([^?#]*)/i.exec(resource.uri) ?? []
  const steps = path.split('/').filter(Boolean)
  return [root, ...(isFolder(resource.mimeType) ? steps : steps.slice(0, -1))]
}

function finished({ label, path, branches, entries }: Growing): UriBranch {
  const below = [...branches.values()].map(finished)
  return { label, path, branches: below, entries, count: below.reduce((sum, one) => sum + one.count, entries.length) }
}
