import { describe, expect, it } from 'vitest'
import { CSV_COLUMNS, CSV_ROWS, parseCsv } from './csv-rows.ts'

describe('a table of comma separated values', () => {
  it('reads quotes, doubled quotes, line breaks in cells and both line ends', () => {
    expect(parseCsv('a,b\r\n"x ""y""","two\nlines"\n').rows).toEqual([
      ['a', 'b'],
      ['x "y"', 'two\nlines'],
    ])
  })

  it('keeps a formula as text (RES-30)', () => {
    expect(parseCsv("=cmd|'/c calc'!A1,1").rows).toEqual([["=cmd|'/c calc'!A1", '1']])
  })

  it('guesses tabs and semicolons', () => {
    expect(parseCsv('a\tb, c\td').rows).toEqual([['a', 'b, c', 'd']])
    expect(parseCsv('a;b').columns).toBe(2)
  })

  it('is bounded in rows, columns and cells, and says when it was cut (RES-30)', () => {
    const long = parseCsv('x\n'.repeat(CSV_ROWS + 5))
    expect([long.rows.length, long.cut]).toEqual([CSV_ROWS, true])
    const wide = parseCsv(`${'x,'.repeat(CSV_COLUMNS * 3)}\n`)
    expect([wide.columns, wide.cut]).toEqual([CSV_COLUMNS, true])
    expect(parseCsv('x'.repeat(10_000)).cut).toBe(true)
  })

  it('ends an open quote with the text', () => {
    expect(parseCsv('"never closed,\nb').rows).toEqual([['never closed,\nb']])
  })
})
