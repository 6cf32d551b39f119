import { counted } from '../../ui/amounts.ts'
import './edits.css'
import { DiffView } from './DiffView.tsx'
import { comparedPart, MAX_EDITS, type TextEdit } from './text-edits.ts'

export function EditDiffs({ edits }: { readonly edits: readonly TextEdit[] }) {
  const shown = edits.slice(0, MAX_EDITS)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div role="group" className="wide column-1" aria-label={counted(edits.length, 'change')}>
      {shown.map((edit, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the edits of a call never move
        <DiffView key={index} before={comparedPart(edit.before)} now={comparedPart(edit.now)} />
      ))}
      {edits.length > shown.length ? <p className="meta">and {counted(edits.length - shown.length, 'more change')}</p> : null}
    </div>
  )
}
