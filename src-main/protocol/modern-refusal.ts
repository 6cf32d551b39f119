import { isObject } from '../../src-shared/base/json.ts'
import { ErrorCode, ProtocolError } from './shapes/json-rpc.ts'

/** Recognizes errors of the modern era alone (V26-NEG-9); undefined for any other, or a malformed one. */
export function modernRefusal(error: unknown, overHttp: boolean): { readonly supported?: readonly string[] } | undefined {
  if (!(error instanceof ProtocolError)) return undefined
  const data = isObject(error.data) ? error.data : {}
  if (error.code === ErrorCode.unsupportedVersion) {
    const { supported } = data
    if (!Array.isArray(supported) || !supported.every((name) => typeof name === 'string')) return undefined
    return { supported }
  }
  if (error.code === ErrorCode.missingCapability) return isObject(data.requiredCapabilities) ? {} : undefined
  return error.code === ErrorCode.headerMismatch && overHttp ? {} : undefined
}
