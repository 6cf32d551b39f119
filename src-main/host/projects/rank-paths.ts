import { dirname, relative, sep } from 'node:path'
import { isScattered } from '../../../src-shared/base/matches-words.ts'

/**
 * The paths below `folders` with every word of a search: matches in the name come before those in the path, whole ones before scattered
 * ones. Only the folder's own name and the path below it count: nobody sees or means the letters above it.
 */
export function rankPaths(paths: readonly string[], folders: readonly string[], query: string, most: number): readonly string[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return paths.slice(0, most)
  const ranked: { readonly path: string; readonly rank: number }[] = []
  for (const path of paths) {
    const rank = rankOf(relative(dirname(folderAbove(path, folders)), path).toLowerCase(), words)
    if (rank < NONE) ranked.push({ path, rank })
  }
  return ranked
    .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length)
    .slice(0, most)
    .map(({ path }) => path)
}

/** The first of the folders that holds a path found in them. */
export function folderAbove(path: string, folders: readonly string[]): string {
  return folders.find((folder) => path.startsWith(folder + sep)) ?? ''
}

const NONE = Number.POSITIVE_INFINITY

function rankOf(path: string, words: readonly string[]): number {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  let rank = 0
  for (const word of words) rank += rankOfWord(path, name, word)
  return rank
}

function rankOfWord(path: string, name: string, word: string): number {
  const at = name.indexOf(word)
  if (at === 0) return 0
  if (at > 0) return /[\p{L}\p{N}]/u.test(name[at - 1] ?? '') ? 2 : 1
  if (path.includes(word)) return 3
  if (isScattered(name, word)) return 4
  return isScattered(path, word) ? 5 : NONE
}
