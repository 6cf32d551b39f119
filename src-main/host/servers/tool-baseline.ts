import type { Tool } from '../../../src-shared/mcp/primitives.ts'
import type { CatalogTool } from '../../client/catalog.ts'
import { fingerprintOf } from '../core/fingerprint.ts'

/** A server's tools as its connection began, so that a page can show what is different since. */
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
