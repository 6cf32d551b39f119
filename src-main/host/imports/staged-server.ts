import { HostError } from '../../../src-shared/contract/errors.ts'
import { isBareFlag, withoutUnset } from '../../../src-shared/contract/import-rules.ts'
import type { ImportInput } from '../../../src-shared/contract/imports.ts'
import { type ConfigValue, serverConfig } from '../../../src-shared/contract/servers.ts'
import { EntryError, type ForeignServer } from '../../../src-shared/foreign/foreign-server.ts'
import type { FileLaunch } from '../../storage/base/storage.ts'
import { holdsSecret } from '../core/redact.ts'
import { checkConfig } from '../launch/server-config.ts'
import {
  filledText,
  fromEnvironment,
  type ImportValue,
  inputsIn,
  namedValue,
  openText,
  type Part,
  shownText,
  type ValueSource,
} from './import-values.ts'

/** A server of another host, with inputs for the values that are missing. */
export interface StagedServer {
  readonly type: FileLaunch['type']
  /** The command or the address. */
  readonly target: readonly Part[]
  readonly args: readonly (readonly Part[])[]
  readonly cwd?: readonly Part[]
  /** Variables or headers. */
  readonly values: ReadonlyMap<string, ImportValue>
}

/** Throws EntryError for a server that can never be added. `startsIn` resolves a relative or missing working folder. */
export function stageServer(
  { launch, options, fromEnvironment: taken = {} }: ForeignServer,
  source: ValueSource,
  startsIn?: (cwd: string) => string,
): StagedServer {
  const local = launch.type === 'local'
  const cwd = local ? (startsIn?.(launch.cwd ?? '.') ?? launch.cwd) : undefined
  const held: StagedServer = {
    type: launch.type,
    target: openText(local ? launch.command : launch.url, source),
    args: local ? launch.args.map((arg) => openText(arg, source)) : [],
    ...(cwd !== undefined && { cwd: openText(cwd, source) }),
    values: new Map([
      ...Object.entries(local ? launch.env : launch.headers).map(
        ([name, text]) => [name, namedValue(name, text, source)] as const,
      ),
      ...Object.entries(taken).map(([name, from]) => [name, fromEnvironment(name, from, source)] as const),
    ]),
  }
  checkStaged(held, options)
  return held
}

/** Throws EntryError for a server that can never be added, whatever is filled in. */
export function checkStaged(held: StagedServer, options: ForeignServer['options']): void {
  const inputs = inputsOf(held)
  const tried = filledLaunch(held, Object.fromEntries(inputs.map(({ id }) => [id, 'x'])))
  if (!('type' in tried) || !serverConfig().safeParse({ name: 'x', launch: tried, options }).success) {
    throw new EntryError('It is too large for a server’s configuration.')
  }
  // An address with inputs is checked when it is complete.
  const judged = tried.type === 'remote' && inputsIn(held.target).length > 0 ? { ...tried, url: 'https://x' } : tried
  try {
    checkConfig({ name: 'x', launch: judged })
  } catch (error) {
    throw error instanceof HostError ? new EntryError(error.message) : error
  }
}

export function inputsOf({ target, args, cwd = [], values }: StagedServer): ImportInput[] {
  const parts = [target, ...args, cwd, ...[...values.values()].map((value) => value.parts)]
  return [...new Map(parts.flatMap(inputsIn).map((input) => [input.id, input])).values()]
}

/** The launch to write, or the first input that is missing. */
export function filledLaunch(held: StagedServer, given: Readonly<Record<string, string>>): FileLaunch | ImportInput {
  const missing: ImportInput[] = []
  const fill = (parts: readonly Part[]): string => {
    const text = filledText(parts, given)
    if (typeof text === 'string') return text
    missing.push(text)
    return ''
  }
  const isUnset = (parts: readonly Part[]) =>
    inputsIn(parts).some((input) => input.optional && input.default === undefined && !given[input.id])
  const left: StagedServer = {
    ...held,
    args: withoutUnset(held.args, isUnset, isFlag).flatMap((arg) => repeated(arg, given)),
    values: new Map([...held.values].filter(([, { parts }]) => !isUnset(parts))),
  }
  const launch = launchOf(left, fill, ({ parts, secret }) => ({ text: fill(parts), ...(secret && { lift: true }) }))
  return missing[0] ?? launch
}

const isFlag = ([only, ...more]: readonly Part[]) => more.length === 0 && typeof only === 'string' && isBareFlag(only)

/** One argument for each value of an input that takes several. Values are not looked into: one is one argument. */
function repeated(arg: readonly Part[], given: Readonly<Record<string, string>>): (readonly Part[])[] {
  const several = inputsIn(arg).find((input) => input.several)
  if (!several) return [arg]
  const values = (given[several.id] || several.default || '').split('\n').filter((value) => value !== '')
  if (values.length === 0) return [arg]
  return values.map((value) => arg.map((part) => (typeof part !== 'string' && part.input.id === several.id ? value : part)))
}

/** The launch for windows, in which a reference that opens nothing stands for each secret. */
export function shownStagedLaunch(held: StagedServer): FileLaunch {
  return launchOf(held, shownText, ({ parts, secret }, name) =>
    secret ? { secret: `import:${name}` } : { text: shownText(parts) },
  )
}

/** Names the places where mcp.json would hold a secret in the clear. */
export function inTheClear({ type, target, args }: StagedServer): string[] {
  const looks = (parts: readonly Part[], before = '') =>
    inputsIn(parts).some(({ secret }) => secret) || holdsSecret(before, shownText(parts))
  const flagged = args.flatMap((arg, at) => {
    const before = shownText(args[at - 1] ?? [])
    const flag = /^--?[\w-]+$/.test(before) && !shownText(arg).startsWith('-') ? before : ''
    const [name = '', value] = shownText(arg).split(/=(.*)/s)
    return looks(arg, flag) || (value !== undefined && value !== '' && holdsSecret(name, value)) ? [`argument ${at + 1}`] : []
  })
  return [...(looks(target) ? [type === 'local' ? 'the command' : 'the address'] : []), ...flagged]
}

function launchOf(
  { type, target, args, cwd, values }: StagedServer,
  text: (parts: readonly Part[]) => string,
  value: (value: ImportValue, name: string) => ConfigValue,
): FileLaunch {
  const named = Object.fromEntries([...values].map(([name, one]) => [name, value(one, name)]))
  if (type === 'remote') return { type, url: text(target), headers: named }
  return { type, command: text(target), args: args.map(text), env: named, ...(cwd && { cwd: text(cwd) }) }
}
