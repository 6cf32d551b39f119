import { type FormEvent, type Ref, useRef, useState } from 'react'
import type { Remedy } from '../../../src-shared/contract/errors.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { namesSecret } from '../../../src-shared/forms/secret-words.ts'
import { useSecretPlace } from '../../forms/use-secret-place.ts'
import { useAction } from '../../state/use-action.ts'
import { Button } from '../../ui/Button.tsx'
import { SecretField } from '../../ui/fields/SecretField.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { setValue } from './apply-remedy.ts'
import { remedyLabel } from './remedy-labels.ts'

export type ValueRemedy = Extract<Remedy, { name: string }>

/** A field for a missing value, and a button that saves it and starts the server. */
export function ValueForm({ server, remedy }: { readonly server: ServerRecord; readonly remedy: ValueRemedy }) {
  const field = useRef<HTMLInputElement>(null)
  const [value, setTyped] = useState('')
  const [judged, setJudged] = useState(false)
  const { busy, problem, run } = useAction()
  const missing = judged && value.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setJudged(true)
    if (value.trim() === '') field.current?.focus()
    else if (!busy) void run(() => setValue(server, remedy, value.trim())).then((worked) => worked && setTyped(''))
  }
  return (
    <form className="doctor-value actions" noValidate onSubmit={submit}>
      <ValueField ref={field} remedy={remedy} value={value} missing={missing} problem={problem} onChange={setTyped} />
      <Button type="submit" variant="primary">
        {remedyLabel(remedy)}
      </Button>
    </form>
  )
}

interface ValueFieldProps {
  readonly remedy: ValueRemedy
  readonly value: string
  readonly onChange: (value: string) => void
  readonly missing: boolean
  readonly problem?: string | undefined
  readonly ref?: Ref<HTMLInputElement> | undefined
}

/** Covers the value if its name sounds secret. */
export function ValueField({ remedy: { name }, value, onChange, missing, problem, ref }: ValueFieldProps) {
  const place = useSecretPlace()
  const secret = namesSecret(name)
  const bearer = name.toLowerCase() === 'authorization' ? 'A token alone is sent as Bearer. ' : ''
  return (
    <SecretField
      ref={ref}
      label={visibleText(name)}
      plain={!secret}
      hint={
        secret ? `${bearer}Stored ${place}, never shown.` : 'Stored in mcp.json. Values that look secret are stored separately.'
      }
      problem={missing ? 'Required' : problem}
      value={value}
      onChange={onChange}
    />
  )
}
