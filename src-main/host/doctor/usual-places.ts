import { posix, win32 } from 'node:path'
import { resolveCommand, variableOf } from '../../transports/resolve-command.ts'

type Environment = Readonly<Record<string, string | undefined>>

const POSIX_HOME =
  '.local/bin .cargo/bin .bun/bin .deno/bin .volta/bin .asdf/shims .local/share/mise/shims .nodenv/shims .pyenv/shims .docker/bin .npm-global/bin .local/share/fnm/aliases/default/bin'.split(
    ' ',
  )
const POSIX = '/usr/local/bin /opt/homebrew/bin /usr/bin /bin /snap/bin /opt/local/bin /home/linuxbrew/.linuxbrew/bin'.split(' ')
const DARWIN = ['/Applications/Docker.app/Contents/Resources/bin']

/** Folders of common installers that a PATH may not contain. */
export function programPlaces(env: Environment, os: string): readonly string[] {
  const at = (name: string, ...rest: string[]) => {
    const folder = variableOf(env, name)
    return folder ? [os === 'win32' ? win32.join(folder, ...rest) : posix.join(folder, ...rest)] : []
  }
  if (os === 'win32') {
    return [
      ...at('PROGRAMFILES', 'nodejs'),
      ...at('APPDATA', 'npm'),
      ...at('USERPROFILE', '.local', 'bin'),
      ...at('USERPROFILE', '.bun', 'bin'),
      ...at('USERPROFILE', '.deno', 'bin'),
      ...at('USERPROFILE', '.cargo', 'bin'),
      ...at('USERPROFILE', 'scoop', 'shims'),
      ...at('LOCALAPPDATA', 'Microsoft', 'WinGet', 'Links'),
      ...at('LOCALAPPDATA', 'Programs', 'Python', 'Launcher'),
      ...at('PROGRAMFILES', 'Docker', 'Docker', 'resources', 'bin'),
    ]
  }
  return [...POSIX_HOME.flatMap((folder) => at('HOME', folder)), ...POSIX, ...(os === 'darwin' ? DARWIN : [])]
}

/** The path of an installed program that PATH does not contain. */
export async function foundElsewhere(command: string, env: Environment, os: string): Promise<string | undefined> {
  if (/[\\/]/.test(command)) return undefined
  const PATH = programPlaces(env, os).join(os === 'win32' ? ';' : ':')
  const found = await resolveCommand(command, { PATH, PATHEXT: variableOf(env, 'PATHEXT') }, '/', os)
  return 'path' in found ? found.path : undefined
}
