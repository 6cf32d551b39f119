import { draftFields } from '../../forms/draft-fields.ts'
import { SECOND, TIMEOUT_FIELDS, TIMEOUT_RANGE } from '../../forms/timeout-fields.ts'
import { useHost } from '../../state/host-store.ts'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Switch } from '../../ui/fields/Checkbox.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { SpinField } from '../../ui/fields/SpinField.tsx'
import { ERAS } from '../labels/era-labels.ts'
import type { DraftFieldsProps } from './server-draft.ts'

/** Rarely needed fields, which open when one has a problem. */
export function AdvancedFields({ draft, onChange, errors }: DraftFieldsProps) {
  const all = useHost((mirror) => mirror.host.settings.serverTimeouts)
  const field = draftFields(draft, onChange, Object.fromEntries(errors))
  const wrong = TIMEOUT_FIELDS.some(({ field }) => errors.has(field))
  return (
    <Disclosure summary="Advanced" open={wrong || undefined}>
      <div className="column-4">
        {TIMEOUT_FIELDS.map(({ field: name, label, hint }) => (
          <SpinField
            key={name}
            label={label}
            hint={`${hint} Empty: ${all[name] / SECOND}, as in Settings.`}
            minimum={TIMEOUT_RANGE.least}
            maximum={TIMEOUT_RANGE.most}
            {...field(name)}
          />
        ))}
        <Select label="Protocol version" hint="Automatic: found by asking the server." options={ERAS} {...field('era')} />
        <Switch
          label="Draft profile"
          hint="For servers built on the elicitation draft: sends reject instead of decline."
          checked={draft.draftProfile}
          onChange={(draftProfile) => onChange({ draftProfile })}
        />
      </div>
    </Disclosure>
  )
}
