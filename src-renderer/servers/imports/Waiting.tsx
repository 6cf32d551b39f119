import { showNextImport } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'

/** The number of configurations that arrived during this review. */
export function Waiting({ count }: { readonly count: number }) {
  return (
    <div className="actions" role="status">
      {count === 0 ? null : (
        <>
          <span className="meta">{`${count} more waiting`}</span>
          <Button size="small" variant="quiet" onClick={showNextImport}>
            Skip to the next
          </Button>
        </>
      )}
    </div>
  )
}
