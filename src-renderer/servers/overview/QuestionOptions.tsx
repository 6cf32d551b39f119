import { useState } from 'react'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { useSavedChoice } from '../../forms/use-saved-choice.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { Switch } from '../../ui/fields/Checkbox.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'

/** Decides whether a server may ask questions, and how often it may use the model. */
export function QuestionOptions({ server }: { readonly server: ServerRecord }) {
  const { id: serverId, options } = server
  const [muted, setMuted] = useSavedChoice(options.muted, (on) => attempt(ask('server.mute', { serverId, muted: on })))
  const [sampling, setSampling] = useSavedChoice(options.sampling, (policy) =>
    attempt(ask('server.setOptions', { serverId, options: { sampling: policy } })),
  )
  return (
    <>
      <Switch
        label="Mute its questions"
        hint="Its forms, links and sampling requests are refused without being shown."
        checked={muted}
        onChange={setMuted}
      />
      <Select
        label="Sampling requests"
        hint={HINTS[sampling]}
        options={[
          { value: 'ask', label: 'Ask each time' },
          { value: 'budget', label: 'Ask each time, within a budget' },
          { value: 'off', label: 'Refuse' },
        ]}
        value={sampling}
        onChange={setSampling}
      />
      {sampling === 'budget' ? <Budget server={server} /> : null}
    </>
  )
}

const HINTS = {
  ask: 'You review each request and each reply.',
  budget: 'You review each one. Beyond the budget, they are refused without asking.',
  off: 'Refused without asking. Sampling is not offered from its next start.',
} as const

const BUDGETS = [
  { key: 'requests', label: 'Maximum requests' },
  { key: 'tokens', label: 'Maximum tokens' },
] as const

/** The limits and what is used of them, counted for the present launch. */
function Budget({ server }: { readonly server: ServerRecord }) {
  const { id: serverId, options, sampled } = server
  const { samplingBudget } = options
  const used = sampled ?? { requests: 0, tokens: 0 }
  return (
    <div className="budget ruled">
      {BUDGETS.map(({ key, label }) => (
        <BudgetField
          key={key}
          label={label}
          value={samplingBudget[key]}
          onChange={(limit) =>
            attempt(ask('server.setOptions', { serverId, options: { samplingBudget: { ...samplingBudget, [key]: limit } } }))
          }
        />
      ))}
      <p className="meta" role="status">
        Used: {counted(used.requests, 'request')}, {counted(used.tokens, 'token')}.
      </p>
      <Button
        size="small"
        disabled={used.requests === 0 && used.tokens === 0}
        onClick={() => void attempt(ask('server.resetBudget', { serverId }))}
      >
        Reset
      </Button>
    </div>
  )
}

interface BudgetFieldProps {
  readonly label: string
  readonly value: number
  readonly onChange: (value: number) => Promise<unknown>
}

/** Saves when the field is left or Enter is pressed. */
function BudgetField({ label, value, onChange }: BudgetFieldProps) {
  const [typed, setTyped] = useState<string>()
  const limit = Number(typed)
  const wrong = typed !== undefined && (!Number.isSafeInteger(limit) || limit < 0 || typed.trim() === '')
  const save = () => {
    if (typed === undefined || wrong) return
    const done = () => setTyped(undefined)
    if (limit === value) done()
    else void onChange(limit).then(done)
  }
  return (
    <TextField
      label={label}
      inputMode="numeric"
      problem={wrong ? 'Enter a whole number, 0 or more.' : undefined}
      value={typed ?? String(value)}
      onChange={setTyped}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save()
      }}
    />
  )
}
