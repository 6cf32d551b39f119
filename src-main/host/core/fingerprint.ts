import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../src-shared/base/json.ts'
import { appOf } from '../../../src-shared/mcp/app-tools.ts'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'

/**
 * A tool as a rule remembers it: everything that can change what it does or claims, without icons and `_meta`. What `_meta` says of a
 * server's app does change what a call does. Where it says nothing, nothing stands in its place: rules of before live on.
 */
export function comparedDefinition(tool: Tool): Omit<Tool, 'icons'> {
  const { _meta, icons, ...definition } = tool
  const ui = appOf(tool)
  return ui ? { ...definition, _meta: { ui } } : definition
}

/** SHA-256 over the canonical definition, 64 lower-case hex digits. */
export function toolFingerprint(tool: Tool): string {
  return createHash('sha256')
    .update(canonicalJson(comparedDefinition(tool)))
    .digest('hex')
}

const fingerprints = new WeakMap<Tool, string>()

/** A tool's fingerprint, counted once per definition. */
export function fingerprintOf(tool: Tool): string {
  const known = fingerprints.get(tool)
  if (known !== undefined) return known
  const fingerprint = toolFingerprint(tool)
  fingerprints.set(tool, fingerprint)
  return fingerprint
}
