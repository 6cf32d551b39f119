import { access, constants, stat } from 'node:fs/promises'
import path from 'node:path'

export type ResolvedCommand = { readonly path: string } | { readonly notFound: true; readonly searched: readonly string[] }

type Environment = Readonly<Record<string, string | undefined>>

/** A variable of an environment; Windows spells `Path` and means `PATH`. */
export function variableOf(env: Environment, name: string): string | undefined {
  return env[name] ?? Object.entries(env).find(([other]) => other.toUpperCase() === name)?.[1]
}

interface Candidates {
  readonly files: readonly string[]
  /** The searched places, for a message to the person. */
  readonly searched: readonly string[]
}

/**
 * The files that a command may mean, in order. Relative entries of PATH are left out, so that the working folder does not decide
 * which program runs. `env` is the server's own environment, with PATH and PATHEXT; `os` is `process.platform`.
 */
export function candidatesFor(command: string, env: Environment, cwd: string, os: string): Candidates {
  const windows = os === 'win32'
  const paths = windows ? path.win32 : path.posix
  const named = command.includes('/') || (windows && command.includes('\\'))
  const folders = named
    ? [cwd]
    : (variableOf(env, 'PATH') ?? '').split(paths.delimiter).filter((folder) => paths.isAbsolute(folder))
  const extensions = windows ? windowsExtensions(command, variableOf(env, 'PATHEXT')) : ['']
  const files = folders.flatMap((folder) => extensions.map((extension) => paths.resolve(folder, command + extension)))
  return { files, searched: named ? [paths.resolve(cwd, command)] : folders }
}

export async function resolveCommand(command: string, env: Environment, cwd: string, os: string): Promise<ResolvedCommand> {
  const { files, searched } = candidatesFor(command, env, cwd, os)
  for (const file of files) if (await isExecutable(file, os === 'win32')) return { path: file }
  return { notFound: true, searched }
}

function windowsExtensions(command: string, pathext = '.COM;.EXE;.BAT;.CMD'): readonly string[] {
  const known = pathext.split(';').filter((extension) => extension !== '')
  const has = known.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()))
  // Windows cannot run a file without an extension: it is a script for another system.
  return has ? ['', ...known] : known
}

async function isExecutable(file: string, windows: boolean): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) return false
    if (!windows) await access(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
