import { isObject } from '../../src-shared/base/json.ts'
import { type JsonNode, JsonTextError, parseJsonText, plainValue } from '../storage/server-file/json-text.ts'
import { BundleError } from './bundle-error.ts'

/** Versions of the format that are read (MANIFEST.md of `mcpb` 2.1, older ones as `dxt_version`). */
const VERSIONS = ['0.1', '0.2', '0.3', '0.4']
const TYPES = ['node', 'python', 'binary', 'uv'] as const
const FIELD_TYPES = ['string', 'number', 'boolean', 'directory', 'file'] as const
const MAX_LINE = 200
const MAX_TEXT = 2000
const MAX_ARGUMENT = 8192
const MAX_COUNT = 200

export interface BundleField {
  readonly type: (typeof FIELD_TYPES)[number]
  readonly title: string
  readonly description?: string
  readonly required: boolean
  readonly several: boolean
  readonly sensitive: boolean
  readonly default?: string
  readonly least?: number
  readonly most?: number
}

export interface BundleManifest {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly description: string
  readonly author: string
  readonly type: (typeof TYPES)[number]
  /** Variables such as `${__dirname}` are still in its texts. */
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly entry?: string
  /** The command, arguments or variables of this system that differ from the general ones. */
  readonly overridden: readonly string[]
  readonly fields: Readonly<Record<string, BundleField>>
  /** As `process.platform` names systems; absent for all. */
  readonly platforms?: readonly string[]
  /** Versions of programs that it wants: “node >=20”. */
  readonly runtimes: readonly string[]
  readonly privacyPolicies: readonly string[]
  /** Claims, not looked at. */
  readonly tools: readonly string[]
  /** It says that it has more tools than it names. */
  readonly moreTools?: true
}

/** Reads `manifest.json` for one system; unknown keys are ignored. Throws BundleError. */
export function readManifest(text: string, os: string): BundleManifest {
  const root = rootOf(text)
  const version = root.manifest_version ?? root.dxt_version
  if (typeof version !== 'string' || !VERSIONS.includes(version)) {
    throw new BundleError(`Its format is ${shown(version)}, which is not supported. Parley reads ${VERSIONS.join(', ')}.`)
  }
  const server = objectIn(root.server, 'server')
  const type = TYPES.find((one) => one === server.type)
  if (!type) throw new BundleError(`Its server is of the type ${shown(server.type)}, which Parley does not know.`)
  const launch = launchOf(server, type, os)
  const name = required(root.name, 'name')
  const compatibility = isObject(root.compatibility) ? root.compatibility : {}
  const platforms = compatibility.platforms === undefined ? undefined : linesIn(compatibility.platforms)
  return {
    name,
    title: line(root.display_name) ?? name,
    version: required(root.version, 'version'),
    description: cut(required(root.description, 'description', MAX_TEXT)),
    author: required(objectIn(root.author, 'author').name, 'author.name'),
    type,
    ...launch,
    fields: fieldsOf(root.user_config),
    ...(platforms && { platforms }),
    runtimes: runtimesOf(compatibility.runtimes),
    privacyPolicies: linesIn(root.privacy_policies),
    tools: Array.isArray(root.tools) ? linesIn(root.tools.map((tool: unknown) => (isObject(tool) ? tool.name : undefined))) : [],
    ...(root.tools_generated === true && { moreTools: true as const }),
  }
}

function rootOf(text: string): Record<string, unknown> {
  try {
    const node = parseJsonText(text)
    const doubled = repeatedKey(node)
    if (doubled !== undefined) throw new BundleError(`Its manifest.json has “${doubled.slice(0, MAX_LINE)}” twice.`)
    const value = plainValue(node)
    if (isObject(value)) return value
  } catch (error) {
    if (error instanceof JsonTextError) throw new BundleError(`Its manifest.json cannot be read: ${error.message}.`)
    throw error
  }
  throw new BundleError('Its manifest.json is not an object.')
}

/** The recursion is bounded, because the parser refuses deep nesting. */
function repeatedKey(node: JsonNode): string | undefined {
  if (node.type === 'scalar') return undefined
  const seen = new Set<string>()
  for (const { key, value } of node.type === 'object'
    ? node.properties
    : node.items.map((item) => ({ key: undefined, value: item }))) {
    if (key !== undefined && seen.has(key)) return key
    if (key !== undefined) seen.add(key)
    const below = repeatedKey(value)
    if (below !== undefined) return below
  }
  return undefined
}

function launchOf(
  server: Record<string, unknown>,
  type: BundleManifest['type'],
  os: string,
): Pick<BundleManifest, 'command' | 'args' | 'env' | 'overridden' | 'entry'> {
  const entry = line(server.entry_point, 240)
  const config =
    server.mcp_config === undefined && type === 'uv' ? uvConfig(entry) : objectIn(server.mcp_config, 'server.mcp_config')
  const overrides = isObject(config.platform_overrides) ? config.platform_overrides : {}
  const own = Object.hasOwn(overrides, os) && isObject(overrides[os]) ? overrides[os] : {}
  const env = { ...textsIn(config.env, 'env'), ...textsIn(own.env, 'env') }
  if (Object.keys(env).length > MAX_COUNT) throw new BundleError('It sets too many variables.')
  return {
    command: required(own.command ?? config.command, 'server.mcp_config.command', MAX_ARGUMENT),
    args: argumentsIn(own.args ?? config.args),
    env,
    ...(entry !== undefined && { entry }),
    overridden: ['command', 'args', 'env'].filter((key) => own[key] !== undefined),
  }
}

const uvConfig = (entry: string | undefined): Record<string, unknown> => ({
  command: 'uv',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the format
  args: ['run', '--directory', '${__dirname}', entry ?? 'main.py'],
})

function fieldsOf(value: unknown): Record<string, BundleField> {
  if (value === undefined) return {}
  const fields = Object.entries(objectIn(value, 'user_config'))
  if (fields.length > MAX_COUNT) throw new BundleError('It asks for too many values.')
  return Object.fromEntries(fields.map(([name, field]) => [name, fieldOf(name, objectIn(field, `user_config.${name}`))]))
}

function fieldOf(name: string, field: Record<string, unknown>): BundleField {
  const type = FIELD_TYPES.find((one) => one === field.type)
  if (!type || !/^[\w.-]{1,100}$/.test(name))
    throw new BundleError(`Its setting “${cut(name)}” is of a kind that Parley does not know.`)
  const description = line(field.description, MAX_TEXT)
  const usual = defaultOf(field.default)
  return {
    type,
    title: line(field.title) ?? name,
    ...(description !== undefined && { description }),
    required: field.required === true,
    several: field.multiple === true && (type === 'directory' || type === 'file' || type === 'string'),
    sensitive: field.sensitive === true,
    ...(usual !== undefined && { default: usual }),
    ...(typeof field.min === 'number' && { least: field.min }),
    ...(typeof field.max === 'number' && { most: field.max }),
  }
}

/** Several values are one in each line. */
function defaultOf(value: unknown): string | undefined {
  const values: unknown[] = Array.isArray(value) ? value.slice(0, MAX_COUNT) : [value]
  const texts = values.flatMap((one) =>
    typeof one === 'number' || typeof one === 'boolean' ? String(one) : (line(one, MAX_TEXT) ?? []),
  )
  return texts.length > 0 ? texts.join('\n') : undefined
}

function runtimesOf(value: unknown): string[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([program, range]) => (typeof range === 'string' ? [cut(`${program} ${range}`)] : []))
}

function argumentsIn(value: unknown): string[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length > MAX_COUNT) throw new BundleError('Its arguments are not a list, or are too many.')
  return value.map((one: unknown, at) => argument(one, `argument ${at + 1}`))
}

function textsIn(value: unknown, key: string): Record<string, string> {
  if (value === undefined) return {}
  return Object.fromEntries(Object.entries(objectIn(value, key)).map(([name, one]) => [name, argument(one, name)]))
}

function argument(value: unknown, called: string): string {
  if (typeof value !== 'string' || value.length > MAX_ARGUMENT || value.includes('\0'))
    throw new BundleError(`Its ${cut(called)} is not usable text.`)
  return value
}

function required(value: unknown, key: string, most = MAX_LINE): string {
  const text = line(value, most)
  if (text === undefined) throw new BundleError(`Its manifest.json has no usable “${key}”.`)
  return text
}

/** A text with something in it, on one line. */
function line(value: unknown, most = MAX_LINE): string | undefined {
  if (typeof value !== 'string' || value.length > most || value.includes('\0')) return undefined
  const text = value.replace(/\s+/g, ' ').trim()
  return text === '' ? undefined : text
}

const linesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(0, MAX_COUNT).flatMap((one: unknown) => line(one, MAX_TEXT) ?? []) : []

function objectIn(value: unknown, key: string): Record<string, unknown> {
  if (!isObject(value)) throw new BundleError(`Its manifest.json has no usable “${cut(key)}”.`)
  return value
}

const cut = (text: string): string => text.slice(0, MAX_TEXT)
const shown = (value: unknown): string => (typeof value === 'string' ? `“${value.slice(0, 50)}”` : 'not named')
