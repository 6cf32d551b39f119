/** Zoom factors; at 1 a page is as wide as the frame. */
const ZOOMS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4]

interface ToolbarCallbacks {
  onPage(index: number): void
  onZoom(zoom: number): void
}

/** Controls for the page and the zoom. */
export class Toolbar {
  readonly element: HTMLElement
  readonly #count: number
  readonly #page = document.createElement('input')
  readonly #share = document.createElement('output')
  readonly #before: HTMLButtonElement
  readonly #after: HTMLButtonElement
  readonly #smaller: HTMLButtonElement
  readonly #larger: HTMLButtonElement
  #index = 0
  #zoom = 1

  /** `note` says which pages are missing, if any. */
  constructor(count: number, note: string, { onPage, onZoom }: ToolbarCallbacks) {
    this.#count = count
    const turn = (by: number) => onPage(this.#index + by)
    const zoom = (by: number) => {
      const next = ZOOMS[ZOOMS.indexOf(this.#zoom) + by]
      if (next !== undefined) onZoom(next)
    }
    this.#before = iconButton('Previous page', '‹', () => turn(-1))
    this.#after = iconButton('Next page', '›', () => turn(1))
    this.#smaller = iconButton('Smaller', '−', () => zoom(-1))
    this.#larger = iconButton('Larger', '+', () => zoom(1))
    Object.assign(this.#page, { type: 'text', inputMode: 'numeric', ariaLabel: 'Page', size: Math.max(3, `${count}`.length) })
    this.#page.addEventListener('change', () => {
      const wanted = Number.parseInt(this.#page.value, 10)
      const index = Number.isInteger(wanted) ? Math.min(Math.max(wanted, 1), count) - 1 : this.#index
      this.#page.value = `${index + 1}`
      if (index !== this.#index) onPage(index)
    })
    this.element = document.createElement('div')
    this.element.className = 'bar'
    this.element.role = 'toolbar'
    this.element.ariaLabel = 'PDF'
    this.element.append(
      this.#before,
      this.#page,
      text(`of ${count.toLocaleString('en')}`),
      this.#after,
      gap(),
      this.#smaller,
      this.#share,
      this.#larger,
      ...(note ? [text(note)] : []),
    )
    this.show(0, 1)
  }

  show(index: number, zoom: number): void {
    this.#index = index
    this.#zoom = zoom
    if (document.activeElement !== this.#page) this.#page.value = `${index + 1}`
    const share = `${Math.round(zoom * 100)}%`
    // Screen readers read it whenever it is set.
    if (this.#share.textContent !== share) this.#share.textContent = share
    enable(this.#before, index > 0)
    enable(this.#after, index < this.#count - 1)
    enable(this.#smaller, zoom > (ZOOMS[0] ?? 1))
    enable(this.#larger, zoom < (ZOOMS.at(-1) ?? 1))
  }
}

/** A disabled button keeps the focus, so that keyboards do not lose their place. */
function enable(button: HTMLButtonElement, enabled: boolean): void {
  button.ariaDisabled = enabled ? null : 'true'
}

function iconButton(label: string, sign: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.title = label
  button.ariaLabel = label
  button.textContent = sign
  button.addEventListener('click', () => button.ariaDisabled === 'true' || onClick())
  return button
}

function text(content: string): HTMLElement {
  const span = document.createElement('span')
  span.textContent = content
  return span
}

function gap(): HTMLElement {
  const span = document.createElement('span')
  span.className = 'bar-gap'
  return span
}
