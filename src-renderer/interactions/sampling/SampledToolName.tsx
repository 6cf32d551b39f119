import type { SampledName } from '../../../src-shared/contract/sampling.ts'
import { VisibleText } from '../../ui/VisibleText.tsx'

/** What a server calls its tool, and what the model is told where that is another name. */
export function SampledToolName({ name: { name, sentAs } }: { readonly name: SampledName }) {
  return (
    <>
      <code>
        <VisibleText text={name} />
      </code>
      {sentAs === undefined ? null : (
        <>
          {' '}
          (sent as <code>{sentAs}</code>)
        </>
      )}
    </>
  )
}
