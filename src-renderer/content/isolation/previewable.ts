/** Longer code, in characters, has no preview. */
const MAX_LENGTH = 500_000
const SVG = /^\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)*(?:<!DOCTYPE svg[^>]{0,500}>\s*)?<svg[\s>]/i

/** True for code that can be shown as a page: HTML, and SVG by any name. */
export function isPreviewable(code: string, language: string | undefined): boolean {
  if (code.length > MAX_LENGTH || code.trim() === '') return false
  switch (language?.toLowerCase()) {
    case 'html':
    case 'htm':
    case 'xhtml':
      return true
    case 'svg':
    case 'xml':
      return SVG.test(code)
    default:
      return false
  }
}
