import { lstat, readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Bytes of a configuration, and of an index. */
const [CONFIG_MOST, INDEX_MOST] = [65_536, 33_554_432]

/**
 * The repository that Git finds from a folder, if reading it runs no program; undefined otherwise, and without one. An unpacked
 * repository may have been prepared by a stranger.
 */
export async function plainRepository(folder: string): Promise<string | undefined> {
  try {
    for (let at = await realpath(folder), above = dirname(at); ; [at, above] = [above, dirname(above)]) {
      if (await exists(join(at, '.git'))) return (await isPlain(join(at, '.git'))) ? at : undefined
      // A bare repository, or something that looks like one.
      if (above === at || (await exists(join(at, 'HEAD')))) return undefined
    }
  } catch {
    // An unreadable configuration is unknown.
    return undefined
  }
}

/** True if a commit in a plain repository runs nothing. */
export async function hasNoHooks(repository: string): Promise<boolean> {
  try {
    return (await readdir(join(repository, '.git', 'hooks'))).every((name) => name.endsWith('.sample'))
  } catch (error) {
    // A missing folder has no hooks; an unreadable one may.
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

/** True for a `.git` folder of the usual shape that does not point elsewhere. */
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

/** The mode of a submodule in the index: it has its own configuration. */
const SUBMODULE = Buffer.from([0, 0, 0xe0, 0])

const isFolder = async (path: string) => (await lstat(path)).isDirectory()

async function bytesOf(path: string, most: number): Promise<Buffer> {
  if ((await lstat(path)).size > most) throw new Error('It is too large to be read.')
  return await readFile(path)
}

/** Hooks that no reading command runs. */
const HOOKS: ReadonlySet<string> = new Set(
  `applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase
  post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update push-to-checkout pre-auto-gc post-rewrite
  sendemail-validate`.split(/\s+/),
)

/** Sections with their keys that hold data and no program; `name.` has a subsection. */
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

/** True if every line has the usual form and every key is known to hold data: no includes, no continuation lines. */
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
