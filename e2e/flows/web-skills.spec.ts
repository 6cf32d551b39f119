import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectNoFaults } from '../shells/axe.ts'
import { press } from '../shells/press.ts'
import { expect, test } from '../shells/shell-test.ts'
import { startModelApi } from '../support/model-api.ts'
import { typeInto, walkTo } from './keyboard-steps.ts'
import { connectModel } from './question-steps.ts'
import { chooseModel, goToSettings, newConversation } from './steps.ts'

test('a skill of the person is chosen by keys, read whole, used, and off again after a change (SKILL-8)', async ({
  page,
  tempFolder,
}) => {
  const skills = join(tempFolder, 'skills')
  mkdirSync(join(skills, 'expenses', 'more'), { recursive: true })
  const main = join(skills, 'expenses', 'SKILL.md')
  const text = '---\nname: expenses\ndescription: Files an expense <b>now</b>\n---\nAsk for the receipt first.\n'
  writeFileSync(main, text)
  writeFileSync(join(skills, 'expenses', 'more', 'rules.md'), 'Under 20 euros, no receipt.')
  const api = await startModelApi((_request, n) =>
    n === 0 ? { calls: [{ name: 'read_skill', arguments: '{"skill":"expenses"}' }] } : { text: 'I have read it.' },
  )
  try {
    await connectModel(page, api.url)
    await goToSettings(page, 'Skills')
    const section = page.getByRole('region', { name: 'Skills' })
    await section.getByRole('button', { name: 'Choose the folder of your skills …' }).click()
    const picker = page.getByRole('dialog', { name: 'Choose a folder' })
    await picker.getByRole('textbox', { name: 'Folder' }).fill(skills)
    await picker.getByRole('button', { name: 'Go' }).click()
    await press(picker.getByRole('button', { name: 'Choose' }))
    await expect(section.getByRole('listitem')).toContainText('Files an expense <b>now</b>')
    await expectNoFaults(page)

    await newConversation(page)
    await chooseModel(page, 'claude sonnet 5 5')
    await page.getByRole('textbox', { name: 'Message' }).focus()
    await typeInto(page.getByRole('textbox', { name: 'Message' }), '/exp')
    await expect(page.getByRole('option', { name: 'Use skill expenses' })).toBeVisible()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'expenses' })
    await expect(dialog).toContainText('Ask for the receipt first.')
    await expect(dialog).not.toContainText('Under 20 euros')
    await walkTo(page, dialog.locator('summary'))
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('Under 20 euros')
    await expectNoFaults(page)
    const use = dialog.getByRole('button', { name: 'Use skill' })
    await walkTo(page, use)
    await expect(use).not.toHaveAttribute('aria-disabled')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Use the skill “expenses”. ')
    await typeInto(page.getByRole('textbox', { name: 'Message' }), 'File lunch.')
    await page.keyboard.press('Enter')
    // The list and the heading have the same words as the conversation's title.
    await expect(page.getByRole('article', { name: 'You' })).toContainText('Use the skill “expenses”. File lunch.')
    await expect(page.getByText('I have read it.')).toBeVisible()
    expect(JSON.stringify(api.requests[0]?.body.tools)).toContain('expenses (the person’s own)')
    expect(JSON.stringify(api.requests[1]?.body.messages)).toContain('Ask for the receipt first.')

    writeFileSync(main, text.replace('first', 'last'))
    await page.getByRole('button', { name: /^Tools \(/ }).click()
    await page.getByRole('button', { name: 'Skills (1) …' }).click()
    const list = page.getByRole('dialog', { name: 'Skills' })
    await expect(list).toContainText('Off: it changed since you turned it on')
    await expectNoFaults(page)
    await list.getByRole('button', { name: 'Read … expenses' }).click()
    await press(dialog.getByRole('button', { name: 'Turn on' }))
    await expect(list.getByRole('button', { name: 'Turn off expenses' })).toBeVisible()
  } finally {
    await api.close()
  }
})
