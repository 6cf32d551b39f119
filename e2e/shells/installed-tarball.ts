import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './shell-process.ts'

const run = promisify(execFile)
/** npm's package of Node 24 for this system. */
export const NODE_PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

export interface PackedFile {
  readonly path: string
  readonly size: number
  readonly mode: number
}

export interface InstalledTarball {
  /** The bytes of the tarball. */
  readonly size: number
  readonly files: readonly PackedFile[]
  /** The folder into which npx would install. */
  readonly folder: string
  /** The script of the command `parley`. */
  readonly script: string
  remove(): Promise<void>
}

/** The tarball of the present build, laid out as npx would, with Node in its modules; without the registry. */
export async function installTarball(): Promise<InstalledTarball> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-tarball-'))
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: root,
    shell: process.platform === 'win32',
  })
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string; size: number; files: PackedFile[] }>)
  if (!packed) throw new Error('npm packed nothing')
  const modules = join(folder, 'node_modules')
  await mkdir(modules)
  await run('tar', ['-xzf', join(folder, packed.filename), '-C', folder])
  await rename(join(folder, 'package'), join(modules, 'parley'))
  await symlink(join(root, 'node_modules', NODE_PACKAGE), join(modules, NODE_PACKAGE), 'junction')
  return {
    size: packed.size,
    files: packed.files,
    folder,
    script: join(modules, 'parley', 'src-main', 'parley.mjs'),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}
