import { useState } from 'react'
import type { Remedy } from '../../../src-shared/contract/errors.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { attempt } from '../../state/attempt.ts'
import { navigate } from '../../state/view-store.ts'
import { Button, type ButtonProps } from '../../ui/Button.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { ServerEditor } from '../editor/editor-on-demand.ts'
import { applyRemedy } from './apply-remedy.ts'
import { remedyLabel } from './remedy-labels.ts'

const ValueDialog = onDemand(() => import('./ValueDialog.tsx').then((module) => module.ValueDialog))

interface RemedyButtonProps extends Pick<ButtonProps, 'variant'> {
  readonly server: ServerRecord
  readonly remedy: Remedy
}

/** Applies a remedy by one click, or asks for its value in a dialog. */
export function RemedyButton({ server, remedy, variant = 'plain' }: RemedyButtonProps) {
  const [asking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const click = () => {
    switch (remedy.is) {
      case 'set-variable':
      case 'set-header':
      case 'edit':
        return setAsking(true)
      case 'install':
      case 'run':
        // The page of the server shows the command.
        return navigate({ section: 'servers', id: server.id })
      default:
        void attempt(applyRemedy(server, remedy))
    }
  }
  const fullValue = 'command' in remedy ? remedy.command : 'url' in remedy ? remedy.url : undefined
  return (
    <>
      <Button size="small" variant={variant} title={fullValue} onClick={click}>
        {remedyLabel(remedy)}
      </Button>
      {asking && 'name' in remedy ? <ValueDialog server={server} remedy={remedy} onClose={close} /> : null}
      {asking && remedy.is === 'edit' ? <ServerEditor server={server} field={remedy.field} onClose={close} /> : null}
    </>
  )
}
