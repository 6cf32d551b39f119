import { type FormEvent, useState } from 'react'
import { fits, type Range } from '../../src-shared/base/range.ts'
import { SpinField } from '../ui/fields/SpinField.tsx'

interface NumberSettingProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly value: number
  readonly range: Range
  readonly onCommit: (value: number) => void
}

/** A number that is saved when the field is left or Enter is pressed, if it is in range. */
export function NumberSetting({ label, hint, value, range, onCommit }: NumberSettingProps) {
  const [typed, setTyped] = useState(String(value))
  // A change from elsewhere replaces the text and keeps the focus.
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setTyped(String(value))
  }
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
