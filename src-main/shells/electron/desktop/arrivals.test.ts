import { describe, expect, it } from 'vitest'
import { arrivalsOf, beforeLink, readArrivals } from './arrivals.ts'

describe('the command line of a start', () => {
  it('has files, resolved in the folder it was started in', () => {
    expect(arrivalsOf(['a.json', '/b'], ['a.json', '/b'], '/home/me')).toEqual({ files: ['/home/me/a.json', '/b'] })
  })

  it('has a link alone, and no switch after it', () => {
    const argv = ['--data', '/mine', 'parley://mcp/install?name=a', '--data', '/theirs', '/etc/passwd']
    expect(beforeLink(argv)).toEqual(['--data', '/mine'])
    expect(arrivalsOf(argv, ['/etc/passwd'], '/')).toEqual({ link: 'parley://mcp/install?name=a', files: [] })
  })

  it('is bounded', () => {
    const paths = Array.from({ length: 100 }, (_, n) => `/${n}`)
    expect(arrivalsOf([], paths, '/').files).toHaveLength(20)
    expect(arrivalsOf([], ['/a\0b', '', 'x'.repeat(5000)], '/').files).toEqual([])
    expect(arrivalsOf([`parley:${'x'.repeat(1e6)}`], [], '/').link?.length).toBeLessThan(70_000)
  })

  it('of a second instance is read alike, or as nothing', () => {
    expect(readArrivals({ link: 'parley://x', files: ['/a', 7] })).toEqual({ link: 'parley://x', files: ['/a'] })
    for (const sent of [undefined, null, [], 'x', { files: 1 }]) expect(readArrivals(sent)).toBeUndefined()
  })
})
