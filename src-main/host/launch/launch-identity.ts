import { createHmac } from 'node:crypto'
import { assertNever } from '../../../src-shared/base/json.ts'
import type { ConfigValue, Launch, LaunchSummary, LaunchVariable } from '../../../src-shared/contract/servers.ts'
import { holdsSecret } from '../core/redact.ts'

/** Variables by which a program can be made to load code that is not its own. */
const CODE_LOADING = new Set(
  `NODE_OPTIONS NODE_PATH LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT PATH PATHEXT COMSPEC PYTHONPATH PYTHONHOME PYTHONSTARTUP
  RUBYOPT RUBYLIB PERL5OPT PERL5LIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH BASH_ENV ENV SHELL
  ELECTRON_RUN_AS_NODE GIT_SSH GIT_SSH_COMMAND GIT_EXEC_PATH GIT_EXTERNAL_DIFF DOTNET_STARTUP_HOOKS NPM_CONFIG_REGISTRY
  UV_INDEX_URL PIP_INDEX_URL`.split(/\s+/),
)

export function loadsCode(variable: string): boolean {
  const name = variable.toUpperCase()
  return CODE_LOADING.has(name) || name.startsWith('DYLD_') || name.startsWith('GIT_CONFIG_')
}

/** What was or would be launched, in a form that can be shown, kept and compared. */
export interface LaunchFacts {
  readonly summary: LaunchSummary
  /** Keyed hashes of the variables' values by name, so that a changed one can be named without being kept. */
  readonly values: Readonly<Record<string, string>>
}

const keyed = (key: Uint8Array, ...parts: readonly unknown[]): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex')

/** The value as it will be used; null when its secret is not there. */
const resolved = (value: ConfigValue, secrets: ReadonlyMap<string, string>): string | null =>
  'text' in value ? value.text : (secrets.get(value.secret) ?? null)

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Keyed hash of what is launched: command, arguments, folder, names and values of variables; or URL and names of headers.
 * 64 lower-case hex digits. `secrets` are the values by secret id.
 */
export function launchIdentity(key: Uint8Array, launch: Launch, secrets: ReadonlyMap<string, string>): string {
  switch (launch.type) {
    case 'local': {
      const variables = Object.entries(launch.env).map(([name, value]) => [name, resolved(value, secrets)] as const)
      return keyed(key, 'local', launch.command, launch.args, launch.cwd ?? null, variables.sort(byName))
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

/** Keyed hashes of the values of a launch's variables. Header values are no part of a launch's identity and are left out. */
export function valueMarks(key: Uint8Array, launch: Launch, secrets: ReadonlyMap<string, string>): Record<string, string> {
  if (launch.type !== 'local') return {}
  return Object.fromEntries(
    Object.entries(launch.env).map(([name, value]) => [name, keyed(key, 'value', name, resolved(value, secrets)).slice(0, 24)]),
  )
}

/** What a person is shown before anything is started or contacted (SEC-22). */
export function summarize(
  launch: Exclude<Launch, { type: 'built-in' }>,
  found: { readonly cwd: string; readonly resolved?: string },
): LaunchSummary {
  if (launch.type === 'remote') {
    return {
      type: 'remote',
      url: launch.url,
      host: hostOf(launch.url),
      headers: Object.entries(launch.headers).map(([name, value]) => variable(name, value, false)),
    }
  }
  return {
    type: 'local',
    command: launch.command,
    ...(found.resolved !== undefined && { resolved: found.resolved }),
    args: launch.args,
    cwd: found.cwd,
    env: Object.entries(launch.env).map(([name, value]) => variable(name, value, loadsCode(name))),
  }
}

function variable(name: string, value: ConfigValue, loads: boolean): LaunchVariable {
  const secret = 'secret' in value || holdsSecret(name, value.text)
  return { name, loadsCode: loads, secret, ...(loads && 'text' in value && { value: value.text }) }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

/** What differs between two launches, one plain sentence each; never empty, for it is asked only when the identity differs. */
export function changes(before: LaunchFacts, now: LaunchFacts): string[] {
  const was = before.summary
  const is = now.summary
  const found: string[] = []
  if (was.type === 'local' && is.type === 'local') {
    if (was.command !== is.command) found.push(`The command was “${short(was.command)}” and is now “${short(is.command)}”.`)
    if (JSON.stringify(was.args) !== JSON.stringify(is.args)) {
      found.push(`The arguments were ${listed(was.args)} and are now ${listed(is.args)}.`)
    }
    if (was.cwd !== is.cwd) found.push(`The working folder was “${short(was.cwd)}” and is now “${short(is.cwd)}”.`)
    found.push(...variableChanges('variable', was.env, is.env, before.values, now.values))
  } else if (was.type === 'remote' && is.type === 'remote') {
    if (was.url !== is.url) found.push(`The address was “${short(was.url)}” and is now “${short(is.url)}”.`)
    found.push(...variableChanges('header', was.headers, is.headers, {}, {}))
  } else if (is.type === 'remote') {
    found.push(`It was a program on this computer and is now a remote server at “${short(is.host)}”.`)
  } else {
    found.push(`It was a remote server and is now a program on this computer: “${short(is.command)}”.`)
  }
  return found.length > 0 ? found : ['Something about how it is started changed.']
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

const listed = (args: readonly string[]): string => (args.length === 0 ? 'none' : short(args.map((arg) => `“${arg}”`).join(' ')))
