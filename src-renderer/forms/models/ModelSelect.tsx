import { useRef, useState } from 'react'
import type { ModelRef } from '../../../src-shared/contract/settings.ts'
import { useHost } from '../../state/host-store.ts'
import { modelName } from '../../state/models.ts'
import { FieldFrame, type FieldProps } from '../../ui/fields/FieldFrame.tsx'
import { ChevronDownIcon } from '../../ui/icons.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import './models.css'

const ModelList = onDemand(
  () => import('./ModelList.tsx').then((module) => module.ModelList),
  () => null,
)

export interface ModelSelectProps extends FieldProps {
  readonly value: ModelRef
  readonly onChange: (model: ModelRef) => void
  readonly disabled?: boolean
}

/** Chooses among the models of every provider: a button that opens a list to search in. */
export function ModelSelect({ value, onChange, disabled, ...field }: ModelSelectProps) {
  const name = useHost((mirror) => modelName(mirror.host.providers, value))
  const button = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [place, setPlace] = useState({})
  const toggle = () => {
    const from = button.current?.getBoundingClientRect()
    if (from) setPlace(placeBeside(from))
    popover.current?.togglePopover()
  }
  const close = () => {
    popover.current?.hidePopover()
    button.current?.focus()
  }
  return (
    <FieldFrame {...field}>
      {(control) => (
        <>
          <button
            type="button"
            ref={button}
            id={control.id}
            className="ui-input model-button"
            aria-describedby={control['aria-describedby']}
            aria-label={`${field.label}: ${name}`}
            aria-haspopup="dialog"
            aria-expanded={open}
            disabled={disabled}
            onClick={toggle}
          >
            <span className="one-line">
              <VisibleText text={name} />
            </span>
            <ChevronDownIcon />
          </button>
          <div
            ref={popover}
            popover="auto"
            role="dialog"
            aria-label="Choose a model"
            className="ui-popover model-popover"
            style={place}
            onToggle={(event) => setOpen(event.newState === 'open')}
          >
            {open ? (
              <ModelList
                value={value}
                onClose={close}
                onChoose={(model) => {
                  close()
                  onChange(model)
                }}
              />
            ) : null}
          </div>
        </>
      )}
    </FieldFrame>
  )
}

const WIDTH = 440

/** On the side of the button that has more room. */
function placeBeside({ left, top, bottom }: DOMRect) {
  const start = Math.max(8, Math.min(left, innerWidth - WIDTH - 8))
  const above = top > innerHeight - bottom
  const room = Math.min(440, (above ? top : innerHeight - bottom) - 16)
  return { left: start, maxHeight: room, ...(above ? { bottom: innerHeight - top + 4 } : { top: bottom + 4 }) }
}
