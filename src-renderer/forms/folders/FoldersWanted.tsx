import { useEffect, useState } from 'react'
import type { ServerId, TurnId } from '../../../src-shared/contract/ids.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { useRequest } from '../../state/use-request.ts'
import { offerFolders, useView } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'
import { GrantButton } from '../../ui/GrantButton.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

const ChooseFolders = onDemand(
  async () => (await import('./ChooseFolders.tsx')).ChooseFolders,
  () => null,
)

interface FoldersWantedProps {
  readonly serverId: ServerId
  /** The turn below which it stands; absent on the server's page, which always has it. */
  readonly turnId?: TurnId
  /** A question is open: nothing else is offered. */
  readonly quiet?: boolean
}

/** A line that offers to share folders after a server asked for some; until the person decides, it gets none (decision 0034). */
export function FoldersWanted({ serverId, turnId, quiet = false }: FoldersWantedProps) {
  const server = useHost((mirror) => mirror.host.servers[serverId])
  const offered = useView((view) => view.foldersOffered[serverId])
  const [choosing, setChoosing] = useState(false)
  const wanted = server?.wantsFolders === true
  const read = useRequest('roots.read', wanted ? { serverId } : undefined)
  const known = read.value?.suggestions.find(({ launched }) => launched)
  useEffect(() => {
    if (wanted && turnId !== undefined) offerFolders(serverId, turnId)
  }, [wanted, serverId, turnId])
  // A choice that came later would move the others.
  const waits = read.busy && !choosing
  if (!server || waits || !((wanted && !quiet) || choosing) || (turnId !== undefined && offered !== turnId)) return null
  return (
    <div className="ui-offer line small framed">
      <span>
        <VisibleText text={server.name} /> wants access to a folder.
      </span>
      {known ? (
        <GrantButton size="small" onGrant={() => void attempt(ask('roots.set', { serverId, folders: [{ path: known.path }] }))}>
          Share <VisibleText as="code" text={known.path} />
        </GrantButton>
      ) : null}
      <Button size="small" onClick={() => setChoosing(true)}>
        Choose folders
      </Button>
      <Button size="small" variant="quiet" onClick={() => void attempt(ask('roots.set', { serverId, folders: [] }))}>
        Don’t share
      </Button>
      {choosing ? <ChooseFolders server={server} onClose={() => setChoosing(false)} /> : null}
    </div>
  )
}
