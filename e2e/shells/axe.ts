import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { root } from './shell-process.ts'

/** Skips the search for selectors of passed checks, which is slow. Frames have no origin, so Axe cannot ask them. */
const FAULTS_ONLY = { resultTypes: ['violations' as const], iframes: false }
/** Axe's default rules, and the one that a control's name contains its visible text. */
const ALL = { ...FAULTS_ONLY, rules: { 'label-content-name-mismatch': { enabled: true } } }
/** Colour rules, the only ones that depend on the theme and none of which depends on the size. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']
const COLOURS = { ...FAULTS_ONLY, runOnly: COLOUR_RULES }
const OTHERS = {
  ...FAULTS_ONLY,
  rules: { ...ALL.rules, ...Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])) },
}

/** Its own build for a page; a page has it until it loads again. */
const AXE = readFileSync(join(root, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8')

declare global {
  interface Window {
    readonly axe: typeof axe
  }
}

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
  await expectNone(page, 'light', OTHERS)
  if (size) await page.setViewportSize(size)
}

async function expectNone(
  page: Page,
  colorScheme: 'dark' | 'light',
  options: typeof ALL | typeof COLOURS | typeof OTHERS,
): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const violations = await page.evaluate(async (options) => (await window.axe.run(options)).violations, options)
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
