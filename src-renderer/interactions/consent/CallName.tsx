import type { ConsentCall } from '../../../src-shared/contract/consent.ts'
import { VisibleText } from '../../ui/VisibleText.tsx'

/** The name of a tick: the tool, and the argument that distinguishes the call. `unseen` where its row shows both. */
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
