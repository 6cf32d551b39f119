import { draftFields } from '../../forms/draft-fields.ts'
import { PairRows } from '../../forms/PairRows.tsx'
import { useSecretPlace } from '../../forms/use-secret-place.ts'
import { TextField } from '../../ui/fields/TextField.tsx'
import { SignInFields } from './SignInFields.tsx'
import type { DraftFieldsProps } from './server-draft.ts'

export function RemoteFields({ draft, onChange, errors }: DraftFieldsProps) {
  const field = draftFields(draft, onChange, Object.fromEntries(errors))
  const place = useSecretPlace()
  return (
    <>
      <TextField code required label="URL" name="url" placeholder="https://example.org/mcp" inputMode="url" {...field('url')} />
      <PairRows
        legend="Headers"
        hint={`Sent to this address only. Values that look secret are stored ${place}.`}
        nameLabel="Header"
        addLabel="Add header"
        field="headers"
        {...field('headers')}
        errors={errors}
      />
      <SignInFields draft={draft.signIn} onChange={(signIn) => onChange({ signIn })} errors={errors} />
    </>
  )
}
