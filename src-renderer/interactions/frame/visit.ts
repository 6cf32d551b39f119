/** By a link of its own, within the click, so that the page that opens learns nothing of this one and holds nothing of it. */
export function visit(url: string): void {
  if (!/^https?:$/.test(new URL(url).protocol)) return
  const link = document.createElement('a')
  link.href = url
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  link.click()
}
