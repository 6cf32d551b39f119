import type { SampledName } from '../../../src-shared/contract/sampling.ts'
import { VisibleText } from '../../ui/VisibleText.tsx'

/** A server's name for its tool, and the model's where they differ. */
export function SampledToolName({ name: { name, sentAs } }: { readonly name: SampledName }) {
  return (
    <>
      <VisibleText as="code" text={name} />
      {sentAs === undefined ? null : (
        <>
          {' '}
          (sent as <code>{sentAs}</code>)
        </>
      )}
    </>
  )
}
