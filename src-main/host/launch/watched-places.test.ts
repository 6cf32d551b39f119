import { describe, expect, it } from 'vitest'
import { type Around, NOTHING_WATCHED, placeOf, settled, together, watchedLines } from './watched-places.ts'

const places = { home: '/home/me', dataFolder: '/home/me/.config/parley' }
const around: Around = {
  ...places,
  homeLink: '/home/link',
  own: ['/srv/app'],
  named: new Map([
    ['/home/me/shop', '/home/me/shop'],
    ['/srv/disk', '/home/me/shop'],
  ]),
  isFenced: false,
}
const lines = (watched: Partial<typeof NOTHING_WATCHED>, named = [{ path: '/home/me/shop', write: false }]) =>
  watchedLines({ ...NOTHING_WATCHED, ...watched }, named, places)

describe('a proposal for a fence', () => {
  it('proposes what the person named, and never what is hidden or unnamed (HOUSE-32)', () => {
    const used = ['/home/me/shop', '/home/me/.ssh', '/home/me/.config/parley', '/home/me', '/home/me/notes', '/etc/x']
    const { reaches } = lines({ places: used.map((place) => [place, 'changed'] as const) })
    const found = reaches.map(
      (one) => 'proposal' in one && one.kind === 'folder' && [one.path, one.proposal, one.why !== undefined],
    )
    expect(found.toSorted()).toEqual([
      ['/etc/x', 'out', true],
      ['/home/me', 'out', true],
      ['/home/me/.config/parley', 'out', true],
      ['/home/me/.ssh', 'out', true],
      ['/home/me/notes', 'out', false],
      ['/home/me/shop', 'read', false],
    ])
  })

  it('proposes a folder that was named and not used, or the server would lose it', () => {
    expect(lines({}).reaches).toEqual([{ kind: 'folder', path: '/home/me/shop', use: 'none', proposal: 'read' }])
  })

  it('has few lines, and joins folders only to one that can be chosen (HOUSE-32)', () => {
    const many = Array.from({ length: 40 }, (_, at) => [`/home/me/folder-${at}`, 'read'] as const)
    const deep = Array.from({ length: 40 }, (_, at) => [`/home/me/work/${at}/src`, 'read'] as const)
    const hosts = Array.from({ length: 40 }, (_, at) => [`host-${at}.example.com:443`, true] as const)
    const wide = lines({ places: many, hosts })
    const shownHosts = wide.reaches.filter(({ kind }) => kind === 'host').length
    const shownPlaces = wide.reaches.length - shownHosts
    expect(shownPlaces).toBeLessThanOrEqual(12)
    expect(wide.more).toBe(41 - shownPlaces)
    expect([shownHosts, wide.moreHosts]).toEqual([12, 28])
    expect(wide.reaches.some((one) => 'path' in one && one.path === '/home/me')).toBe(false)
    const joined = lines({ places: deep }).reaches.flatMap((one) => ('path' in one ? [one.path] : []))
    expect(joined).toEqual(['/home/me/shop', '/home/me/work'])
  })

  it('proposes hosts by name alone, and writes them as a fence does', () => {
    const hosts = [
      'api.example.com:443',
      'api.example.com:80',
      'db.example.com:5432',
      '192.0.2.1:443',
      '[::1]:80',
      'localhost:80',
      'cdn.example.com:443',
    ]
    const { reaches } = lines({ hosts: hosts.map((host) => [host, true] as const) }, [])
    expect(reaches.map((one) => one.kind === 'host' && [one.host, one.proposal])).toEqual([
      ['api.example.com', true],
      ['cdn.example.com', true],
      ['db.example.com:5432', false],
      ['192.0.2.1', false],
      ['[::1]', false],
      ['localhost', false],
    ])
  })

  it('keeps two starts within its bounds', () => {
    const start = (name: string) => ({
      ...NOTHING_WATCHED,
      sockets: Array.from({ length: 100 }, (_, at) => `/run/user/${name}-${at}`),
    })
    const both = together(start('a'), start('b'))
    expect([both.sockets.length, both.missed]).toEqual([128, 72])
  })
})

describe('the hosts of a start', () => {
  it('are without the port that leads to those of its fence', async () => {
    const hosts = new Map([
      ['127.0.0.1:40001', true],
      ['127.0.0.1:5432', false],
    ])
    const seen = { paths: new Map(), hosts, sockets: new Set<string>(), programs: new Set<string>(), missed: 0 }
    const watched = await settled(seen, { ...around, isFenced: true, gatePort: () => 40_001 })
    expect(watched.hosts).toEqual([['127.0.0.1:5432', false]])
  })
})

describe('the place of a path', () => {
  it('is the folder that the person named, a hidden folder of one program, or nothing where nobody needs to know', () => {
    const kept = (path: string, use: 'read' | 'looked' = 'read', isFenced = false) => placeOf(path, use, { ...around, isFenced })
    expect(kept('/home/link/shop/a/b.txt')).toBe('/home/me/shop')
    expect(kept('/srv/disk/a/b.txt')).toBe('/home/me/shop')
    expect(kept('/home/me/.ssh/keys/id', 'looked')).toBe('/home/me/.ssh')
    expect(kept('/home/me/.config/gh/hosts.yml')).toBe('/home/me/.config/gh')
    expect(kept('/home/me/.config/parley/mcp.json')).toBe('/home/me/.config/parley')
    expect(kept('/home/me/.local/share/app/x')).toBe('/home/me/.local/share/app')
    expect(kept('/home/me/notes/a.txt')).toBe('/home/me/notes/a.txt')
    expect(kept('/home/me/notes/a.txt', 'looked')).toBeUndefined()
    expect(kept('/home/me/notes/a.txt', 'looked', true)).toBe('/home/me/notes/a.txt')
    expect(kept('/home/me/notes/a.txt', 'read', true)).toBeUndefined()
    for (const path of ['/srv/app/index.js', '/usr/lib/x', '/etc/hosts', '/tmp/x', '/home', `/home/me/${'x'.repeat(2000)}`]) {
      expect(kept(path), path).toBeUndefined()
    }
  })
})
