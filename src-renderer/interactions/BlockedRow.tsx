import { useId } from 'react'
import { blockedSentence } from '../../src-shared/contract/blocked-sentence.ts'
import type { BlockedReach, ServerRecord } from '../../src-shared/contract/servers.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { keptOutToo } from '../state/kept-out.ts'
import { navigate } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { ServerBadge } from './frame/QuestionFrame.tsx'

interface BlockedRowProps {
  readonly server: ServerRecord
  readonly reach: BlockedReach
}

/** Something that a server's fence kept from it: the way to its page, or never to hear of it again. */
export function BlockedRow({ server, reach }: BlockedRowProps) {
  const id = useId()
  const keepOut = () => ask('server.setOptions', { serverId: server.id, options: keptOutToo(server, [reach.name]) })
  return (
    <li className="inbox-row">
      <div id={id} className="column-tight grow">
        <ServerBadge name={server.name} />
        <VisibleText as="div" className="breaks" text={blockedSentence(reach)} />
      </div>
      <Button aria-describedby={id} onClick={() => navigate({ section: 'servers', id: server.id, tab: 'fence' })}>
        Allow …
      </Button>
      <Button aria-describedby={id} onClick={() => void attempt(keepOut())}>
        Keep out
      </Button>
    </li>
  )
}
