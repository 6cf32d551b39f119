import type { ConsentCall } from '../../../src-shared/contract/consent.ts'
import { VisibleText } from '../../ui/VisibleText.tsx'

interface CallNameProps {
  readonly call: ConsentCall
  /** The part that is hidden because the arguments show it. */
  readonly unseen?: 'all' | 'telling'
}

/** Label of a call's checkbox: the tool, and the argument that distinguishes the call. */
export function CallName({ call: { tool, telling }, unseen }: CallNameProps) {
  return (
    <span className={unseen === 'all' ? 'unseen' : 'consent-call-name'}>
      <VisibleText text={tool} />
      {telling === undefined ? null : (
        <span className={unseen === 'telling' ? 'unseen' : undefined}>
          {' '}
          <VisibleText as="strong" text={telling} />
        </span>
      )}
    </span>
  )
}
