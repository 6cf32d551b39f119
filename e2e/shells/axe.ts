import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Skips the search for selectors of passed checks, which is slow. */
const FAULTS_ONLY = { resultTypes: ['violations' as const] }
/** Axe's default rules, and the one that a control's name contains its visible text. */
const ALL = { ...FAULTS_ONLY, rules: { 'label-content-name-mismatch': { enabled: true } } }
/** Colour rules, the only ones that depend on the theme. */
const COLOURS = { ...FAULTS_ONLY, runOnly: ['color-contrast', 'link-in-text-block'] }

/** A window of 1280 by 820 at 200 %. */
const ZOOMED = { width: 640, height: 410 }

/**
 * Axe's violations on the present page, in both themes, and at 200 %, which changes no colour: content wider than its place then
 * scrolls, folds or moves into the drawer. Ends in light. It runs in the page by the debugger, which the CSP does not bind.
 */
export async function expectNoFaults(page: Page): Promise<void> {
  await expectNone(page, 'dark', COLOURS)
  await expectNone(page, 'light', ALL)
  const size = page.viewportSize()
  await page.setViewportSize(ZOOMED)
  await expectNone(page, 'light', ALL)
  if (size) await page.setViewportSize(size)
}

async function expectNone(page: Page, colorScheme: 'dark' | 'light', options: typeof ALL | typeof COLOURS): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().options(options).analyze()
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${colorScheme}: ${id} ${target} ${failureSummary}`),
  )
  expect(faults).toEqual([])
  const beyond = await page.evaluate(() => [
    document.documentElement.scrollWidth - innerWidth,
    document.documentElement.scrollHeight - innerHeight,
  ])
  expect(Math.max(...beyond), `pixels by which the document is larger than the window: ${beyond}`).toBeLessThanOrEqual(0)
}
