import type { ConsentCall } from '../../../src-shared/contract/consent.ts'
import { VisibleText } from '../../ui/VisibleText.tsx'

/** Label of a call's checkbox: the tool, and the argument that distinguishes the call. `unseen` where the row shows both. */
export function CallName({ call: { tool, telling }, unseen = false }: { readonly call: ConsentCall; readonly unseen?: boolean }) {
  return (
    <span className={unseen ? 'unseen' : 'consent-call-name'}>
      <VisibleText text={tool} />
      {telling === undefined ? null : (
        <>
          {' '}
          <VisibleText as="strong" text={telling} />
        </>
      )}
    </span>
  )
}
