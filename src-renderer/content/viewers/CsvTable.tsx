import { useMemo } from 'react'
import { counted } from '../../ui/amounts.ts'
import { VirtualList } from '../../ui/lists/VirtualList.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { parseCsv } from './csv-rows.ts'

interface NumberedRow {
  readonly number: number
  readonly cells: readonly string[]
}

/** A table that renders only its visible rows. */
export function CsvTable({ text }: { readonly text: string }) {
  const table = useMemo(() => parseCsv(text), [text])
  const rows = useMemo(() => table.rows.slice(1).map((cells, index): NumberedRow => ({ number: index + 1, cells })), [table])
  const columns = { gridTemplateColumns: `56px repeat(${Math.max(1, table.columns)}, minmax(120px, 1fr))` }
  return (
    <div className="column-1">
      <div className="meta">
        {counted(rows.length, 'row')}, {counted(table.columns, 'column')}
        {table.cut ? '; save the file to see the rest' : ''}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling table must be reachable by keyboard */}
      <div className="scrolls-across framed" tabIndex={0}>
        <div className="content-csv-inside column-0" style={{ minWidth: 56 + table.columns * 120 }}>
          <div className="content-csv-row small content-csv-head" style={columns}>
            <span className="meta">#</span>
            {(table.rows[0] ?? []).map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
              <span key={column}>
                <VisibleText text={cell} />
              </span>
            ))}
          </div>
          <VirtualList
            label="Rows"
            items={rows}
            keyOf={(row) => String(row.number)}
            rowHeight={29}
            render={(row) => (
              <div className="content-csv-row small" style={columns}>
                <span className="meta">{row.number}</span>
                {row.cells.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                  <span key={column}>
                    <VisibleText text={cell} />
                  </span>
                ))}
              </div>
            )}
          />
        </div>
      </div>
    </div>
  )
}
