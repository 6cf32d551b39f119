import { type PDFDocumentProxy, type PDFPageProxy, type RenderTask, TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { isWebAddress } from './messages.ts'
import { withTimeout } from './open-pdf.ts'
import { type PageLayout, type PageSize, sharpness } from './page-layout.ts'

const MAX_PIXELS = 16 * 1024 * 1024
/** Text items of one page that can be selected and read aloud. */
const MAX_TEXT_ITEMS = 8000
const MAX_LINKS = 300

interface PageBoxCallbacks {
  onLink(url: string): void
  onDestination(destination: unknown): void
}

/** The used part of a pdf.js annotation; the values come from the file. */
interface Annotation {
  readonly subtype?: unknown
  readonly rect?: unknown
  readonly url?: unknown
  readonly dest?: unknown
}

/** One page: its picture, selectable text over it, and its links. */
export class PageBox {
  readonly element: HTMLElement
  readonly index: number
  #drawn = false
  #dropped = false
  #task: RenderTask | undefined
  #page: PDFPageProxy | undefined

  constructor(index: number, label: string) {
    this.index = index
    this.element = document.createElement('section')
    this.element.className = 'page'
    this.element.ariaLabel = label
    this.element.ariaBusy = 'true'
  }

  get drawn(): boolean {
    return this.#drawn
  }

  get finished(): boolean {
    return this.element.ariaBusy === 'false'
  }

  place(layout: PageLayout): void {
    const { width, height } = layout.size(this.index)
    Object.assign(this.element.style, { top: `${layout.top(this.index)}px`, width: `${width}px`, height: `${height}px` })
  }

  /**
   * Draws the page once. `onSize` gets its size in points first, and arranges the pages. Rejects with PdfFailed, or errors of
   * pdf.js.
   */
  async draw(
    pdf: PDFDocumentProxy,
    layout: PageLayout,
    onSize: (size: PageSize) => void,
    callbacks: PageBoxCallbacks,
  ): Promise<void> {
    this.#drawn = true
    const page = await withTimeout(pdf.getPage(this.index + 1))
    this.#page = page
    if (this.#dropped) return this.#release()
    const natural = page.getViewport({ scale: 1 })
    onSize(natural)
    const size = layout.size(this.index)
    const scale = Math.min(size.width / natural.width, size.height / natural.height)
    const canvas = document.createElement('canvas')
    const sharp = sharpness(size, window.devicePixelRatio, MAX_PIXELS)
    canvas.width = Math.max(1, Math.floor(size.width * sharp))
    canvas.height = Math.max(1, Math.floor(size.height * sharp))
    canvas.ariaHidden = 'true'
    this.#task = page.render({ canvas, viewport: page.getViewport({ scale: scale * sharp }) })
    await withTimeout(this.#task.promise)
    if (this.#dropped) return
    this.element.replaceChildren(canvas)
    await withTimeout(this.#addText(page, scale))
    await withTimeout(this.#addLinks(page, scale, callbacks))
    this.element.ariaBusy = 'false'
  }

  /** Removes the page and frees its memory. */
  drop(): void {
    this.#dropped = true
    this.#task?.cancel()
    const canvas = this.element.querySelector('canvas')
    if (canvas) canvas.width = 0
    this.element.remove()
    this.#release()
  }

  #release(): void {
    this.#page?.cleanup()
  }

  async #addText(page: PDFPageProxy, scale: number): Promise<void> {
    const { items, styles, lang } = await page.getTextContent()
    if (this.#dropped || items.length === 0) return
    const container = document.createElement('div')
    container.className = 'textLayer'
    container.style.setProperty('--total-scale-factor', `${scale}`)
    this.element.append(container)
    const textContentSource = { items: items.slice(0, MAX_TEXT_ITEMS), styles, lang }
    await new TextLayer({ textContentSource, container, viewport: page.getViewport({ scale }) }).render()
  }

  async #addLinks(page: PDFPageProxy, scale: number, { onLink, onDestination }: PageBoxCallbacks): Promise<void> {
    const annotations = (await page.getAnnotations()) as readonly Annotation[]
    if (this.#dropped) return
    const viewport = page.getViewport({ scale })
    let left = MAX_LINKS
    for (const { subtype, rect, url, dest } of annotations) {
      if (subtype !== 'Link' || !isRect(rect) || left-- === 0) continue
      const [x1, y1] = viewport.convertToViewportPoint(rect[0], rect[1]) as [number, number]
      const [x2, y2] = viewport.convertToViewportPoint(rect[2], rect[3]) as [number, number]
      // Links that start a program, send a form or run a script get no button.
      const link = isWebAddress(url)
        ? button(`Link: ${url}`, () => onLink(url))
        : dest
          ? button('Link within this file', () => onDestination(dest))
          : undefined
      if (!link) continue
      Object.assign(link.style, {
        left: `${Math.min(x1, x2)}px`,
        top: `${Math.min(y1, y2)}px`,
        width: `${Math.abs(x2 - x1)}px`,
        height: `${Math.abs(y2 - y1)}px`,
      })
      this.element.append(link)
    }
  }
}

function isRect(value: unknown): value is readonly [number, number, number, number] {
  return Array.isArray(value) && value.length === 4 && value.every((side) => Number.isFinite(side))
}

function button(label: string, onClick: () => void): HTMLButtonElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = 'page-link'
  element.title = label
  element.ariaLabel = label
  element.addEventListener('click', onClick)
  return element
}
