import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe holds against the page as it is, in both themes. It runs in the page by the debugger, which the CSP does not bind. */
export async function expectNoFaults(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const axe = new AxeBuilder({ page }).setLegacyMode().withTags(TAGS)
    const { violations } = await axe.options({ rules: { 'label-content-name-mismatch': { enabled: true } } }).analyze()
    const faults = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${colorScheme}: ${id} ${target} ${failureSummary}`),
    )
    expect(faults).toEqual([])
  }
}
