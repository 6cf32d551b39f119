import type { ReactNode } from 'react'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { appliesTo } from './apply-remedy.ts'
import { CommandToCopy } from './CommandToCopy.tsx'
import { RemedyButton } from './RemedyButton.tsx'
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
