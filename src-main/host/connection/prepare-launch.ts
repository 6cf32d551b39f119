import { defined } from '../../../src-shared/base/defined.ts'
import type { Launch } from '../../../src-shared/contract/servers.ts'
import type { LoginPath } from '../../transports/login-path.ts'
import type { HostCore } from '../core/host-core.ts'
import { findProgram } from '../launch/find-program.ts'
import { type FoundProgram, launchIdentity, summarize, valueMarks } from '../launch/launch-identity.ts'
import { configuredValues } from '../launch/launch-values.ts'
import { publishedLaunch } from '../launch/published-launch.ts'
import type { IdentifiedLaunch } from '../launch/server-trust.ts'

/** A configured launch, resolved for the judgement of trust. */
export interface PreparedLaunch extends IdentifiedLaunch {
  readonly launch: Launch
  /** The resolved program of a local launch; exactly this one is started. */
  readonly program?: FoundProgram
  /** Name of the published server that it surely is. */
  readonly published?: string
}

/** Resolves a launch as of now; secrets are read only to be hashed. */
export async function prepareLaunch(
  launch: Launch,
  folderKey: Uint8Array,
  core: Pick<HostCore, 'environment' | 'platform' | 'storage'>,
  askLogin: LoginPath,
  codeAsAllowed: (code: FoundProgram['code']) => FoundProgram['code'],
): Promise<PreparedLaunch> {
  const secrets = new Map<string, string>()
  const clear: Record<string, string> = {}
  for (const [name, value] of Object.entries(configuredValues(launch))) {
    // A secret that cannot be read counts as missing; connecting then reports it.
    const text = 'text' in value ? value.text : await core.storage.secrets.get(value.secret).catch(() => undefined)
    if (text === undefined) continue
    clear[name] = text
    if ('secret' in value) secrets.set(value.secret, text)
  }
  const program = launch.type === 'local' ? await findProgram(launch, clear, core, askLogin) : undefined
  const allowed = program && { ...program, code: codeAsAllowed(program.code) }
  const identity = launchIdentity(folderKey, launch, secrets, allowed)
  if (launch.type === 'built-in') return { launch, identity }
  const published = await publishedLaunch(launch, program, core)
  const code = allowed && Object.fromEntries(allowed.code.map(({ file, hash }) => [file, hash]))
  return {
    launch,
    identity,
    facts: {
      summary: summarize(launch, program),
      values: valueMarks(folderKey, launch, secrets),
      ...(code && { code }),
    },
    ...defined({ program, published }),
  }
}
