import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../shells/shell-process.ts'
import { test as base, expect } from '../shells/shell-test.ts'
import { goTo } from './steps.ts'

/** A build of its own, of which a part that the page loads late is not there: the app is being replaced. */
const test = base.extend<{ build: string }>({
  build: async ({ tempFolder }, use) => {
    for (const part of ['main', 'renderer']) cpSync(join(root, 'out', part), join(tempFolder, part), { recursive: true })
    const assets = join(tempFolder, 'renderer', 'assets')
    for (const name of readdirSync(assets)) {
      if (name.startsWith('SettingsView-') && name.endsWith('.js')) renameSync(join(assets, name), join(tempFolder, name))
    }
    await use(tempFolder)
  },
  shellOptions: async ({ build }, use) => use({ script: join(build, 'main', 'web.js') }),
})

test('a missing part of a replaced app says so, and comes with the new page', async ({ shell, page, build }) => {
  // The browser says of each part that it did not come.
  shell.forgivePageErrors()
  await goTo(page, 'Settings')
  const card = page.getByRole('main').getByRole('alert')
  const again = card.getByRole('button', { name: 'Try again' })
  await expect(card).toContainText('This screen could not be shown. Parley was updated, or has closed.')
  await test.step('as long as it is missing, it is still said', async () => {
    await Promise.all([page.waitForEvent('load'), again.click()])
    await expect(card).toBeVisible()
  })
  // The new one has other names for everything.
  const renderer = join(build, 'renderer')
  renameSync(join(renderer, 'assets'), join(renderer, 'assets-of-new'))
  for (const name of readdirSync(build)) {
    if (name.startsWith('SettingsView-')) renameSync(join(build, name), join(renderer, 'assets-of-new', name))
  }
  const document = join(renderer, 'index.html')
  writeFileSync(document, readFileSync(document, 'utf8').replaceAll('./assets/', './assets-of-new/'))
  await again.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expect(card).toHaveCount(0)
})
