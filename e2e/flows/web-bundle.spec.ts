import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../shells/shell-process.ts'
import { expect } from '../shells/shell-test.ts'
import { diagram, fenced, preview, test } from './frame-steps.ts'
import { openPaper, sheet } from './pdf-steps.ts'
import { addTrustedServer, goTo, server } from './steps.ts'

const folder = join(root, 'out', 'renderer')
const files = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    // Licences are for people, and not served.
    .filter((entry) => entry.isFile() && entry.name !== 'licences-of-parts.txt')
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))

/** Languages that the thread of colours brings along, each in a part of its own that is loaded when it is needed. */
const LANGUAGES = [
  ...readFileSync(join(root, 'src-renderer/content/isolation/highlight-worker.ts'), 'utf8').matchAll(
    /^ {2}(\w+): \(\) => import/gm,
  ),
]
  .map(([, name]) => name as string)
  .filter((name) => name !== 'diff') // Shown without the thread.

test('the build does one real thing with every thread, frame and late part of the page, and has no other', async ({
  shell,
  page,
  say,
}) => {
  const asked = new Set<string>()
  page.context().on('response', (response) => {
    if (response.ok()) asked.add(new URL(response.url()).pathname.slice(1) || 'index.html')
  })
  await page.reload()

  await say('$$\\omega^2$$')
  await expect(page.locator('math').first()).toHaveText('ω2')
  // On a busy machine the first drawing may be given up as too slow.
  await expect(async () => {
    await say(fenced('mermaid', 'flowchart LR\n  A[One] --> B[Two]'))
    await expect(diagram(page).last()).toBeVisible({ timeout: 20_000 })
  }).toPass()
  await say(fenced('html', '<h1>A page</h1>'))
  await page.getByRole('button', { name: 'Preview', exact: true }).first().click()
  await expect(preview(page).first().contentFrame().getByRole('heading', { name: 'A page' })).toBeVisible()
  let left = LANGUAGES
  await expect(async () => {
    await say(left.map((name) => fenced(name, SAMPLE)).join('\n\n'))
    const plain = () =>
      page
        .getByRole('article')
        .last()
        .locator('.content-codeblock')
        .evaluateAll((blocks) =>
          blocks.flatMap((block) =>
            block.querySelector('.content-token') ? [] : (block.querySelector('.meta')?.textContent ?? []),
          ),
        )
    await expect.poll(async () => (left = await plain()), { timeout: 20_000 }).toEqual([])
  }).toPass()

  await addTrustedServer(shell, { name: 'papers', args: [server('pdf/server.mjs')] })
  await goTo(page, 'Servers')
  await page.getByRole('main').getByRole('link', { name: 'papers', exact: true }).click()
  await page.getByRole('tab', { name: 'Resources', exact: true }).click()
  await openPaper(page, 'report')
  await expect(sheet(page, 1).getByText('Quarterly report')).toBeAttached()

  // Threads and frames were just used; all other scripts are parts of the page.
  const late = files().filter((file) => file.endsWith('.js') && !asked.has(file))
  expect(late.filter((file) => file.includes('-worker-'))).toEqual([])
  const empty = await page.evaluate(async (paths) => {
    const found: string[] = []
    for (const path of paths) if (Object.keys(await import(new URL(path, location.href).href)).length === 0) found.push(path)
    return found
  }, late)
  expect(empty).toEqual([])
  // Styles, fonts and pictures come as they are, those of the frames inside their documents.
  for (const file of files().filter((file) => /\.(css|woff2|png)$/.test(file))) {
    const same = await page.evaluate(async (path) => {
      const response = await fetch(new URL(path, location.href))
      return [response.status, (await response.arrayBuffer()).byteLength]
    }, file)
    expect([file, ...same]).toEqual([file, 200, readFileSync(join(folder, file)).length])
  }
  expect(files().filter((file) => !asked.has(file))).toEqual([])
})

/** Words that each language has a colour for. */
const SAMPLE = '"one" 2 // three\n# four\nif (true) { return null }\n<five six="seven">\neight: "nine"\nselect ten'
