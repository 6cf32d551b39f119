import { constants } from 'node:fs'
import { lstat, open, opendir, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, relative, sep } from 'node:path'
import { readUpTo } from './base/json-file.ts'
import { StorageError } from './base/storage.ts'

const MAX_PATH_LENGTH = 4096
const LEVELS = 24

interface FileSearch {
  readonly folders: readonly string[]
  readonly except: readonly string[]
  /** The most files and folders to look at. */
  readonly most: number
  readonly signal: AbortSignal
}

/** Adds the files below folders to `found`, nearer ones first. False when there are more. */
export async function findFiles({ folders, except, most, signal }: FileSearch, found: string[]): Promise<boolean> {
  let waiting = [...folders]
  let looked = 0
  for (let level = 0; waiting.length > 0; level++) {
    if (level === LEVELS) return false
    const below: string[] = []
    for (const folder of waiting) {
      for await (const entry of entriesOf(folder)) {
        looked += 1
        if (looked > most || signal.aborted) return false
        const path = join(folder, entry.name)
        if (isSkipped(entry.name) || except.includes(path) || path.length > MAX_PATH_LENGTH) continue
        // A link is neither, and is skipped: it may lead out of the folder.
        if (entry.isFile()) {
          if (isReadable(path)) found.push(path)
        } else if (entry.isDirectory()) below.push(path)
      }
    }
    waiting = below
  }
  return true
}

async function* entriesOf(folder: string) {
  try {
    yield* await opendir(folder, { bufferSize: 256 })
  } catch {
    // The folder is gone, or unreadable: no files in it are found.
  }
}

const isSkipped = (name: string) => name.startsWith('.') || name === 'node_modules'

/** Reads a file that `findFiles` would find. Throws StorageError for any other, and beyond `limit` bytes. */
export async function readFoundFile(
  path: string,
  { folders, except }: Pick<FileSearch, 'folders' | 'except'>,
  limit: { readonly bytes: number; readonly tooLarge: string },
): Promise<Buffer> {
  const isThere = folders.some((folder) => pathBelow(path, folder)?.every((name) => !isSkipped(name)))
  if (!isThere || except.some((folder) => pathBelow(path, folder) !== undefined)) {
    throw new StorageError('io', 'This file is not in a folder of this conversation.')
  }
  if (!isReadable(path)) throw new StorageError('io', 'Files of this kind are not read by their path. Choose it with “Attach”.')
  try {
    // Refuses links, and does not block on a pipe.
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const [stat, there, real] = await Promise.all([file.stat(), lstat(path), realpath(path)])
    if (!stat.isFile() || real !== path || stat.ino !== there.ino || stat.dev !== there.dev) {
      throw new StorageError('io', 'This file was replaced by something else.')
    }
    if (stat.size > limit.bytes) throw new StorageError('io', limit.tooLarge)
    const content = await readUpTo(file, stat.size)
    if (holdsPrivateKey(content)) throw new StorageError('io', 'This file holds a private key, so it is not read.')
    return content
  } catch (cause) {
    throw cause instanceof StorageError ? cause : new StorageError('io', 'This file cannot be read any more.', { cause })
  }
}

/** The names from a folder down to a path; undefined for a path outside it. */
function pathBelow(path: string, folder: string): readonly string[] | undefined {
  const way = relative(folder, path)
  return isAbsolute(way) || way === '..' || way.startsWith(`..${sep}`) ? undefined : way.split(sep)
}

/** Extensions of text, pictures, PDF and source code. Keys, databases and browser profiles have none of them. */
const EXTENSIONS = new Set(
  [
    'txt text md mdx markdown rst adoc asciidoc org tex bib log srt vtt po pot pdf png jpg jpeg webp gif svg',
    'csv tsv json jsonl ndjson json5 jsonc geojson ipynb yaml yml toml xml xsd xsl dtd ini cfg conf properties plist ics eml',
    'html htm xhtml css scss sass less styl vue svelte astro js jsx mjs cjs ts tsx mts cts coffee graphql gql wat hbs ejs pug',
    'c h cc cpp cxx hh hpp hxx m mm cs fs fsx vb java kt kts scala groovy gradle go rs zig nim d v vala swift dart',
    'py pyi pyx rb erb php pl pm lua r rmd jl m4 tcl ex exs erl hrl elm hs lhs ml mli clj cljs cljc edn lisp el scm rkt',
    'sh bash zsh fish ps1 psm1 bat cmd awk sed sql proto thrift avsc cue nix tf hcl rego asm s f f90 f95 pas cob cbl adb ads',
    'cmake make mk bazel bzl ninja diff patch lock sum mod sol vy move cairo gd glsl vert frag hlsl wgsl sv vhd vhdl feature',
  ].flatMap((line) => line.split(' ')),
)
const NAMES = new Set(
  'readme license licence copying authors contributors contributing changelog changes news notice todo makefile gnumakefile dockerfile containerfile justfile procfile gemfile rakefile vagrantfile jenkinsfile brewfile codeowners version'.split(
    ' ',
  ),
)
/** Folders in the home folder that systems hide without a dot. */
const HIDDEN_AT_HOME = new Set(['library', 'appdata'])

/**
 * True if a page may have a file read by its path: it has a known extension, and nothing on the path is hidden. A person attaches
 * other files by a dialog.
 */
function isReadable(path: string): boolean {
  const names = path.split(sep).filter((name) => name !== '')
  if (names.some((name) => name.startsWith('.'))) return false
  const [first = ''] = relative(homedir(), path).split(sep)
  if (HIDDEN_AT_HOME.has(first.toLowerCase())) return false
  const name = names.at(-1)?.toLowerCase() ?? ''
  const dot = name.lastIndexOf('.')
  return dot < 0 ? NAMES.has(name) : EXTENSIONS.has(name.slice(dot + 1))
}

function holdsPrivateKey(bytes: Uint8Array): boolean {
  return KEY.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'))
}
const KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|PuTTY-User-Key-File-|AGE-SECRET-KEY-1|BEGIN OPENVPN STATIC KEY/
