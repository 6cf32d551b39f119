import type { GuardNote } from '../../src-shared/contract/consent.ts'
import type { ConversationId } from '../../src-shared/contract/ids.ts'
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
          <span className="content-guard-text">
            <span className="unseen">Warning: </span>
            <VisibleText text={text} />
            {conversationId === undefined
              ? null
              : sources.map((source, at) => (
                  <span key={source}>
                    {' '}
                    <CallLink conversationId={conversationId} toolCallId={source}>
                      {sources.length === 1 ? 'Show source' : `Show source ${at + 1}`}
                    </CallLink>
                  </span>
                ))}
          </span>
        </li>
      ))}
    </ul>
  )
}
