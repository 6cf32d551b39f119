import { useState } from 'react'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { setValue } from './apply-remedy.ts'
import { remedyLabel } from './remedy-labels.ts'
import { ValueField, type ValueRemedy } from './ValueForm.tsx'

interface ValueDialogProps {
  readonly server: ServerRecord
  readonly remedy: ValueRemedy
  readonly onClose: () => void
}

/** Asks for a missing value in the list of servers. */
export function ValueDialog({ server, remedy, onClose }: ValueDialogProps) {
  const [value, setTyped] = useState('')
  const [judged, setJudged] = useState(false)
  const submit = () => {
    setJudged(true)
    return value.trim() === '' ? undefined : setValue(server, remedy, value.trim())
  }
  return (
    <FormDialog title={remedyLabel(remedy)} size="small" verb="Set and start" onSubmit={submit} onClose={onClose}>
      <ValueField remedy={remedy} value={value} missing={judged && value.trim() === ''} onChange={setTyped} />
    </FormDialog>
  )
}
