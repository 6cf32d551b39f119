import { access, readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { isObject, type JsonObject } from '../../../src-shared/base/json.ts'
import { objectIn } from '../../../src-shared/base/parse-json.ts'
import { FENCED_FOLDERS, type FencePolicy, type Launch } from '../../../src-shared/contract/servers.ts'
import { bundleAt } from '../../bundles/kept-bundle.ts'
import { isWithin } from '../../consent/read-path.ts'
import { PROGRAMS } from './fence.ts'
import type { Reach } from './fenced-command.ts'
import { LaunchError } from './launch-error.ts'
import type { FoundProgram } from './launch-identity.ts'
import { splitOption } from './launched-code.ts'
import { isOnDrive, windowsRefusal } from './mxc.ts'

export interface Places {
  /** The person's home folder, and the one that stands in for it. */
  readonly home: string
  readonly ownHome: string
  readonly dataFolder: string
  readonly isMac?: boolean
}

type Around = Pick<Places, 'home' | 'dataFolder' | 'isMac'>

/**
 * The system's own folders that no server needs whole. Their names are fixed. Those of disks and of folders that people make next to
 * them are not: a list of the good ones would be wrong on most computers.
 */
const SYSTEM = [
  ...['/boot', '/dev', '/etc', '/proc', '/root', '/run', '/sys', '/var/run'],
  ...['/Library', '/System', '/private/etc', '/private/var/db', '/private/var/root', '/private/var/run'],
]
/** Those in which the folders of people and of programs are. */
const WHOLE = ['/', '/private', '/private/var']
/** Folders of documents in the folder of a Mac where programs keep what is theirs. */
const DOCUMENTS = ['Library/CloudStorage', 'Library/Mobile Documents']

/** Folders of temporary files: a fence has its own in their place. */
export const TEMPORARY = ['/tmp', '/var/tmp', '/private/tmp']

/** Files whose folder is a project of its own. */
const PROJECT_FILES = ['package.json', 'pyproject.toml', 'requirements.txt', 'deno.json', 'Gemfile', 'go.mod', 'Cargo.toml']

/** Dependencies followed for one package, and packages of a workspace that a fence shows. */
const MAX_DEPENDENCIES = 500
const MAX_PACKAGE_BYTES = 1_000_000

/** Everything that a launch may reach under a policy. Throws LaunchError for a folder that would undo the fence. */
export async function reachOf(
  policy: Pick<FencePolicy, 'folders'> & Pick<Reach, 'network'>,
  program: FoundProgram,
  namedFolder: boolean,
  places: Places,
): Promise<Reach> {
  const home = await real(places.home)
  const around = { ...places, home, dataFolder: await real(places.dataFolder) }
  const read = new Set<string>()
  const write = new Set<string>()
  for (const folder of policy.folders) {
    const whole = await real(folder.path)
    const why = refusal(whole, around) ?? refusal(path.normalize(folder.path), around) ?? linkReason(folder.path, whole, around)
    if (why) {
      throw new LaunchError({
        code: 'fence-folder',
        what: `The fence cannot be opened for “${folder.path}”: ${why}.`,
        todo: 'Choose another folder under “Fence” on the page of the server.',
      })
    }
    for (const place of [whole, path.normalize(folder.path)]) (folder.write ? write : read).add(place)
  }
  for (const found of await ownFolders(program, around)) read.add(found)
  const ownHome = await real(places.ownHome)
  if (ownHome !== path.join(await real(path.dirname(places.ownHome)), path.basename(places.ownHome))) {
    throw new LaunchError({
      code: 'fence-folder',
      what: 'This server’s own home folder now leads elsewhere: it may have tried to leave its fence.',
      todo: `Look at “${places.ownHome}”, and delete it.`,
    })
  }
  // The working folder is the person's home unless the launch names one. An installed bundle lies in Parley's data.
  const isOwn = bundleAt(places.dataFolder, program.cwd) !== undefined
  if (namedFolder && (isOwn || !refusal(await real(program.cwd), around))) read.add(program.cwd)
  return {
    read: [...read].filter((folder) => !write.has(folder)),
    write: [...write],
    network: policy.network,
    home: places.home,
    ownHome,
    dataFolder: around.dataFolder,
  }
}

export async function ownFolders(program: FoundProgram, around: Around): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const files = [program.path, ...program.code.map(({ file }) => file)].filter((file) => file !== undefined)
  for (const file of files) {
    for (const place of [file, await real(file)]) for (const folder of await codeFolders(place, around)) found.add(folder)
  }
  return found
}

/** Absolute paths that a command line and its variables name. */
export function namedPaths({ args, env }: Extract<Launch, { type: 'local' }>): readonly string[] {
  const words = args.map((word) => splitOption(word).given ?? word)
  // A fence has a home folder of its own under the same name.
  const values = Object.entries(env).flatMap(([name, value]) => ('text' in value && name !== 'HOME' ? [value.text] : []))
  const paths = [...words, ...values].filter((word) => path.isAbsolute(word)).map((word) => path.normalize(word))
  return paths.map((one) => (one.length > 1 && one.endsWith('/') ? one.slice(0, -1) : one))
}

/** The folders that a launch needs by its words beside its code, and the first of its places that no fence opens. */
export async function neededPlaces(
  launch: Extract<Launch, { type: 'local' }>,
  program: FoundProgram | undefined,
  places: Places,
): Promise<{ readonly folders: FencePolicy['folders']; readonly closed?: string }> {
  const code = program?.code.map(({ file }) => file) ?? []
  const isOwn = (place: string) => code.includes(place) || bundleAt(places.dataFolder, place) !== undefined
  const folders: { path: string; write: boolean }[] = []
  for (const place of namedPaths(launch)) {
    if (isOwn(place)) continue
    const found = isWithin(places.home, place) ? { name: place, closed: true } : await hiddenFolder(place, places)
    if (found?.closed) return { folders, closed: found.name }
    // The folder of temporary files holds sockets of other programs.
    if (found && (found.name === place || !TEMPORARY.includes(found.name))) folders.push({ path: found.name, write: true })
  }
  const cwd = launch.cwd === undefined || isOwn(launch.cwd) || launch.cwd === places.home ? undefined : launch.cwd
  const closed = cwd !== undefined && (await hiddenFolder(cwd, places))?.closed
  return { folders, ...(closed && { closed: cwd }) }
}

/** Those of the paths that are folders and can be named in a policy, each once. */
export async function namedFolders(wanted: FencePolicy['folders'], places: Around): Promise<FencePolicy['folders']> {
  const around = { home: await real(places.home), dataFolder: await real(places.dataFolder) }
  const found = new Map<string, { path: string; write: boolean }>()
  for (const { path: folder, write } of wanted) {
    const isFolder = await stat(folder).then(
      (there) => there.isDirectory(),
      () => false,
    )
    if (!isFolder || refusal(await real(folder), around)) continue
    found.set(folder, { path: folder, write: write || found.get(folder)?.write === true })
  }
  return [...found.values()].slice(0, FENCED_FOLDERS)
}

/**
 * The folder to open for a path that a server did not reach; undefined where nothing is hidden. A new file counts if its folder is there
 * and may be opened: every server looks for files of its own that nobody has.
 */
export async function hiddenFolder(
  wanted: string,
  places: Pick<Places, 'home' | 'dataFolder'>,
): Promise<{ readonly name: string; readonly closed?: true } | undefined> {
  const around = { home: await real(places.home), dataFolder: await real(places.dataFolder) }
  const file = path.normalize(wanted)
  const there = await stat(file).catch(() => undefined) // Most often a file that is nowhere.
  const folder = there?.isDirectory() ? file : path.dirname(file)
  if (isSystems(folder)) return undefined
  if (refusal(await real(folder), around) === undefined) return (await exists(folder)) ? { name: folder } : undefined
  return there && isWithin(file, places.home) ? { name: file, closed: true } : undefined
}

/** The reason why a folder cannot be reached from inside a fence. */
export function refusal(folder: string, { home, dataFolder, isMac }: Around): string | undefined {
  const onWindows = isOnDrive(home)
  if (!(onWindows ? path.win32 : path).isAbsolute(folder)) return 'its path is not absolute'
  if (isWithin(home, folder)) return 'it holds your whole home folder'
  if (isWithin(dataFolder, folder) || isWithin(folder, dataFolder)) return 'it holds Parley’s own data'
  if (onWindows) return windowsRefusal(folder, home)
  if (!isWithin(folder, home))
    return WHOLE.includes(folder) || SYSTEM.some((one) => isWithin(folder, one)) ? 'it belongs to the system' : undefined
  // Programs keep their keys, passwords and sessions in hidden folders of the home folder, and snaps in one that is not hidden.
  const [first = ''] = path.relative(home, folder).split('/')
  const isDocuments = DOCUMENTS.some((one) => isWithin(folder, path.join(home, one)))
  return first.startsWith('.') || first === 'snap' || (isMac && first === 'Library' && !isDocuments)
    ? `programs keep keys and passwords in “${path.join(home, first)}”`
    : undefined
}

/** On Windows a program can make a folder that it may change a link, and would be let in there at the next start. */
function linkReason(named: string, whole: string, { home }: Around): string | undefined {
  const plain = path.normalize(named).replace(/(?<=[^:])\\$/, '')
  return isOnDrive(home) && whole.toLowerCase() !== plain.toLowerCase() ? `it leads to “${whole}”` : undefined
}

/** The folders that the code of a file needs: its package with what it depends on, else its folder, else the file alone. */
async function codeFolders(file: string, { home, dataFolder }: Around): Promise<readonly string[]> {
  const isPrivate = (place: string) => isWithin(home, place) || isWithin(dataFolder, place)
  const folder = path.dirname(file)
  const [, packages] = /^(.*?[\\/]node_modules)[\\/]/.exec(file) ?? []
  if (packages !== undefined && !isPrivate(packages)) return [packages]
  if (path.basename(folder) === 'bin') {
    // A virtual environment of Python.
    if (await exists(path.join(folder, '../pyvenv.cfg'))) return [path.dirname(folder)]
    const beside = ['lib', 'lib64', 'libexec'].map((name) => path.join(path.dirname(folder), name))
    return [folder, ...beside].filter((one) => !isPrivate(one))
  }
  let own: string | undefined
  const shared: string[] = []
  for (let at = folder; !isPrivate(at) && path.dirname(at) !== at; at = path.dirname(at)) {
    const packages = path.join(at, 'node_modules')
    if (own !== undefined && (await exists(packages))) shared.push(packages)
    for (const name of PROJECT_FILES) if (own === undefined && (await exists(path.join(at, name)))) own = at
  }
  if (own === undefined) return [isPrivate(folder) ? file : folder]
  return [...(await withLinked(own, shared)), ...shared]
}

/** A package of a workspace and those that it depends on: links in folders of packages lead to them. */
async function withLinked(own: string, shared: readonly string[]): Promise<readonly string[]> {
  const workspace = path.dirname(shared.at(-1) ?? own)
  const found = new Set([own])
  for (const at of found) {
    const dependencies = (await packageAt(at))?.dependencies
    for (const name of isObject(dependencies) ? Object.keys(dependencies).slice(0, MAX_DEPENDENCIES) : []) {
      for (const packages of [path.join(at, 'node_modules'), ...shared]) {
        const linked = await real(path.join(packages, name))
        if (!isWithin(linked, workspace) || linked.includes('node_modules')) continue
        // Its name shows that the link leads to the package, and not to other files of the person.
        if (found.size < MAX_DEPENDENCIES && (await packageAt(linked))?.name === name) found.add(linked)
      }
    }
  }
  return [...found]
}

/** Undefined where there is no package: a server that may change its folder could leave anything there. */
async function packageAt(folder: string): Promise<JsonObject | undefined> {
  const file = path.join(folder, 'package.json')
  const there = await stat(file).catch(() => undefined) // Most often a name that nobody gave.
  if (!there?.isFile() || there.size > MAX_PACKAGE_BYTES) return undefined
  return objectIn(await readFile(file, 'utf8').catch(() => '')) // It was removed, or cannot be read.
}

const isSystems = (folder: string) =>
  folder === '/' || [...PROGRAMS, ...SYSTEM].some((one) => one !== '/' && isWithin(folder, one))

const exists = (file: string) => access(file).then(...([() => true, () => false] as const))

/** The path without symbolic links; as it is when there is nothing there. */
export const real = (file: string) => realpath(file).catch(() => path.normalize(file))
