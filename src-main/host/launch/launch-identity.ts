import { createHmac } from 'node:crypto'
import { hostOf } from '../../../src-shared/base/hosts.ts'
import { assertNever } from '../../../src-shared/base/json.ts'
import type { ConfigValue, Launch, LaunchSummary, LaunchVariable } from '../../../src-shared/contract/servers.ts'
import { holdsSecret } from '../core/redact.ts'
import { fenceChanges, fenceOf } from './fence-policy.ts'
import { variableReach } from './variable-reach.ts'

/** A launch in a form that can be shown, stored and compared. */
export interface LaunchFacts {
  readonly summary: LaunchSummary
  /** Keyed hashes of the variables' values, by name: they tell that a value changed without storing it. */
  readonly values: Readonly<Record<string, string>>
  /** SHA-256 of its files of code, by path. */
  readonly code?: Readonly<Record<string, string | null>>
}

const keyed = (key: Uint8Array, ...parts: readonly unknown[]): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex')

/** Null when the value's secret is missing. */
const resolved = (value: ConfigValue, secrets: ReadonlyMap<string, string>): string | null =>
  'text' in value ? value.text : (secrets.get(value.secret) ?? null)

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : a > b ? 1 : 0)

/** A local launch as this computer would run it now. */
export interface FoundProgram {
  /** Absolute; absent when it was not found. */
  readonly path?: string
  /** The folders that were searched, when it was not found. */
  readonly searched?: readonly string[]
  /** The PATH to run it with, if its own was extended by the login shell's. */
  readonly search?: string
  /** Absolute. */
  readonly cwd: string
  /** Files of code by absolute path, with their SHA-256; null for one that cannot be read. */
  readonly code: readonly { readonly file: string; readonly hash: string | null }[]
  /** The reason why other code can run without a new question. */
  readonly open?: string
}

/**
 * Keyed hash of a launch (decision 0007): its resolved program and folder, arguments, variables with values, and files of code with
 * their content; or its URL and the names of its headers. 64 lower-case hex digits. `secrets` are values by secret id.
 */
export function launchIdentity(
  key: Uint8Array,
  launch: Launch,
  secrets: ReadonlyMap<string, string>,
  found: FoundProgram | undefined,
): string {
  switch (launch.type) {
    case 'local': {
      const variables = Object.entries(launch.env).map(([name, value]) => [name, resolved(value, secrets)] as const)
      const { path = null, cwd = launch.cwd, code = [] } = found ?? {}
      return keyed(key, 'local', launch.command, path, launch.args, cwd ?? null, variables.sort(byName), code)
    }
    case 'remote':
      return keyed(
        key,
        'remote',
        launch.url,
        Object.keys(launch.headers)
          .map((name) => name.toLowerCase())
          .sort(),
      )
    case 'built-in':
      return keyed(key, 'built-in')
    default:
      return assertNever(launch)
  }
}

/** Keyed hashes of the values of a launch's variables. Header values are not part of a launch's identity. */
export function valueMarks(key: Uint8Array, launch: Launch, secrets: ReadonlyMap<string, string>): Record<string, string> {
  if (launch.type !== 'local') return {}
  return Object.fromEntries(
    Object.entries(launch.env).map(([name, value]) => [name, keyed(key, 'value', name, resolved(value, secrets)).slice(0, 24)]),
  )
}

/** The details that a person sees before anything is started or contacted (SEC-22). */
export function summarize(launch: Exclude<Launch, { type: 'built-in' }>, found: FoundProgram | undefined): LaunchSummary {
  if (launch.type === 'remote') {
    return {
      type: 'remote',
      url: launch.url,
      host: hostOf(launch.url),
      headers: Object.entries(launch.headers).map(([name, value]) => variable(name, value)),
    }
  }
  return {
    type: 'local',
    command: launch.command,
    ...(found?.path !== undefined && { resolved: found.path }),
    args: launch.args,
    cwd: found?.cwd ?? launch.cwd ?? '',
    env: Object.entries(launch.env).map(([name, value]) => ({ ...variable(name, value), ...reach(name) })),
    ...(found && found.code.length > 0 && { code: found.code.map(({ file }) => file) }),
    ...(found?.open && { open: found.open }),
  }
}

function variable(name: string, value: ConfigValue): LaunchVariable {
  return { name, ...('text' in value && { value: value.text }) }
}

function reach(name: string): Pick<LaunchVariable, 'can'> {
  const can = variableReach(name)
  return can ? { can } : {}
}

/** The summary without values that look like secrets, so that mcp.json remains the only place that has them. */
export function withoutSecrets(summary: LaunchSummary): LaunchSummary {
  const clean = (variables: readonly LaunchVariable[]) =>
    variables.map(({ value, ...rest }) => (value === undefined || holdsSecret(rest.name, value) ? rest : { ...rest, value }))
  return summary.type === 'local' ? { ...summary, env: clean(summary.env) } : { ...summary, headers: clean(summary.headers) }
}

/** A sentence for each difference between two launches whose identities differ; never empty. */
export function changes(before: LaunchFacts, now: LaunchFacts): string[] {
  const was = before.summary
  const is = now.summary
  const found: string[] = []
  if (was.type === 'local' && is.type === 'local') {
    if (was.command !== is.command) found.push(`The command was “${short(was.command)}” and is now “${short(is.command)}”.`)
    else if (was.resolved !== is.resolved) found.push(programChange(was.resolved, is.resolved, is.command))
    if (JSON.stringify(was.args) !== JSON.stringify(is.args)) {
      found.push(`The arguments were ${quoted(was.args)} and are now ${quoted(is.args)}.`)
    }
    if (was.cwd !== is.cwd) found.push(`The working folder was “${short(was.cwd)}” and is now “${short(is.cwd)}”.`)
    found.push(...variableChanges('variable', was.env, is.env, before.values, now.values))
    found.push(...fenceChanges(fenceOf(was), fenceOf(is)))
    for (const file of is.code ?? []) {
      if (before.code?.[file] !== now.code?.[file]) found.push(`The file “${short(file)}” changed.`)
    }
  } else if (was.type === 'remote' && is.type === 'remote') {
    if (was.url !== is.url) found.push(`The address was “${short(was.url)}” and is now “${short(is.url)}”.`)
    found.push(...variableChanges('header', was.headers, is.headers, {}, {}))
  } else if (is.type === 'remote') {
    found.push(`It was a program on this computer and is now a remote server at “${short(is.host)}”.`)
  } else {
    found.push(`It was a remote server and is now a program on this computer: “${short(is.command)}”.`)
  }
  return found.length > 0 ? found : ['The way it starts changed.']
}

function programChange(was: string | undefined, is: string | undefined, command: string): string {
  if (is === undefined) return `“${short(command)}” was “${short(was ?? '')}” and is not found now.`
  if (was === undefined) return `“${short(command)}” was not found before and is now “${short(is)}”.`
  return `“${short(command)}” was “${short(was)}” and is now “${short(is)}”.`
}

function variableChanges(
  kind: 'variable' | 'header',
  was: readonly LaunchVariable[],
  is: readonly LaunchVariable[],
  oldMarks: Readonly<Record<string, string>>,
  newMarks: Readonly<Record<string, string>>,
): string[] {
  const old = new Map(was.map((entry) => [entry.name, entry]))
  const now = new Map(is.map((entry) => [entry.name, entry]))
  const found: string[] = []
  for (const entry of is) {
    const earlier = old.get(entry.name)
    if (!earlier) found.push(`The ${kind} ${short(entry.name)} is new.`)
    else if (oldMarks[entry.name] !== newMarks[entry.name]) {
      // Another data folder's key gives the same value another hash.
      if (earlier.value !== undefined && earlier.value === entry.value) continue
      const values =
        earlier.value !== undefined && entry.value !== undefined
          ? ` from “${short(earlier.value)}” to “${short(entry.value)}”`
          : ''
      found.push(`The value of ${short(entry.name)} changed${values}.`)
    }
  }
  for (const entry of was) if (!now.has(entry.name)) found.push(`The ${kind} ${short(entry.name)} is gone.`)
  return found
}

const short = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text)

const quoted = (args: readonly string[]): string => (args.length === 0 ? 'none' : short(args.map((arg) => `“${arg}”`).join(' ')))
