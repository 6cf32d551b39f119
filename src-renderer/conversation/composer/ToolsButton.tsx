import { useRef, useState } from 'react'
import { DEMO_MODEL, type ModelRef } from '../../../src-shared/contract/settings.ts'
import { useHost } from '../../state/host-store.ts'
import { catalogVersions } from '../../state/selectors.ts'
import { useRequest } from '../../state/use-request.ts'
import { grouped } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { ToolIcon } from '../../ui/icons.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { usePopover } from '../../ui/use-popover.ts'
import { offeredOf } from './switches.ts'
import type { ToolsPanelProps } from './ToolsPanel.tsx'

const ToolsPanel = onDemand(() => import('./ToolsPanel.tsx').then((module) => module.ToolsPanel))

/** Milliseconds without a change before a request, since catalogs change in bursts. */
const PAUSE = 300

interface ToolsButtonProps extends Omit<ToolsPanelProps, 'servers'> {
  readonly model: ModelRef
  readonly disabled: boolean
}

/** Shows the number of tools that the model is offered; opens their switches. */
export function ToolsButton({ model, disabled, ...of }: ToolsButtonProps) {
  const { project, switches, ofWhat } = of
  const button = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({})
  const { open, buttonProps, popoverProps } = usePopover(popover, () => {
    const from = button.current?.getBoundingClientRect()
    if (!from) return
    const left = Math.max(8, Math.min(from.left, innerWidth - 408))
    setPlace({ left, bottom: innerHeight - from.top + 4, maxHeight: Math.min(480, from.top - 16) })
  })
  const catalogs = useHost(catalogVersions)
  const live = useHost((mirror) => mirror.link === 'live')
  // The cost of a definition depends on the kind of provider alone.
  const { provider } = model
  const asked = { model: { provider, model: DEMO_MODEL.model }, ...(project && { project }) }
  const { value } = useRequest('context.tools', live ? asked : undefined, { refetchOn: [catalogs], pause: PAUSE })
  const some = useHost(({ host }) => Object.values(host.servers).some(({ catalog }) => catalog.tools > 0))
  if (value ? value.servers.length === 0 : !some) return null
  const count = value && offeredOf(value.servers, switches).count
  return (
    <>
      <Button ref={button} variant="quiet" size="small" aria-haspopup="dialog" disabled={disabled || !value} {...buttonProps}>
        <ToolIcon />
        <span>
          Tools <span className="tools-count">({count === undefined ? '…' : grouped(count)})</span>
        </span>
      </Button>
      <div
        ref={popover}
        {...popoverProps}
        role="dialog"
        aria-label={`Tools of ${ofWhat}`}
        className="ui-popover ui-popover-column tools-popover"
        style={place}
        onToggle={(event) => {
          if (event.newState === 'closed' && document.activeElement === document.body) button.current?.focus()
        }}
      >
        {open && value ? <ToolsPanel servers={value.servers} {...of} /> : null}
      </div>
    </>
  )
}
