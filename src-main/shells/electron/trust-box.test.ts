import { describe, expect, it } from 'vitest'
import type { LaunchSummary } from '../../../src-shared/contract/servers.ts'
import { ALLOW, DENY, trustBox } from './trust-box.ts'

const local: LaunchSummary = {
  type: 'local',
  command: 'npx',
  resolved: '/usr/bin/npx',
  args: ['-y', 'a server', "it's"],
  cwd: '/home/ada',
  env: [
    { name: 'API_KEY', loadsCode: false, secret: true },
    { name: 'NODE_OPTIONS', value: '--require ./x.js', loadsCode: true, secret: false },
  ],
}

describe('the native question about a server', () => {
  it('shows the exact resolved command, where it runs, and variables that load code with their values (SEC-22)', () => {
    const { detail } = trustBox('files', local)
    expect(detail).toContain("/usr/bin/npx -y 'a server' 'it'\\''s'")
    expect(detail).toContain('in /home/ada')
    expect(detail).toContain('with API_KEY, NODE_OPTIONS=--require ./x.js')
  })

  it('takes Enter, Escape and closing for Deny (SEC-16)', () => {
    expect(trustBox('files', local)).toMatchObject({ defaultId: DENY, cancelId: DENY })
    expect(trustBox('files', local).buttons?.[ALLOW]).toBe('Allow')
  })

  it('names the address of a remote server and its headers without values', () => {
    const headers = [{ name: 'Authorization', loadsCode: false, secret: true }]
    const { detail } = trustBox('far', { type: 'remote', url: 'https://mcp.example/mcp', host: 'mcp.example', headers })
    expect(detail).toContain('https://mcp.example/mcp\nHeader Authorization')
  })

  it('names the host that is contacted, and what is odd about it, however the address is written (SEC-21)', () => {
    const box = (url: string) => trustBox('far', { type: 'remote', url, host: new URL(url).host, headers: [] }).detail
    expect(box('https://аррӏе.com\\@bank.example/mcp')).toMatch(
      /https:\/\/xn--80ak6aa92e\.com\/@bank\.example\/mcp\n.*plain letters/,
    )
    expect(box('https://аррӏе.com\\@bank.example/mcp')).toContain('a browser reads as others')
    expect(box('http://127.0.0.1:9000/mcp')).toContain('http://127.0.0.1:9000/mcp\nIt leads to this computer')
  })

  it('shows characters that hide or turn text as escapes (SEC-21)', () => {
    const { message, detail } = trustBox('gpj\u202e.exe', { ...local, args: ['a\u200bb', 'c\nd', 'e\u0000'] })
    expect(message).toContain('gpj\\u{202e}.exe')
    expect(detail).toContain('a\\u{200b}b')
    expect(detail).toContain('e\\u{0}')
  })

  it('keeps a name or an argument from faking the lines below it (SEC-21)', () => {
    const { detail } = trustBox('x', { ...local, args: ['ok\nin /somewhere/else'] })
    expect(detail).not.toMatch(/^in \/somewhere\/else/m)
  })

  it('shows both ends of a command that is too long for a box (SEC-23)', () => {
    const { detail = '' } = trustBox('x', { ...local, args: ['start', 'x'.repeat(100_000), 'end'] })
    expect(detail.length).toBeLessThan(4_000)
    expect(detail).toContain('start')
    expect(detail).toContain('characters more')
    expect(detail).toContain('NODE_OPTIONS')
  })
})
