import { expect, type Locator, type Page } from '@playwright/test'

/** Milliseconds after which a hand may click once more without looking. */
const CLICKS = [50, 150, 500, 900, 2000]

/** From now on the page's time goes on only by `pass`. */
export async function holdTime(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
}

const pass = (page: Page, ms: number) => page.clock.runFor(ms)

/** Time goes on in small steps until this holds, and no further. */
async function passUntil(page: Page, holds: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await pass(page, 10)
    await holds()
  }).toPass({ intervals: [0] })
}

/** The middle of the control as it is now: waiting for it would wait for ever, as the page's time stands still. */
async function middleOf(control: Locator): Promise<{ x: number; y: number }> {
  const [box] = await control.evaluateAll((elements) =>
    elements.map((element) => element.getBoundingClientRect().toJSON() as DOMRect),
  )
  if (!box?.width) throw new Error('It is not on the screen')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Clicks again and again where the pointer is. */
export async function clickInPlace(page: Page): Promise<void> {
  let passed = 0
  for (const at of CLICKS) {
    await pass(page, at - passed)
    passed = at
    await page.mouse.down()
    await page.mouse.up()
  }
  await pass(page, 50)
}

/** Moves the pointer to the control as a hand does, and presses it. */
export async function moveAndPress(page: Page, control: Locator): Promise<void> {
  await pass(page, 1000)
  await control.waitFor()
  const { x, y } = await middleOf(control)
  await page.mouse.move(x - 40, y - 40)
  await page.mouse.move(x, y, { steps: 4 })
  await page.mouse.down()
  await page.mouse.up()
}

/**
 * The control comes up under a pointer that rests there, by a reload unless said: no click takes it before the pointer has moved.
 * `untaken` holds until then; unless said, that the control is still there.
 */
export async function expectPatience(
  page: Page,
  control: Locator,
  comesUp: () => Promise<unknown> = () => page.reload(),
  untaken: () => Promise<unknown> = () => expect(control).toBeVisible(),
): Promise<void> {
  await control.scrollIntoViewIfNeeded()
  const { x, y } = await middleOf(control)
  await page.mouse.move(x, y, { steps: 2 })
  await holdTime(page)
  await comesUp()
  await passUntil(page, async () => expect(await middleOf(control)).toEqual({ x, y }))
  await clickInPlace(page)
  await untaken()
  await expect(control).toBeEnabled()
  await moveAndPress(page, control)
  await page.clock.resume()
}
