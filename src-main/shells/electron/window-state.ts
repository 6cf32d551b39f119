import { readFileSync, writeFileSync } from 'node:fs'
import { isObject } from '../../../src-shared/base/json.ts'
import { parseJson } from '../../../src-shared/base/parse-json.ts'

interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface WindowState {
  /** Absent when the system should place the window. */
  readonly position?: { readonly x: number; readonly y: number }
  readonly width: number
  readonly height: number
  readonly maximized: boolean
  /** Electron's steps of 20 %, 0 for none. */
  readonly zoom: number
}

export const MIN_SIZE = { width: 640, height: 480 }
const USUAL: WindowState = { width: 1280, height: 840, maximized: false, zoom: 0 }
/** Pixels of the title bar that must be on a display, so that a person can drag the window. */
const GRIP = 80
/** Three times as large, or as small. Beyond it nobody could find the way back. */
const MAX_ZOOM = 6

/** The last state of the window, fitted to the current displays. */
export function readWindowState(file: string, displays: readonly Bounds[]): WindowState {
  const saved = parse(file)
  if (!isObject(saved)) return USUAL
  const { x, y, width, height, maximized, zoom } = saved
  if (!isWhole(width) || !isWhole(height)) return USUAL
  const largest = {
    width: Math.max(...displays.map((display) => display.width)),
    height: Math.max(...displays.map((display) => display.height)),
  }
  const size = {
    width: Math.max(MIN_SIZE.width, Math.min(width, largest.width)),
    height: Math.max(MIN_SIZE.height, Math.min(height, largest.height)),
    maximized: maximized === true,
    zoom: typeof zoom === 'number' ? Math.max(-MAX_ZOOM, Math.min(zoom, MAX_ZOOM)) : 0,
  }
  const visible = isWhole(x) && isWhole(y) && displays.some((display) => grippable({ x, y, ...size }, display))
  return visible ? { ...size, position: { x, y } } : size
}

export function writeWindowState(file: string, bounds: Bounds, how: Pick<WindowState, 'maximized' | 'zoom'>): void {
  try {
    writeFileSync(file, JSON.stringify({ ...bounds, ...how }))
  } catch {
    // The next window opens with its default state.
  }
}

function parse(file: string): unknown {
  try {
    return parseJson(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function grippable(window: Bounds, display: Bounds): boolean {
  const across = Math.min(window.x + window.width, display.x + display.width) - Math.max(window.x, display.x)
  return across >= GRIP && window.y >= display.y && window.y <= display.y + display.height - GRIP
}
