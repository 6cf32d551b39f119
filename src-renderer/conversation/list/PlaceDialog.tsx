import { useState } from 'react'
import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'
import type { Place } from '../../../src-shared/contract/projects.ts'
import { PlaceFields } from '../../forms/folders/PlaceFields.tsx'
import { ask } from '../../state/ask.ts'
import { useHost } from '../../state/host-store.ts'
import { routeHash } from '../../state/route.ts'
import { sortedServers } from '../../state/selectors.ts'
import { useRequest } from '../../state/use-request.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Awaited } from '../../ui/ProblemCard.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

export interface PlaceDialogProps {
  readonly head: ConversationHead
  readonly onClose: () => void
}

/** The folders, hosts and recipients that do not count as outside of a conversation. No server is told of them. */
export function PlaceDialog({ head: { id, project }, onClose }: PlaceDialogProps) {
  const read = useRequest('conversation.place', { id })
  const [changed, setChanged] = useState<Place>()
  const place = changed ?? read.value
  const save = async (next: Place) => {
    await ask('conversation.setPlace', { id, place: next })
    // The host may normalise them.
    setChanged(await ask('conversation.place', { id }))
  }
  return (
    <Dialog
      title="Folders, sites and people"
      closeLabel="Close"
      onEscape={onClose}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <p className="soft">
        You are asked before a call reaches beyond these. Known servers may read inside them. Servers are not told about them.
      </p>
      <InProject id={project} onLeave={onClose} />
      {place ? (
        <PlaceFields of="this conversation" place={place} save={save} />
      ) : (
        <Awaited label="Loading" problem={read.problem} />
      )}
      <ToldElsewhere onLeave={onClose} />
    </Dialog>
  )
}

/** Links to the project, which names more of them. */
function InProject({ id, onLeave }: { readonly id: ConversationHead['project']; readonly onLeave: () => void }) {
  const project = useHost((mirror) => mirror.host.projects.find((one) => one.id === id))
  if (!project) return null
  return (
    <p>
      Those of its project{' '}
      <a href={routeHash({ section: 'projects', id: project.id })} onClick={onLeave}>
        <VisibleText text={project.name} />
      </a>{' '}
      count, too.
    </p>
  )
}

/** Links to the Roots tab of each server. */
function ToldElsewhere({ onLeave }: { readonly onLeave: () => void }) {
  const servers = useHost((mirror) => mirror.host.servers)
  const all = sortedServers(servers)
  if (all.length === 0) return null
  return (
    <p className="meta">
      Choose what a server is told in its Roots tab:{' '}
      {all.map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 ? ', ' : null}
          <a href={routeHash({ section: 'servers', id, tab: 'roots' })} onClick={onLeave}>
            <VisibleText text={name} />
          </a>
        </span>
      ))}
    </p>
  )
}
