import { useEffect, useRef } from 'react'
import type { Check } from '../../../src-shared/contract/doctor.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { CopyButton } from '../../content/text/CopyButton.tsx'
import { ServerText } from '../../content/text/ServerText.tsx'
import { ask } from '../../state/ask.ts'
import { useRequest } from '../../state/use-request.ts'
import { counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { installerLine, problemOf } from '../labels/server-labels.ts'
import { withoutColours } from '../labels/terminal-text.ts'
import { CheckList } from './CheckList.tsx'
import { checksOf } from './check-labels.ts'
import { Finding } from './Finding.tsx'
import './doctor.css'

interface DiagnosisSectionProps {
  readonly server: ServerRecord
  /** True if the person asked for a check although nothing is wrong. */
  readonly asked: boolean
}

/** The problem of a server and the checks behind it. Shows nothing for a working server unless asked. */
export function DiagnosisSection({ server, asked }: DiagnosisSectionProps) {
  const head = useRef<HTMLHeadingElement>(null)
  const { state, launchIdentity, catalog, options } = server
  const problem = problemOf(server)
  const looks = asked || problem !== undefined
  const step = state.is === 'starting' && state.step
  const check = useRequest('server.diagnose', looks ? { serverId: server.id } : undefined, {
    refetchOn: [state.is, step, launchIdentity, catalog.version, options.hiddenTools],
  })
  const { busy: looking, problem: refused, reload } = check
  const diagnosis = refused === undefined ? check.value : undefined
  useEffect(() => {
    if (asked) head.current?.focus()
  }, [asked])
  // The known problem is shown at once; the diagnosis then says as much or more.
  const finding = looking ? problem : (diagnosis?.finding ?? problem)
  if (!looks) return <Progress server={server} />
  return (
    <section className="column-3" aria-label="Connection check">
      {finding ? (
        <Finding
          server={server}
          problem={finding}
          level={problem ? 'error' : 'warning'}
          actions={
            <>
              <CopyButton label="Copy report" text={() => report(server)} />
              {state.is === 'failed' ? (
                <span className="meta">
                  Failed <RelativeTime at={state.at} />
                </span>
              ) : null}
            </>
          }
        />
      ) : null}
      <Progress server={server} />
      <div className="doctor-head line">
        <h2 ref={head} tabIndex={-1}>
          Checks
        </h2>
        <span className="meta" role="status">
          {looking || !diagnosis ? 'Checking …' : summary(diagnosis.checks)}
        </span>
        <Button size="small" onClick={reload}>
          Check again
        </Button>
        {finding ? null : <CopyButton label="Copy report" text={() => report(server)} />}
      </div>
      <FailureLine problem={refused} />
      <CheckList checks={(!looking && diagnosis?.checks) || pendingChecks(server)} />
      <LastOutput server={server} />
    </section>
  )
}

const pendingChecks = ({ launch }: ServerRecord) => checksOf(launch).map((id) => ({ id, state: 'looking' as const, what: '' }))

async function report({ id: serverId }: ServerRecord): Promise<string> {
  return (await ask('server.diagnose', { serverId })).report
}

function summary(checks: readonly Check[]): string {
  const count = (wanted: Check['state']) => checks.filter(({ state }) => state === wanted).length
  const [failed, warnings, open] = [count('failed'), count('warning'), count('not-reached')]
  if (failed + warnings + open === 0) return 'All passed'
  const parts = [failed > 0 && `${failed} failed`, warnings > 0 && counted(warnings, 'warning'), `${count('passed')} passed`]
  return parts.filter((part) => part !== false).join(', ')
}

/** The progress of the download of a package, in the words of its installer. */
function Progress({ server }: Pick<DiagnosisSectionProps, 'server'>) {
  const { state } = server
  const said = installerLine(server)
  if (state.is !== 'starting' || state.step !== 'installing') return null
  return (
    <ProblemCard
      level="info"
      problem={{
        what: 'Its package is being downloaded.',
        ...(said !== undefined && { said: withoutColours(said) }),
      }}
      actions={
        <span className="meta">
          Began <RelativeTime at={state.since} />
        </span>
      }
    />
  )
}

function LastOutput({ server: { state } }: Pick<DiagnosisSectionProps, 'server'>) {
  const stderr = state.is === 'failed' || state.is === 'restarting' ? state.stderr : []
  // The finding shows the most telling line already.
  if (stderr.length < 2) return null
  return (
    <div>
      <div className="meta">Last output</div>
      <ServerText label="Last output" text={withoutColours(stderr.join('\n'))} />
    </div>
  )
}
