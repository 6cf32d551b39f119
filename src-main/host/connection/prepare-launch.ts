import type { Launch } from '../../../src-shared/contract/servers.ts'
import type { LoginPath } from '../../transports/login-path.ts'
import type { HostCore } from '../core/host-core.ts'
import { findProgram, type MeantProgram } from '../launch/find-program.ts'
import { launchIdentity, summarize, valueMarks } from '../launch/launch-identity.ts'
import { configuredValues } from '../launch/launch-values.ts'
import { publishedLaunch } from '../launch/published-launch.ts'
import type { IdentifiedLaunch } from '../launch/server-trust.ts'

/** A launch as configured, with what trust needs to judge it. */
export interface PreparedLaunch extends IdentifiedLaunch {
  readonly launch: Launch
  /** The resolved program of a local launch: exactly that is started. */
  readonly program?: MeantProgram
  /** The published server that it surely is. */
  readonly published?: string
}

/** A launch with its identity and what a person would be shown of it, as of now; secrets are read only to be hashed. */
export async function prepareLaunch(
  launch: Launch,
  folderKey: Uint8Array,
  core: Pick<HostCore, 'environment' | 'platform' | 'storage'>,
  askLogin: LoginPath,
): Promise<PreparedLaunch> {
  const secrets = new Map<string, string>()
  const clear: Record<string, string> = {}
  for (const [name, value] of Object.entries(configuredValues(launch))) {
    // One that cannot be opened here counts as missing; connecting will say so.
    const text = 'text' in value ? value.text : await core.storage.secrets.get(value.secret).catch(() => undefined)
    if (text === undefined) continue
    clear[name] = text
    if ('secret' in value) secrets.set(value.secret, text)
  }
  const program = launch.type === 'local' ? await findProgram(launch, clear, core, askLogin) : undefined
  const identity = launchIdentity(folderKey, launch, secrets, program)
  if (launch.type === 'built-in') return { launch, identity }
  const published = await publishedLaunch(launch, program, core)
  const code = program && Object.fromEntries(program.code.map(({ file, hash }) => [file, hash]))
  return {
    launch,
    identity,
    facts: {
      summary: summarize(launch, program),
      values: valueMarks(folderKey, launch, secrets),
      ...(code && { code }),
    },
    ...(program && { program }),
    ...(published !== undefined && { published }),
  }
}
