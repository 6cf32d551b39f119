// PDF files by hand: just enough of the format to say anything that a hostile one could.

/** A whole file of these objects, the first of which is the catalog. `trailer` is added to the trailer's dictionary. */
export function writePdf(objects, trailer = '') {
  let text = '%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n'
  const offsets = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

export const stream = (content, entries = '') => `<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const escaped = (text) => text.replace(/[\\()]/g, '\\$&')
/** Lines of text, the first of them large. */
const words = (lines) =>
  `BT 72 700 Td 24 TL /F1 24 Tf ${lines.map((line, n) => `${n === 1 ? '/F1 12 Tf ' : ''}(${escaped(line)}) Tj T*`).join(' ')} ET`

/**
 * A file whose pages say these lines, each as large as `box` says, or gives by its number. `catalog` and `page` go into those dictionaries as they are; `more` are objects whose numbers
 * start at `FIRST_MORE`.
 */
export function pdfOf(
  pages,
  { catalog = '', page = '', more = /** @type {string[]} */ ([]), trailer = '', box = '0 0 612 792' } = {},
) {
  const boxOf = (n) => (typeof box === 'function' ? box(n) : box)
  const first = FIRST_MORE + more.length
  const numbers = pages.map((_, n) => first + 2 * n)
  return writePdf(
    [
      `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
      `<< /Type /Pages /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] /Count ${pages.length} >>`,
      FONT,
      ...more,
      ...pages.flatMap((lines, n) => [
        `<< /Type /Page /Parent 2 0 R /MediaBox [${boxOf(n)}] /Contents ${first + 2 * n + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> ${page} >>`,
        stream(words(lines)),
      ]),
    ],
    trailer,
  )
}

export const FIRST_MORE = 4
