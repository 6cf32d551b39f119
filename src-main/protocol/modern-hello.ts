import { MODERN_VERSION } from '../../src-shared/mcp/primitives.ts'
import type { Hello } from './era.ts'
import { serverInfoOf } from './request-meta.ts'
import { serverCapabilities } from './server-capabilities.ts'
import { type Border, type Fields, label, ShapeError, warn } from './shapes/border.ts'
import { implementation } from './shapes/definition-shapes.ts'
import { LimitError } from './shapes/limits.ts'

/** Reads the result of `server/discover`; throws ShapeError or LimitError when it is not valid. */
export function modernHelloOf(result: Fields, border: Border): Hello {
  const { instructions } = result
  // Servers made after drafts of the revision have it at the top level.
  const info = serverInfoOf(result) ?? result.serverInfo
  const serverInfo = serverInfoIn(info, border)
  return {
    protocolVersion: MODERN_VERSION,
    capabilities: serverCapabilities(result.capabilities, border),
    ...(serverInfo && { serverInfo }),
    ...(typeof instructions === 'string' && { instructions: label(instructions, 'instructions', border) }),
  }
}

/** Undefined without a valid name. */
export function serverInfoIn(info: unknown, border: Border): Hello['serverInfo'] {
  try {
    return info === undefined ? undefined : implementation(info, 'serverInfo', border)
  } catch (error) {
    if (!(error instanceof ShapeError || error instanceof LimitError)) throw error
    warn(border, `The server’s name is not valid: ${error.message}.`)
    return undefined
  }
}
