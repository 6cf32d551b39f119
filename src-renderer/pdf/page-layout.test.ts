import { describe, expect, it } from 'vitest'
import { GAP, PageLayout, sharpness } from './page-layout.ts'

const letter = { width: 612, height: 792 }

function column(count: number, room = 636, zoom = 1): PageLayout {
  const layout = new PageLayout(count, letter)
  layout.fit(room, zoom)
  return layout
}

describe('the column of pages', () => {
  it('fits a page to the width, and finds the page at a height', () => {
    const layout = column(1000)
    expect(layout.size(0)).toEqual(letter)
    expect(layout.top(2)).toBe(GAP + 2 * (792 + GAP))
    expect(layout.height).toBe(GAP + 1000 * (792 + GAP))
    expect([layout.at(0), layout.at(layout.top(700)), layout.at(layout.top(700) - 1), layout.at(1e12)]).toEqual([
      0, 700, 699, 999,
    ])
  })

  it('begins with the first page before any width is known', () => {
    expect(new PageLayout(1000, letter).at(0)).toBe(0)
  })

  it('moves lower pages when one has another size than expected', () => {
    const layout = column(3)
    expect(layout.setSize(1, { width: 612, height: 396 })).toBe(true)
    expect(layout.setSize(1, { width: 612, height: 396 })).toBe(false)
    expect(layout.size(1)).toEqual({ width: 612, height: 396 })
    expect(layout.top(2)).toBe(layout.top(1) + 396 + GAP)
  })

  it('bounds every page on screen in any frame', () => {
    for (const size of [
      { width: 1e9, height: 1e9 },
      { width: 1, height: 1e9 },
      { width: 1e9, height: 1 },
      { width: 1e-9, height: 1e-9 },
      { width: Number.NaN, height: 5 },
      { width: -3, height: Number.POSITIVE_INFINITY },
    ]) {
      const layout = column(2, 800, 4)
      layout.setSize(0, size)
      const shown = layout.size(0)
      expect(Math.max(shown.width, shown.height)).toBeLessThanOrEqual(4096)
      expect(Math.min(shown.width, shown.height)).toBeGreaterThanOrEqual(1)
    }
  })

  it('keeps five thousand of the largest pages within what a browser can scroll', () => {
    const layout = new PageLayout(5000, { width: 100, height: 1e9 })
    layout.fit(4000, 4)
    expect(layout.height).toBeLessThan(2 ** 25)
  })

  it('draws as sharp as the screen, within the limits of a canvas', () => {
    expect(sharpness({ width: 600, height: 800 }, 1, 16e6)).toBe(1)
    expect(sharpness({ width: 600, height: 800 }, 3, 16e6)).toBe(2)
    const size = { width: 4096, height: 4096 }
    expect(size.width * size.height * sharpness(size, 2, 16e6) ** 2).toBeLessThanOrEqual(16e6)
  })
})
