import { type PDFDocumentProxy, type PDFPageProxy, type RenderTask, TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { isWebAddress } from './messages.ts'
import { withPatience } from './open-pdf.ts'
import { type PageLayout, type PageSize, sharpness } from './page-layout.ts'

const MAX_PIXELS = 16 * 1024 * 1024
/** Pieces of text on one page that can be selected and read aloud. */
const MAX_PIECES = 8000
const MAX_LINKS = 300

export interface PageBoxHandlers {
  /** A link into the web was clicked. */
  onLink(url: string): void
  /** A link to another page was clicked. */
  onDestination(destination: unknown): void
}

/** The part of pdf.js's annotations that is looked at. Values come from the file. */
interface Annotation {
  readonly subtype?: unknown
  readonly rect?: unknown
  readonly url?: unknown
  readonly dest?: unknown
}

/** One page on screen: its picture, its text over that, and its links. */
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

  /** Draws it once. `onSize` gets its true size in points first, and lays it out again. Rejects with PdfFailed, or anything. */
  async draw(
    pdf: PDFDocumentProxy,
    layout: PageLayout,
    onSize: (size: PageSize) => void,
    handlers: PageBoxHandlers,
  ): Promise<void> {
    this.#drawn = true
    const page = await withPatience(pdf.getPage(this.index + 1))
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
    await withPatience(this.#task.promise)
    if (this.#dropped) return
    this.element.replaceChildren(canvas)
    await withPatience(this.#addText(page, scale))
    await withPatience(this.#addLinks(page, scale, handlers))
    this.element.ariaBusy = 'false'
  }

  /** Takes it off the screen and gives its memory back. */
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
    const textContentSource = { items: items.slice(0, MAX_PIECES), styles, lang }
    await new TextLayer({ textContentSource, container, viewport: page.getViewport({ scale }) }).render()
  }

  async #addLinks(page: PDFPageProxy, scale: number, { onLink, onDestination }: PageBoxHandlers): Promise<void> {
    const annotations = (await page.getAnnotations()) as readonly Annotation[]
    if (this.#dropped) return
    const viewport = page.getViewport({ scale })
    let left = MAX_LINKS
    for (const { subtype, rect, url, dest } of annotations) {
      if (subtype !== 'Link' || !isRect(rect) || left-- === 0) continue
      // Numbers, as they went in.
      const [x1, y1] = viewport.convertToViewportPoint(rect[0], rect[1]) as [number, number]
      const [x2, y2] = viewport.convertToViewportPoint(rect[2], rect[3]) as [number, number]
      // Links that would start a program, send a form or run a script do not become buttons.
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
