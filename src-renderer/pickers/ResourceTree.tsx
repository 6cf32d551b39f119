import { useState } from 'react'
import type { ResourceEntry } from '../offers/resource-entries.ts'
import type { UriBranch } from '../offers/uri-tree.ts'
import { counted, grouped } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { ResourceRow } from './ResourceRow.tsx'

const PAGE = 100
/** Small trees stand open. */
const OPEN_UP_TO = 30

export interface ResourceTreeProps {
  readonly branches: readonly UriBranch[]
  readonly onChoose: (entry: ResourceEntry) => void
}

/** Addresses by their steps. A branch builds what is in it when it is opened. */
export function ResourceTree({ branches, onChoose }: ResourceTreeProps) {
  return (
    <div className="picker-tree framed">
      <Inside branches={branches} entries={[]} onChoose={onChoose} />
    </div>
  )
}

interface InsideProps extends ResourceTreeProps {
  readonly entries: readonly ResourceEntry[]
}

function Inside({ branches, entries, onChoose }: InsideProps) {
  const [most, setMost] = useState(PAGE)
  const left = branches.length + entries.length - most
  return (
    <ul className="picker-branch-inside">
      {branches.slice(0, most).map((branch) => (
        <li key={branch.path}>
          <Branch branch={branch} onChoose={onChoose} />
        </li>
      ))}
      {entries.slice(0, Math.max(0, most - branches.length)).map((entry) => (
        <li key={entry.key}>
          <ResourceRow entry={entry} onChoose={onChoose} />
        </li>
      ))}
      {left > 0 ? (
        <li>
          <Button size="small" variant="quiet" onClick={() => setMost(most + PAGE)}>
            {counted(left, 'more', 'more')}
          </Button>
        </li>
      ) : null}
    </ul>
  )
}

function Branch({ branch, onChoose }: { readonly branch: UriBranch; readonly onChoose: (entry: ResourceEntry) => void }) {
  const [open, setOpen] = useState(branch.count <= OPEN_UP_TO)
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <VisibleText as="code" text={branch.label} /> <span className="meta">{grouped(branch.count)}</span>
      </summary>
      {open ? <Inside branches={branch.branches} entries={branch.entries} onChoose={onChoose} /> : null}
    </details>
  )
}
