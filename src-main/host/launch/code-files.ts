import { opendir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Launch } from '../../../src-shared/contract/servers.ts'
import { bundleAt } from '../../bundles/kept-bundle.ts'
import { isWithin } from '../../consent/read-path.ts'
import type { FoundProgram } from './launch-identity.ts'
import { launchedCode } from './launched-code.ts'

/** A folder with everything below it, or a file alone. */
export interface CodeSource {
  readonly path: string
  readonly whole: boolean
}

/** The code below some sources at one time. */
export interface CodeState {
  /** By path, a mark that differs when the file was written. */
  readonly files: ReadonlyMap<string, string>
  readonly folders: ReadonlySet<string>
}

export const MAX_CODE_FOLDERS = 500
/** Entries that are looked at, whatever they are. */
export const MAX_CODE_ENTRIES = 20_000

const CODE =
  /\.(?:[cm]?[jt]sx?|py|pyi|rb|php|p[lm]|lua|go|rs|java|kts?|scala|cs|fs|exs?|erl|clj|dart|swift|sh|ps1|cc?|cpp|hh?|hpp|jar|wasm)$/i
const PROJECT_FILES = new Set(['package.json', 'pyproject.toml', 'deno.json', 'deno.jsonc', 'go.mod', 'Cargo.toml', 'Gemfile'])
/** Folders of installed packages and of what builds and tests leave. */
const NOT_OWN = new Set(['node_modules', '__pycache__', 'venv', 'vendor', 'target', 'coverage'])

/** Other files are left out, so that a server may write its data next to its code. */
export const isCode = (name: string): boolean => CODE.test(name) || PROJECT_FILES.has(name)

/** False for hidden folders, too. */
const isOwnFolder = (name: string): boolean => !name.startsWith('.') && !NOT_OWN.has(name)

/**
 * The code that a person may be working on: the folders of the files that the launch names, or the folder in which its runner looks for
 * the code. Empty for installed packages and for bundles.
 */
export function codeSources(
  launch: Launch,
  program: FoundProgram | undefined,
  { os, home, dataFolder }: { readonly os: string; readonly home: string; readonly dataFolder: string },
): readonly CodeSource[] {
  if (launch.type !== 'local' || program?.path === undefined || bundleAt(dataFolder, program.cwd)) return []
  const paths = os === 'win32' ? path.win32 : path.posix
  // A folder that holds the person's home holds far more than one program.
  const isTooWide = (folder: string) => isWithin(home, folder)
  const { folder } = launchedCode(program.path, launch.args, os)
  const lookedIn = folder === undefined ? undefined : paths.resolve(program.cwd, folder)
  const found = new Map<string, CodeSource>()
  for (const { file } of program.code) {
    const around = paths.dirname(file)
    // A compiled program lies among the files of its build.
    const whole = isCode(paths.basename(file)) && !isTooWide(around)
    const source = { path: whole ? around : file, whole }
    found.set(source.path, source)
  }
  if (lookedIn !== undefined && !isTooWide(lookedIn)) found.set(lookedIn, { path: lookedIn, whole: true })
  return [...found.values()]
}

/** Undefined when there are too many folders or entries. Links are not followed. */
export async function readCode(sources: readonly CodeSource[]): Promise<CodeState | undefined> {
  const files = new Map<string, string>()
  const folders = new Set<string>()
  let entries = 0
  const waiting: string[] = []
  for (const source of sources) {
    if (source.whole) waiting.push(source.path)
    else {
      folders.add(path.dirname(source.path))
      await note(source.path, files)
    }
  }
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (folders.size >= MAX_CODE_FOLDERS) return undefined
    folders.add(folder)
    const open = await opendir(folder).catch(() => undefined) // It was removed, or cannot be read.
    for await (const entry of open ?? []) {
      entries += 1
      if (entries > MAX_CODE_ENTRIES) return undefined
      const whole = path.join(folder, entry.name)
      if (entry.isDirectory() && isOwnFolder(entry.name)) waiting.push(whole)
      else if (entry.isFile() && isCode(entry.name)) await note(whole, files)
    }
  }
  return { files, folders }
}

async function note(file: string, files: Map<string, string>): Promise<void> {
  const found = await stat(file).catch(() => undefined) // It was removed.
  if (found) files.set(file, `${found.mtimeMs} ${found.size} ${found.ino}`)
}

/** The files that differ, the added and removed ones included. */
export function changedFiles(before: CodeState, now: CodeState): readonly string[] {
  const all = new Set([...before.files.keys(), ...now.files.keys()])
  return [...all].filter((file) => before.files.get(file) !== now.files.get(file))
}
