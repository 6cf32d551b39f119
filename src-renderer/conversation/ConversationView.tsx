import { type ReactNode, useEffect } from 'react'
import type { ConversationHead } from '../../src-shared/contract/conversations.ts'
import type { ConversationId, ProjectId } from '../../src-shared/contract/ids.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { projectOfNew } from '../state/conversation-actions.ts'
import { keepHead, useHost } from '../state/host-store.ts'
import { routeHash } from '../state/route.ts'
import { conversationTitle, findHead } from '../state/selectors.ts'
import { useConversation } from '../state/use-topic.ts'
import { renameConversation, useView } from '../state/view-store.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ProjectIcon } from '../ui/icons.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { Composer } from './Composer.tsx'
import { ConversationMenu } from './list/ConversationMenu.tsx'
import './list/conversation.css'
import { TitleField } from './list/TitleField.tsx'
import { MessageList } from './messages/MessageList.tsx'
import { Suggestions } from './Suggestions.tsx'

interface ConversationViewProps {
  /** Undefined before the first message. */
  readonly id: ConversationId | undefined
  /** The question that this conversation caused, shown at its end. */
  readonly question: ReactNode
  /** Shown while there are no messages; suggestions unless set. */
  readonly welcome?: ReactNode
}

export function ConversationView({ id, question, welcome }: ConversationViewProps) {
  const head = useHost((mirror) => findHead(mirror, id))
  const project = useView((view) => projectOfNew(view.route))
  return (
    <div className="conversation column-0">
      {id === undefined ? (
        <>
          {welcome ? null : project ? <NewInProject id={project} /> : <h1 className="unseen">New conversation</h1>}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls in a low window must be reachable by keyboard */}
          <div className="column-0 scrolls" tabIndex={0}>
            {welcome ?? <Suggestions />}
          </div>
          <Composer head={undefined} />
        </>
      ) : (
        <Opened key={id} id={id} head={head} question={question} />
      )}
    </div>
  )
}

interface OpenedProps {
  readonly id: ConversationId
  readonly head: ConversationHead | undefined
  readonly question: ReactNode
}

function Opened({ id, head, question }: OpenedProps) {
  const topic = useConversation(id)
  const unlisted = head === undefined && topic !== undefined && topic !== 'gone'
  useEffect(() => {
    if (unlisted) void attempt(ask('conversation.head', { id }).then(keepHead))
  }, [unlisted, id])
  const why = useHost(({ topics }) => {
    const followed = topics[`conversation/${id}`]
    return followed?.is === 'gone' ? followed.why : undefined
  })
  if (topic === 'gone') {
    return (
      <EmptyState
        title={why === undefined ? 'Conversation not found' : 'This conversation could not be opened'}
        actions={<a href={routeHash({ section: 'conversations' })}>New conversation</a>}
      >
        <VisibleText text={why ?? 'It was deleted, or never saved.'} />
      </EmptyState>
    )
  }
  return (
    <>
      {head ? <Header head={head} /> : <h1 className="unseen">Conversation</h1>}
      {topic === undefined || head === undefined ? (
        <div className="conversation-loading column-0 scrolls">
          <Skeleton label="Loading the conversation" lines={7} />
        </div>
      ) : topic.messages.length === 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls in a low window must be reachable by keyboard
        <div className="column-0 scrolls" tabIndex={0}>
          <Suggestions conversationId={id} />
        </div>
      ) : (
        <MessageList id={id} head={head} topic={topic} question={question} />
      )}
      {question === null ? null : <div className="conversation-question column-0">{question}</div>}
      {head ? <Composer head={head} /> : null}
    </>
  )
}

function NewInProject({ id }: { readonly id: ProjectId }) {
  return (
    <header className="conversation-head row">
      <h1 className="conversation-title grow one-line">New conversation</h1>
      <ProjectLink id={id} />
    </header>
  )
}

function ProjectLink({ id }: { readonly id: ProjectId | undefined }) {
  const project = useHost((mirror) => mirror.host.projects.find((one) => one.id === id))
  if (!project) return null
  return (
    <a className="conversation-project one-line" href={routeHash({ section: 'projects', id: project.id })} title="Project">
      <ProjectIcon />
      <VisibleText text={project.name} />
    </a>
  )
}

function Header({ head }: { readonly head: ConversationHead }) {
  const renaming = useView((view) => view.renaming === head.id)
  const title = conversationTitle(head)
  return (
    <header className="conversation-head row">
      {renaming ? (
        <>
          <h1 className="unseen">{title}</h1>
          <TitleField head={head} onDone={() => renameConversation(undefined)} />
        </>
      ) : (
        <h1 className="conversation-title grow one-line" dir="auto">
          <VisibleText text={title} />
        </h1>
      )}
      <ProjectLink id={head.project} />
      {head.archived ? <span className="meta">Archived</span> : null}
      {head.schedule === undefined ? null : (
        <a className="meta" href={routeHash({ section: 'settings', id: 'schedules' })}>
          Scheduled
        </a>
      )}
      {head.forkOf === undefined ? null : (
        <a className="meta" href={routeHash({ section: 'conversations', id: head.forkOf })}>
          Forked
        </a>
      )}
      {head.tags?.map((tag) => (
        <span key={tag} className="conversation-tag">
          <VisibleText text={tag} />
        </span>
      ))}
      <ConversationMenu head={head} label="More about this conversation" onRename={() => renameConversation(head.id)} />
    </header>
  )
}
