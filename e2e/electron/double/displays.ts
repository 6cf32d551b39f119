export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const PRIMARY: Bounds = { x: 0, y: 0, width: 1920, height: 1040 }
const ON_ITS_RIGHT: Bounds = { x: 1920, y: 0, width: 2560, height: 1400 }

/** The room that the displays have for windows, the primary one first; a test may plug in a second. */
export function workAreas(): readonly [Bounds, ...Bounds[]] {
  return process.env.PARLEY_DOUBLE_DISPLAYS === '2' ? [PRIMARY, ON_ITS_RIGHT] : [PRIMARY]
}
