import type { ConsentCall } from '../../../src-shared/contract/consent.ts'
import { ToolHintsList } from '../../content/ToolHintsList.tsx'
import { LongText } from '../../content/text/LongText.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

export interface ServerAccountProps {
  readonly call: ConsentCall
  /** Its hints are folded with its words. */
  readonly short?: boolean
}

/** The server's own description of the called tool, folded, and its hints as badges. */
export function ServerAccount({ call: { title, tool, description, hints }, short = false }: ServerAccountProps) {
  return (
    <div className="consent-account">
      {description || title !== tool || short ? (
        <details className="question-quote">
          <summary className="meta">Server’s description (not verified)</summary>
          {title !== tool ? (
            <p>
              <VisibleText as="strong" text={title} />
            </p>
          ) : null}
          {description ? <LongText content={{ text: description }} /> : null}
          {short ? <ToolHintsList hints={hints} /> : null}
        </details>
      ) : null}
      {short ? null : <ToolHintsList hints={hints} />}
    </div>
  )
}
