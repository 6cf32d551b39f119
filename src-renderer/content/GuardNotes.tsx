import type { GuardNote } from '../../src-shared/contract/consent.ts'
import type { ConversationId } from '../../src-shared/contract/ids.ts'
import { useHost } from '../state/host-store.ts'
import { WarningIcon } from '../ui/icons.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { CallLink } from './CallLink.tsx'
import './text/content.css'

interface GuardNotesProps {
  readonly guards: readonly GuardNote[]
  /** The conversation of the calls named as sources. */
  readonly conversationId: ConversationId | undefined
}

/** The reasons to ask about a call although something allows it. */
export function GuardNotes({ guards, conversationId }: GuardNotesProps) {
  if (guards.length === 0) return null
  return (
    <ul className="content-guards column">
      {guards.map(({ guard, text, argument, sources = [] }) => (
        <li className="content-guard" key={`${guard} ${argument ?? ''} ${text}`}>
          <WarningIcon />
          <span className="grow">
            <span className="unseen">Warning: </span>
            <VisibleText text={text} />
            {conversationId === undefined
              ? null
              : sources.map((source) => (
                  <span key={source}>
                    {' '}
                    <SourceLink conversationId={conversationId} source={source} />
                  </span>
                ))}
          </span>
        </li>
      ))}
    </ul>
  )
}

interface SourceLinkProps {
  readonly conversationId: ConversationId
  /** A call, or a message with what was brought along. */
  readonly source: string
}

/** “Show get_news”; a message, and a call that is not loaded yet, have no name. */
function SourceLink({ conversationId, source }: SourceLinkProps) {
  const tool = useHost(({ topics }) => {
    const topic = topics[`conversation/${conversationId}`]
    const calls = topic?.is === 'open' && topic.value.kind === 'conversation' ? Object.values(topic.value.toolCalls) : []
    return calls.find(({ id }) => id === source)?.tool
  })
  return (
    <CallLink conversationId={conversationId} toolCallId={source}>
      Show <VisibleText text={tool ?? 'where it comes from'} />
    </CallLink>
  )
}
