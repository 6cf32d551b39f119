import { useId } from 'react'
import type { Interaction } from '../../src-shared/contract/interactions.ts'
import { answer, attempt, declineAll, muteServer } from '../state/actions.ts'
import { useHost } from '../state/host-store.ts'
import { routeHash } from '../state/route.ts'
import { offerUndo, openQuestion } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { Menu } from '../ui/Menu.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { EmptyState } from '../ui/states.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { ServerBadge } from './QuestionFrame.tsx'
import { hasDialog } from './question-kinds.tsx'
import { questionSentence, refusal } from './question-words.ts'
import './interactions.css'

/** Everything that waits for the person, oldest first. */
export function InboxView() {
  const interactions = useHost((mirror) => mirror.host.interactions)
  return (
    <div className="inbox">
      <h1>Inbox</h1>
      {interactions.length === 0 ? (
        <EmptyState title="Nothing waits for you">Questions of servers and models stay here until you answer them.</EmptyState>
      ) : (
        <ul className="inbox-rows" aria-label="Open questions">
          {interactions.map((interaction) => (
            <Row key={interaction.id} interaction={interaction} />
          ))}
        </ul>
      )}
    </div>
  )
}

function Row({ interaction }: { readonly interaction: Interaction }) {
  const { about } = interaction
  const sentence = useId()
  const server = visibleText(about.serverName)
  const mute = async () => {
    await muteServer(about.serverId, true)
    offerUndo({ text: `Muted ${server}`, undo: () => void attempt(muteServer(about.serverId, false)) })
  }
  return (
    <li className="inbox-row">
      <div className="inbox-row-text">
        <ServerBadge name={about.serverName} />
        <div id={sentence} className="inbox-row-sentence">
          {questionSentence(interaction)}
        </div>
        <div className="meta">
          {about.conversationId === undefined ? (
            about.cause
          ) : (
            <a href={routeHash({ section: 'conversations', id: about.conversationId })}>{about.cause}</a>
          )}
          {' · '}
          <RelativeTime at={interaction.askedAt} />
        </div>
      </div>
      {hasDialog(interaction) ? (
        <Button aria-describedby={sentence} onClick={() => openQuestion(interaction.id)}>
          Answer
        </Button>
      ) : null}
      <Menu
        label={`More about ${server}`}
        items={[
          { label: 'Decline this one', onSelect: () => void attempt(answer(refusal(interaction))) },
          { label: 'Decline all from this server', onSelect: () => void attempt(declineAll(about.serverId)) },
          { label: 'Mute this server', onSelect: () => void attempt(mute()) },
        ]}
      />
    </li>
  )
}
