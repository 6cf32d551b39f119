import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { type BlockEdits, type EditedBlock, isRemoved, withRemoved } from './block-edits.ts'

interface RemovableBlockProps<E extends BlockEdits> {
  /** The accessible name of the block. */
  readonly label: string
  readonly block: EditedBlock
  readonly edits: E
  /** It has no button that removes it. */
  readonly fixed?: boolean
  readonly onChange: (edits: E) => void
  readonly children: ReactNode
}

/** A block that the person may leave out, and restore. */
export function RemovableBlock<E extends BlockEdits>({ label, block, edits, fixed, onChange, children }: RemovableBlockProps<E>) {
  const remove = (removed: boolean) => onChange(withRemoved(edits, block.n, removed))
  if (isRemoved(edits, block)) {
    return (
      <div className="sampled-removed meta">
        <span>{label} removed.</span>
        <Button size="small" variant="quiet" aria-label={`Restore ${label}`} onClick={() => remove(false)}>
          Restore
        </Button>
      </div>
    )
  }
  return (
    <div className={`sampled-block sampled-block-${block.type}`}>
      {children}
      {fixed ? null : (
        <Button size="small" variant="quiet" aria-label={`Remove ${label}`} onClick={() => remove(true)}>
          Remove
        </Button>
      )}
    </div>
  )
}
