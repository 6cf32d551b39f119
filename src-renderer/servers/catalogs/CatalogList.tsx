import type { ReactNode } from 'react'
import type { Pages } from '../../state/use-pages.ts'
import { Button } from '../../ui/Button.tsx'
import { Rows } from '../../ui/lists/Rows.tsx'
import { Awaited } from '../../ui/ProblemCard.tsx'

const VIRTUAL_FROM = 100

interface CatalogListProps<T> {
  /** The accessible name: "Tools". */
  readonly label: string
  readonly pages: Pages<{ readonly items: readonly T[]; readonly total: number }>
  readonly keyOf: (item: T) => string
  readonly rowHeight: number
  readonly render: (item: T) => ReactNode
  /** Shown when the list is empty. */
  readonly empty: ReactNode
}

export function CatalogList<T>({ label, pages: read, empty, ...rows }: CatalogListProps<T>) {
  const { pages, problem, more, again } = read
  const last = pages.at(-1)
  if (!last) return <Awaited label={`Loading ${label.toLowerCase()}`} problem={problem} onRetry={again} />
  const items = pages.flatMap((page) => page.items)
  if (items.length === 0) return <div className="soft">{empty}</div>
  const many = last.total > VIRTUAL_FROM
  return (
    <>
      <Rows {...rows} many={many} label={label} items={items} {...(more && { onEnd: more })} />
      {!many && more ? (
        <div>
          <Button size="small" onClick={more}>
            Show more
          </Button>
        </div>
      ) : null}
    </>
  )
}
