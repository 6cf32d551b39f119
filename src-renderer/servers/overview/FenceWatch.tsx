import { useState } from 'react'
import type { ServerRecord, WatchReport } from '../../../src-shared/contract/servers.ts'
import { ask } from '../../state/ask.ts'
import { useAction } from '../../state/use-action.ts'
import { useRequest } from '../../state/use-request.ts'
import { announce } from '../../state/view-store.ts'
import { counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { WatchSheet } from './WatchSheet.tsx'

/** Begins and ends the watch of a server, and opens the sheet of what it reached. */
export function FenceWatch({ server }: { readonly server: ServerRecord }) {
  const { id: serverId, options } = server
  const { watchedSince, fence } = options
  const refetchOn = [server.watched, server.state.is, server.folders, watchedSince, fence]
  const { value: report } = useRequest('fence.watched', { serverId }, { refetchOn })
  const { run, busy, problem } = useAction()
  const [isOpen, setOpen] = useState(false)
  const watch = async (since: number | null, said: string) => {
    if (await run(() => ask('server.setOptions', { serverId, options: { watchedSince: since } }))) announce(said)
  }
  if (watchedSince === null) {
    return (
      <>
        {report?.problem ? <ProblemCard level="info" problem={report.problem} /> : null}
        <div className="column-1">
          <div className="actions">
            <Button
              size="small"
              disabled={busy || !report || report.problem !== undefined}
              onClick={() => void watch(Date.now(), 'Watching from its next start')}
            >
              Watch its next start
            </Button>
          </div>
          <p className="meta">
            {fence ? 'Notes what the fence blocks' : 'Notes the folders and hosts that it reaches'}, until you choose. A running
            server restarts.
          </p>
        </div>
        <FailureLine problem={problem} />
      </>
    )
  }
  return (
    <>
      {report?.problem ? <ProblemCard level="warning" problem={report.problem} /> : null}
      <p>
        Watching since <RelativeTime at={watchedSince} />
        {report ? `: ${tally(report)}` : ''}.
      </p>
      <div className="actions">
        <Button variant="primary" disabled={busy || !report} onClick={() => setOpen(true)}>
          {fence ? 'Change the fence …' : 'Fence it …'}
        </Button>
        <Button disabled={busy} onClick={() => void watch(null, 'No longer watching')}>
          Stop watching
        </Button>
      </div>
      <FailureLine problem={problem} />
      {isOpen && report ? <WatchSheet server={server} report={report} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** Folders that the person named and the server did not use do not count. */
function tally({ reaches, moreHosts }: WatchReport): string {
  const folders = reaches.filter((reach) => reach.kind === 'folder' && reach.use !== 'none').length
  const hosts = reaches.filter(({ kind }) => kind === 'host').length + moreHosts
  return `${counted(folders, 'folder')}, ${counted(hosts, 'host')}`
}
