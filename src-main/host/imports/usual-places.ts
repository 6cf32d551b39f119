import { posix, win32 } from 'node:path'
import type { OtherHost } from '../../../src-shared/contract/imports.ts'

interface Folders {
  readonly home: string
  readonly join: (...parts: string[]) => string
  readonly separator: string
  /** Folder of settings: Application Support, Roaming or ~/.config. */
  readonly settings: string
  /** Folder of settings of command-line programs, if the system has another for them. */
  readonly config?: string
}

interface UsualPlace {
  readonly host: OtherHost
  readonly path: string
}

type Environment = Readonly<Record<string, string | undefined>>

export function foldersOf(os: string, env: Environment): Folders {
  if (os === 'win32') {
    const home = env.USERPROFILE ?? ''
    return { home, join: win32.join, separator: win32.sep, settings: env.APPDATA || win32.join(home, 'AppData', 'Roaming') }
  }
  const home = env.HOME ?? ''
  // Relative values must be ignored: https://specifications.freedesktop.org/basedir-spec/latest/
  const config = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : posix.join(home, '.config')
  const settings = os === 'darwin' ? posix.join(home, 'Library', 'Application Support') : config
  return { home, join: posix.join, separator: posix.sep, settings, config }
}

/** Configuration files of other hosts, by their documentation (see the README of the fixtures). */
export function usualPlaces(os: string, env: Environment): UsualPlace[] {
  const { home, join, settings, config = settings } = foldersOf(os, env)
  if (home === '') return []
  const codes = ['Code', 'Code - Insiders', 'VSCodium'].map((name) => join(settings, name, 'User'))
  const zed = os === 'win32' ? join(settings, 'Zed') : join(config, 'zed')
  const flatpak = (app: string) => join(home, '.var', 'app', app, 'config')
  const places: [OtherHost, string][] = [
    ['claude-desktop', join(settings, 'Claude', 'claude_desktop_config.json')],
    ['claude-code', env.CLAUDE_CONFIG_DIR ? join(env.CLAUDE_CONFIG_DIR, '.claude.json') : join(home, '.claude.json')],
    ...codes.map((user): [OtherHost, string] => ['vscode', join(user, 'mcp.json')]),
    // The file before July 2025.
    ...codes.map((user): [OtherHost, string] => ['vscode', join(user, 'settings.json')]),
    ['cursor', join(home, '.cursor', 'mcp.json')],
    ['windsurf', join(home, '.codeium', 'windsurf', 'mcp_config.json')],
    // The file of its plugins for other editors.
    ['windsurf', join(home, '.codeium', 'mcp_config.json')],
    ['cline', join(home, '.cline', 'data', 'settings', 'cline_mcp_settings.json')],
    ...[...codes, join(settings, 'Cursor', 'User'), join(settings, 'Windsurf', 'User')].map((user): [OtherHost, string] => [
      'cline',
      join(user, 'globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json'),
    ]),
    ['zed', join(zed, 'settings.json')],
    ['lm-studio', join(home, '.lmstudio', 'mcp.json')],
    ['goose', os === 'win32' ? join(settings, 'Block', 'goose', 'config', 'config.yaml') : join(config, 'goose', 'config.yaml')],
    ['gemini-cli', join(home, '.gemini', 'settings.json')],
    ['codex', join(env.CODEX_HOME || join(home, '.codex'), 'config.toml')],
  ]
  if (os === 'linux') {
    places.push(['vscode', join(flatpak('com.visualstudio.code'), 'Code', 'User', 'mcp.json')])
    places.push(['zed', join(flatpak('dev.zed.Zed'), 'zed', 'settings.json')])
  }
  return places.map(([host, path]) => ({ host, path }))
}

/** Configuration files of hosts in a project's folder. */
export const PROJECT_FILES: readonly { readonly host: OtherHost; readonly parts: readonly string[] }[] = [
  { host: 'project', parts: ['.mcp.json'] },
  { host: 'vscode', parts: ['.vscode', 'mcp.json'] },
  { host: 'cursor', parts: ['.cursor', 'mcp.json'] },
  { host: 'gemini-cli', parts: ['.gemini', 'settings.json'] },
  { host: 'codex', parts: ['.codex', 'config.toml'] },
  { host: 'zed', parts: ['.zed', 'settings.json'] },
]
