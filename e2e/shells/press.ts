import { expect, type Locator } from 'playwright/test'

/** Presses what grants something as a hand does: the pointer comes to it from elsewhere, and once more where it had moved meanwhile. */
export async function press(control: Locator): Promise<void> {
  const page = control.page()
  await expect(async () => {
    await control.scrollIntoViewIfNeeded()
    await page.mouse.move(1, 1)
    await control.click()
    // The page says so within the click. Waiting would press again what was taken: by then the next question may be there.
    expect(await page.getByText('Move the pointer, then click.').count()).toBe(0)
  }).toPass()
}

/** The same for a tick that grants; `on` false takes it away. */
export async function tick(control: Locator, on = true): Promise<void> {
  await expect(async () => {
    await control.page().mouse.move(1, 1)
    await control.setChecked(on)
  }).toPass()
}
