import type { ServerId } from '../../src-shared/contract/servers.ts'
import type { ClientFeatures } from '../protocol/client-features.ts'

/** What one server may ask of us: each part brings its own, and what no part brings is not declared (ROOT-02). */
export type FeaturePart = (serverId: ServerId) => ClientFeatures

/** Joins the parts; a later one wins where two bring the same. */
export function serverFeatures(serverId: ServerId, parts: readonly FeaturePart[]): ClientFeatures {
  return Object.assign({}, ...parts.map((part) => part(serverId)))
}
