import { expect, type Locator, type Page } from '@playwright/test'

/** From now on what a screen reader is told, in order; asked for by the function that is returned. */
export async function hearing(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    new MutationObserver((records) => {
      for (const { target } of records) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest('[aria-live]:not([aria-live=off])')
        if (region?.textContent) heard.push(region.textContent)
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
  })
  return () => page.evaluate<readonly string[]>(() => Reflect.get(window, 'heard'))
}

/** Types as a hand does, once the field has the focus: what is typed before goes elsewhere on a slow machine. */
export async function typeInto(field: Locator, words: string): Promise<void> {
  await expect(field).toBeFocused()
  await field.page().keyboard.type(words)
}

/** Goes to a control with one key, as often as it takes and forty times at most. */
export async function walkTo(page: Page, control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let n = 0; n < 40 && !(await control.evaluate((element) => element === document.activeElement)); n += 1) {
    await page.keyboard.press(key)
  }
  await expect(control).toBeFocused()
}
