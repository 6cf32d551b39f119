import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectNoFaults } from '../support/axe.ts'
import type { RunningShell } from '../support/running-shell.ts'
import { expect, test } from '../support/shell-test.ts'
import { addTrustedServer, answer, card, expectStatus, newConversation, official, openCall, send } from './steps.ts'

const FILES = 12

/** A folder of small modules, and the filesystem server on it. */
async function addModules(shell: RunningShell): Promise<string> {
  const folder = join(shell.folder, 'src')
  mkdirSync(folder)
  for (let n = 1; n <= FILES; n += 1) writeFileSync(join(folder, `mod${n}.ts`), `export const value${n} = ${n}\n`.repeat(30))
  await addTrustedServer(shell, { name: 'filesystem', args: [official('server-filesystem'), folder] })
  return folder
}

/** Fifteen calls in five rounds: reading one after the other, several at once, and other tools in between. */
function task(folder: string): string {
  const read = (n: number) => `filesystem/read_text_file with path="${join(folder, `mod${n}.ts`)}"`
  const rounds = [
    [`filesystem/list_directory with path="${folder}"`],
    [1, 2, 3, 4, 5, 6].map(read),
    [`filesystem/directory_tree with path="${folder}"`, `filesystem/get_file_info with path="${join(folder, 'mod7.ts')}"`],
    [7, 8, 9, 10, 11].map(read),
    [`filesystem/search_files with path="${folder}" pattern=mod12`],
  ]
  return `use ${rounds.map((calls) => calls.join('; ')).join(' then ')}`
}

const transcript = (page: Page) => page.getByRole('region', { name: 'Messages' })
const reply = (page: Page) => transcript(page).getByRole('article').last()
const calls = (page: Page) => page.getByRole('group', { name: /^Tool call: / })

test.describe('fifteen calls and their answer', () => {
  test.use({ shellOptions: { viewport: { width: 1280, height: 820 } } })

  test.beforeEach(async ({ shell, page }) => {
    const folder = await addModules(shell)
    await newConversation(page)
    await send(page, task(folder))
    await answer(page, 'Allow in this conversation')
    await expect(page.getByRole('button', { name: 'Retry', exact: true })).toBeVisible()
  })

  test('are one thing to read', async ({ page }) => {
    await expect(calls(page)).toHaveCount(15)
    for (const call of await calls(page).all()) await expectStatus(call, 'Finished')
    await expect(transcript(page).getByRole('article')).toHaveCount(2)
    const height = await transcript(page).evaluate((list) => {
      const [first, last] = [list.querySelector('article'), [...list.querySelectorAll('article')].at(-1)]
      return (last?.getBoundingClientRect().bottom ?? 0) - (first?.getBoundingClientRect().top ?? 0)
    })
    console.log('HEIGHT', height)
    expect(height).toBeLessThanOrEqual(1200)
    await page.screenshot({ path: '/tmp/t1.png' })
  })
})
