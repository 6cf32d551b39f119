import type { Page, Route } from 'playwright'
import { expect } from '../shells/shell-test.ts'
import { diagram, fenced, test } from './frame-steps.ts'

/** Holds up what is asked for at these addresses, until the returned promise’s end is called. */
async function hold(page: Page, url: string | RegExp): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

/** Gives this in place of the first that is asked for there. */
async function replaceFirst(page: Page, url: string | RegExp, contentType: string, body: string): Promise<void> {
  let first: Route | undefined
  await page.route(url, async (route) => {
    if (first) return route.continue()
    first = route
    await route.fulfill({ contentType, body })
  })
}

const THREAD = /\/assets\/maths-worker[^/]*\.js$/
const FRAME = /\/diagram\/index\.html$/
const FORMULA = '$$\na = b\n$$'
const DIAGRAM = fenced('mermaid', 'flowchart LR\n  A[One] --> B[Two]')

test.beforeEach(async ({ page }) => page.clock.install())

test('a formula and a diagram are drawn however late their thread and frame are ready, and after a pause', async ({
  page,
  say,
}) => {
  await test.step('a formula whose thread is late', async () => {
    const release = await hold(page, THREAD)
    await say(FORMULA)
    await page.clock.runFor(60_000)
    await expect(page.locator('math')).toHaveCount(0)
    release()
    await expect(page.locator('math')).toHaveText('a=b')
  })
  await test.step('a diagram whose frame is late', async () => {
    const release = await hold(page, FRAME)
    await say(DIAGRAM)
    await page.clock.runFor(20_000)
    await expect(page.getByText('Takes too long to draw')).toHaveCount(0)
    release()
    await expect(diagram(page)).toBeVisible()
  })
  await test.step('a diagram after a pause', async () => {
    await replaceFirst(page, FRAME, 'text/html', `<script>parent.postMessage({ is: 'ready' }, '*')</script>`)
    await say(DIAGRAM.replace('Two', 'Three'))
    await expect(async () => {
      await page.clock.runFor(1_000)
      expect(await diagram(page).last().isVisible()).toBe(true)
    }).toPass()
  })
})

test('a late formula is drawn after a pause', async ({ page, say }) => {
  const never = `addEventListener('message', ({ data }) => postMessage({ id: data.id, is: 'begun' }))`
  await replaceFirst(page, THREAD, 'text/javascript', never)
  const begun = page.waitForEvent('worker')
  await say(FORMULA)
  await begun
  await expect(async () => {
    await page.clock.runFor(1_000)
    expect(await page.locator('math').allTextContents()).toEqual(['a=b'])
  }).toPass()
})
