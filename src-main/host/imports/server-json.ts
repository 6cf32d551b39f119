import { defined } from '../../../src-shared/base/defined.ts'
import { isObject } from '../../../src-shared/base/json.ts'

// The shape of server.json as of its schema 2025-12-11; entries in the older snake_case are read, too. What its texts may be is judged
// when a server is made of it.

const MAX_COUNT = 100
const MAX_TEXT = 4096

export interface PublishedInput {
  readonly name: string
  readonly description?: string
  readonly required: boolean
  readonly secret: boolean
  readonly format: string
  readonly default?: string
  readonly choices: readonly string[]
  /** Fixed; `{x}` stands for a variable. */
  readonly value?: string
  readonly variables: Readonly<Record<string, PublishedInput>>
}

export interface PublishedArgument extends PublishedInput {
  readonly type: 'named' | 'positional'
  readonly repeated: boolean
}

export interface PublishedPackage {
  readonly type: string
  readonly identifier: string
  readonly version: string
  readonly registry?: string
  /** SHA-256 of the file at the identifier, for a bundle. */
  readonly sha256?: string
  readonly runtime?: string
  readonly transport: string
  readonly runtimeArguments: readonly PublishedArgument[]
  readonly arguments: readonly PublishedArgument[]
  readonly variables: readonly PublishedInput[]
}

interface PublishedRemote {
  readonly type: string
  readonly url: string
  readonly variables: Readonly<Record<string, PublishedInput>>
  readonly headers: readonly PublishedInput[]
}

export interface PublishedServer {
  readonly name: string
  readonly title?: string
  readonly version: string
  readonly description: string
  readonly website?: string
  readonly afterwards?: string
  readonly packages: readonly PublishedPackage[]
  readonly remotes: readonly PublishedRemote[]
}

type Members = Readonly<Record<string, unknown>>

/** Undefined for anything but a server.json, alone or as a registry answers with it. */
export function readPublished(value: Members): PublishedServer | undefined {
  const root = isObject(value.server) ? value.server : value
  if (typeof root.name !== 'string' || (!Array.isArray(root.packages) && !Array.isArray(root.remotes))) return undefined
  const [title, website] = [textOf(root.title), textOf(root.websiteUrl ?? root.website_url)]
  const afterwards = textOf(root.postInstallInstructions)
  return {
    name: root.name.slice(0, MAX_TEXT),
    ...(title !== undefined && { title }),
    version: textOf(root.version) ?? textOf(isObject(root.version_detail) ? root.version_detail.version : undefined) ?? '',
    description: textOf(root.description) ?? '',
    ...defined({ website, afterwards }),
    packages: objectsIn(root.packages).map(readPackage),
    remotes: objectsIn(root.remotes).map((remote) => ({
      type: textOf(remote.type ?? remote.transport_type) ?? '',
      url: textOf(remote.url) ?? '',
      variables: inputsByName(remote.variables),
      headers: objectsIn(remote.headers).map(readInput),
    })),
  }
}

function readPackage(value: Members): PublishedPackage {
  const registry = textOf(value.registryBaseUrl ?? value.registry_base_url)
  const runtime = textOf(value.runtimeHint ?? value.runtime_hint)
  const sha256 = textOf(value.fileSha256 ?? value.file_sha256)
  const transport = isObject(value.transport) ? textOf(value.transport.type) : undefined
  return {
    type: textOf(value.registryType ?? value.registry_type ?? value.registry_name) ?? '',
    identifier: textOf(value.identifier ?? value.name) ?? '',
    version: textOf(value.version) ?? '',
    ...defined({ registry, sha256, runtime }),
    transport: transport ?? 'stdio',
    runtimeArguments: objectsIn(value.runtimeArguments ?? value.runtime_arguments).map(readArgument),
    arguments: objectsIn(value.packageArguments ?? value.package_arguments).map(readArgument),
    variables: objectsIn(value.environmentVariables ?? value.environment_variables).map(readInput),
  }
}

function readArgument(value: Members): PublishedArgument {
  const input = readInput(value)
  return {
    ...input,
    name: input.name || (textOf(value.valueHint ?? value.value_hint) ?? ''),
    type: value.type === 'named' ? 'named' : 'positional',
    repeated: (value.isRepeated ?? value.is_repeated) === true,
  }
}

function readInput(value: Members): PublishedInput {
  const [description, usual, fixed] = [textOf(value.description), textOf(value.default), textOf(value.value)]
  return {
    name: textOf(value.name) ?? '',
    ...(description !== undefined && { description }),
    required: (value.isRequired ?? value.is_required) === true,
    secret: (value.isSecret ?? value.is_secret) === true,
    format: textOf(value.format) ?? 'string',
    ...(usual !== undefined && { default: usual }),
    choices: Array.isArray(value.choices) ? value.choices.slice(0, MAX_COUNT).flatMap((one: unknown) => textOf(one) ?? []) : [],
    ...(fixed !== undefined && { value: fixed }),
    variables: inputsByName(value.variables),
  }
}

/** Variables have no variables of their own. */
function inputsByName(value: unknown): Readonly<Record<string, PublishedInput>> {
  if (!isObject(value)) return {}
  const some = Object.entries(value).slice(0, MAX_COUNT)
  return Object.fromEntries(
    some.flatMap(([name, input]) => (isObject(input) ? [[name, readInput({ ...input, name, variables: undefined })]] : [])),
  )
}

const objectsIn = (value: unknown): Members[] => (Array.isArray(value) ? value.slice(0, MAX_COUNT).filter(isObject) : [])

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value.slice(0, MAX_TEXT)
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined
