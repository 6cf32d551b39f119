import { describe, expect, it } from 'vitest'
import type { LaunchSummary } from '../../../src-shared/contract/servers.ts'
import { ALLOW, DENY } from './native-boxes.ts'
import { trustBoxes } from './trust-box.ts'

/** The only box of a launch that fits on one. */
function trustBox(name: string, launch: LaunchSummary) {
  const [box, ...more] = trustBoxes([{ name, launch }]) ?? []
  if (!box || more.length > 0) throw new Error('It is not one box')
  return box
}

const local: LaunchSummary = {
  type: 'local',
  command: 'npx',
  resolved: '/usr/bin/npx',
  args: ['-y', 'a server', "it's"],
  cwd: '/home/ada',
  env: [
    { name: 'API_KEY' },
    { name: 'CITY', value: 'Ulm' },
    { name: 'NODE_OPTIONS', value: '--require ./x.js', can: 'load-code' },
  ],
}

describe('the native question about a server', () => {
  it('shows the exact resolved command, its folder, and every value but stored secrets (SEC-22)', () => {
    const { detail } = trustBox('files', local)
    expect(detail).toContain("/usr/bin/npx -y 'a server' 'it'\\''s'")
    expect(detail).toContain('in /home/ada')
    expect(detail).toContain(
      'with API_KEY (stored secret)\nwith CITY=Ulm\nwith NODE_OPTIONS=--require ./x.js  (can load other code)',
    )
  })

  it('names the folders to be shared with the server, since the page that chose them is not trusted (ROOT-13, ARCH-06)', () => {
    const folders = ['/home/ada/notes', '/home/ada/my\nwith A=b']
    const [box] = trustBoxes([{ name: 'files', launch: local, folders }]) ?? []
    expect(box?.detail).toContain("shared folder /home/ada/notes\nshared folder '/home/ada/my")
    expect(box?.detail).not.toContain('\nwith A=b')
    const [several] =
      trustBoxes([
        { name: 'files', launch: local, folders: ['/srv'] },
        { name: 'other', launch: local },
      ]) ?? []
    expect(several?.detail).toMatch(/shared folder \/srv\n2\. other/)
  })

  it('takes Enter, Escape and closing for Deny (SEC-16)', () => {
    expect(trustBox('files', local)).toMatchObject({ defaultId: DENY, cancelId: DENY })
    expect(trustBox('files', local).buttons?.[ALLOW]).toBe('Allow')
  })

  it('names the address of a remote server and its headers', () => {
    const headers = [{ name: 'Authorization' }, { name: 'X-Team', value: 'blue' }]
    const { detail } = trustBox('far', { type: 'remote', url: 'https://mcp.example/mcp', host: 'mcp.example', headers })
    expect(detail).toContain('https://mcp.example/mcp\nHeader Authorization (stored secret)\nHeader X-Team: blue')
  })

  it('names the contacted host and anything unusual about it, in any spelling (SEC-21)', () => {
    const box = (url: string) => trustBox('far', { type: 'remote', url, host: new URL(url).host, headers: [] }).detail
    expect(box('https://аррӏе.com\\@bank.example/mcp')).toMatch(
      /https:\/\/xn--80ak6aa92e\.com\/@bank\.example\/mcp\n.*letters of other alphabets/,
    )
    expect(box('https://аррӏе.com\\@bank.example/mcp')).toContain('that a browser replaces')
    expect(box('http://127.0.0.1:9000/mcp')).toContain('http://127.0.0.1:9000/mcp\nLocal or private network address')
  })

  it('shows characters that hide or turn text as escapes (SEC-21)', () => {
    const { message, detail } = trustBox('gpj\u202e.exe', { ...local, args: ['a\u200bb', 'c\nd', 'e\u0000'] })
    expect(message).toContain('gpj\\u{202e}.exe')
    expect(detail).toContain('a\\u{200b}b')
    expect(detail).toContain('e\\u{0}')
  })

  it('keeps a name or an argument from imitating the lines below it (SEC-21)', () => {
    const { detail } = trustBox('x', { ...local, args: ['ok\nin /somewhere/else'] })
    expect(detail).not.toMatch(/^in \/somewhere\/else/m)
  })

  it('shows all of a long command on several pages, of which only the last can allow (SEC-23)', () => {
    const middle = 'm'.repeat(9_000)
    const boxes = trustBoxes([{ name: 'x', launch: { ...local, args: ['start', middle, 'end'] } }]) ?? []
    const whole = boxes.map(({ detail = '' }) => detail.split('\n\n')[1]).join('\n')
    expect(whole.replaceAll(/\n {2}/g, '')).toContain(`/usr/bin/npx start ${middle} end`)
    expect(boxes.map(({ buttons }) => buttons?.[ALLOW])).toEqual([...boxes.slice(1).map(() => 'Next'), 'Allow'])
    for (const { detail = '' } of boxes) expect(detail.split('\n').length).toBeLessThan(32)
  })

  it('shows several servers whole and numbered, and none can imitate another (SEC-22)', () => {
    const fake = { ...local, args: ['ok\n2. harmless'], env: [{ name: 'A', value: '3. harmless' }] }
    const far: LaunchSummary = { type: 'remote', url: 'https://mcp.example/mcp', host: 'mcp.example', headers: [] }
    const [box, ...more] =
      trustBoxes([
        { name: 'one', launch: fake },
        { name: 'two', launch: local },
      ]) ?? []
    expect(more).toEqual([])
    expect(box?.message).toBe('Start these 2 servers?')
    expect(box?.detail?.split('\n').filter((line) => /^\d/.test(line))).toEqual(['1. one', '2. two'])
    expect(box?.detail).toContain("    /usr/bin/npx -y 'a server'")
    expect(box?.buttons).toEqual(['Deny', 'Allow'])
    expect(
      trustBoxes([
        { name: 'a', launch: far },
        { name: 'b', launch: far },
      ])?.[0]?.message,
    ).toBe('Connect to these 2 servers?')
  })

  it('refuses what nobody would read to its end', () => {
    expect(trustBoxes([{ name: 'x', launch: { ...local, args: ['x'.repeat(100_000)] } }])).toBeUndefined()
  })
})
