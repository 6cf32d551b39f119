import { isObject } from '../../src-shared/base/json.ts'
import { isExtensionId } from '../../src-shared/mcp/extensions.ts'
import type { ServerCapabilities } from '../../src-shared/mcp/primitives.ts'
import { type Border, bounded, type Fields, object } from './shapes/border.ts'

const MAX_EXTENSIONS = 64
const CAPABILITIES = ['logging', 'completions', 'prompts', 'resources', 'tools', 'tasks'] as const

/** The capabilities that we use. One of the wrong type counts as not declared; unknown ones are ignored (ARCH-13). */
export function serverCapabilities(value: unknown, border: Border): ServerCapabilities {
  const declared = object(value, 'capabilities')
  const found: Fields = {}
  for (const key of CAPABILITIES) {
    const capability = declared[key]
    if (isObject(capability)) {
      bounded(capability, `capabilities.${key}`, border.limits)
      found[key] = capability
    } else if (capability === true) {
      found[key] = {}
    } else if (capability !== undefined && capability !== null && capability !== false) {
      border.warnings.push(`The server’s capability ${key} is not an object; it counts as not declared.`)
    }
  }
  if (isObject(declared.experimental)) {
    bounded(declared.experimental, 'capabilities.experimental', border.limits)
    found.experimental = Object.fromEntries(Object.entries(declared.experimental).filter(([, member]) => isObject(member)))
  }
  if (isObject(declared.extensions)) found.extensions = extensionsOf(declared.extensions, border)
  return found as ServerCapabilities
}

/** Extensions with an invalid id or settings count as not declared. */
function extensionsOf(declared: Fields, border: Border): Fields {
  bounded(declared, 'capabilities.extensions', border.limits)
  const all = Object.entries(declared)
  const usable = all.filter(([id, settings]) => isExtensionId(id) && isObject(settings)).slice(0, MAX_EXTENSIONS)
  const left = all.length - usable.length
  if (left > 0)
    border.warnings.push(`${left} of the server’s extensions count as not declared: no valid id, no settings, or too many.`)
  return Object.fromEntries(usable)
}
