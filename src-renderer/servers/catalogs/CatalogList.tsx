import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Rows } from '../../ui/lists/Rows.tsx'
import { Awaited } from '../../ui/ProblemCard.tsx'
import type { Pages } from './use-pages.ts'

const VIRTUAL_FROM = 100

interface CatalogListProps<T> {
  /** The accessible name: "Tools". */
  readonly label: string
  readonly pages: Pages<T>
  readonly keyOf: (item: T) => string
  readonly rowHeight: number
  readonly render: (item: T) => ReactNode
  /** Shown when the list is empty. */
  readonly empty: ReactNode
}

/** A paged list of a server's catalog. */
export function CatalogList<T>({ label, pages, keyOf, rowHeight, render, empty }: CatalogListProps<T>) {
  const { items, problem } = pages
  if (items === undefined) return <Awaited label={`Loading ${label.toLowerCase()}`} problem={problem} onRetry={pages.reload} />
  if (items.length === 0) return <div className="soft">{empty}</div>
  const many = pages.total > VIRTUAL_FROM
  return (
    <>
      <Rows many={many} label={label} items={items} keyOf={keyOf} rowHeight={rowHeight} render={render} onEnd={pages.more} />
      {!many && items.length < pages.total ? (
        <div>
          <Button size="small" onClick={pages.more}>
            Show more
          </Button>
        </div>
      ) : null}
    </>
  )
}
