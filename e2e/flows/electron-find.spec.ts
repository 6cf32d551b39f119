import { expect, test } from '../shells/shell-test.ts'
import { highlighted, newConversation, send } from './steps.ts'

test('Ctrl F finds on the screen, steps through what it found, and gives the focus back', async ({ page }) => {
  await newConversation(page)
  await send(page, 'where is the Walrus, walrus?')
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('walrus')
  await page.getByRole('textbox', { name: 'Message' }).focus()
  await page.keyboard.press('ControlOrMeta+f')
  const field = page.getByRole('searchbox', { name: 'Find', exact: true })
  await expect(field).toBeFocused()
  const count = page.getByRole('search', { name: 'On this screen' }).getByRole('status')

  await field.fill('WALRUS')
  await expect(count).toHaveText(/^1 of \d+$/)
  const found = await highlighted(page, 'found')
  expect(found.length).toBeGreaterThanOrEqual(2)
  expect(found.slice(0, 2)).toEqual(['Walrus', 'walrus'])
  expect(await highlighted(page, 'found-now')).toEqual(['Walrus'])
  await field.press('Enter')
  await expect(count).toHaveText(`2 of ${found.length}`)
  expect(await highlighted(page, 'found-now')).toEqual(['walrus'])
  await field.press('Shift+Enter')
  await field.press('Shift+Enter')
  await expect(count).toHaveText(`${found.length} of ${found.length}`)

  await field.fill('no such words here')
  await expect(count).toHaveText('Not found')
  await field.press('Escape')
  await expect(field).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
  expect(await highlighted(page, 'found')).toEqual([])
})
