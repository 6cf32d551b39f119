import path from 'node:path'
import { defined } from '../../../src-shared/base/defined.ts'
import type { ImportInput } from '../../../src-shared/contract/imports.ts'
import { EntryError } from '../../../src-shared/foreign/foreign-server.ts'
import type { InstalledBundle } from '../../bundles/bundles.ts'
import type { BundleField } from '../../bundles/manifest.ts'
import type { ImportValue, Part } from './import-values.ts'
import { launchAlarms } from './launch-alarms.ts'
import type { StagedEntry } from './review-servers.ts'
import { checkStaged, type StagedServer, shownStagedLaunch } from './staged-server.ts'
import { foldersOf } from './usual-places.ts'

const VARIABLE = /\$\{([^{}]*)\}/g
const SYSTEMS: Readonly<Record<string, string>> = { darwin: 'macOS', linux: 'Linux', win32: 'Windows' }
const KINDS = { number: 'number', boolean: 'boolean', directory: 'folder', file: 'file' } as const

/**
 * The server of a bundle, with inputs for its settings. Variables are replaced once, and nothing inside a value is (the reference
 * expands values again, by which one setting reads another). Throws EntryError.
 */
export function stageBundle(
  bundle: InstalledBundle,
  os: string,
  environment: Readonly<Record<string, string | undefined>>,
): StagedEntry {
  const { manifest, folder } = bundle
  const { platforms } = manifest
  if (platforms && !platforms.includes(os)) {
    const named = platforms.map((one) => SYSTEMS[one] ?? one).join(', ')
    throw new EntryError(`It is made for ${named || 'no system'}, and this is ${SYSTEMS[os] ?? os}.`)
  }
  const open = (text: string, alone = true) => partsOf(text, knownValues(folder, os, environment), manifest.fields, alone)
  const held: StagedServer = {
    type: 'local',
    target: commandOf(open(manifest.command, false), bundle, os),
    args: manifest.args.map((arg) => open(arg)),
    cwd: [folder],
    values: new Map(Object.entries(manifest.env).map(([name, text]) => [name, secretOrOpen(open(text, false))])),
  }
  checkStaged(held, {})
  return {
    foreign: {
      name: manifest.title,
      launch: { type: 'local', command: manifest.command, args: [], env: {} },
      options: {},
      notTaken: [],
    },
    held,
    package: {
      is: 'bundle',
      title: manifest.title,
      version: manifest.version,
      description: manifest.description,
      publisher: manifest.author,
      source: bundle.source,
      sha256: bundle.sha256,
      files: Object.keys(bundle.files).length,
      bytes: bundle.bytes,
      ...(bundle.signed && { signed: true }),
      tools: manifest.tools,
      privacyPolicies: manifest.privacyPolicies,
      needs: manifest.runtimes,
      alarms: [
        ...overrideAlarm(manifest.overridden, os),
        ...outsideAlarm(held, folder, os),
        ...launchAlarms(shownStagedLaunch(held), os),
      ],
    },
  }
}

function knownValues(
  folder: string,
  os: string,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const { home, join, separator } = foldersOf(os, environment)
  return {
    __dirname: folder,
    HOME: home,
    DESKTOP: join(home, 'Desktop'),
    DOCUMENTS: join(home, 'Documents'),
    DOWNLOADS: join(home, 'Downloads'),
    pathSeparator: separator,
    '/': separator,
  }
}

function partsOf(
  text: string,
  known: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, BundleField>>,
  argument: boolean,
): Part[] {
  const parts: Part[] = []
  let at = 0
  const add = (literal: string) => {
    const last = parts.at(-1)
    if (typeof last === 'string') parts[parts.length - 1] = last + literal
    else if (literal !== '') parts.push(literal)
  }
  for (const match of text.matchAll(VARIABLE)) {
    const name = match[1] ?? ''
    add(text.slice(at, match.index))
    at = match.index + match[0].length
    const setting = /^user_config\.(.+)$/.exec(name)?.[1]
    const field = setting !== undefined && Object.hasOwn(fields, setting) ? fields[setting] : undefined
    if (Object.hasOwn(known, name)) add(known[name] ?? '')
    else if (setting !== undefined && field) parts.push({ input: inputOf(setting, field, argument && match[0] === text) })
    else throw new EntryError(`It uses “${match[0].slice(0, 100)}”, which Parley does not know.`)
  }
  add(text.slice(at))
  return parts.length > 0 ? parts : ['']
}

function inputOf(name: string, field: BundleField, alone: boolean): ImportInput {
  const kind = field.type === 'string' ? undefined : KINDS[field.type]
  return {
    id: `setting:${name}`,
    label: field.title,
    secret: field.sensitive,
    ...(field.default !== undefined && !field.sensitive && { default: field.default }),
    ...defined({ hint: field.description, kind }),
    ...(field.several && { several: true }),
    ...(!field.required && { optional: true }),
    ...(alone && { alone: true }),
    ...defined({ least: field.least, most: field.most }),
  }
}

const secretOrOpen = (parts: readonly Part[]): ImportValue => ({
  parts,
  secret: parts.some((part) => typeof part !== 'string' && part.input.secret),
})

/** The program of a `binary` must be one of its files; `node` and the like are looked for on this computer. */
function commandOf(parts: readonly Part[], { manifest, files, folder }: InstalledBundle, os: string): readonly Part[] {
  const [command, ...more] = parts
  if (typeof command !== 'string' || more.length > 0) throw new EntryError('Its command depends on a setting.')
  if (manifest.type !== 'binary') return parts
  const paths = os === 'win32' ? path.win32 : path.posix
  const whole = paths.resolve(folder, command)
  const inside = paths.relative(folder, whole).replaceAll(paths.sep, '/')
  const file = [inside, ...(os === 'win32' ? [`${inside}.exe`] : [])].find((one) => Object.hasOwn(files, one))
  if (file === undefined) throw new EntryError(`Its program “${command.slice(0, 200)}” is not in the bundle.`)
  return [paths.join(folder, file)]
}

const PARTS: Readonly<Record<string, string>> = { command: 'command', args: 'arguments', env: 'variables' }

/** Others may have looked at another launch than the one here (MCPB-10). */
function overrideAlarm(overridden: readonly string[], os: string): string[] {
  const parts = overridden.map((key) => PARTS[key] ?? key).join(' and ')
  return parts === '' ? [] : [`What it runs on ${SYSTEMS[os] ?? os} differs from other systems: ${parts}.`]
}

function outsideAlarm({ target: [command] }: StagedServer, folder: string, os: string): string[] {
  const paths = os === 'win32' ? path.win32 : path.posix
  if (typeof command !== 'string' || !/[\\/]/.test(command)) return []
  const way = paths.relative(folder, paths.resolve(folder, command))
  return way.startsWith('..') || paths.isAbsolute(way) ? ['It runs a program that is not in the bundle.'] : []
}
