import type { Launch } from '../../../src-shared/contract/servers.ts'
import type { HostCore } from '../core/host-core.ts'
import { launchIdentity, summarize, valueMarks } from '../launch/launch-identity.ts'
import { configuredValues } from '../launch/launch-values.ts'
import type { IdentifiedLaunch } from '../launch/server-trust.ts'
import { findCommand } from './connect-server.ts'

/** A launch as configured, with what trust needs to judge it. */
export interface PreparedLaunch extends IdentifiedLaunch {
  readonly launch: Launch
}

/** A launch with its identity and what a person would be shown of it; secrets are read only to be hashed. */
export async function prepareLaunch(
  launch: Launch,
  folderKey: Uint8Array,
  core: Pick<HostCore, 'environment' | 'platform' | 'storage'>,
): Promise<PreparedLaunch> {
  const values = new Map<string, string>()
  for (const value of Object.values(configuredValues(launch))) {
    if (!('secret' in value)) continue
    // One that cannot be opened here counts as missing; connecting will say so.
    const text = await core.storage.secrets.get(value.secret).catch(() => undefined)
    if (text !== undefined) values.set(value.secret, text)
  }
  const identity = launchIdentity(folderKey, launch, values)
  if (launch.type === 'built-in') return { launch, identity }
  const found = launch.type === 'local' ? await findCommand(launch, core) : { cwd: '' }
  return { launch, identity, facts: { summary: summarize(launch, found), values: valueMarks(folderKey, launch, values) } }
}
