import { useState } from 'react'
import type { Schedule, ScheduleHead, ScheduleRun } from '../../../src-shared/contract/schedules.ts'
import { DECISION_LABELS, outcomeLabel } from '../../content/ledger-labels.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { routeHash } from '../../state/route.ts'
import { useRequest } from '../../state/use-request.ts'
import { navigate, offerUndo } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { Awaited } from '../../ui/ProblemCard.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { ScheduleEditor } from './ScheduleEditor.tsx'
import './schedules.css'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { nextLabel, runLabel, timeLabel } from './schedule-labels.ts'

/** The schedules with their next and last runs. */
export function SchedulesSection() {
  const schedules = useHost((mirror) => mirror.host.schedules)
  const stays = useHost(({ host }) => host.desktop === undefined || host.platform === 'darwin' || host.settings.closeToTray)
  const [editing, setEditing] = useState<{ readonly schedule?: Schedule }>()
  const edit = async ({ id }: ScheduleHead) => {
    const [schedule] = (await attempt(ask('schedule.read', { id }))) ?? []
    if (schedule) setEditing({ schedule })
  }
  return (
    <>
      {schedules.length === 0 ? (
        <p className="soft">None yet.</p>
      ) : (
        <ul className="framed" aria-label="Schedules">
          {schedules.map((schedule) => (
            <li key={schedule.id}>
              <ScheduleRow schedule={schedule} onEdit={() => void edit(schedule)} />
            </li>
          ))}
        </ul>
      )}
      {schedules.length > 0 && !stays ? (
        <p className="soft">
          Parley quits with its window. To let schedules run, turn on “Keep running when the window is closed”.
        </p>
      ) : null}
      <div>
        <Button onClick={() => setEditing({})}>
          <PlusIcon /> New schedule
        </Button>
      </div>
      {editing ? <ScheduleEditor schedule={editing.schedule} onClose={() => setEditing(undefined)} /> : null}
    </>
  )
}

function ScheduleRow({ schedule, onEdit }: { readonly schedule: ScheduleHead; readonly onEdit: () => void }) {
  const { id, name, time, paused, last } = schedule
  const shown = visibleText(name)
  const remove = async () => {
    if (!(await attempt(ask('schedule.remove', { id })))) return
    offerUndo({ text: `Removed “${shown}”`, undo: () => void attempt(ask('schedule.restore', { id })) })
  }
  const run = async () => {
    const [begun] = (await attempt(ask('schedule.run', { id }))) ?? []
    if (begun) navigate({ section: 'conversations', id: begun.id })
  }
  return (
    <div className="padded column">
      <div className="column-0">
        <VisibleText as="strong" text={name} />
        <span>
          {timeLabel(time)} · <span className={paused ? 'tone-wait' : 'soft'}>{nextLabel(schedule)}</span>
        </span>
        {last ? <RunLine run={last} /> : <span className="soft">Has not run yet.</span>}
      </div>
      <div className="line">
        <Button size="small" aria-label={`Run now: “${shown}”`} onClick={() => void run()}>
          Run now
        </Button>
        <Button
          size="small"
          aria-label={`${paused ? 'Resume' : 'Pause'} “${shown}”`}
          onClick={() => void attempt(ask('schedule.pause', { id, paused: !paused }))}
        >
          {paused ? 'Resume' : 'Pause'}
        </Button>
        <Button size="small" aria-label={`Edit “${shown}”`} onClick={onEdit}>
          Edit
        </Button>
        <Button size="small" aria-label={`Remove “${shown}”`} onClick={() => void remove()}>
          Remove
        </Button>
      </div>
      <Disclosure summary="History">{() => <History schedule={schedule} />}</Disclosure>
    </div>
  )
}

/** The outcome of a run, with its age and a link to its conversation. */
function RunLine({ run }: { readonly run: ScheduleRun }) {
  const { at, conversation } = run
  const waits = useHost(({ host }) => host.interactions.some(({ about }) => about.conversationId === conversation))
  const label = runLabel(run, conversation !== undefined && waits)
  return (
    <span>
      {conversation === undefined ? (
        <VisibleText text={label} />
      ) : (
        <a href={routeHash({ section: 'conversations', id: conversation })}>
          <VisibleText text={label} />
        </a>
      )}{' '}
      <span className="meta">
        <RelativeTime at={at} />
      </span>
    </span>
  )
}

function History({ schedule: { id, last } }: { readonly schedule: ScheduleHead }) {
  const { value, problem, reload } = useRequest('schedule.read', { id }, { refetchOn: [last] })
  if (!value || problem !== undefined) return <Awaited label="Loading the history" problem={problem} onRetry={reload} />
  if (value.runs.length === 0) return <p className="soft">No runs yet.</p>
  return (
    <ul className="bullets column" aria-label="Runs">
      {value.runs.map((run) => (
        <li key={`${run.is} ${run.at}`} className="column-0">
          <RunLine run={run} />
          {run.conversation === undefined ? null : <RunCalls run={run} conversationId={run.conversation} />}
        </li>
      ))}
    </ul>
  )
}

interface RunCallsProps {
  readonly run: ScheduleRun
  readonly conversationId: NonNullable<ScheduleRun['conversation']>
}

function RunCalls({ run, conversationId }: RunCallsProps) {
  const { value } = useRequest('ledger.page', { conversationId }, { refetchOn: [run.is] })
  if (!value || value.items.length === 0) return null
  return (
    <ul className="bullets meta" aria-label="Calls">
      {value.items.toReversed().map((entry) => (
        <li key={entry.number}>
          <VisibleText text={`${entry.tool} on ${entry.serverName ?? entry.serverId}`} /> · {DECISION_LABELS[entry.decision]} ·{' '}
          <VisibleText text={outcomeLabel(entry.outcome)} />
        </li>
      ))}
    </ul>
  )
}
