import { isObject } from '../../src-shared/base/json.ts'
import { type Implementation, type LogLevel, MODERN_VERSION } from '../../src-shared/mcp/primitives.ts'
import { type ClientFeatures, capabilitiesOf } from './peer/client-features.ts'
import type { Params } from './shapes/json-rpc.ts'

/** The reserved keys of `_meta` (2026-07-28 basic#_meta). */
const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const

interface RequestMeta {
  readonly clientInfo: Implementation
  readonly features: ClientFeatures
  readonly logLevel?: LogLevel | undefined
}

/** Adds our `_meta` to the params of a request, with current capabilities (V26-META-1 to META-5). */
export function withMeta(params: Params | undefined, { clientInfo, features, logLevel }: RequestMeta): Params {
  const { roots, ...capabilities } = capabilitiesOf(features)
  return {
    ...params,
    _meta: {
      ...(isObject(params?._meta) && params._meta),
      [META.protocolVersion]: MODERN_VERSION,
      [META.clientInfo]: clientInfo,
      // Without notifications of changes: the server gets the current roots whenever it asks.
      [META.clientCapabilities]: { ...capabilities, ...(roots && { roots: {} }) },
      ...(logLevel !== undefined && { [META.logLevel]: logLevel }),
    },
  }
}

export function versionOf(params: Params | undefined): string | undefined {
  const version = isObject(params?._meta) ? params._meta[META.protocolVersion] : undefined
  return typeof version === 'string' ? version : undefined
}

/** The server's `serverInfo` in any result (V26-META-7). */
export function serverInfoOf(result: Params): unknown {
  return isObject(result._meta) ? result._meta[META.serverInfo] : undefined
}

/** The subscription of a notification or result, if it names one. */
export function subscriptionOf(params: Params): string | number | undefined {
  const id = isObject(params._meta) ? params._meta[META.subscriptionId] : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
