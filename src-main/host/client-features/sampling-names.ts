import type { SampledName } from '../../../src-shared/contract/sampling.ts'
import type { CreateMessageParams } from '../../../src-shared/mcp/client-requests.ts'

/** Characters of a tool's name or the id of its use; longer ones are refused, since they are never cut. */
export const NAME_LIMIT = 128

/** Translates the names of a request's tools to wire names and back. */
export interface ToolNames {
  readonly wire: (name: string) => string
  readonly own: (wire: string) => string
}

export function toolNames(tools: CreateMessageParams['tools'] = []): ToolNames {
  const wire = new Map<string, string>()
  const own = new Map<string, string>()
  for (const { name } of tools) {
    if (wire.has(name)) continue
    const safe = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 56) || 'tool'
    let free = safe
    for (let n = 2; own.has(free); n++) free = `${safe}_${n}`
    wire.set(name, free)
    own.set(free, name)
  }
  const fallback = (name: string) => name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'tool'
  return { wire: (name) => wire.get(name) ?? fallback(name), own: (name) => own.get(name) ?? name }
}

export function toldName(name: string, { wire }: ToolNames): SampledName {
  const sentAs = wire(name)
  return { name, ...(sentAs !== name && { sentAs }) }
}
