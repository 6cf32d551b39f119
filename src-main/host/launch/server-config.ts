import { HostError } from '../../../src-shared/contract/errors.ts'
import { addressProblem, HEADER_NAME, serverNameProblem, VARIABLE_NAME } from '../../../src-shared/contract/server-rules.ts'
import { type ConfigValue, IN_THE_CLEAR, type Launch, type ServerConfig } from '../../../src-shared/contract/servers.ts'
import type { FileLaunch, SecretStore } from '../../storage/base/storage.ts'
import { holdsSecret } from '../core/redact.ts'
import { belongsTo, configuredValues, newSecretId } from './launch-values.ts'

/** Headers that the transport sets itself. */
const RESERVED_HEADERS = new Set(
  'content-type accept content-length host mcp-session-id mcp-protocol-version connection'.split(' '),
)

/** Throws HostError `invalid-params`. */
export function checkConfig({ name, launch }: ServerConfig): void {
  const badName = serverNameProblem(name)
  const wrong = badName ? `${badName}.` : launch.type === 'local' ? localProblem(launch) : remoteProblem(launch)
  if (wrong) throw new HostError('invalid-params', wrong)
}

function localProblem({ command, args, env, cwd }: Extract<Launch, { type: 'local' }>): string | undefined {
  if (command.trim() === '') return 'A local server needs a command.'
  if ([command, ...args, cwd ?? ''].some((text) => text.includes('\0')))
    return 'The command and its arguments cannot contain a NUL character.'
  for (const [name, value] of Object.entries(env)) {
    if (!VARIABLE_NAME.test(name)) return `“${name}” is not a valid variable name.`
    if ('text' in value && value.text.includes('\0')) return `The value of “${name}” cannot contain a NUL character.`
  }
  return undefined
}

function remoteProblem({ url, headers }: Extract<Launch, { type: 'remote' }>): string | undefined {
  const badAddress = addressProblem(url)
  if (badAddress) return `${badAddress}.`
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) return `“${name}” is not a valid header name.`
    if (RESERVED_HEADERS.has(name.toLowerCase())) return `The header “${name}” is set by Parley itself.`
    if ('text' in value && /[\r\n\0]/.test(value.text)) return `The value of “${name}” cannot hold line breaks.`
  }
  return undefined
}

/**
 * The launch as it is stored: values that look secret go to the secret store, and references that the page sends back are checked
 * against the launch it was shown. A secret never goes to another place than the one it was entered for.
 */
export function storeSecrets(
  launch: FileLaunch,
  shown: FileLaunch | undefined,
  secrets: Pick<SecretStore, 'set'>,
): Promise<FileLaunch> {
  const earlier = shown ? configuredValues(shown) : {}
  return mapValues(launch, async (name, value) =>
    'text' in value ? lifted(name, value, launch, secrets) : kept(name, value.secret, launch, shown, earlier),
  )
}

/** Moves every value in the clear that looks secret to the secret store. */
export function liftAll(launch: FileLaunch, secrets: SecretStore): Promise<FileLaunch> {
  return mapValues(launch, async (name, value) => ('text' in value ? lifted(name, value, launch, secrets) : value))
}

async function mapValues(
  launch: FileLaunch,
  change: (name: string, value: ConfigValue) => Promise<ConfigValue>,
): Promise<FileLaunch> {
  const values: Record<string, ConfigValue> = {}
  for (const [name, value] of Object.entries(configuredValues(launch))) values[name] = await change(name, value)
  return withValues(launch, values)
}

async function lifted(
  name: string,
  value: { readonly text: string; readonly lift?: true },
  launch: FileLaunch,
  secrets: Pick<SecretStore, 'set'>,
): Promise<ConfigValue> {
  if (value.lift ? value.text === '' : !holdsSecret(name, value.text)) return { text: value.text }
  const id = newSecretId(launch)
  await secrets.set(id, value.text)
  return { secret: id }
}

function kept(
  name: string,
  reference: string,
  launch: FileLaunch,
  shown: FileLaunch | undefined,
  earlier: Readonly<Record<string, ConfigValue>>,
): ConfigValue {
  const sameOrigin = shown?.type === launch.type && (launch.type === 'local' || sameAddress(shown, launch))
  if (reference.startsWith(IN_THE_CLEAR)) {
    const value = earlier[reference.slice(IN_THE_CLEAR.length)]
    if (value && 'text' in value && sameOrigin) return value
  } else if (
    Object.values(earlier).some((value) => 'secret' in value && value.secret === reference) &&
    belongsTo(reference, launch)
  ) {
    return { secret: reference }
  }
  throw new HostError(
    'invalid-params',
    `The saved value of “${name}” was entered for another command or address. Enter it again.`,
  )
}

function sameAddress(a: FileLaunch, b: FileLaunch): boolean {
  return a.type === 'remote' && b.type === 'remote' && URL.canParse(a.url) && new URL(a.url).origin === new URL(b.url).origin
}

/** The launch for windows: a value that looks secret is a reference, even if the file has it in the clear. */
export function shownLaunch(launch: Launch): Launch {
  if (launch.type === 'built-in') return launch
  return withValues(
    launch,
    Object.fromEntries(
      Object.entries(configuredValues(launch)).map(([name, value]) => [
        name,
        'text' in value && holdsSecret(name, value.text) ? { secret: `${IN_THE_CLEAR}${name}` } : value,
      ]),
    ),
  )
}

/** Ids of the secrets that a launch refers to and that belong to it. */
export function secretIds(launch: Launch): string[] {
  return Object.values(configuredValues(launch)).flatMap((value) =>
    'secret' in value && belongsTo(value.secret, launch) ? [value.secret] : [],
  )
}

export function withValues(launch: FileLaunch, values: Readonly<Record<string, ConfigValue>>): FileLaunch {
  return launch.type === 'local' ? { ...launch, env: values } : { ...launch, headers: values }
}
