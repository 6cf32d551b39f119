/** Says on hover what does not fit into its line. Call once. Returns the undo. */
export function showWholeTitles(page: Document): () => void {
  const show = ({ target }: Event) => {
    const line = target instanceof Element ? target.closest<HTMLElement>('.one-line') : null
    if (!line || (line.hasAttribute('title') && line.dataset.cut === undefined)) return
    if (line.scrollWidth > line.clientWidth) {
      line.title = line.textContent ?? ''
      line.dataset.cut = ''
    } else if (line.dataset.cut !== undefined) {
      line.removeAttribute('title')
      delete line.dataset.cut
    }
  }
  page.addEventListener('mouseover', show)
  return () => page.removeEventListener('mouseover', show)
}
