import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GUIDE } from '../src-renderer/help/guide-pages.ts'
import { ROOMS, sources } from './rooms.ts'
import { root } from './scripts/run.mjs'

const files = (folder: string, ends: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(ends))
    .map((name) => join(folder, name))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '')

const PAGES = [
  ...[
    'README.md',
    'CONTRIBUTING.md',
    'ARCHITECTURE.md',
    'e2e/bench/README.md',
    'e2e/consent/README.md',
    '.github/pull_request_template.md',
  ],
  ...files('docs', '.md'),
  ...files('docs/guide', '.md'),
  ...files('docs/decisions', '.md'),
]
const WORKFLOWS = files('.github/workflows', '.yml')

/** The npm commands that a text names and package.json does not have. */
function unknownCommands(text: string): string[] {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  return all(text, /\bnpm run (?:-\S+ )*([\w:-]+)/g).filter((name) => !(name in scripts))
}

/** The relative links, pictures among them, and the paths in code that lead nowhere. */
function deadPaths(page: string, text: string): string[] {
  const links = all(text, /\]\(([^)#\s]+)[^)]*\)/g).filter((link) => !/^[a-z]+:/.test(link))
  const paths = all(text, /`(?:node )?((?:src-\w+|e2e|docs|assets)\/[\w./-]+)/g)
  return [
    ...links.filter((link) => !existsSync(join(root, dirname(page), link))),
    ...paths.filter((path) => !existsSync(join(root, path))),
  ]
}

describe('the documentation', () => {
  it('names only commands that exist, and so do the workflows', () => {
    expect(WORKFLOWS.length).toBeGreaterThan(0)
    for (const file of [...PAGES, ...WORKFLOWS]) expect(unknownCommands(read(file)), file).toEqual([])
    expect(unknownCommands('`npm run -s check`, then `npm run chekc -- e2e`')).toEqual(['chekc'])
  })

  it('links to files that exist', () => {
    for (const page of PAGES) expect(deadPaths(page, read(page)), page).toEqual([])
    const text = '[a](../README.md#run-it) [b](gone.md) ![c](https://example.com/c.png) `e2e/gone.ts` `node e2e/rooms.ts`'
    expect(deadPaths('docs/security.md', text)).toEqual(['gone.md', 'e2e/gone.ts'])
  })

  it('follows its flows through files that exist', () => {
    const steps = all(read('ARCHITECTURE.md'), /^\d+\. `([^`]+\.tsx?)`/gm)
    expect(steps.length).toBeGreaterThan(60)
    expect(steps.filter((file) => !existsSync(join(root, file.startsWith('src-') ? file : join('src-main', file))))).toEqual([])
  })

  it('says that a view in a browser can send by WebRTC, with and without network (APP-31)', () => {
    const row = read('docs/security.md').match(/^\| A server, through a view .+$/m)?.[0]
    expect(row).toContain('In a browser, WebRTC gets past the policy, also without network')
    expect(read('docs/guide/views.md').replace(/\n/g, ' ')).toContain('In a browser it can send by WebRTC even without network.')
  })

  it('has decisions of at most forty lines', () => {
    for (const page of files('docs/decisions', '.md'))
      expect(read(page).trimEnd().split('\n').length, page).toBeLessThanOrEqual(40)
  })

  it('has a row for each room in ARCHITECTURE.md', () => {
    expect(all(read('ARCHITECTURE.md'), /^\| `(src-[^`]+)` \|/gm).sort()).toEqual(Object.keys(ROOMS).sort())
  })
})

/** The words of screens, wherever a source has them: between quotes or tags, or on a line of their own. */
const SCREENS = [...sources(root).values()].join('\n')
function isOnAScreen(words: string): boolean {
  for (let at = SCREENS.indexOf(words); at >= 0; at = SCREENS.indexOf(words, at + 1)) {
    const [before, after] = [SCREENS.slice(at - 40, at), SCREENS.slice(at + words.length, at + words.length + 40)]
    if (/(?:['"`>]|\n)\s*$/.test(before) && /^\s*(?:['"`<]|\n|\$\{)/.test(after)) return true
  }
  return false
}

/** Bold words of a page of the guide that no screen says. */
const unsaid = (text: string) => all(text, /\*\*([^*]+)\*\*/g).filter((words) => !isOnAScreen(words))

describe('the user guide', () => {
  const guide = files('docs/guide', '.md')

  it('is complete in the app: each page is listed once, under its title', () => {
    const listed = GUIDE.map(({ file }) => join('docs', file))
    expect(listed.filter((file) => file.startsWith('docs/guide')).sort()).toEqual([...guide].sort())
    for (const { file, title } of GUIDE) expect(read(join('docs', file)).split('\n')[0]).toBe(`# ${title}`)
    const contents = read('docs/guide/README.md')
    for (const { file } of GUIDE.slice(1)) expect(contents).toContain(`](${relative('guide', file)})`)
  })

  it('has short pages, each with one light picture and its caption', () => {
    for (const file of guide) {
      const text = read(file)
      expect(text.split('\n').length, file).toBeLessThan(62)
      expect(all(text, /!\[[^\]]{10,}\]\(\.\.\/\.\.\/assets\/(screenshot-[\w-]+-light\.png)\)/g), file).toHaveLength(1)
    }
  })

  it('sets words of the screens in bold, as the screens have them', () => {
    for (const file of guide) expect(unsaid(read(file)), file).toEqual([])
    expect(unsaid('**Allow once**, **Allow everything**')).toEqual(['Allow everything'])
  })
})
