import { expect, type Locator } from 'playwright/test'

/** Milliseconds for all tries; each try ends by itself. */
const LIMIT = { timeout: 60_000 }

/** Presses a granting button like a hand: the pointer comes from elsewhere, and again if the button has moved. */
export async function press(control: Locator): Promise<void> {
  const page = control.page()
  await expect(async () => {
    await control.scrollIntoViewIfNeeded()
    await page.mouse.move(1, 1)
    await control.click()
    // The page reports a refused press within the click. Waiting longer could press the button of the next question.
    expect(await page.getByText('Move the pointer, then click.').count(), `The page took no press of ${control}`).toBe(0)
  }).toPass(LIMIT)
}

/** The same for a checkbox that grants; `on` false clears it. */
export async function tick(control: Locator, on = true): Promise<void> {
  await expect(async () => {
    await control.page().mouse.move(1, 1)
    await control.setChecked(on)
  }).toPass(LIMIT)
}
