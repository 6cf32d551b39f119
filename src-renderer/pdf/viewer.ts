import { type PDFDocumentProxy, RenderingCancelledException } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PdfFailure } from './messages.ts'
import { PdfFailed, withTimeout } from './open-pdf.ts'
import { PageBox } from './page-box.ts'
import { GAP, PageLayout, type PageSize } from './page-layout.ts'
import { Toolbar } from './toolbar.ts'

/** Pages shown at most; later ones are not offered. */
const MAX_PAGES = 5000
/** Pages that exist on screen at once. */
const MAX_BOXES = 24

interface ViewerCallbacks {
  onLink(url: string): void
  onFailed(why: PdfFailure): void
}

/** Shows all pages in one column; only those near the screen exist. */
export class Viewer {
  readonly #pdf: PDFDocumentProxy
  readonly #layout: PageLayout
  readonly #callbacks: ViewerCallbacks
  readonly #toolbar: Toolbar
  readonly #scroller = document.createElement('div')
  readonly #column = document.createElement('div')
  readonly #boxes = new Map<number, PageBox>()
  #drawing = false
  #awaited = false

  /** `first` is the size of the first page in points. */
  constructor(root: HTMLElement, pdf: PDFDocumentProxy, first: PageSize, callbacks: ViewerCallbacks) {
    this.#pdf = pdf
    this.#callbacks = callbacks
    const count = Math.min(pdf.numPages, MAX_PAGES)
    this.#layout = new PageLayout(count, first)
    const note = count < pdf.numPages ? `The first pages of ${pdf.numPages.toLocaleString('en')}` : ''
    this.#toolbar = new Toolbar(count, note, {
      onPage: (index) => this.#goTo(index),
      onZoom: (zoom) => this.#refit(zoom),
    })
    this.#scroller.className = 'scroller'
    this.#scroller.tabIndex = 0
    this.#scroller.role = 'region'
    this.#scroller.ariaLabel = 'Pages'
    this.#column.className = 'column'
    this.#scroller.append(this.#column)
    root.replaceChildren(this.#toolbar.element, this.#scroller)
    this.#scroller.addEventListener('scroll', () => this.#soon(), { passive: true })
    document.addEventListener('visibilitychange', () => this.#rest())
    new ResizeObserver(() => this.#refit(this.#layout.zoom)).observe(this.#scroller)
  }

  #goTo(index: number): void {
    this.#scroller.scrollTop = this.#layout.top(Math.min(Math.max(index, 0), this.#layout.count - 1)) - GAP / 2
  }

  /** Applies a new width or zoom. */
  #refit(zoom: number): void {
    this.#keepingPlace(() => {
      this.#layout.fit(this.#scroller.clientWidth, zoom)
      for (const box of this.#boxes.values()) box.drop()
      this.#boxes.clear()
      return true
    })
    this.#soon()
  }

  /** Keeps the top edge of the view in place when pages change size, within a page or in the gap before one. */
  #keepingPlace(move: () => boolean): void {
    const { scrollTop } = this.#scroller
    const layout = this.#layout
    const index = layout.at(scrollTop + GAP)
    const cut = scrollTop - layout.top(index)
    const share = cut / layout.size(index).height
    if (!move()) return
    this.#place()
    this.#scroller.scrollTop = layout.top(index) + (cut < 0 ? cut : share * layout.size(index).height)
  }

  #place(): void {
    this.#column.style.height = `${this.#layout.height}px`
    const widest = Math.max(0, ...[...this.#boxes.keys()].map((index) => this.#layout.size(index).width))
    this.#column.style.minWidth = `${widest + 2 * GAP}px`
    for (const box of this.#boxes.values()) box.place(this.#layout)
  }

  #soon(): void {
    if (this.#awaited) return
    this.#awaited = true
    requestAnimationFrame(() => {
      this.#awaited = false
      this.#update()
    })
  }

  /**
   * A hidden document does not paint: unfinished pages are dropped so that their timeout does not run, and drawn when it is
   * shown.
   */
  #rest(): void {
    if (!document.hidden) {
      this.#soon()
      return
    }
    for (const [index, box] of this.#boxes) {
      if (box.finished) continue
      box.drop()
      this.#boxes.delete(index)
    }
  }

  /** Creates the visible pages and their neighbours, and drops all others. */
  #update(): void {
    const { scrollTop, clientHeight } = this.#scroller
    const first = Math.max(0, this.#layout.at(scrollTop) - 1)
    const last = Math.min(this.#layout.count - 1, this.#layout.at(scrollTop + clientHeight) + 1, first + MAX_BOXES - 1)
    for (const [index, box] of this.#boxes) {
      if (index >= first && index <= last) continue
      box.drop()
      this.#boxes.delete(index)
    }
    for (let index = first; index <= last; index++) this.#add(index)
    this.#place()
    this.#toolbar.show(this.#shown(), this.#layout.zoom)
    void this.#draw()
  }

  #add(index: number): void {
    if (this.#boxes.has(index)) return
    const box = new PageBox(index, `Page ${index + 1}`)
    this.#boxes.set(index, box)
    // Elements follow the order of pages for screen readers.
    const next = [...this.#boxes.keys()].filter((other) => other > index).sort((a, b) => a - b)[0]
    const before = next === undefined ? undefined : this.#boxes.get(next)?.element
    this.#column.insertBefore(box.element, before?.parentNode === this.#column ? before : null)
  }

  #shown(): number {
    return this.#layout.at(this.#scroller.scrollTop + this.#scroller.clientHeight / 2)
  }

  /** Draws one page after another, the middle of the screen first; pages scrolled away are skipped. */
  async #draw(): Promise<void> {
    if (this.#drawing) return
    this.#drawing = true
    try {
      for (let box = this.#next(); box; box = this.#next()) await this.#drawOne(box)
    } finally {
      this.#drawing = false
    }
  }

  #next(): PageBox | undefined {
    const shown = this.#shown()
    const waiting = [...this.#boxes.values()].filter((box) => !box.drawn)
    return waiting.sort((a, b) => Math.abs(a.index - shown) - Math.abs(b.index - shown))[0]
  }

  async #drawOne(box: PageBox): Promise<void> {
    try {
      const onSize = (size: PageSize) => this.#keepingPlace(() => this.#layout.setSize(box.index, size))
      await box.draw(this.#pdf, this.#layout, onSize, {
        onLink: (url) => this.#callbacks.onLink(url),
        onDestination: (destination) => void this.#follow(destination),
      })
    } catch (error) {
      if (error instanceof PdfFailed) return this.#callbacks.onFailed(error.why)
      if (error instanceof RenderingCancelledException) return
      box.element.ariaBusy = 'false'
      box.element.textContent = `Page ${box.index + 1} could not be drawn.`
    }
  }

  async #follow(destination: unknown): Promise<void> {
    try {
      const found = typeof destination === 'string' ? await withTimeout(this.#pdf.getDestination(destination)) : destination
      const target: unknown = Array.isArray(found) ? found[0] : undefined
      if (typeof target === 'number') return this.#goTo(target)
      // pdf.js gives references to page objects.
      if (typeof target === 'object' && target !== null && 'num' in target && 'gen' in target) {
        this.#goTo(await withTimeout(this.#pdf.getPageIndex(target as { num: number; gen: number })))
      }
    } catch {
      // The file may link to nowhere.
    }
  }
}
