import { describe, expect, it } from 'vitest'
import { usualPlaces } from './usual-places.ts'

const at = (os: string, env: Record<string, string>) => usualPlaces(os, env).map(({ host, path }) => `${host} ${path}`)

describe('the places where hosts keep their servers', () => {
  it('are those of macOS', () => {
    const places = at('darwin', { HOME: '/Users/ada' })
    const settings = '/Users/ada/Library/Application Support'
    expect(places).toEqual(
      expect.arrayContaining([
        `claude-desktop ${settings}/Claude/claude_desktop_config.json`,
        'claude-code /Users/ada/.claude.json',
        `vscode ${settings}/Code/User/mcp.json`,
        `vscode ${settings}/Code/User/settings.json`,
        'cursor /Users/ada/.cursor/mcp.json',
        'windsurf /Users/ada/.codeium/windsurf/mcp_config.json',
        'windsurf /Users/ada/.codeium/mcp_config.json',
        `cline ${settings}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`,
        'cline /Users/ada/.cline/data/settings/cline_mcp_settings.json',
        'zed /Users/ada/.config/zed/settings.json',
        'lm-studio /Users/ada/.lmstudio/mcp.json',
        'goose /Users/ada/.config/goose/config.yaml',
        'gemini-cli /Users/ada/.gemini/settings.json',
        'codex /Users/ada/.codex/config.toml',
      ]),
    )
  })

  it('are those of Linux, with changes by the environment, and without relative paths', () => {
    const moved = {
      HOME: '/home/ada',
      XDG_CONFIG_HOME: '/home/ada/conf',
      CODEX_HOME: '/srv/codex',
      CLAUDE_CONFIG_DIR: '/srv/claude',
    }
    const places = at('linux', moved)
    expect(places).toEqual(
      expect.arrayContaining([
        'claude-desktop /home/ada/conf/Claude/claude_desktop_config.json',
        'vscode /home/ada/conf/Code/User/mcp.json',
        'vscode /home/ada/.var/app/com.visualstudio.code/config/Code/User/mcp.json',
        'zed /home/ada/conf/zed/settings.json',
        'goose /home/ada/conf/goose/config.yaml',
        'codex /srv/codex/config.toml',
        'claude-code /srv/claude/.claude.json',
      ]),
    )
    expect(at('linux', { HOME: '/home/ada', XDG_CONFIG_HOME: 'conf' })).toContain('goose /home/ada/.config/goose/config.yaml')
    expect(at('linux', {})).toEqual([])
  })

  it('are those of Windows', () => {
    const places = at('win32', { USERPROFILE: 'C:\\Users\\ada', APPDATA: 'D:\\Roaming' })
    expect(places).toEqual(
      expect.arrayContaining([
        'claude-desktop D:\\Roaming\\Claude\\claude_desktop_config.json',
        'claude-code C:\\Users\\ada\\.claude.json',
        'vscode D:\\Roaming\\Code\\User\\mcp.json',
        'cursor C:\\Users\\ada\\.cursor\\mcp.json',
        'zed D:\\Roaming\\Zed\\settings.json',
        'goose D:\\Roaming\\Block\\goose\\config\\config.yaml',
        'codex C:\\Users\\ada\\.codex\\config.toml',
      ]),
    )
    expect(at('win32', { USERPROFILE: 'C:\\Users\\ada' })).toContain(
      'claude-desktop C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    )
  })
})
