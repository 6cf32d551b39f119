import type { Tool } from '../../../src-shared/mcp/primitives.ts'
import type { CatalogTool } from '../../client/catalog.ts'
import { fingerprintOf } from '../core/fingerprint.ts'

/** Remembers a server's tools at the start of its connection, so that a page can mark those that changed. */
export class ToolBaseline {
  /** Fingerprints by name. */
  #known: ReadonlyMap<string, string> = new Map()

  begin(tools: readonly CatalogTool[]): void {
    this.#known = new Map(tools.map(({ tool }) => [tool.name, fingerprintOf(tool)]))
  }

  changeOf(tool: Tool): 'new' | 'changed' | undefined {
    const before = this.#known.get(tool.name)
    if (before === undefined) return 'new'
    return before === fingerprintOf(tool) ? undefined : 'changed'
  }
}
