import type { ReactNode } from 'react'
import type { Problem, Remedy } from '../../../src-shared/contract/errors.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { CopyButton } from '../../content/text/CopyButton.tsx'
import { attempt } from '../../state/attempt.ts'
import { openLink } from '../../state/open-link.ts'
import { Button } from '../../ui/Button.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { appliesTo } from './apply-remedy.ts'
import { RemedyButton } from './RemedyButton.tsx'
import { remedyLabel } from './remedy-labels.ts'
import { ValueForm } from './ValueForm.tsx'

interface FindingProps {
  readonly server: ServerRecord
  readonly problem: Problem
  readonly level: 'warning' | 'error'
  readonly actions: ReactNode
}

/** A problem with the line of output that tells it, and its remedies, best first. */
export function Finding({ server, problem, level, actions }: FindingProps) {
  const remedies = (problem.remedies ?? []).filter((remedy) => appliesTo(remedy, server.launch))
  const [best] = remedies
  const { state } = server
  const { todo, ...shown } = problem
  // The field of the best remedy already says what to do.
  const shownProblem = (best && 'name' in best) || todo === undefined ? shown : problem
  const canRetry = state.is === 'failed' && !remedies.some(({ is }) => is === 'start' || is === 'sign-in')
  return (
    <ProblemCard
      problem={shownProblem}
      level={level}
      actions={
        <div className="doctor-remedies column-3">
          {remedies.map((remedy) =>
            remedy.is === 'set-variable' || remedy.is === 'set-header' ? (
              <ValueForm key={remedy.name} server={server} remedy={remedy} />
            ) : remedy.is === 'install' || remedy.is === 'run' ? (
              <CommandToCopy key={remedy.command ?? remedy.is} remedy={remedy} />
            ) : null,
          )}
          <div className="line">
            {remedies.map((remedy) =>
              'name' in remedy || remedy.is === 'install' || remedy.is === 'run' ? null : (
                <RemedyButton key={remedy.is} server={server} remedy={remedy} variant={remedy === best ? 'primary' : 'plain'} />
              ),
            )}
            {canRetry ? <RemedyButton server={server} remedy={{ is: 'start' }} /> : null}
            {actions}
          </div>
        </div>
      }
    />
  )
}

/** A command for a terminal with a link to its documentation, since Parley installs nothing. */
function CommandToCopy({ remedy }: { readonly remedy: Extract<Remedy, { is: 'install' | 'run' }> }) {
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
