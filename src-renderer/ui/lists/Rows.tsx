import { VirtualList, type VirtualListProps } from './VirtualList.tsx'

export interface RowsProps<T> extends VirtualListProps<T> {
  /** There are so many that only those in sight are built. */
  readonly many: boolean
  readonly className?: string
}

/** Rows below one another in a frame. */
export function Rows<T>({ many, className = 'ui-rows', ...list }: RowsProps<T>) {
  if (many) return <VirtualList {...list} />
  return (
    <ul className={className} aria-label={list.label}>
      {list.items.map((item, index) => (
        <li key={list.keyOf(item)}>{list.render(item, index)}</li>
      ))}
    </ul>
  )
}
