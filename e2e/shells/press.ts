import { expect, type Locator } from 'playwright/test'

/** Milliseconds for all tries; each try ends by itself. */
const LIMIT = { timeout: 60_000 }

/** Presses a granting button like a hand: the pointer comes from elsewhere, and again if the button has moved. */
export async function press(control: Locator): Promise<void> {
  const page = control.page()
  await expect(async () => {
    await page.mouse.move(1, 1)
    await control.evaluate(whenReady)
    await control.click()
    // The page reports a refused press within the click. Waiting longer could press the button of the next question.
    expect(await page.getByText('Move the pointer, then click.').count(), `The page took no press of ${control}`).toBe(0)
  }).toPass(LIMIT)
}

/**
 * Runs in the page: resolves when a click is accepted, when the button was replaced, or after 20 s, and the click then says why it waits.
 * Playwright's own wait checks twice a second, which is longer than a granting button takes to settle.
 */
async function whenReady(button: Element): Promise<void> {
  button.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
  for (let checks = 0; checks < 1000 && button.isConnected; checks++) {
    if (button.checkVisibility() && !button.matches(':disabled, [aria-disabled=true]')) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** The same for a checkbox that grants; `on` false clears it. */
export async function tick(control: Locator, on = true): Promise<void> {
  await expect(async () => {
    await control.page().mouse.move(1, 1)
    await control.setChecked(on)
  }).toPass(LIMIT)
}
