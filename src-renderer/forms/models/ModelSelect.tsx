import { useRef } from 'react'
import type { ModelRef } from '../../../src-shared/contract/settings.ts'
import { useHost } from '../../state/host-store.ts'
import { modelLabel } from '../../state/models.ts'
import { FieldFrame, type FieldProps } from '../../ui/fields/FieldFrame.tsx'
import { ChevronDownIcon } from '../../ui/icons.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { useModelList } from './use-model-list.tsx'

interface ModelSelectProps extends FieldProps {
  readonly value: ModelRef
  readonly onChange: (model: ModelRef) => void
  readonly disabled?: boolean
}

/** Chooses among the models of every provider: a button that opens a list to search in. */
export function ModelSelect({ value, onChange, disabled, ...field }: ModelSelectProps) {
  const name = useHost((mirror) => modelLabel(mirror.host.providers, value))
  const button = useRef<HTMLButtonElement>(null)
  const { buttonProps, list } = useModelList(() => button.current, value, onChange)
  return (
    <FieldFrame {...field}>
      {(control) => (
        <>
          <button
            type="button"
            ref={button}
            id={control.id}
            className="ui-input model-button row"
            aria-describedby={control['aria-describedby']}
            aria-label={`${field.label}: ${name}`}
            aria-haspopup="dialog"
            disabled={disabled}
            {...buttonProps}
          >
            <VisibleText as="span" className="one-line" text={name} />
            <ChevronDownIcon />
          </button>
          {list}
        </>
      )}
    </FieldFrame>
  )
}
