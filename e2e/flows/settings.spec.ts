import type { Page } from '@playwright/test'
import { expectNoFaults } from '../shells/axe.ts'
import { expect, test } from '../shells/shell-test.ts'
import { startModelApi } from '../support/model-api.ts'
import { typeInto, walkTo } from './keyboard-steps.ts'
import { enterProvider } from './question-steps.ts'
import { goTo, goToSettings } from './steps.ts'

/** The names of the settings' controls, in the order in which Tab must reach them; each is marked with its number. */
function markControls(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const all = [
      ...document.querySelectorAll<HTMLElement>('main :is(a[href], button, input, select, textarea, summary, [tabindex="0"])'),
    ]
    const group = (one: HTMLElement) => (one instanceof HTMLInputElement && one.type === 'radio' ? one.name : undefined)
    const reached = all.filter((one) => {
      if (!one.checkVisibility() || one.tabIndex < 0 || one.matches(':disabled')) return false
      const name = group(one)
      if (name === undefined) return true
      const options = all.filter((other) => group(other) === name)
      return one === (options.find((other) => other.matches(':checked')) ?? options[0])
    })
    return reached.map((one, n) => {
      one.dataset.walk = String(n)
      return `${n} ${one.tagName} ${one.getAttribute('aria-label') ?? one.id} ${one.textContent?.slice(0, 40)}`
    })
  })
}

interface Stop {
  readonly walk: string | undefined
  readonly inside: boolean
  /** The problem of its looks. */
  readonly fault: string | undefined
}

/** The focus, whether one sees it, and whether the thing is in view. */
function lookAtFocus(page: Page): Promise<Stop> {
  return page.evaluate(() => {
    const one = document.activeElement
    const inside = one instanceof HTMLElement && one.closest('main') !== null
    if (!inside) return { walk: undefined, inside, fault: undefined }
    const { outlineStyle, outlineWidth } = getComputedStyle(one)
    const seen = outlineStyle !== 'none' && outlineWidth !== '0px'
    const { top, bottom, width } = one.getBoundingClientRect()
    const shown = width > 0 && bottom > 0 && top < innerHeight
    const fault = seen ? (shown ? undefined : 'is out of view') : 'shows no focus'
    return { walk: one.dataset.walk, inside, fault }
  })
}

/** Tab alone reaches every control of the page, in the order in which they stand there, and leaves the page at its end. */
async function walkThrough(page: Page): Promise<void> {
  const controls = await markControls(page)
  expect(controls.length).toBeGreaterThan(20)
  await walkTo(page, page.locator('[data-walk="0"]'))
  const walked: string[] = []
  const faults: string[] = []
  for (let n = 0; n < controls.length + 30; n += 1) {
    const { walk, inside, fault } = await lookAtFocus(page)
    if (!inside) break
    if (walk !== undefined) walked.push(controls[Number(walk)] ?? walk)
    if (fault) faults.push(`${walk === undefined ? 'something else' : controls[Number(walk)]} ${fault}`)
    await page.keyboard.press('Tab')
  }
  expect(walked).toEqual(controls)
  expect(faults).toEqual([])
  expect((await lookAtFocus(page)).inside, 'the page is left at its end').toBe(false)
}

test('a search leaves the matching sections, timeouts are kept, a provider’s test reports its result, and every section passes the axe checks', async ({
  page,
}) => {
  await test.step('a search leaves the sections with its words; Enter goes to the setting, Escape shows one again', async () => {
    await goTo(page, 'Settings')
    const section = (name: string) => page.getByRole('region', { name, exact: true })
    const search = page.getByRole('searchbox', { name: 'Search settings' })
    await walkTo(page, search)
    await typeInto(search, 'start timeout')
    await expect(section('Timeouts')).toBeVisible()
    await expect(section('Models')).toBeHidden()
    await expect(page.getByRole('search').getByRole('status')).toHaveText('1 section')
    await expectNoFaults(page)
    await page.keyboard.press('Enter')
    await expect(section('Timeouts').getByLabel('Start timeout (seconds)')).toBeFocused()
    await search.focus()
    await page.keyboard.press('Escape')
    await expect(section('Models')).toBeVisible()
    await typeInto(search, 'gibberish')
    await expect(page.getByRole('search').getByRole('status')).toHaveText('No settings found.')
    // The list of sections leads anywhere, whatever is searched for.
    await page.getByRole('navigation', { name: 'Sections of the settings' }).getByRole('link', { name: 'Network' }).click()
    await expect(section('Network').getByRole('heading', { level: 2 })).toBeFocused()
  })
  await test.step('the timeouts for all servers are checked, kept, and taken by a server that has none of its own', async () => {
    await goToSettings(page, 'Timeouts')
    const timeout = page.getByRole('spinbutton', { name: 'Request timeout (seconds)' })
    await timeout.fill('soon')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Enter a whole number from 1 to 86400')).toBeVisible()
    await timeout.fill('45')
    await page.keyboard.press('Enter')
    await expect(timeout).toBeFocused()
    await page.reload()
    await expect(timeout).toHaveValue('45')
    await goTo(page, 'Servers')
    await page.getByRole('button', { name: 'Add server' }).click()
    const editor = page.getByRole('dialog')
    await editor.getByText('Advanced').click()
    await expect(editor.getByRole('spinbutton', { name: 'Request timeout (seconds)' })).toHaveValue('')
    await expect(editor.getByText('Empty: 45, as in Settings.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(editor).toHaveCount(0)
  })
  await test.step('a provider’s test says what it saw, and a test message what came back, by keyboard', async () => {
    const held = Promise.withResolvers<void>()
    const api = await startModelApi((_request, n) =>
      n === 0 ? { text: 'Hello there.' } : { text: 'Too late.', hold: held.promise },
    )
    let open = true
    try {
      await enterProvider(page, `${api.url}/v1`, 'OpenAI-compatible', 'llama3.2')
      const provider = page.getByRole('region', { name: 'OpenAI-compatible' })
      await expect(provider.getByRole('status').first()).toHaveText(/^Connected\. Key not rejected\. \d+ chat models? found\.$/)
      await expect(provider.getByText(/^New conversations use .+ now\.$/)).toBeVisible()
      await expect(page.getByRole('button', { name: /^Default model/ })).not.toContainText('Demo')
      await provider.getByRole('button', { name: 'Name them' }).click()
      await expect(provider.getByText(/^New conversations use/)).toHaveCount(0)
      await expect(provider.getByRole('button', { name: 'Test', exact: true })).toBeFocused()
      await expect(page.getByRole('combobox', { name: 'Titles' })).not.toHaveValue('')
      await page.getByRole('button', { name: /^Default model/ }).click()
      await page.getByRole('listbox', { name: 'Models' }).getByRole('option', { name: 'Demo (not an AI)' }).click()
      const first = provider.getByRole('button', { name: /^Use .+ for new conversations$/ })
      await first.click()
      await expect(first).toHaveCount(0)
      await expect(provider.getByRole('button', { name: 'Test', exact: true })).toBeFocused()
      const send = provider.getByRole('button', { name: 'Send a test message' })
      await walkTo(page, send)
      await expect(provider.getByText('Costs a few tokens.')).toBeVisible()
      expect(api.requests).toEqual([])
      await page.keyboard.press('Enter')
      await expect(provider.getByRole('status').last()).toHaveText(/ began to answer (at once|after \d+\.\d s): “Hello there\.”$/)
      await expect(send).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(provider.getByText('Waiting for the answer …')).toBeVisible()
      await expect(provider.getByRole('button', { name: 'Cancel' })).toBeFocused()
      await expect.poll(() => api.requests.length).toBe(2)
      await page.keyboard.press('Enter')
      await expect(send).toBeFocused()
      await expect(provider.getByRole('status').last()).toBeEmpty()
      held.resolve()
      await api.close()
      open = false
      const again = provider.getByRole('button', { name: 'Test', exact: true })
      await walkTo(page, again, 'Shift+Tab')
      await page.keyboard.press('Enter')
      await expect(provider.getByRole('status').first()).toContainText('Can’t connect.')
      await expect(provider.getByRole('status').first()).toContainText('at http://127.0.0.1')
      await expect(again).toBeFocused()
    } finally {
      held.resolve()
      if (open) await api.close()
    }
  })
  await test.step('every section is walked through by keyboard, is reached by its address, and passes the axe checks', async () => {
    await goTo(page, 'Settings')
    const list = page.getByRole('navigation', { name: 'Sections of the settings' })
    const titles = await list.getByRole('link').allTextContents()
    expect(titles.length).toBeGreaterThan(10)
    for (const title of titles) {
      await list.getByRole('link', { name: title, exact: true }).press('Enter')
      await expect(page.getByRole('heading', { level: 2 })).toHaveText([title])
      await expect(page.getByRole('heading', { level: 2 })).toBeFocused()
    }
    const search = page.getByRole('searchbox', { name: 'Search settings' })
    // A letter that all sections have shows all of them at once.
    await search.fill('e')
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(titles)
    await expectNoFaults(page)
    await search.focus()
    await walkThrough(page)
  })
})
