import { VirtualList, type VirtualListProps } from './VirtualList.tsx'

interface RowsProps<T> extends VirtualListProps<T> {
  /** Only visible rows are rendered. */
  readonly many: boolean
  readonly className?: string
}

export function Rows<T>({ many, className = 'ui-rows divided', ...list }: RowsProps<T>) {
  if (many) return <VirtualList {...list} />
  return (
    <ul className={className} aria-label={list.label}>
      {list.items.map((item, index) => (
        <li key={list.keyOf(item)}>{list.render(item, index)}</li>
      ))}
    </ul>
  )
}
