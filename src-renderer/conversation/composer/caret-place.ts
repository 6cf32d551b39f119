/** Styles that affect the line breaks of a text field. */
const COPIED_STYLES = ['font', 'letterSpacing', 'lineHeight', 'padding', 'direction', 'textAlign', 'tabSize'] as const

/** The position of a character of a text field on screen, measured in a copy since browsers do not report it. */
export function caretPlace(field: HTMLTextAreaElement, at: number): { readonly left: number; readonly top: number } {
  const copy = document.createElement('div')
  const style = getComputedStyle(field)
  for (const name of COPIED_STYLES) copy.style[name] = style[name]
  Object.assign(copy.style, { position: 'fixed', visibility: 'hidden', whiteSpace: 'pre-wrap', overflowWrap: 'break-word' })
  copy.style.width = `${field.clientWidth}px`
  copy.style.boxSizing = 'border-box'
  copy.textContent = field.value.slice(0, at)
  const mark = document.createElement('span')
  mark.textContent = field.value.slice(at, at + 1) || '.'
  copy.append(mark)
  document.body.append(copy)
  const from = copy.getBoundingClientRect()
  const marked = mark.getBoundingClientRect()
  copy.remove()
  const shown = field.getBoundingClientRect()
  return { left: shown.left + marked.left - from.left, top: shown.top + marked.top - from.top - field.scrollTop }
}
