import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('..', import.meta.url)

/** An empty catch, and one that gives a plain value in place of an error. */
const SWALLOWS =
  /\bcatch\s*(?:\(\w+\)\s*)?\{\s*\}|\.catch\(\s*\(\w*\)\s*=>\s*(?:\{\s*\}|\(\{\s*\}\)|undefined|null|false|true|\[\]|''|0)\s*,?\s*\)/g

/** `line: text` of each place of a source that swallows an error without a reason at its end or in the line before. */
function unexplained(source: string): readonly string[] {
  const lines = source.split('\n')
  return [...source.matchAll(SWALLOWS)].flatMap(({ index, 0: found }) => {
    const from = source.slice(0, index).split('\n').length - 1
    const last = source.slice(0, index + found.length).split('\n').length - 1
    const before = lines[from - 1]?.trim() ?? ''
    const explained = /\S\s+\/\/ \S/.test(lines[last] ?? '') || before.startsWith('//') || before.endsWith('*/')
    return explained ? [] : [`${from + 1}: ${lines[from]?.trim()}`]
  })
}

it('an error that the product swallows has its reason in a comment', () => {
  const sources = ['src-renderer', 'src-main', 'src-shared'].flatMap((room) =>
    readdirSync(new URL(room, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|mjs)$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => `${room}/${name}`),
  )
  expect(sources.length).toBeGreaterThan(500)
  expect(
    sources.flatMap((path) => unexplained(readFileSync(new URL(path, root), 'utf8')).map((place) => `${path}:${place}`)),
  ).toEqual([])
})

it.each([
  'try { a() } catch {}',
  'try { a() } catch (error) {\n}',
  'a().catch(() => {})',
  'a.b().catch(() => undefined)',
  'a()\n  .catch((_error) => [])',
])('an error swallowed by %j without a reason is found', (source) => {
  expect(unexplained(source)).toHaveLength(1)
  expect(unexplained(`// Why.\n${source.replace('\n  ', '')}`)).toEqual([])
})
