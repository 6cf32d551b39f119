import type { Remedy } from '../../../src-shared/contract/errors.ts'
import { CopyButton } from '../../content/text/CopyButton.tsx'
import { attempt } from '../../state/attempt.ts'
import { openLink } from '../../state/open-link.ts'
import { Button } from '../../ui/Button.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { remedyLabel } from './remedy-labels.ts'

/** A command for a terminal with a link to its documentation, since Parley installs nothing. */
export function CommandToCopy({ remedy }: { readonly remedy: Extract<Remedy, { is: 'install' | 'run' }> }) {
  const page = remedy.is === 'install' ? remedy.page : undefined
  return (
    <div className="doctor-command">
      <div className="meta">{remedy.is === 'install' ? `${remedyLabel(remedy)}:` : 'In a terminal, run:'}</div>
      <div className="line">
        {remedy.command === undefined ? null : (
          <>
            <VisibleText as="code" className="framed" text={remedy.command} />
            <CopyButton label="Copy command" text={remedy.command} />
          </>
        )}
        {page === undefined ? null : (
          <Button size="small" title={page} onClick={() => void attempt(openLink(page))}>
            Open {new URL(page).host}
          </Button>
        )}
      </div>
    </div>
  )
}
