import { type ReactNode, useRef, useState } from 'react'
import type { ModelRef } from '../../../src-shared/contract/settings.ts'
import { onDemand } from '../../ui/on-demand.tsx'
import { type Popover, usePopover } from '../../ui/use-popover.ts'
import './models.css'

const ModelList = onDemand(() => import('./ModelList.tsx').then((module) => module.ModelList))

interface UsedModelList extends Pick<Popover, 'toggle' | 'buttonProps'> {
  /** Render it beside its button. */
  readonly list: ReactNode
}

/** A list of all models with a search, beside the button that opens it. The button gets the focus back. */
export function useModelList(
  button: () => HTMLElement | null | undefined,
  value: ModelRef,
  onChoose: (model: ModelRef) => void,
): UsedModelList {
  const popover = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({})
  const { open, toggle, buttonProps, popoverProps } = usePopover(popover, () => {
    const from = button()?.getBoundingClientRect()
    if (from) setPlace(placeBeside(from))
  })
  const close = () => {
    popover.current?.hidePopover()
    button()?.focus()
  }
  const list = (
    <div
      ref={popover}
      {...popoverProps}
      role="dialog"
      aria-label="Choose a model"
      className="ui-popover ui-popover-column model-popover"
      style={place}
    >
      {open ? (
        <ModelList
          value={value}
          onClose={close}
          onChoose={(model) => {
            close()
            onChoose(model)
          }}
        />
      ) : null}
    </div>
  )
  return { toggle, buttonProps, list }
}

const WIDTH = 440

/** Above or below the button, where there is more room. */
function placeBeside({ left, top, bottom }: DOMRect) {
  const start = Math.max(8, Math.min(left, innerWidth - WIDTH - 8))
  const above = top > innerHeight - bottom
  const room = Math.min(440, (above ? top : innerHeight - bottom) - 16)
  return { left: start, maxHeight: room, ...(above ? { bottom: innerHeight - top + 4 } : { top: bottom + 4 }) }
}
