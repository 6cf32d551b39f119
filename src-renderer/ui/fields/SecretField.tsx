import { useState } from 'react'
import { Button } from '../Button.tsx'
import { TextField, type TextFieldProps } from './TextField.tsx'

export interface SecretFieldProps extends Omit<TextFieldProps, 'code' | 'covered' | 'beside'> {
  /** Shows what is typed as it is: for values whose name does not sound secret. */
  readonly plain?: boolean
}

/** One line of text that is covered while it is typed, with a toggle to look at it. */
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
