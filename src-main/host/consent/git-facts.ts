import { lstat, readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Bytes of a configuration and of an index that are read. */
const [CONFIG_MOST, INDEX_MOST] = [65_536, 33_554_432]

/**
 * The repository that Git finds from a folder, if it names no program that looking would run; undefined otherwise, and where there is
 * none. One that was unpacked is somebody else's word.
 */
export async function plainRepository(folder: string): Promise<string | undefined> {
  try {
    for (let at = await realpath(folder), above = dirname(at); ; [at, above] = [above, dirname(above)]) {
      if (await exists(join(at, '.git'))) return (await isPlain(join(at, '.git'))) ? at : undefined
      // A repository without a folder of its own, or something that looks like one.
      if (above === at || (await exists(join(at, 'HEAD')))) return undefined
    }
  } catch {
    // An unreadable configuration is unknown.
    return undefined
  }
}

/** True if nothing runs when something is recorded in a repository that is plain. */
export async function hasNoHooks(repository: string): Promise<boolean> {
  try {
    return (await readdir(join(repository, '.git', 'hooks'))).every((name) => name.endsWith('.sample'))
  } catch (error) {
    // Without the folder there are none; in one that cannot be read there may be.
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false
      throw error
    },
  )

/** A `.git` folder in its usual shape: one that points elsewhere, or that Git would pass over, is none. */
async function isPlain(git: string): Promise<boolean> {
  if (!(await lstat(git)).isDirectory()) return false
  const names = new Set(await readdir(git))
  const shaped = names.has('HEAD') && (await isFolder(join(git, 'objects'))) && (await isFolder(join(git, 'refs')))
  if (!shaped || names.has('commondir') || [...names].some((name) => name.startsWith('sharedindex.'))) return false
  if (!/^(?:ref: refs\/\S+|[0-9a-f]{40,64})\s*$/.test((await bytesOf(join(git, 'HEAD'), CONFIG_MOST)).toString())) return false
  if (names.has('config') && !namesNoProgram((await bytesOf(join(git, 'config'), CONFIG_MOST)).toString())) return false
  if (names.has('index') && (await bytesOf(join(git, 'index'), INDEX_MOST)).includes(SUBMODULE)) return false
  const hooks = names.has('hooks') ? await readdir(join(git, 'hooks')) : []
  return hooks.every((name) => name.endsWith('.sample') || HOOKS.has(name))
}

/** Mode of an entry that is a repository of its own, with a configuration of its own. */
const SUBMODULE = Buffer.from([0, 0, 0xe0, 0])

const isFolder = async (path: string) => (await lstat(path)).isDirectory()

async function bytesOf(path: string, most: number): Promise<Buffer> {
  if ((await lstat(path)).size > most) throw new Error('It is too large to be read.')
  return await readFile(path)
}

/** Hooks that nothing runs which only looks. */
const HOOKS: ReadonlySet<string> = new Set(
  `applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase
  post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update push-to-checkout pre-auto-gc post-rewrite
  sendemail-validate`.split(/\s+/),
)

/** Sections with the keys of them that hold data and no program; `name.` is one with a name of its own. */
const DATA: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    core: `repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf longpaths
      quotepath abbrev compression untrackedcache preloadindex commitgraph multipackindex checkstat trustctime protecthfs protectntfs`,
    'remote.': 'url fetch pushurl tagopt prune mirror gh-resolved',
    'branch.': 'remote merge rebase pushremote description vscode-merge-base gh-merge-base github-pr-owner-number',
    user: 'name email signingkey',
    init: 'defaultbranch',
    pull: 'rebase ff',
    push: 'default autosetupremote followtags',
    fetch: 'prune',
    merge: 'ff conflictstyle',
    rebase: 'autostash autosquash',
    commit: 'gpgsign',
    tag: 'gpgsign',
    color: 'ui status diff branch',
    status: 'showuntrackedfiles branch short',
    diff: 'algorithm renames colormoved mnemonicprefix',
    gc: 'auto',
    rerere: 'enabled',
    extensions: 'objectformat',
    lfs: 'repositoryformatversion',
  }).map(([section, keys]) => [section, new Set(keys.split(/\s+/))]),
)

/** Every line is one of the usual shape, and every key one that is known to hold data: no file is included, and none continues. */
export function namesNoProgram(config: string): boolean {
  let keys: ReadonlySet<string> | undefined
  for (const line of config.split('\n').map((one) => one.trim())) {
    if (line === '' || /^[#;]/.test(line)) continue
    const [, section, name] = /^\[([A-Za-z-]+)(?: "([^"\\]*)")?\]$/.exec(line) ?? []
    if (section !== undefined) {
      keys = DATA.get(`${section.toLowerCase()}${name === undefined ? '' : '.'}`)
      continue
    }
    const key = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=[^\\]*)?$/.exec(line)?.[1]
    if (key === undefined || keys?.has(key.toLowerCase()) !== true) return false
  }
  return true
}
