import type { ImportInput } from '../../../src-shared/contract/imports.ts'
import { Button } from '../../ui/Button.tsx'
import { SecretField } from '../../ui/fields/SecretField.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { TextArea } from '../../ui/fields/TextArea.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { visibleText } from '../../ui/visible-text.ts'

interface InputFieldProps {
  readonly input: ImportInput
  readonly value: string
  readonly problem: string | undefined
  readonly onChange: (value: string) => void
  /** Lets the person choose a folder or a file for it. */
  readonly onPick: (input: ImportInput) => void
}

/** The field for a value that a server asks for. */
export function InputField({ input, onPick, ...field }: InputFieldProps) {
  const { secret, choices, kind, several, optional } = input
  const label = visibleText(input.label)
  const about = [input.hint && visibleText(input.hint), secret && 'Stored as a secret.', several && 'One in each line.']
  const shared = { ...field, label, required: !optional, hint: about.filter(Boolean).join(' ') || undefined }
  const options = choices ?? (kind === 'boolean' ? ['true', 'false'] : undefined)
  if (options) {
    const named = options.map((value) => ({
      value,
      label: kind === 'boolean' ? (value === 'true' ? 'Yes' : 'No') : visibleText(value),
    }))
    return <Select {...shared} options={[{ value: '', label: optional ? 'Not set' : 'Choose' }, ...named]} />
  }
  if (secret) return <SecretField {...shared} />
  const pick =
    kind === 'folder' || kind === 'file' ? (
      <Button size="small" onClick={() => onPick(input)}>
        Choose …<span className="unseen"> {label}</span>
      </Button>
    ) : undefined
  if (!several) return <TextField {...shared} beside={pick} />
  return (
    <div className="column-1">
      <TextArea {...shared} rows={2} code />
      {pick && <div className="actions">{pick}</div>}
    </div>
  )
}
