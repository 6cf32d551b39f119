import { useEffect, useRef } from 'react'
import { namesSecret } from '../../src-shared/forms/secret-words.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { SecretField } from '../ui/fields/SecretField.tsx'
import { TextField } from '../ui/fields/TextField.tsx'
import { CloseIcon, PlusIcon } from '../ui/icons.tsx'
import { emptyPair, type PairDraft } from './pair-drafts.ts'
import './forms.css'

interface PairRowsProps {
  readonly legend: string
  readonly hint: string
  readonly nameLabel: string
  /** The label of the button that adds a row: "Add variable". */
  readonly addLabel: string
  readonly field: 'env' | 'headers'
  readonly value: readonly PairDraft[]
  readonly onChange: (value: readonly PairDraft[]) => void
  /** By the field and the key of its row: `headers-3`. */
  readonly errors: ReadonlyMap<string, string>
}

/** Rows of name and value. A value is masked when its name sounds like a secret. */
export function PairRows({ legend, hint, nameLabel, addLabel, field, value: pairs, onChange, errors }: PairRowsProps) {
  const rows = useRef<HTMLDivElement>(null)
  const focusLast = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new row takes the focus once it stands there
  useEffect(() => {
    if (!focusLast.current) return
    focusLast.current = false
    focusName(rows.current)
  }, [pairs])
  const change = (key: number, part: Partial<PairDraft>) =>
    onChange(pairs.map((pair) => (pair.key === key ? { ...pair, ...part } : pair)))
  const add = () => {
    const last = pairs.at(-1)
    if (last && last.name === '' && last.value === '' && last.saved === undefined) {
      focusName(rows.current)
      return
    }
    focusLast.current = true
    onChange([...pairs, emptyPair()])
  }
  const remove = (key: number) => {
    const left = pairs.filter((pair) => pair.key !== key)
    onChange(left.length > 0 ? left : [emptyPair()])
  }
  return (
    <fieldset className="ui-choices" data-field={field}>
      <legend className="ui-field-label">{legend}</legend>
      <div className="meta">{hint}</div>
      <div className="column" ref={rows}>
        {pairs.map((pair) => (
          <div className="pair" key={pair.key}>
            <TextField
              code
              label={nameLabel}
              hideLabel
              placeholder={nameLabel}
              autoCapitalize="off"
              value={pair.name}
              problem={errors.get(`${field}-${pair.key}`)}
              onChange={(name) => change(pair.key, { name })}
            />
            <SecretField
              label="Value"
              hideLabel
              plain={!namesSecret(pair.name) && pair.saved === undefined}
              placeholder={pair.saved === undefined ? 'Value' : 'Saved; type to replace'}
              value={pair.value}
              onChange={(value) => change(pair.key, { value })}
            />
            <IconButton
              label={pair.name.trim() === '' ? 'Remove this row' : `Remove ${pair.name.trim()}`}
              icon={<CloseIcon />}
              onClick={() => remove(pair.key)}
            />
          </div>
        ))}
      </div>
      <div>
        <Button size="small" variant="quiet" onClick={add}>
          <PlusIcon /> {addLabel}
        </Button>
      </div>
    </fieldset>
  )
}

function focusName(rows: HTMLElement | null): void {
  rows?.querySelector<HTMLInputElement>('.pair:last-child input')?.focus()
}
