import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../src-shared/base/json.ts'
import { appOf } from '../../../src-shared/mcp/app-tools.ts'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'

/**
 * The parts of a tool's definition that can change what it does or claims: all but icons and `_meta`. Of `_meta`, a server's app counts,
 * because it changes what a call does. Without an app the member is absent, so that fingerprints from before apps still match.
 */
export function comparedDefinition(tool: Tool): Omit<Tool, 'icons'> {
  const { _meta, icons, ...definition } = tool
  const ui = appOf(tool)
  return ui ? { ...definition, _meta: { ui } } : definition
}

const fingerprints = new WeakMap<Tool, string>()

/** SHA-256 over the canonical definition, 64 lower-case hex digits; computed once per definition. */
export function fingerprintOf(tool: Tool): string {
  const known = fingerprints.get(tool)
  if (known !== undefined) return known
  const fingerprint = createHash('sha256')
    .update(canonicalJson(comparedDefinition(tool)))
    .digest('hex')
  fingerprints.set(tool, fingerprint)
  return fingerprint
}
