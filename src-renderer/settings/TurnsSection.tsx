import { type FormEvent, useState } from 'react'
import { fits, type Range } from '../../src-shared/base/range.ts'
import { QUESTION_LIFE, ROUNDS } from '../../src-shared/contract/settings.ts'
import { useSavedChoice } from '../forms/use-saved-choice.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { Switch } from '../ui/fields/Checkbox.tsx'
import { SpinField } from '../ui/fields/SpinField.tsx'

const MINUTE = 60_000

export function TurnsSection() {
  const { roundLimit, questionLife, sendWith } = useHost((mirror) => mirror.host.settings)
  const [sends, choose] = useSavedChoice(sendWith, (wanted) =>
    attempt(ask('settings.change', { settings: { sendWith: wanted } })),
  )
  return (
    <div className="settings-fields column-4">
      <Switch
        label="Send with Ctrl+Enter"
        hint="Enter alone then starts a new line. On a Mac: Cmd+Enter."
        checked={sends === 'ctrl-enter'}
        onChange={(on) => choose(on ? 'ctrl-enter' : 'enter')}
      />
      <NumberSetting
        key={`rounds-${roundLimit}`}
        label="Maximum tool rounds"
        hint="Then the turn stops and waits for you."
        value={roundLimit}
        range={ROUNDS}
        onCommit={(rounds) => void attempt(ask('settings.change', { settings: { roundLimit: rounds } }))}
      />
      <NumberSetting
        key={`life-${questionLife}`}
        label="Question timeout (minutes)"
        hint="Then it counts as refused."
        value={Math.round(questionLife / MINUTE)}
        range={{ least: QUESTION_LIFE.least / MINUTE, most: QUESTION_LIFE.most / MINUTE }}
        onCommit={(minutes) => void attempt(ask('settings.change', { settings: { questionLife: minutes * MINUTE } }))}
      />
    </div>
  )
}

interface NumberSettingProps {
  readonly label: string
  readonly hint: string
  readonly value: number
  readonly range: Range
  readonly onCommit: (value: number) => void
}

/** Takes effect when it is left or Enter is pressed, and only when it is in range. */
function NumberSetting({ label, hint, value, range, onCommit }: NumberSettingProps) {
  const [typed, setTyped] = useState(String(value))
  const [problem, setProblem] = useState<string | undefined>()
  const commit = (event?: FormEvent) => {
    event?.preventDefault()
    const number = Number(typed)
    if (typed.trim() === '' || !fits(number, range)) {
      setProblem(`Enter a whole number from ${range.least} to ${range.most}`)
      return
    }
    setProblem(undefined)
    if (number !== value) onCommit(number)
  }
  return (
    <form noValidate onSubmit={commit} onBlur={() => commit()}>
      <SpinField
        label={label}
        hint={hint}
        problem={problem}
        value={typed}
        minimum={range.least}
        maximum={range.most}
        onChange={setTyped}
      />
    </form>
  )
}
