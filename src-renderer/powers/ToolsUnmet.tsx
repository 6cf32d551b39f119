import { useState } from 'react'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { counted } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { ToolSheet } from './sheet-on-demand.ts'
import { lookedAt } from './tool-sheet.ts'

interface ToolsUnmetProps {
  readonly serverId: ServerId
  /** A question is open: nothing else is offered. */
  readonly quiet?: boolean
}

/** A quiet line for an unknown server with tools that the person has not reviewed. */
export function ToolsUnmet({ serverId, quiet = false }: ToolsUnmetProps) {
  const server = useHost((mirror) => mirror.host.servers[serverId])
  const [open, setOpen] = useState(false)
  if (!server || server.builtIn || ((!server.unmetTools || quiet) && !open)) return null
  const { count, of } = server.unmetTools ?? { count: 0, of: 0 }
  const putOff = async () => {
    const { tools } = await ask('consent.tools', { serverId })
    await ask('consent.tellPowers', { serverId, tools: lookedAt(tools) })
  }
  return (
    <div className="ui-offer line small framed">
      <span>
        {count < of ? (
          <>
            {counted(count, 'tool')} of <VisibleText text={server.name} /> {count === 1 ? 'is' : 'are'} new or changed.
          </>
        ) : (
          <>
            Parley does not know <VisibleText text={server.name} />. Say what its tools do, and be asked less.
          </>
        )}
      </span>
      <Button size="small" onClick={() => setOpen(true)}>
        Review its tools
      </Button>
      <Button size="small" variant="quiet" onClick={() => void attempt(putOff())}>
        Not now
      </Button>
      {open ? <ToolSheet server={server} onlyUnmet onClose={() => setOpen(false)} /> : null}
    </div>
  )
}

/** Beside a question: one sheet about an unknown server's tools, after which the question is judged again. */
export function ToolsToSay({ serverId, alone }: { readonly serverId: ServerId; readonly alone: boolean }) {
  const server = useHost((mirror) => mirror.host.servers[serverId])
  const [open, setOpen] = useState(false)
  if (!server?.unmetTools || server.builtIn) return null
  const { count } = server.unmetTools
  return (
    <>
      <Button size="small" variant="quiet" onClick={() => setOpen(true)}>
        {alone ? (
          `Review its ${count === 1 ? 'tool' : counted(count, 'tool')}`
        ) : (
          <>
            Review the tools of <VisibleText text={server.name} />
          </>
        )}
      </Button>
      {open ? <ToolSheet server={server} onlyUnmet onClose={() => setOpen(false)} /> : null}
    </>
  )
}
