import { describe, expect, it } from 'vitest'
import type { LaunchFacts } from './launch-identity.ts'
import { differsByVersion } from './version-change.ts'

const facts = (line: string, more: object = {}, values: Record<string, string> = {}): LaunchFacts => {
  const [command = '', ...args] = line.split(' ')
  return {
    summary: { type: 'local', command, resolved: `/usr/bin/${command}`, args, cwd: '/home/ana', env: [], ...more },
    values,
  }
}

describe('a launch', () => {
  it.each([
    ['npx -y @acme/notes@1.2.0 --root /a', 'npx -y @acme/notes@1.3.0 --root /a'],
    ['npx @acme/notes', 'npx @acme/notes@1.3.0'],
    ['npx notes@latest', 'npx notes@2'],
    ['uvx mcp-server-git==1.0', 'uvx mcp-server-git==1.1'],
    ['docker run -i --rm acme/notes:1', 'docker run -i --rm acme/notes:2'],
  ])('differs by version from %s to %s', (before, now) => {
    expect(differsByVersion(facts(before), facts(now))).toBe(true)
    expect(differsByVersion(facts(now), facts(before))).toBe(true)
  })

  it.each([
    ['npx notes@1', 'npx notes@1'],
    ['npx notes@1', 'npx n0tes@1'],
    ['npx @acme/notes@1', 'npx @evil/notes@2'],
    ['npx notes@1 --as ana@1', 'npx notes@1 --as ana@2'],
    ['npx notes@1 notes@1', 'npx notes@1 notes@2'],
    ['npx notes@1 --root /a', 'npx notes@2 --root /b'],
    ['npx notes@1', 'npx notes@2 --all'],
    ['npx notes@1', 'npx https://example.com/notes.tgz'],
    ['npx notes@1', 'npx notes@npm:evil@1'],
    ['npx notes@1', 'npx ./notes'],
    ['npx notes@1', 'bunx notes@2'],
    ['uvx git==1', 'uvx git@git+https://example.com/x'],
    ['docker run acme/notes:1', 'docker run evil/notes:1'],
    ['docker run -e A acme/notes:1', 'docker run -e B acme/notes:1'],
    ['node server.js 1', 'node server.js 2'],
    ['./notes 1', './notes 2'],
  ])('does not differ by version from %s to %s', (before, now) => {
    expect(differsByVersion(facts(before), facts(now))).toBe(false)
  })

  it('differs by more than version where the program, the folder, a variable or a file does', () => {
    const [before, now] = ['npx notes@1', 'npx notes@2']
    for (const more of [{ resolved: '/tmp/npx' }, { cwd: '/tmp' }, { env: [{ name: 'NODE_OPTIONS', value: '-r x' }] }])
      expect(differsByVersion(facts(before), facts(now, more)), JSON.stringify(more)).toBe(false)
    expect(differsByVersion(facts(before, {}, { KEY: 'a' }), facts(now, {}, { KEY: 'b' }))).toBe(false)
    expect(differsByVersion(facts(before), { ...facts(now), code: { '/x.js': 'hash' } })).toBe(false)
    const remote = (url: string): LaunchFacts => ({ summary: { type: 'remote', url, host: 'x', headers: [] }, values: {} })
    expect(differsByVersion(remote('https://x/1'), remote('https://x/2'))).toBe(false)
  })
})
