import { expectNoFaults } from '../shells/axe.ts'
import { expect, test } from '../shells/shell-test.ts'
import { walkTo } from './keyboard-steps.ts'

test('the user guide opens by keyboard, leads from page to page, and has its pictures', async ({ page }) => {
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(page.url()).origin)) elsewhere.push(request.url())
  })
  const main = page.getByRole('main')
  const title = (name: string) => main.getByRole('heading', { level: 1, name, exact: true })
  const picture = main.getByRole('img')
  const drawn = () => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 300)

  await expect(main.getByRole('heading').first()).toBeVisible()
  await page.keyboard.press('F1')
  await walkTo(page, page.getByRole('dialog').getByRole('button', { name: 'User guide' }))
  await page.keyboard.press('Enter')
  await expect(title('User guide')).toBeFocused()
  await expect.poll(drawn).toBe(true)
  await walkTo(page, main.getByRole('link', { name: 'A first server' }))
  await page.keyboard.press('Enter')
  await expect(title('A first server')).toBeFocused()
  await expect(page).toHaveTitle('User guide – Parley')
  await expect.poll(drawn).toBe(true)
  await expectNoFaults(page)

  await walkTo(page, main.getByRole('link', { name: 'When something fails' }))
  await page.keyboard.press('Enter')
  await expect(title('When something fails')).toBeFocused()
  await page
    .getByRole('navigation', { name: 'Pages of the user guide' })
    .getByRole('link', { name: 'Allowing tool calls' })
    .click()
  await expect(title('Allowing tool calls')).toBeFocused()
  await main.getByRole('link', { name: 'How Parley decides about a tool call' }).click()
  await expect(title('How Parley decides about a tool call')).toBeFocused()
  // A decision is a file of the repository, and no page of the guide.
  await expect(main).toContainText('decision 27')
  await expect(main.getByRole('link', { name: 'decision 27' })).toHaveCount(0)
  await page.goBack()
  await expect(title('Allowing tool calls')).toBeFocused()

  await page.getByRole('navigation', { name: 'Pages of the user guide' }).getByRole('link', { name: 'Report a problem' }).click()
  await expect(title('Report a problem')).toBeFocused()
  await expect(main.getByLabel('Versions and last errors')).toHaveValue(
    /^Parley \d+\.\d+\.\d+, .+\nMozilla\/.+\n[\s\S]*No errors now\./,
  )
  await expectNoFaults(page)
  expect(elsewhere).toEqual([])
})
