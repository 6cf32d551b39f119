import { createHash, randomUUID } from 'node:crypto'
import type { ConfigValue, Launch } from '../../../src-shared/contract/servers.ts'
import type { SecretStore } from '../../storage/base/storage.ts'
import { LaunchError } from './launch-error.ts'

export interface ResolvedValue {
  readonly text: string
  readonly secret: boolean
}

/** Variables or headers in the clear, by name. Throws LaunchError for a missing secret. */
export async function resolveValues(launch: Launch, secrets: SecretStore): Promise<ReadonlyMap<string, ResolvedValue>> {
  const values = new Map<string, ResolvedValue>()
  for (const [name, value] of Object.entries(configuredValues(launch))) {
    if ('text' in value) values.set(name, { text: value.text, secret: false })
    else values.set(name, { text: await secretFor(name, value.secret, launch, secrets), secret: true })
  }
  return values
}

export function configuredValues(launch: Launch): Readonly<Record<string, ConfigValue>> {
  if (launch.type === 'local') return launch.env
  return launch.type === 'remote' ? launch.headers : {}
}

async function secretFor(name: string, id: string, launch: Launch, secrets: SecretStore): Promise<string> {
  if (!belongsTo(id, launch)) {
    throw new LaunchError({
      code: 'secret-elsewhere',
      what: `The value of “${name}” was saved for another command or address, so it was not sent to this one.`,
      todo: `Enter “${name}” again in “Edit server”.`,
    })
  }
  const text = await secrets.get(id)
  if (text !== undefined) return text
  throw new LaunchError({
    code: 'secret-missing',
    what: `The saved value of “${name}” is missing.`,
    todo: `Enter “${name}” again in “Edit server”.`,
  })
}

/**
 * A new id for a secret of this launch. It names the place the secret may go to, local programs or one origin, so that a reference
 * copied to another launch opens nothing.
 */
export function newSecretId(launch: Launch): string {
  return `${secretPlace(launch)}${randomUUID()}`
}

export function belongsTo(secretId: string, launch: Launch): boolean {
  return secretId.startsWith(secretPlace(launch))
}

function secretPlace(launch: Launch): string {
  if (launch.type !== 'remote') return 'server-local-'
  const origin = URL.canParse(launch.url) ? new URL(launch.url).origin : launch.url
  return `server-${createHash('sha256').update(origin).digest('hex').slice(0, 24)}-`
}
