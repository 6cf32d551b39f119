import { describe, expect, it } from 'vitest'
import { fileUse } from './take-files.ts'

const file = (name: string, text: string) => new File([text], name)

describe('a dropped or opened file', () => {
  it.each([
    ['claude_desktop_config.json', '{"mcpServers": {"a": {"command": "x"}}}', 'servers'],
    ['settings.json', '{"context_servers":{}}', 'servers'],
    ['mcp.json', '{\n  // a comment\n  "servers": {}\n}', 'servers'],
    ['config.toml', '[model]\n[mcp_servers.a]\ncommand = "x"', 'servers'],
    ['Trip.json', '{"format":"parley-conversation","version":1}', 'conversation'],
    ['Trip.parley', '{"format":"parley-conversation","version":1}', 'conversation'],
    ['Trip.parley', '{\n  "format": "parley-conversation"}', 'conversation'],
    ['data.json', '{"servers": {"web": 1}}', 'attachment'],
    ['notes.md', 'put {"mcpServers": {}} into the file', 'attachment'],
    ['broken.json', '{', 'attachment'],
    ['config.toml', '[servers]', 'attachment'],
    ['large.json', `{"mcpServers": {"a": "${'x'.repeat(1024 * 1024)}"}}`, 'attachment'],
  ])('named %s with %.40s goes to the right place', async (name, text, use) => {
    expect(await fileUse(file(name, text))).toBe(use)
  })
})
