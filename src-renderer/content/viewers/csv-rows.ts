/** Larger tables are cut; the file has the rest. */
export const CSV_ROWS = 20_000
export const CSV_COLUMNS = 100
const CELL = 2_000

interface CsvContent {
  readonly rows: readonly (readonly string[])[]
  readonly columns: number
  /** True if rows, columns or characters were left out. */
  readonly cut: boolean
}

/** Parses comma or tab separated values (RFC 4180, tolerant). Cells are plain text: no formulas, no links. */
export function parseCsv(text: string): CsvContent {
  const separator = guessSeparator(text)
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  let cut = false
  const endCell = () => {
    if (row.length >= CSV_COLUMNS || cell.length > CELL) cut = true
    if (row.length < CSV_COLUMNS) row.push(cell.slice(0, CELL))
    cell = ''
  }
  const endRow = () => {
    endCell()
    rows.push(row)
    row = []
  }
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (quoted) {
      if (char !== '"') cell += char
      else if (text[at + 1] === '"') {
        cell += '"'
        at += 1
      } else quoted = false
    } else if (char === '"' && cell === '') quoted = true
    else if (char === separator) endCell()
    else if (char === '\n' || (char === '\r' && text[at + 1] !== '\n')) {
      endRow()
      if (rows.length >= CSV_ROWS) return { rows, columns: widest(rows), cut: cut || at + 1 < text.length }
    } else if (char !== '\r') cell += char
  }
  if (cell !== '' || row.length > 0) endRow()
  return { rows, columns: widest(rows), cut }
}

const widest = (rows: readonly (readonly string[])[]) => rows.reduce((most, row) => Math.max(most, row.length), 0)

/** The most frequent separator of the first line. */
function guessSeparator(text: string): string {
  const end = text.indexOf('\n')
  const line = text.slice(0, end < 0 ? Math.min(text.length, CELL) : end)
  const count = (char: string) => line.split(char).length
  return [',', '\t', ';'].reduce((best, char) => (count(char) > count(best) ? char : best))
}
