import path from 'node:path'
import type { Launch } from '../../../src-shared/contract/servers.ts'
import { bundleAt, isUnchanged } from '../../bundles/kept-bundle.ts'
import { fileDigest } from '../../storage/base/file-digest.ts'
import { childEnvironment } from '../../transports/child-environment.ts'
import type { LoginPath } from '../../transports/login-path.ts'
import { lacksInterpreter } from '../../transports/program-file.ts'
import { type ResolvedCommand, resolveCommand } from '../../transports/resolve-command.ts'
import type { HostCore } from '../core/host-core.ts'
import type { FoundProgram } from './launch-identity.ts'
import { launchedCode } from './launched-code.ts'

type LocalLaunch = Extract<Launch, { type: 'local' }>

/** Resolves a launch to the program, folder and files of code on this computer now. `values` are its variables in the clear. */
export async function findProgram(
  launch: LocalLaunch,
  values: Readonly<Record<string, string>>,
  { environment, platform: { os }, storage }: Pick<HostCore, 'environment' | 'platform' | 'storage'>,
  askLogin: LoginPath,
): Promise<FoundProgram> {
  const paths = os === 'win32' ? path.win32 : path.posix
  // A server without a working folder runs in the home folder, and a relative folder starts there.
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
  const bundle = bundleAt(storage.folder, cwd)
  const altered = bundle && !(await isUnchanged(storage.folder, bundle.sha256))
  if (bundle) code.push({ file: bundle.folder, hash: altered ? null : bundle.sha256 })
  const unknown =
    (altered && 'Files of its bundle changed since it was installed.') ||
    (open ?? (unread && `“${unread.file}” could not be read, so a change to it is not noticed.`))
  return {
    cwd,
    code,
    ...('path' in found ? { path: found.path } : { searched: found.searched }),
    ...(unknown && { open: unknown }),
    ...(search !== undefined && { search }),
  }
}

/** Looks on the server's PATH. If the program or its interpreter is not there, the login shell's PATH is added, unless the person set one. */
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

/** A program given by its path is the person's own, so its content is hashed. One found on PATH may be updated. */
const isPath = (command: string): boolean => /[\\/]/.test(command)
