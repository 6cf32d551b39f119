import type { ImportInput, ReviewedPackage } from '../../../src-shared/contract/imports.ts'
import { EntryError } from '../../../src-shared/foreign/foreign-server.ts'
import type { ImportValue, Part } from './import-values.ts'
import { launchAlarms } from './launch-alarms.ts'
import type { StagedEntry } from './review-servers.ts'
import type { PublishedArgument, PublishedInput, PublishedPackage, PublishedServer } from './server-json.ts'
import { checkStaged, type StagedServer, shownStagedLaunch } from './staged-server.ts'

/** The program that runs packages of one kind, in exactly one version. */
interface Runner {
  readonly command: string
  readonly called: string
  /** The only registry that needs no warning. */
  readonly registry: string
  readonly identifier: RegExp
  readonly version: RegExp
  /** The arguments that name the package. */
  readonly package: (identifier: string, version: string) => readonly string[]
  /** The option that names another registry. */
  readonly registryOption?: string
}

const SEMVER = /^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/
const RUNNERS: Readonly<Record<string, Runner>> = {
  npm: {
    command: 'npx',
    called: 'npm',
    registry: 'https://registry.npmjs.org',
    identifier: /^(?:@[a-z\d~][\w.~-]*\/)?[a-z\d~][\w.~-]*$/i,
    version: SEMVER,
    package: (identifier, version) => ['-y', `${identifier}@${version}`],
    registryOption: '--registry',
  },
  pypi: {
    command: 'uvx',
    called: 'PyPI',
    registry: 'https://pypi.org',
    identifier: /^[a-z\d][\w.-]*$/i,
    version: /^\d+(?:\.\d+)*(?:(?:a|b|rc|\.post|\.dev)\d+)*$/,
    package: (identifier, version) => [`${identifier}@${version}`],
    registryOption: '--default-index',
  },
  oci: {
    command: 'docker',
    called: 'a container registry',
    registry: 'https://docker.io',
    identifier: /^[a-z\d][a-z\d._/:@-]*$/i,
    version: /^(?!latest$)[\w][\w.-]*$/,
    package: (identifier, version) => [/[:@][^/]*$/.test(identifier) ? identifier : `${identifier}:${version}`],
  },
  nuget: {
    command: 'dnx',
    called: 'NuGet',
    registry: 'https://api.nuget.org',
    identifier: /^[a-z\d][\w.-]*$/i,
    version: SEMVER,
    package: (identifier, version) => [`${identifier}@${version}`, '--yes'],
  },
}

/** A name as registries give it: the reversed domain of the publisher, then the server. */
export const PUBLISHED_NAME = /^[a-zA-Z\d][a-zA-Z\d.-]*\/[a-zA-Z\d][a-zA-Z\d._-]*$/
const KINDS: Readonly<Record<string, ImportInput['kind']>> = { number: 'number', boolean: 'boolean', filepath: 'file' }
const NOT_TAKEN = { options: {}, notTaken: [] }

interface Staged extends Pick<StagedEntry, 'held' | 'npm'> {
  readonly source: string
  readonly alarms: readonly string[]
}

/** Each package and address of a server.json as a server, or the reason why it is none. */
export function stagePublished(
  server: PublishedServer,
  prefix: string,
  os: string,
): { entries: StagedEntry[]; unusable: { called: string; why: string }[] } {
  const entries: StagedEntry[] = []
  const unusable: { called: string; why: string }[] = []
  const ways = [
    ...server.packages.map((one) => ({ called: `${one.type} ${one.identifier}`, stage: () => stagePackage(one, prefix) })),
    ...server.remotes.map((one) => ({ called: one.url, stage: () => stageRemote(one, prefix) })),
  ]
  for (const { called, stage } of ways) {
    try {
      if (!PUBLISHED_NAME.test(server.name))
        throw new EntryError(`“${server.name.slice(0, 100)}” is not a valid name in a registry.`)
      entries.push(entryOf(server, stage(), os))
    } catch (error) {
      if (!(error instanceof EntryError)) throw error
      unusable.push({ called: called.slice(0, 200), why: error.message })
    }
  }
  return { entries, unusable }
}

function entryOf(server: PublishedServer, { held, source, alarms, npm }: Staged, os: string): StagedEntry {
  checkStaged(held, {})
  const about: ReviewedPackage = {
    is: 'entry',
    title: server.title ?? server.name,
    version: server.version,
    description: server.description.slice(0, 2000),
    publisher: server.name.split('/')[0] ?? '',
    ...(server.afterwards !== undefined && { afterwards: server.afterwards.slice(0, 2000) }),
    source,
    tools: [],
    privacyPolicies: [],
    needs: [],
    alarms: [...alarms, ...launchAlarms(shownStagedLaunch(held), os)],
  }
  return {
    foreign: { name: server.name, launch: { type: 'remote', url: '', headers: {} }, ...NOT_TAKEN },
    held,
    package: about,
    ...(npm && { npm }),
  }
}

function stagePackage(one: PublishedPackage, prefix: string): Staged {
  if (one.type === 'mcpb') throw new EntryError('It is a bundle at an address. Download the file, and install it from there.')
  const runner = Object.hasOwn(RUNNERS, one.type) ? RUNNERS[one.type] : undefined
  if (!runner) throw new EntryError(`Parley does not run packages of the type “${one.type.slice(0, 50)}”.`)
  if (one.transport !== 'stdio') throw new EntryError('It listens at an address. Parley only starts servers that use stdio.')
  if (one.runtime !== undefined && one.runtime !== runner.command)
    throw new EntryError(`It is meant to run with “${one.runtime.slice(0, 50)}”, not with ${runner.command}.`)
  if (!runner.identifier.test(one.identifier))
    throw new EntryError(`“${one.identifier.slice(0, 100)}” is not the name of a package.`)
  const isPinned = one.type === 'oci' && /[:@][^/]*$/.test(one.identifier) && !one.identifier.endsWith(':latest')
  if (!isPinned && !runner.version.test(one.version))
    throw new EntryError(`Its version “${one.version.slice(0, 50)}” is not exact, so what runs could change.`)
  const elsewhere = one.registry !== undefined && one.registry.replace(/\/$/, '') !== runner.registry ? one.registry : undefined
  if (elsewhere !== undefined && !runner.registryOption)
    throw new EntryError(`It comes from ${elsewhere.slice(0, 200)}, where ${runner.command} does not look.`)
  const variables = one.variables.map(({ name }) => name)
  const before: readonly string[] =
    one.type === 'oci'
      ? ['run', '-i', '--rm', ...variables.flatMap((name) => ['-e', name])]
      : elsewhere !== undefined && runner.registryOption
        ? [runner.registryOption, elsewhere]
        : []
  const literal = (words: readonly string[]): Part[][] => words.map((word) => [word])
  const held: StagedServer = {
    type: 'local',
    target: [runner.command],
    args: [
      ...literal(before),
      ...one.runtimeArguments.flatMap((argument) => argumentParts(argument, `${prefix}runtime:`)),
      ...literal(runner.package(one.identifier, one.version)),
      ...one.arguments.flatMap((argument) => argumentParts(argument, `${prefix}argument:`)),
    ],
    values: new Map(one.variables.map((input) => [input.name, namedPart(input, `${prefix}variable:`)])),
  }
  return {
    held,
    source: `${runner.called}: ${one.identifier}`,
    ...(one.type === 'npm' && { npm: { at: one.registry ?? runner.registry, name: one.identifier, version: one.version } }),
    alarms: elsewhere === undefined ? [] : [`Its package comes from ${elsewhere.slice(0, 200)}, not from ${runner.registry}.`],
  }
}

/** `--flag` and its value are two arguments, `--flag=value` is one where the name ends so. */
function argumentParts(argument: PublishedArgument, prefix: string): Part[][] {
  const isNamed = argument.type === 'named'
  const joined = isNamed && argument.name.endsWith('=')
  const parts = inputParts(argument, prefix, { several: argument.repeated, alone: !joined })
  if (!isNamed) return [parts]
  if (!/^-/.test(argument.name)) throw new EntryError(`Its argument “${argument.name.slice(0, 100)}” does not begin with “-”.`)
  if (joined) return [[argument.name, ...parts]]
  return argument.value === '' ? [[argument.name]] : [[argument.name], parts]
}

function stageRemote(remote: PublishedServer['remotes'][number], prefix: string): Staged {
  if (remote.type !== 'streamable-http' && remote.type !== 'sse')
    throw new EntryError(`Parley does not know the transport “${remote.type.slice(0, 50)}”.`)
  // A variable never decides the scheme.
  if (!/^https?:\/\//i.test(remote.url)) throw new EntryError('Its address does not begin with https://.')
  const held: StagedServer = {
    type: 'remote',
    target: template(remote.url, remote.variables, `${prefix}address:`, { encoded: true }),
    args: [],
    values: new Map(remote.headers.map((input) => [input.name, namedPart(input, `${prefix}header:`)])),
  }
  const host = URL.parse(remote.url.replace(/[{}]/g, ''))?.host
  return { held, source: `address: ${host ?? remote.url.slice(0, 200)}`, alarms: [] }
}

function namedPart(input: PublishedInput, prefix: string): ImportValue {
  const parts = inputParts(input, prefix, {})
  return { parts, secret: input.secret || parts.some((part) => typeof part !== 'string' && part.input.secret) }
}

type Extra = { readonly several?: boolean; readonly alone?: boolean; readonly encoded?: boolean }

/** A fixed value is shown and cannot be edited; anything else is asked for. */
function inputParts(input: PublishedInput, prefix: string, extra: Extra): Part[] {
  return input.value !== undefined
    ? template(input.value, input.variables, `${prefix}${input.name}/`, {})
    : [{ input: askedFor(input, prefix, extra) }]
}

/** Variables are replaced once; what is no variable stays as it is written. */
function template(text: string, variables: Readonly<Record<string, PublishedInput>>, prefix: string, extra: Extra): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const match of text.matchAll(/\{([^{}]*)\}/g)) {
    const variable = Object.hasOwn(variables, match[1] ?? '') ? variables[match[1] ?? ''] : undefined
    if (!variable) continue
    if (match.index > at) parts.push(text.slice(at, match.index))
    parts.push(variable.value === undefined ? { input: askedFor(variable, prefix, extra) } : variable.value)
    at = match.index + match[0].length
  }
  if (at < text.length || parts.length === 0) parts.push(text.slice(at))
  return parts
}

function askedFor(input: PublishedInput, prefix: string, { several, alone, encoded }: Extra): ImportInput {
  const label = (input.name || 'Value').slice(0, 200)
  const kind = KINDS[input.format]
  return {
    id: `${prefix}${label}`,
    label,
    secret: input.secret,
    ...(input.default !== undefined && !input.secret && { default: input.default }),
    ...(input.choices.length > 0 && { choices: input.choices }),
    ...(input.description !== undefined && { hint: input.description.slice(0, 1000) }),
    ...(kind && { kind }),
    ...(several && { several: true }),
    ...(!input.required && !encoded && { optional: true }),
    ...(alone && { alone: true }),
    ...(encoded && { encoded: true }),
  }
}
