import { expect, it } from 'vitest'
import { rankPaths } from './rank-paths.ts'

it('a file that begins with the word ranks before one with it inside, in its path, or in its letters alone', () => {
  const paths = ['/a/b/reader.ts', '/a/ad/x.ts', '/a/load.ts', '/a/b/my-ad.ts', '/a/admin.ts', '/a/q.ts', '/a/amend.ts']
  const best = ['/a/admin.ts', '/a/b/my-ad.ts', '/a/load.ts', '/a/b/reader.ts', '/a/ad/x.ts', '/a/amend.ts']
  expect(rankPaths(paths, ['/a'], 'AD', 10)).toEqual(best)
  expect(rankPaths(paths, ['/a'], 'ad', 2)).toEqual(best.slice(0, 2))
  expect(rankPaths(paths, ['/a'], 'b ad', 10)).toEqual(['/a/b/my-ad.ts', '/a/b/reader.ts'])
  expect(rankPaths(paths, ['/a'], '', 1)).toEqual(['/a/b/reader.ts'])
})

it('letters above a named folder match nothing, and those of its own name do', () => {
  expect(rankPaths(['/home/ada/garden/roses.ts'], ['/home/ada/garden'], 'ada', 10)).toEqual([])
  expect(rankPaths(['/s/e/c/garden/rt.ts'], ['/s/e/c/garden'], 'secrt', 10)).toEqual([])
  expect(rankPaths(['/home/ada/garden/roses.ts'], ['/home/ada/garden'], 'garden', 10)).toEqual(['/home/ada/garden/roses.ts'])
})
