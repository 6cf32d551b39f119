import { useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { PowerTicks } from '../../content/PowerTicks.tsx'
import { draftFields } from '../../forms/draft-fields.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { ask } from '../../state/ask.ts'
import { RadioGroup } from '../../ui/fields/RadioGroup.tsx'
import { TextArea } from '../../ui/fields/TextArea.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { EMPTY_RULE, personRuleOf, type RuleFields, ruleProblems } from './rule-draft.ts'
import { ServerToolFields } from './ServerToolFields.tsx'

const EFFECTS = [
  { value: 'ask', label: 'Ask', hint: 'Asks each time, even if another rule allows it.' },
  { value: 'deny', label: 'Deny', hint: 'Denies without asking.' },
] as const

/** Adds a rule that asks or denies; rules that allow are made by answering questions. */
export function RuleEditor({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState(EMPTY_RULE)
  const [judged, setJudged] = useState(false)
  const problems = judged ? ruleProblems(draft, systemClock.now()) : {}
  const change = (part: Partial<RuleFields>) => setDraft((now) => ({ ...now, ...part }))
  const field = draftFields(draft, change, problems)
  const add = () => {
    setJudged(true)
    if (Object.keys(ruleProblems(draft, systemClock.now())).length > 0) return undefined
    return ask('consent.add', { rule: personRuleOf(draft) })
  }
  return (
    <FormDialog title="Add rule" verb="Add" onSubmit={add} onClose={onClose}>
      <RadioGroup label="What happens" options={EFFECTS} {...field('effect')} />
      <ServerToolFields any serverId={draft.serverId} tool={draft.tool} onChange={change} />
      <PowerTicks
        label="When the call"
        hint="Any of these. None selected: all calls."
        powers={draft.powers}
        onChange={(powers) => change({ powers })}
      />
      <TextArea
        code
        label="In these folders"
        hint="Absolute paths, one per line. No folders, hosts or recipients: everywhere."
        rows={2}
        {...field('folders')}
      />
      <TextArea code label="At these hosts" hint="One per line, like example.com" rows={2} {...field('hosts')} />
      <TextArea
        code
        label="To these recipients"
        hint="Addresses, channels or numbers, one per line"
        rows={2}
        {...field('recipients')}
      />
      <TextField type="date" label="Until" hint="Empty: no end." {...field('until')} />
    </FormDialog>
  )
}
