import { useState } from 'react'
import type { ResourceEntry } from '../offers/resource-entries.ts'
import type { UriBranch } from '../offers/uri-tree.ts'
import { counted, grouped } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { Disclosure } from '../ui/Disclosure.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { ResourceRow } from './ResourceRow.tsx'

const PAGE = 100
/** Branches with at most so many resources begin open. */
const OPEN_UP_TO = 30

interface ResourceTreeProps {
  readonly branches: readonly UriBranch[]
  readonly onChoose: (entry: ResourceEntry) => void
}

/** Resources by the steps of their addresses. A branch renders its content only while it is open. */
export function ResourceTree({ branches, onChoose }: ResourceTreeProps) {
  return (
    <div className="picker-tree padded-small framed">
      <Inside branches={branches} entries={[]} onChoose={onChoose} />
    </div>
  )
}

interface InsideProps extends ResourceTreeProps {
  readonly entries: readonly ResourceEntry[]
}

function Inside({ branches, entries, onChoose }: InsideProps) {
  const [limit, setLimit] = useState(PAGE)
  const left = branches.length + entries.length - limit
  return (
    <ul className="picker-branch-inside">
      {branches.slice(0, limit).map((branch) => (
        <li key={branch.path}>
          <Branch branch={branch} onChoose={onChoose} />
        </li>
      ))}
      {entries.slice(0, Math.max(0, limit - branches.length)).map((entry) => (
        <li key={entry.key}>
          <ResourceRow entry={entry} onChoose={onChoose} />
        </li>
      ))}
      {left > 0 ? (
        <li>
          <Button size="small" variant="quiet" onClick={() => setLimit(limit + PAGE)}>
            {counted(left, 'more', 'more')}
          </Button>
        </li>
      ) : null}
    </ul>
  )
}

function Branch({ branch, onChoose }: { readonly branch: UriBranch; readonly onChoose: (entry: ResourceEntry) => void }) {
  return (
    <Disclosure
      summary={
        <>
          <VisibleText as="code" text={branch.label} /> <span className="meta">{grouped(branch.count)}</span>
        </>
      }
      row
      open={branch.count <= OPEN_UP_TO}
    >
      {() => <Inside branches={branch.branches} entries={branch.entries} onChoose={onChoose} />}
    </Disclosure>
  )
}
