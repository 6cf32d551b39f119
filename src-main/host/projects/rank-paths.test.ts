import { expect, it } from 'vitest'
import { rankPaths } from './rank-paths.ts'

it('a file that begins with the word ranks before one with it inside, in its path, or in its letters alone', () => {
  const paths = ['/a/b/reader.ts', '/a/ad/x.ts', '/a/load.ts', '/a/b/my-ad.ts', '/a/admin.ts', '/a/q.ts', '/a/amend.ts']
  const best = ['/a/admin.ts', '/a/b/my-ad.ts', '/a/load.ts', '/a/b/reader.ts', '/a/ad/x.ts', '/a/amend.ts']
  expect(rankPaths(paths, 'AD', 10)).toEqual(best)
  expect(rankPaths(paths, 'ad', 2)).toEqual(best.slice(0, 2))
  expect(rankPaths(paths, 'b ad', 10)).toEqual(['/a/b/my-ad.ts', '/a/b/reader.ts'])
  expect(rankPaths(paths, '', 1)).toEqual(['/a/b/reader.ts'])
})
