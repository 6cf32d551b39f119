/** CSS pixels between and around pages. */
export const GAP = 12
/** The largest side of a page on screen, in CSS pixels, whatever its box and the zoom. */
const MAX_SIDE = 4096
/** Small pages are enlarged at most to this many CSS pixels per point to fill the frame. */
const MAX_PER_POINT = 1.6
const LETTER: PageSize = { width: 612, height: 792 }

export interface PageSize {
  readonly width: number
  readonly height: number
}

/** Places pages in one column. A page of unknown size has that of the first. */
export class PageLayout {
  readonly count: number
  readonly #sizes: PageSize[]
  readonly #tops: Float64Array
  #room = LETTER.width
  #zoom = 1

  /** `first` in points. */
  constructor(count: number, first: PageSize) {
    this.count = count
    this.#sizes = Array.from({ length: count }, () => sane(first))
    this.#tops = new Float64Array(count + 1)
    this.#arrange()
  }

  get zoom(): number {
    return this.#zoom
  }

  /** Height of the column in CSS pixels. */
  get height(): number {
    return this.#tops[this.count] ?? 0
  }

  /** Sets the available width in CSS pixels and the zoom. */
  fit(room: number, zoom: number): void {
    this.#room = Math.max(80, room)
    this.#zoom = zoom
    this.#arrange()
  }

  /** Sets the size of a page in points. True if that moves other pages. */
  setSize(index: number, size: PageSize): boolean {
    const before = this.#sizes[index]
    const { width, height } = sane(size)
    if (!before || (Math.abs(before.width - width) < 0.5 && Math.abs(before.height - height) < 0.5)) return false
    this.#sizes[index] = { width, height }
    this.#arrange()
    return true
  }

  top(index: number): number {
    return this.#tops[index] ?? 0
  }

  /** CSS pixels per point. */
  scale(index: number): number {
    const { width, height } = this.#sizes[index] ?? LETTER
    const fitting = Math.min((this.#room - 2 * GAP) / width, MAX_PER_POINT)
    return Math.min(fitting * this.#zoom, MAX_SIDE / width, MAX_SIDE / height)
  }

  /** Size on screen in CSS pixels. */
  size(index: number): PageSize {
    const { width, height } = this.#sizes[index] ?? LETTER
    const scale = this.scale(index)
    return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  }

  /** The page at a vertical position of the column. */
  at(y: number): number {
    let low = 0
    let high = this.count - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.top(middle) <= y) low = middle
      else high = middle - 1
    }
    return low
  }

  #arrange(): void {
    let top = GAP
    for (let index = 0; index < this.count; index++) {
      this.#tops[index] = top
      top += this.size(index).height + GAP
    }
    this.#tops[this.count] = top
  }
}

/** Canvas pixels per CSS pixel: as many as the screen has, within the limit of the canvas. */
export function sharpness({ width, height }: PageSize, ofScreen: number, mostPixels: number): number {
  return Math.min(Math.max(ofScreen, 1), 2, Math.sqrt(mostPixels / (width * height)))
}

function sane({ width, height }: PageSize): PageSize {
  const usable = (side: number) => Number.isFinite(side) && side > 0
  if (!usable(width) || !usable(height)) return LETTER
  // An extreme aspect ratio would draw a hair, so it is limited to 200.
  const longest = 200
  return { width: Math.max(width, height / longest), height: Math.max(height, width / longest) }
}
