import { useState } from 'react'
import { Button } from '../Button.tsx'
import { TextField, type TextFieldProps } from './TextField.tsx'

interface SecretFieldProps extends Omit<TextFieldProps, 'code' | 'covered' | 'beside'> {
  /** Not covered: for values whose name does not sound secret. */
  readonly plain?: boolean
}

/** A text field that covers what is typed, with a button to reveal it. */
export function SecretField({ plain = false, ...field }: SecretFieldProps) {
  const [revealed, setRevealed] = useState(false)
  const toggle = (
    <Button size="small" variant="quiet" aria-pressed={revealed} onClick={() => setRevealed(!revealed)}>
      {revealed ? 'Hide' : 'Reveal'}
    </Button>
  )
  const beside = plain || field.value === '' ? null : toggle
  return <TextField {...field} code autoCapitalize="off" covered={!plain && !revealed} beside={beside} />
}
