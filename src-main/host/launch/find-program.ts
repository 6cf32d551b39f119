import path from 'node:path'
import type { Launch } from '../../../src-shared/contract/servers.ts'
import { fileDigest } from '../../storage/base/file-digest.ts'
import { childEnvironment } from '../../transports/child-environment.ts'
import type { LoginPath } from '../../transports/login-path.ts'
import { lacksInterpreter } from '../../transports/program-file.ts'
import { type ResolvedCommand, resolveCommand } from '../../transports/resolve-command.ts'
import type { HostCore } from '../core/host-core.ts'
import type { FoundProgram } from './launch-identity.ts'
import { launchedCode } from './launched-code.ts'

/** The program that was found, or the places that were searched. */
export interface MeantProgram extends FoundProgram {
  readonly searched?: readonly string[]
  /** The PATH that it is given, where its own would not do: with what the login shell knows behind it. */
  readonly search?: string
}

type LocalLaunch = Extract<Launch, { type: 'local' }>

/** The program, folder and files of code that a launch means on this computer now. `values` are its variables in the clear. */
export async function findProgram(
  launch: LocalLaunch,
  values: Readonly<Record<string, string>>,
  { environment, platform: { os }, storage }: Pick<HostCore, 'environment' | 'platform' | 'storage'>,
  askLogin: LoginPath,
): Promise<MeantProgram> {
  const paths = os === 'win32' ? path.win32 : path.posix
  // Where a server without a folder of its own runs, and what a relative one starts from.
  const home = environment.HOME ?? environment.USERPROFILE ?? storage.folder
  const cwd = paths.resolve(home, launch.cwd ?? '.')
  const { found, search } = await findOnPath(launch, childEnvironment(environment, values, os), cwd, os, askLogin)
  const program = 'path' in found ? found.path : launch.command
  const { files, open } = launchedCode(program, launch.args, os)
  const own = 'path' in found && isPath(launch.command) && files.length === 0 && open === undefined ? [program] : files
  const code: { file: string; hash: string | null }[] = []
  for (const file of own) {
    const whole = paths.resolve(cwd, file)
    code.push({ file: whole, hash: await fileDigest(whole) })
  }
  const unread = code.find(({ hash }) => hash === null)
  const unknown = open ?? (unread && `“${unread.file}” could not be read, so a change of it is not noticed.`)
  return {
    cwd,
    code,
    ...('path' in found ? { path: found.path } : { searched: found.searched }),
    ...(unknown !== undefined && { open: unknown }),
    ...(search !== undefined && { search }),
  }
}

/** On its own PATH; where it or what its script needs is not there, on that of the login shell, too, unless the person set one for it. */
async function findOnPath(
  { command, env: configured }: LocalLaunch,
  env: Readonly<Record<string, string>>,
  cwd: string,
  os: string,
  askLogin: LoginPath,
): Promise<{ readonly found: ResolvedCommand; readonly search?: string }> {
  const found = await resolveCommand(command, env, cwd, os)
  const lacks = !('path' in found) || (await lacksInterpreter(found.path, { cwd, env, os, arch: process.arch }))
  const more = lacks && !('PATH' in configured) ? await askLogin() : undefined
  if (more === undefined) return { found }
  const search = [...new Set([...(env.PATH ?? '').split(':'), ...more.split(':')])].filter((folder) => folder !== '').join(':')
  return { found: await resolveCommand(command, { ...env, PATH: search }, cwd, os), search }
}

/** A program that is named by its place is a person's own as a script is: what it holds counts. One found on PATH is updated by others. */
const isPath = (command: string): boolean => /[\\/]/.test(command)
