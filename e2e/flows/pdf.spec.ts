import type { Page } from 'playwright'
import { expect } from '../shells/shell-test.ts'
import { frame, openPaper, pdfFrame, sheet, test, viewer } from './pdf-steps.ts'

/** The number of pixels of a page's picture that are neither white nor clear. */
const inked = (page: Page, number: number) =>
  sheet(page, number)
    .locator('canvas')
    .evaluate((canvas: HTMLCanvasElement) => {
      const copy = new OffscreenCanvas(canvas.width, canvas.height)
      const context = copy.getContext('2d')
      context?.drawImage(canvas, 0, 0)
      const { data } = context?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] as number[] }
      let count = 0
      for (let at = 0; at < data.length; at += 4) if ((data[at + 3] ?? 0) > 0 && (data[at] ?? 255) < 200) count++
      return count
    })

const alert = (page: Page) => viewer(page).getByRole('alert')

test('a PDF shows its pages as pictures and as text, is read by keyboard alone, and Escape leaves it', async ({ page }) => {
  await test.step('a PDF shows its pages as pictures, and as text to select and to hear', async () => {
    await openPaper(page, 'report')
    await expect(sheet(page, 1).getByText('Quarterly report')).toBeAttached()
    await expect(sheet(page, 1)).toHaveAttribute('aria-busy', 'false')
    expect(await inked(page, 1)).toBeGreaterThan(500)
    await expect(page.locator('iframe.content-pdf')).toHaveAttribute('title', 'PDF: report.pdf')
    await expect(frame(page).getByRole('toolbar')).toContainText('of 3')
    await expect(viewer(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(viewer(page)).toHaveCount(0)
  })
  await test.step('a PDF is read by keyboard alone, and Escape leaves it', async () => {
    await openPaper(page, 'thousand')
    const pages = frame(page).getByRole('region', { name: 'Pages' })
    const field = frame(page).getByRole('textbox', { name: 'Page' })
    await pages.focus()
    await expect(field).toHaveValue('1')
    await page.keyboard.press('PageDown')
    await page.keyboard.press('PageDown')
    await page.keyboard.press('PageDown')
    await expect(field).toHaveValue('2')
    await field.fill('700')
    await field.press('Enter')
    await expect(sheet(page, 700).getByText('Sheet 700')).toBeAttached()
    // Only what is near exists.
    expect(await frame(page).locator('canvas').count()).toBeLessThan(10)
    await frame(page).getByRole('button', { name: 'Next page' }).press('Enter')
    await expect(sheet(page, 701).getByText('Sheet 701')).toBeAttached()
    await frame(page).getByRole('button', { name: 'Larger' }).press('Enter')
    await expect(frame(page).getByText('125%')).toBeVisible()
    await expect(sheet(page, 701).getByText('Sheet 701')).toBeAttached()
    await page.keyboard.press('Escape')
    await expect(viewer(page)).toHaveCount(0)
  })
})

test('the page field shows the current page, and the magnification is announced only when it changes', { tag: '@long' }, async ({
  page,
}) => {
  await openPaper(page, 'report')
  await expect(sheet(page, 1)).toHaveAttribute('aria-busy', 'false')
  const field = frame(page).getByRole('textbox', { name: 'Page' })
  await field.fill('99')
  await field.press('Enter')
  await expect(field).toHaveValue('3')
  await field.fill('the first')
  await field.press('Enter')
  await expect(field).toHaveValue('3')
  const told = await frame(page)
    .locator('output')
    .evaluate((output) => {
      const seen: string[] = []
      new MutationObserver(() => seen.push(output.textContent)).observe(output, { childList: true, characterData: true })
      Object.assign(window, { told: seen })
      return seen
    })
  expect(told).toEqual([])
  const heard = () => pdfFrame(page)?.evaluate(() => Reflect.get(window, 'told') as string[])
  await field.fill('1')
  await field.press('Enter')
  await expect(sheet(page, 1)).toHaveAttribute('aria-busy', 'false')
  await frame(page).getByRole('button', { name: 'Larger' }).press('Enter')
  await expect(frame(page).getByText('125%')).toBeVisible()
  expect(await heard()).toEqual(['125%'])
})

test('a PDF without a reader for a while is not called too slow', { tag: '@long' }, async ({ page }) => {
  await openPaper(page, 'thousand')
  await expect(sheet(page, 1)).toHaveAttribute('aria-busy', 'false')
  await pdfFrame(page)?.evaluate(async () => {
    const [frameOf, later] = [window.requestAnimationFrame, window.setTimeout]
    let hidden = false
    const held: FrameRequestCallback[] = []
    const drawn = frameOf.bind(window)
    // A hidden page is given no frames. The first is the viewer's own; the library's are held.
    let given = 1
    window.requestAnimationFrame = (run) => (given-- > 0 ? drawn(run) : held.push(run))
    const soon = (run: () => void, ms = 0) => later(run, ms / 100)
    Object.assign(window, { setTimeout: soon })
    Object.defineProperty(document, 'hidden', { get: () => hidden })
    document.querySelector('.scroller')?.scrollBy(0, 40_000)
    while (held.length === 0) await new Promise<number>(drawn)
    hidden = true
    document.dispatchEvent(new Event('visibilitychange'))
    // As long as anything about a file may take.
    await new Promise<void>((resolve) => soon(resolve, 20_000))
    hidden = false
    window.requestAnimationFrame = drawn
    for (const run of held) drawn(run)
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await expect(frame(page).locator('.page[aria-busy="true"]')).toHaveCount(0)
  await expect.poll(() => frame(page).locator('.page[aria-busy="false"] canvas').count()).toBeGreaterThan(1)
  await expect(alert(page)).toHaveCount(0)
})

test('a page stays in place when earlier ones turn out to have another size', { tag: '@long' }, async ({ page }) => {
  await openPaper(page, 'mixed')
  const field = frame(page).getByRole('textbox', { name: 'Page' })
  await field.fill('41')
  await field.press('Enter')
  await expect(sheet(page, 40)).toHaveAttribute('aria-busy', 'false')
  await expect(sheet(page, 41)).toHaveAttribute('aria-busy', 'false')
  const top = async () => (await sheet(page, 41).boundingBox())?.y ?? 0
  const pages = await frame(page).getByRole('region', { name: 'Pages' }).boundingBox()
  expect(Math.abs((await top()) - (pages?.y ?? 0))).toBeLessThan(20)
})

test('a damaged PDF is shown once it is repaired', { tag: '@long' }, async ({ page }) => {
  await openPaper(page, 'mended')
  await expect(alert(page)).toContainText('damaged, or not a PDF')
  await viewer(page).getByRole('button', { name: 'Read again' }).click()
  await expect(sheet(page, 1).getByText('As good as new')).toBeAttached()
  await expect(alert(page)).toHaveCount(0)
})

test.describe('a PDF that cannot be shown gives the reason, and can be saved', () => {
  for (const [name, words] of [
    ['broken', 'damaged, or not a PDF'],
    ['locked', 'needs a password'],
    ['endless', 'takes too long to show'],
  ] as const) {
    test(`when it is ${name}`, { tag: '@long' }, async ({ page }, info) => {
      // Patience for what never ends passes twenty times as fast.
      if (name === 'endless') {
        await page.addInitScript(() => {
          const later = window.setTimeout
          const soon = (run: () => void, ms = 0) => later(run, ms / 20)
          if (location.pathname.endsWith('/pdf/index.html')) Object.assign(window, { setTimeout: soon })
        })
      }
      await page.evaluate(() => {
        const longest = { value: 0 }
        Object.assign(window, { longest })
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) longest.value = Math.max(longest.value, duration)
        }).observe({ type: 'longtask' })
      })
      await openPaper(page, name)
      // Patience is counted in steps, which a busy machine delays.
      await expect(alert(page)).toContainText(words, { timeout: 120_000 })
      await expect(viewer(page).getByRole('button', { name: 'Save as a file' })).toBeEnabled()
      await expect(page.locator('iframe.content-pdf')).toHaveCount(0)
      const longest = await page.evaluate(() => Reflect.get(window, 'longest').value as number)
      info.annotations.push({ type: "longest task of the page's own, ms", description: longest.toFixed(0) })
    })
  }
})

test('a page of endless size and a file of endless pages stay within bounds', { tag: '@long' }, async ({ page }) => {
  await openPaper(page, 'huge')
  await expect(sheet(page, 1)).toHaveAttribute('aria-busy', 'false')
  const canvas = await sheet(page, 1)
    .locator('canvas')
    .evaluate((element: HTMLCanvasElement) => element.width * element.height)
  expect(canvas).toBeLessThanOrEqual(16 * 1024 * 1024)
  await page.keyboard.press('Escape')
  await openPaper(page, 'countless')
  await expect(frame(page).getByRole('toolbar')).toContainText('The first pages of 100,000')
  await expect(sheet(page, 1)).toHaveAttribute('aria-busy', 'false')
})
