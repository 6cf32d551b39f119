import type { ConsentCall } from '../../../src-shared/contract/consent.ts'
import { LongText } from '../../content/text/LongText.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { ToolHintsList } from './ToolHintsList.tsx'

/** What the server says of the tool that is called: its words folded, its hints in badges. */
export function ServerAccount({ call: { title, tool, description, hints } }: { readonly call: ConsentCall }) {
  return (
    <div className="consent-account">
      {description || title !== tool ? (
        <details className="question-quote">
          <summary className="meta">How the server describes the tool</summary>
          {title !== tool ? (
            <p>
              <strong>
                <VisibleText text={title} />
              </strong>
            </p>
          ) : null}
          {description ? <LongText content={{ text: description }} /> : null}
        </details>
      ) : null}
      <ToolHintsList hints={hints} />
    </div>
  )
}
