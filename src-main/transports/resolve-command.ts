import { access, constants, stat } from 'node:fs/promises'
import path from 'node:path'

export type ResolvedCommand = { readonly path: string } | { readonly notFound: true; readonly searched: readonly string[] }

/**
 * The absolute path of a command, without a shell. Relative entries of PATH are left out: they would make what runs
 * depend on the folder it runs in. `search` is the server's own PATH, `os` is `process.platform`.
 */
export async function resolveCommand(
  command: string,
  search: string | undefined,
  cwd: string,
  os: string,
): Promise<ResolvedCommand> {
  const windows = os === 'win32'
  const paths = windows ? path.win32 : path.posix
  const named = command.includes('/') || (windows && command.includes('\\'))
  const folders = named ? [cwd] : (search ?? '').split(paths.delimiter).filter((folder) => paths.isAbsolute(folder))
  for (const folder of folders) {
    for (const extension of windows ? windowsExtensions(command) : ['']) {
      const candidate = paths.resolve(folder, command + extension)
      if (await isExecutable(candidate, windows)) return { path: candidate }
    }
  }
  return { notFound: true, searched: named ? [paths.resolve(cwd, command)] : folders }
}

function windowsExtensions(command: string): readonly string[] {
  const known = (process.env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((extension) => extension !== '')
  const has = known.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()))
  // Without an extension a file of that name is a script for another system; Windows cannot run it.
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

const REMEDIES: Readonly<Record<string, string>> = {
  node: 'install Node.js from nodejs.org',
  npm: 'install Node.js from nodejs.org',
  npx: 'install Node.js from nodejs.org, which brings npx',
  bun: 'install Bun from bun.sh',
  bunx: 'install Bun from bun.sh, which brings bunx',
  deno: 'install Deno from deno.com',
  uv: 'install uv from docs.astral.sh/uv',
  uvx: 'install uv from docs.astral.sh/uv, which brings uvx',
  python: 'install Python from python.org (it may be called python3)',
  python3: 'install Python from python.org',
  docker: 'install Docker and start it',
}

/** What failed, where was searched, and what to do: for a person who typed `npx` and has no Node. */
export function explainNotFound(command: string, searched: readonly string[]): string {
  const name = (command.split(/[\\/]/).at(-1) ?? command).replace(/\.(exe|cmd|bat|com)$/i, '').toLowerCase()
  const remedy = REMEDIES[name] ?? 'install it'
  if (/[\\/]/.test(command)) return `“${command}” does not exist or cannot be executed. Correct the path, or ${remedy}.`
  const where = searched.length === 0 ? 'PATH is empty' : `searched ${searched.slice(0, 12).join(', ')}`
  return `“${command}” was not found on PATH (${where}). Set the full path, or ${remedy}.`
}
