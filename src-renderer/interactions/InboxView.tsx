import type { BackgroundCall, ConversationHead } from '../../src-shared/contract/conversations.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { Interaction } from '../../src-shared/contract/interactions.ts'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost, useHostShallow } from '../state/host-store.ts'
import type { EndedQuestion } from '../state/mirror.ts'
import { routeHash } from '../state/route.ts'
import { conversationTitle, IN_BACKGROUND, INTERRUPTED, sortedServers } from '../state/selectors.ts'
import { announce, offerUndo } from '../state/view-store.ts'
import { counted } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Menu } from '../ui/Menu.tsx'
import { ScreenTitle } from '../ui/ScreenTitle.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { BackgroundRow } from './BackgroundRow.tsx'
import { BlockedRow } from './BlockedRow.tsx'
import { ServerBadge } from './frame/QuestionFrame.tsx'
import { questionSentence } from './frame/question-labels.ts'
import { InboxRow } from './InboxRow.tsx'
import './frame/interactions.css'

interface Group {
  readonly serverId: ServerId
  readonly serverName: string
  readonly questions: readonly Interaction[]
}

/** By server, the one that waits longest first; within it the oldest first. */
function byServer(interactions: readonly Interaction[]): readonly Group[] {
  const groups = new Map<ServerId, Interaction[]>()
  for (const interaction of interactions) {
    const { serverId } = interaction.about
    const group = groups.get(serverId)
    if (group) group.push(interaction)
    else groups.set(serverId, [interaction])
  }
  return [...groups].map(([serverId, questions]) => ({
    serverId,
    serverName: questions[0]?.about.serverName ?? serverId,
    questions,
  }))
}

/** Everything that waits for the person. Nothing opens here unless its row is asked to. */
export function InboxView() {
  const interactions = useHost((mirror) => mirror.host.interactions)
  const background = useHost((mirror) => mirror.host.background)
  const ended = useHost((mirror) => mirror.ended)
  const muted = useHostShallow((mirror) => sortedServers(mirror.host.servers).filter((server) => server.options.muted))
  const fenced = useHostShallow((mirror) => sortedServers(mirror.host.servers).filter((server) => server.blocked))
  const interrupted = useHostShallow(({ host }) => host.conversations.filter((head) => head.interrupted && !head.archived))
  return (
    <div className="inbox column-4">
      {/* A row that was answered takes the focus with it. */}
      <ScreenTitle of={interactions}>Inbox</ScreenTitle>
      {byServer(interactions).map((group) => (
        <ServerGroup key={group.serverId} group={group} />
      ))}
      {[interactions, background, fenced, interrupted].every((rows) => rows.length === 0) ? (
        <EmptyState title="Inbox is empty">Questions from servers and models appear here.</EmptyState>
      ) : null}
      {interrupted.length > 0 ? <Interrupted heads={interrupted} /> : null}
      {fenced.length > 0 ? <Blocked servers={fenced} /> : null}
      {background.length > 0 ? <Background calls={background} /> : null}
      {ended.length > 0 ? <Ended ended={ended} /> : null}
      {muted.length > 0 ? <Muted servers={muted} /> : null}
    </div>
  )
}

const unmute = (serverId: ServerId) => void attempt(ask('server.mute', { serverId, muted: false }))

function ServerGroup({ group }: { readonly group: Group }) {
  const { serverId, serverName, questions } = group
  const server = visibleText(serverName)
  const decline = async () => {
    const { declined } = await ask('interaction.declineAll', { serverId })
    announce(`${counted(declined, 'question')} of ${server} declined.`)
  }
  const mute = async () => {
    await ask('server.mute', { serverId, muted: true })
    offerUndo({ text: `Muted ${server}`, undo: () => unmute(serverId) })
  }
  return (
    <section className="column" aria-label={`Questions of ${server}`}>
      <div className="inbox-group-head line">
        <h2>
          <ServerBadge name={serverName} />
        </h2>
        <span className="meta">{counted(questions.length, 'open question')}</span>
        <Menu
          label={`More about ${server}`}
          items={[
            { label: 'Decline all from this server', onSelect: () => void attempt(decline()) },
            { label: 'Mute this server', onSelect: () => void attempt(mute()) },
          ]}
        />
      </div>
      <ul className="column-0 divided card" aria-label={`Open questions of ${server}`}>
        {questions.map((interaction) => (
          <InboxRow key={interaction.id} interaction={interaction} />
        ))}
      </ul>
    </section>
  )
}

/** Conversations that offer to continue. */
function Interrupted({ heads }: { readonly heads: readonly ConversationHead[] }) {
  return (
    <section className="column" aria-label={INTERRUPTED}>
      <h2 className="inbox-heading">{INTERRUPTED}</h2>
      <ul className="column-0 divided card">
        {heads.map((head) => (
          <li key={head.id} className="inbox-row">
            <a href={routeHash({ section: 'conversations', id: head.id })} dir="auto">
              <VisibleText text={conversationTitle(head)} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Hosts and folders that fences kept from their servers. */
function Blocked({ servers }: { readonly servers: readonly ServerRecord[] }) {
  return (
    <section className="column" aria-label="Kept out by fences">
      <h2 className="inbox-heading">Kept out by fences</h2>
      <ul className="column-0 divided card">
        {servers.flatMap((server) =>
          (server.blocked ?? []).map((reach) => (
            <BlockedRow key={`${server.id} ${reach.kind} ${reach.name}`} server={server} reach={reach} />
          )),
        )}
      </ul>
    </section>
  )
}

/** Calls that their servers run as tasks, and those that ended unseen. */
function Background({ calls }: { readonly calls: readonly BackgroundCall[] }) {
  return (
    <section className="column" aria-label={IN_BACKGROUND}>
      <h2 className="inbox-heading">{IN_BACKGROUND}</h2>
      <ul className="column-0 divided card">
        {calls.map((call) => (
          <BackgroundRow key={call.id} call={call} />
        ))}
      </ul>
    </section>
  )
}

/** Questions that ended before they were answered, and why. */
function Ended({ ended }: { readonly ended: readonly EndedQuestion[] }) {
  return (
    <section className="column" aria-label="Expired">
      <h2 className="inbox-heading">Expired</h2>
      <ul className="column-0 divided card">
        {ended.map(({ interaction, why }) => (
          <li key={interaction.id} className="inbox-row">
            <div className="column-tight grow">
              <div>{questionSentence(interaction)}</div>
              <VisibleText as="div" className="meta" text={why} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Muted({ servers }: { readonly servers: readonly ServerRecord[] }) {
  return (
    <section className="column" aria-label="Muted servers">
      <h2 className="inbox-heading">Muted servers</h2>
      <p className="meta">Their questions are refused without being shown.</p>
      <ul className="column-0 divided card">
        {servers.map(({ id, name }) => (
          <li key={id} className="inbox-row">
            <div className="column-tight grow">
              <ServerBadge name={name} />
            </div>
            <Button size="small" aria-label={`Unmute ${visibleText(name)}`} onClick={() => unmute(id)}>
              Unmute
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
