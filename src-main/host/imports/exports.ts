import type { JsonObject, JsonValue } from '../../../src-shared/base/json.ts'
import { redactUnknown } from '../../../src-shared/base/secrets.ts'
import { type ExportedConfig, OTHER_HOSTS, type OtherHost } from '../../../src-shared/contract/imports.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import type { FileLaunch } from '../../storage/base/storage.ts'
import { withoutSecretArguments } from '../core/redact.ts'
import { configuredValues } from '../launch/launch-values.ts'
import { HOST_FORMATS, type HostFormat } from './hosts.ts'

type Exported = Pick<ServerRecord, 'name' | 'launch' | 'options'>

/** The variables or headers of one server. */
interface Values {
  readonly open: Readonly<Record<string, string>>
  /** Names of the environment variables that another host takes secrets from. */
  readonly secret: Readonly<Record<string, string>>
}

/**
 * Writes servers in another host's format. A secret becomes an input or an environment variable of that host, else a placeholder to
 * fill in.
 */
export async function exportServers(host: OtherHost, servers: readonly Exported[]): Promise<Omit<ExportedConfig, 'path'>> {
  const shape = HOST_FORMATS[host]
  const label = OTHER_HOSTS[host]
  const notes: string[] = []
  const inputs: JsonObject[] = []
  const entries: [string, JsonObject][] = []
  const keys = servers.flatMap(({ launch }) => Object.keys(configuredValues(launch)))
  // Goose and Codex pass a variable on only under its own name.
  const isShared = (key: string) => host !== 'goose' && host !== 'codex' && keys.indexOf(key) !== keys.lastIndexOf(key)
  for (const { name, launch: whole, options } of servers) {
    const launch = withoutSecrets(whole)
    if (launch.type === 'built-in') {
      notes.push(`“${name}” is part of Parley and cannot run elsewhere.`)
      continue
    }
    const values = valuesOf(name, launch, isShared)
    for (const [key, id] of Object.entries(values.secret)) {
      inputs.push({ type: 'promptString', id, description: `${key} for ${name}`, password: true })
    }
    entries.push([name, { ...launchEntry(host, name, launch, values), ...optionEntry(shape, options) }])
    notes.push(...notesOf(host, name, launch, options))
    if (launch !== whole)
      notes.push(
        `“${name}” has a secret in its ${launch.type === 'local' ? 'arguments' : 'address'}, which is left out: fill it in.`,
      )
  }
  if (inputs.length > 0 && host !== 'vscode') notes.unshift(secretNote(label, shape, inputs))
  const root = { ...(host === 'vscode' && inputs.length > 0 && { inputs }), [shape.under]: Object.fromEntries(entries) }
  return { text: await textOf(shape, root), fileName: shape.fileName, notes }
}

/** Returns the same object if neither its address nor its arguments hold a secret. */
function withoutSecrets<L extends Exported['launch']>(launch: L): L {
  if (launch.type === 'remote') {
    const url = redactUnknown(launch.url)
    return url === launch.url ? launch : { ...launch, url }
  }
  if (launch.type === 'built-in') return launch
  const args = withoutSecretArguments(launch.args)
  return args.every((arg, at) => arg === launch.args[at]) ? launch : { ...launch, args }
}

function launchEntry(host: OtherHost, name: string, launch: FileLaunch, values: Values): JsonObject {
  const shape = HOST_FORMATS[host]
  const secrets = Object.entries(values.secret)
  const written = Object.fromEntries(secrets.map(([key, id]) => [key, shape.secret?.(id) ?? `<${id}>`]))
  const all = { ...values.open, ...written }
  const ids = secrets.map(([, id]) => id)
  if (launch.type === 'remote') {
    const target = { ...shape.remote, [shape.address]: launch.url }
    if (host === 'codex')
      return { ...target, ...unlessEmpty('http_headers', values.open), ...unlessEmpty('env_http_headers', values.secret) }
    if (host === 'goose') return { name, ...target, ...unlessEmpty('headers', all), ...unlessEmpty('env_keys', ids) }
    return { ...target, ...unlessEmpty('headers', all) }
  }
  const { command, args, cwd } = launch
  const folder: JsonObject = cwd === undefined ? {} : { cwd }
  if (host === 'goose') {
    return {
      name,
      ...shape.local,
      cmd: command,
      args: [...args],
      ...unlessEmpty('envs', values.open),
      ...unlessEmpty('env_keys', ids),
    }
  }
  if (host === 'codex') {
    return { command, args: [...args], ...folder, ...unlessEmpty('env', values.open), ...unlessEmpty('env_vars', ids) }
  }
  return { ...shape.local, command, args: [...args], ...folder, ...unlessEmpty('env', all) }
}

function optionEntry(shape: HostFormat, { enabled, requestTimeout, hiddenTools }: Exported['options']): JsonObject {
  return {
    ...(shape.off && (!enabled || shape.under === 'extensions') && { [shape.off]: shape.off === 'enabled' ? enabled : !enabled }),
    ...(shape.timeout && requestTimeout !== null && { [shape.timeout.key]: requestTimeout / shape.timeout.milliseconds }),
    ...(shape.hidden && hiddenTools.length > 0 && { [shape.hidden]: [...hiddenTools] }),
  }
}

/** Notes on settings that the other host does not have. */
function notesOf(host: OtherHost, name: string, launch: FileLaunch, { enabled, hiddenTools }: Exported['options']): string[] {
  const shape = HOST_FORMATS[host]
  const label = OTHER_HOSTS[host]
  const notes: string[] = []
  if (!enabled && !shape.off) notes.push(`“${name}” is turned off here. ${label} will start it.`)
  if (hiddenTools.length > 0 && !shape.hidden) notes.push(`Hidden tools of “${name}” are not hidden in ${label}.`)
  if (launch.type === 'remote' && host === 'claude-desktop')
    notes.push(`Claude Desktop takes “${name}” under Connectors in its settings, not from this file.`)
  if (launch.type === 'local' && launch.cwd !== undefined && host === 'goose')
    notes.push(`Goose starts “${name}” in a folder of its own.`)
  return notes
}

function secretNote(label: string, shape: HostFormat, inputs: readonly JsonObject[]): string {
  const names = [...new Set(inputs.map(({ id }) => String(id)))].join(', ')
  return shape.secret ? `Set these environment variables for ${label}: ${names}.` : `Fill in these values in the text: ${names}.`
}

/** `isShared` tells names that several servers use, which need a variable for each. */
function valuesOf(name: string, launch: FileLaunch, isShared: (key: string) => boolean): Values {
  const open: Record<string, string> = {}
  const secret: Record<string, string> = {}
  for (const [key, value] of Object.entries(configuredValues(launch))) {
    if ('text' in value) open[key] = value.text
    else secret[key] = launch.type === 'remote' || isShared(key) ? variableFor(name, key) : key
  }
  return { open, secret }
}

const variableFor = (server: string, header: string): string =>
  `${server}_${header}`
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_?(\d)/, '_$1')

const unlessEmpty = (key: string, value: Readonly<Record<string, JsonValue>> | JsonValue[]): JsonObject =>
  Object.keys(value).length > 0 ? { [key]: value } : {}

async function textOf({ format }: HostFormat, root: JsonObject): Promise<string> {
  if (format === 'json') return `${JSON.stringify(root, undefined, 2)}\n`
  if (format === 'toml') return `${(await import('smol-toml')).stringify(root)}`
  return (await import('yaml')).stringify(root, { aliasDuplicateObjects: false, lineWidth: 0 })
}
