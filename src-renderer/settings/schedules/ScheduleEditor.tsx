import { type ReactNode, useId, useState } from 'react'
import type { ProjectId, ServerId } from '../../../src-shared/contract/ids.ts'
import {
  EVERY_MINUTES,
  RUN_MINUTES,
  RUN_TOKENS,
  SCHEDULE_NAME_LENGTH,
  type Schedule,
} from '../../../src-shared/contract/schedules.ts'
import { draftFields } from '../../forms/draft-fields.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { OptionalModel } from '../../forms/models/OptionalModel.tsx'
import { ask } from '../../state/ask.ts'
import { useHost } from '../../state/host-store.ts'
import { sortedServers } from '../../state/selectors.ts'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { RadioGroup } from '../../ui/fields/RadioGroup.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { SpinField } from '../../ui/fields/SpinField.tsx'
import { TextArea } from '../../ui/fields/TextArea.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import {
  draftOf,
  newSchedule,
  type ScheduleDraft,
  type ScheduleProblems,
  scheduleConfigOf,
  scheduleProblems,
} from './schedule-draft.ts'
import { WEEKDAYS } from './schedule-labels.ts'

const WHEN = [
  { value: 'workdays', label: 'Every weekday' },
  { value: 'daily', label: 'Every day' },
  { value: 'days', label: 'On some days' },
  { value: 'interval', label: 'At an interval' },
] as const
const UNITS = [
  { value: 'minutes', label: 'minutes' },
  { value: 'hours', label: 'hours' },
  { value: 'days', label: 'days' },
] as const
const MISSED = [
  { value: 'once', label: 'Run once afterwards' },
  { value: 'skip', label: 'Skip them' },
] as const

interface ScheduleEditorProps {
  /** A new one when absent. */
  readonly schedule?: Schedule | undefined
  readonly onClose: () => void
}

export function ScheduleEditor({ schedule, onClose }: ScheduleEditorProps) {
  const servers = useHost((mirror) => mirror.host.servers)
  const projects = useHost((mirror) => mirror.host.projects)
  const [draft, setDraft] = useState(() => {
    const enabled = Object.values(servers).filter(({ options }) => options.enabled)
    return schedule ? draftOf(schedule.config) : newSchedule(enabled.map(({ id }) => id))
  })
  const [judged, setJudged] = useState(false)
  const problems = judged ? scheduleProblems(draft) : {}
  const change = (part: Partial<ScheduleDraft>) => setDraft((now) => ({ ...now, ...part }))
  const field = draftFields(draft, change, problems)
  const save = (): Promise<unknown> | undefined => {
    setJudged(true)
    if (Object.keys(scheduleProblems(draft)).length > 0) return undefined
    const config = scheduleConfigOf(draft)
    return schedule ? ask('schedule.change', { id: schedule.id, config }) : ask('schedule.add', { config })
  }
  const known = projects.some(({ id }) => id === draft.project)
  return (
    <FormDialog title={schedule ? 'Edit schedule' : 'New schedule'} verb="Save" onSubmit={save} onClose={onClose}>
      <TextArea label="Prompt" required rows={4} dir="auto" {...field('prompt')} />
      <TextField label="Name" hint="Empty: its first line." maxLength={SCHEDULE_NAME_LENGTH} {...field('name')} />
      <WhenFields draft={draft} problems={problems} onChange={change} />
      {projects.length > 0 ? (
        <Select
          label="Project"
          options={[{ value: '', label: 'None' }, ...projects.map(({ id, name }) => ({ value: id as string, label: name }))]}
          value={known ? (draft.project ?? '') : ''}
          onChange={(project) => change({ project: project === '' ? null : (project as ProjectId) })}
        />
      ) : null}
      <OptionalModel label="Model" none="As in a new conversation" {...field('model')} />
      <ServerTicks {...field('servers')} />
      <div className="settings-pair">
        <SpinField
          label="Stop after minutes"
          hint="Waiting for you does not count."
          minimum={RUN_MINUTES.least}
          maximum={RUN_MINUTES.most}
          {...field('minutes')}
        />
        <SpinField
          label="Stop after tokens"
          hint="Sent and received."
          minimum={RUN_TOKENS.least}
          maximum={RUN_TOKENS.most}
          {...field('tokens')}
        />
      </div>
      <RadioGroup label="Runs missed while Parley is closed or the computer sleeps" options={MISSED} {...field('missed')} />
    </FormDialog>
  )
}

interface WhenFieldsProps {
  readonly draft: ScheduleDraft
  readonly problems: ScheduleProblems
  readonly onChange: (part: Partial<ScheduleDraft>) => void
}

function WhenFields({ draft, problems, onChange }: WhenFieldsProps) {
  const { when, days } = draft
  const field = draftFields(draft, onChange, problems)
  const tick = (day: number, on: boolean) => onChange({ days: on ? [...days, day] : days.filter((one) => one !== day) })
  return (
    <>
      <div className="settings-pair">
        <Select label="When" options={WHEN} {...field('when')} />
        {when === 'interval' ? (
          <div className="schedule-every row">
            <SpinField label="Every" minimum={1} maximum={EVERY_MINUTES.most} {...field('every')} />
            <Select label="Unit" options={UNITS} {...field('unit')} />
          </div>
        ) : (
          <TextField type="time" label="At" {...field('clock')} />
        )}
      </div>
      {when === 'days' ? (
        <Ticks label="Days" problem={problems.days}>
          {[1, 2, 3, 4, 5, 6, 0].map((day) => (
            <Checkbox key={day} label={WEEKDAYS[day]} checked={days.includes(day)} onChange={(on) => tick(day, on)} />
          ))}
        </Ticks>
      ) : null}
    </>
  )
}

interface ServerTicksProps {
  readonly value: readonly ServerId[]
  readonly onChange: (value: readonly ServerId[]) => void
}

/** A server that was removed stays ticked until the person unticks it. */
function ServerTicks({ value: chosen, onChange }: ServerTicksProps) {
  const servers = useHost((mirror) => mirror.host.servers)
  const gone = chosen.filter((id) => !servers[id]).map((id) => ({ id, name: `${id} (removed)` }))
  const tick = (id: ServerId, on: boolean) => onChange(on ? [...chosen, id] : chosen.filter((one) => one !== id))
  return (
    <Ticks label="Servers it may use">
      {[...sortedServers(servers), ...gone].map(({ id, name }) => (
        <Checkbox key={id} label={<VisibleText text={name} />} checked={chosen.includes(id)} onChange={(on) => tick(id, on)} />
      ))}
    </Ticks>
  )
}

interface TicksProps {
  readonly label: string
  readonly problem?: string | undefined
  readonly children: ReactNode
}

function Ticks({ label, problem, children }: TicksProps) {
  const id = useId()
  return (
    <fieldset className="ui-choices" aria-labelledby={id} aria-describedby={problem ? `${id}-problem` : undefined}>
      <div className="ui-field-label" id={id}>
        {label}
      </div>
      <div className="line">{children}</div>
      {problem ? (
        <div className="ui-field-problem" id={`${id}-problem`}>
          {problem}
        </div>
      ) : null}
    </fieldset>
  )
}
