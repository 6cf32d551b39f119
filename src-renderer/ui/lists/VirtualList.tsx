import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'

export interface VirtualListProps<T> {
  readonly label: string
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  /** Expected height in pixels; real heights are measured. */
  readonly rowHeight: number
  readonly render: (item: T, index: number) => ReactNode
  /** Called near the end, to load more. */
  readonly onEnd?: () => void
}

/** A list that renders only its visible rows, each with its position in the whole list. */
export function VirtualList<T>({ label, items, keyOf, rowHeight, render, onEnd }: VirtualListProps<T>) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
    overscan: 4,
  })
  const shown = rows.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  const nearEnd = items.length > 0 && last >= items.length - 5
  // Items may arrive without moving the end out of sight: then there is more to load.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the count is what says so
  useEffect(() => {
    if (nearEnd) onEnd?.()
  }, [nearEnd, onEnd, items.length])
  return (
    <div className="ui-virtual" ref={scroller}>
      <ul className="ui-virtual-all" aria-label={label} style={{ height: rows.getTotalSize() }}>
        {shown.map((row) => {
          const item = items[row.index]
          return item === undefined ? null : (
            <li
              key={row.key}
              aria-posinset={row.index + 1}
              aria-setsize={items.length}
              data-index={row.index}
              ref={rows.measureElement}
              className="ui-virtual-row"
              style={{ transform: `translateY(${row.start}px)` }}
            >
              {render(item, row.index)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
