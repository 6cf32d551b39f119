import { versionOf } from '../../protocol/request-meta.ts'
import type { JsonRpcMessage } from '../../protocol/shapes/json-rpc.ts'

/** The member of `params` for the `mcp-name` header (2026-07-28 basic/transports/streamable-http#standard-request-headers). */
const NAMED_BY: Readonly<Record<string, 'name' | 'uri' | 'taskId'>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** Headers of a message of the modern era: version, method, name, mirrored arguments. */
export function requestHeaders(message: JsonRpcMessage, mirrored: Readonly<Record<string, string>> = {}): Record<string, string> {
  const headers: Record<string, string> = {}
  if (!('method' in message)) return headers
  const { method, params } = message
  const version = versionOf(params)
  if (version !== undefined) headers['mcp-protocol-version'] = version
  headers['mcp-method'] = method
  const named = Object.hasOwn(NAMED_BY, method) ? params?.[NAMED_BY[method] ?? ''] : undefined
  if (typeof named === 'string') headers['mcp-name'] = headerValue(named)
  for (const [name, value] of Object.entries(mirrored)) headers[`mcp-param-${name.toLowerCase()}`] = headerValue(value)
  return headers
}

/** Encodes a text that a header cannot carry as it is (…#value-encoding). */
export function headerValue(text: string): string {
  const plain = /^[\x20-\x7e]*$/.test(text) && text.trim() === text && !isMarked(text.toLowerCase())
  return plain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`
}

/** True if a reader would take a value for an encoded one, even if the two marks overlap. */
function isMarked(text: string): boolean {
  return text.startsWith('=?base64?') && text.endsWith('?=')
}
