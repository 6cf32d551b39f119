import { readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { Launch } from '../../../src-shared/contract/servers.ts'
import type { HostCore } from '../core/host-core.ts'
import type { FoundProgram } from './launch-identity.ts'
import { programName } from './launched-code.ts'
import { publishedAddress, publishedPackage } from './published-package.ts'
import { variableReach } from './variable-reach.ts'

/** Files of a project whose packages run in place of published ones of the same name. */
const PACKAGES = new Set(['node_modules', 'package.json', 'deno.json', 'deno.jsonc'])
/** Files that tell runners where packages come from, or what to load. Those in the home folder are the person's own choice. */
const SETTINGS =
  /^(?:\.npmrc|\.yarnrc(?:\.ya?ml)?|\.yarn|\.pnpmfile\..*|pnpm-workspace\.yaml|.*\.toml|pip\.conf|\.env(?:\..*)?|\.envrc|\.tool-versions|\.mise|\.config|\.prototools|\.node-version|\.nvmrc|\.python-version)$/i

/**
 * Name of the published server that a launch surely starts or contacts, as in the list of known servers. Undefined if other code could
 * run. A variable may be unknown, the runner may not be the one on PATH, or the file not one that npm installed globally. The working folder
 * or a parent may have packages or settings.
 */
export async function publishedLaunch(
  launch: Launch,
  program: Pick<FoundProgram, 'path' | 'cwd'> | undefined,
  { environment, platform: { os } }: Pick<HostCore, 'environment' | 'platform'>,
): Promise<string | undefined> {
  if (launch.type === 'remote') return publishedAddress(launch.url)
  if (launch.type !== 'local' || program?.path === undefined) return undefined
  const name = publishedPackage(launch.command, launch.args)
  if (name === undefined || Object.keys(launch.env).some((variable) => variableReach(variable) !== undefined)) return undefined
  const paths = os === 'win32' ? path.win32 : path.posix
  const [first = ''] = launch.args
  const runner = programName(launch.command, 'win32')
  if (runner === 'node' || runner === 'nodejs') return (await isInstalled(first, program.path, paths)) ? name : undefined
  // `cmd` looks in the working folder before PATH.
  const behind = runner === 'cmd' ? programName(launch.args[1] ?? '', 'win32') : undefined
  const home = environment.HOME ?? environment.USERPROFILE
  return (await bringsItsOwn(program.cwd, home, paths, behind)) ? undefined : name
}

/** True if a folder or a parent may decide which package a runner finds; also if one cannot be read. */
async function bringsItsOwn(
  cwd: string,
  home: string | undefined,
  paths: path.PlatformPath,
  behind: string | undefined,
): Promise<boolean> {
  try {
    const own = home === undefined ? undefined : await realpath(home).catch(() => home)
    let folder = await realpath(cwd)
    if (behind !== undefined && (await readdir(folder)).some((entry) => programName(entry, 'win32') === behind)) return true
    for (;;) {
      for (const entry of await readdir(folder)) {
        if (PACKAGES.has(entry.toLowerCase()) || (folder !== own && SETTINGS.test(entry))) return true
      }
      const around = paths.dirname(folder)
      if (around === folder) return false
      folder = around
    }
  } catch {
    return true
  }
}

/** True if a file is in the global `node_modules` of this Node, and not a link to elsewhere. */
async function isInstalled(file: string, node: string, paths: path.PlatformPath): Promise<boolean> {
  if (!paths.isAbsolute(file)) return false
  const beside = paths.dirname(node)
  try {
    const place = await realpath(
      paths === path.win32 ? paths.join(beside, 'node_modules') : paths.join(beside, '..', 'lib', 'node_modules'),
    )
    const real = await realpath(file)
    return real.startsWith(place + paths.sep) && packagePart(real, paths) === packagePart(file, paths)
  } catch {
    return false
  }
}

/** The path behind the innermost `node_modules`. */
const packagePart = (file: string, { sep, normalize }: path.PlatformPath) =>
  normalize(file).split(`${sep}node_modules${sep}`).at(-1)
