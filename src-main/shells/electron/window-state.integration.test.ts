import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readWindowState, writeWindowState } from './window-state.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-window-'))
const file = join(folder, 'window.json')
const displays = [
  { x: 0, y: 25, width: 1440, height: 875 },
  { x: 1440, y: 0, width: 1920, height: 1080 },
]
afterAll(() => rmSync(folder, { recursive: true }))

describe('the window', () => {
  it('comes back where it was left, on a second display, too', () => {
    writeWindowState(file, { x: 1500, y: 100, width: 1000, height: 700 }, { maximized: true, zoom: 1.5 })
    expect(readWindowState(file, displays)).toEqual({
      position: { x: 1500, y: 100 },
      width: 1000,
      height: 700,
      maximized: true,
      zoom: 1.5,
    })
  })

  it('is moved when its display is gone', () => {
    writeWindowState(file, { x: 1500, y: 100, width: 1000, height: 700 }, { maximized: false, zoom: 0 })
    expect(readWindowState(file, displays.slice(0, 1))).toEqual({ width: 1000, height: 700, maximized: false, zoom: 0 })
  })

  it('is moved when its title bar would be out of reach', () => {
    for (const at of [
      { x: 0, y: -400 },
      { x: 0, y: 1_000 },
      { x: -990, y: 100 },
    ]) {
      writeWindowState(file, { ...at, width: 1000, height: 700 }, { maximized: false, zoom: 0 })
      expect(readWindowState(file, displays.slice(0, 1)).position).toBeUndefined()
    }
  })

  it('is no larger than the largest display and no smaller than usable', () => {
    writeWindowState(file, { x: 0, y: 25, width: 9_000, height: 10 }, { maximized: false, zoom: 0 })
    expect(readWindowState(file, displays)).toMatchObject({ width: 1920, height: 480 })
  })

  it('comes back from a third display on the left, with coordinates below zero', () => {
    const three = [...displays, { x: -1280, y: 0, width: 1280, height: 1024 }]
    writeWindowState(file, { x: -1200, y: 40, width: 900, height: 700 }, { maximized: false, zoom: 0 })
    expect(readWindowState(file, three).position).toEqual({ x: -1200, y: 40 })
    expect(readWindowState(file, displays).position).toBeUndefined()
  })

  it('is never so large or small that nothing can be read', () => {
    const read = (zoom: unknown) => {
      writeFileSync(file, JSON.stringify({ x: 0, y: 25, width: 900, height: 700, zoom }))
      return readWindowState(file, displays).zoom
    }
    // A level beyond the limit is kept as far as it goes.
    expect([5.5, 8.5, 400, -400].map(read)).toEqual([5.5, 6, 6, -6])
    expect([Number.NaN, '2', null].map(read)).toEqual([0, 0, 0])
  })

  it('opens in its usual size when the saved one is invalid', () => {
    for (const text of ['', '[]', '{"width":"wide"}', '{"width":1e999,"height":-1}', '{"width":800.5,"height":600}']) {
      writeFileSync(file, text)
      expect(readWindowState(file, displays)).toEqual({ width: 1280, height: 840, maximized: false, zoom: 0 })
    }
  })
})
