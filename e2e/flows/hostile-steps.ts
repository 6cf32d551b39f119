import { expect, type Page } from '@playwright/test'

/** Nothing ran, nothing was spoofed, and the page answers. Frames are ours, and without an origin. */
export async function expectHarmless(page: Page, seen: readonly string[]): Promise<void> {
  const state = await page.evaluate(async () => {
    const active =
      'main script, main iframe:not([sandbox="allow-scripts"]), main object, main embed, main form[action], main base, main link, main meta, main svg script, dialog script'
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    return {
      canary: 'canary' in window,
      active: [...document.querySelectorAll(active)].map((element) => element.outerHTML.slice(0, 200)),
      handlers: [...document.querySelectorAll('*')].filter((element) =>
        element.getAttributeNames().some((name) => name.startsWith('on')),
      ).length,
      links: [...document.querySelectorAll('a[href]')]
        .map((link) => link.getAttribute('href') ?? '')
        .filter((href) => !/^(#|https?:)/.test(href)),
      pictures: [...document.images].map((image) => image.src).filter((src) => /foreign|svg/.test(src)),
    }
  })
  expect(state).toEqual({ canary: false, active: [], handlers: 0, links: [], pictures: [] })
  expect(seen).toEqual([])
}
