import { type InstalledTarball, installTarball } from '../shells/installed-tarball.ts'
import { expect, test } from '../shells/shell-test.ts'
import { startShell } from '../shells/start-shell.ts'
import { answer, card, expectShown, expectStatus } from './steps.ts'

let tarball: InstalledTarball
test.beforeAll(async () => {
  tarball = await installTarball()
})
test.afterAll(() => tarball.remove())

test('the packed tarball alone opens the page, and a newcomer makes a first tool call', async ({ chromium }) => {
  const shell = await startShell('web', { browser: chromium, script: tarball.script })
  try {
    await shell.page.getByRole('button', { name: /try/i }).first().click()
    await answer(shell.page, 'Allow once')
    await expectStatus(card(shell.page, 'add'), 'Finished')
    await expectShown(shell.page, 'add', '2 + 3 = 5')
    expect(shell.faults).toEqual([])
  } finally {
    await shell.dispose()
  }
})
