import { useId } from 'react'
import type { Interaction } from '../../src-shared/contract/interactions.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { routeHash } from '../state/route.ts'
import { openQuestion } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { Menu } from '../ui/Menu.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { questionDetail, questionSentence, refusalAnswer } from './frame/question-labels.ts'

/** One open question: what is asked, why, since when, and the way to its dialog. */
export function InboxRow({ interaction }: { readonly interaction: Interaction }) {
  const { about } = interaction
  const id = useId()
  const typed = interaction.draft !== undefined
  const detail = questionDetail(interaction)
  return (
    <li className="inbox-row">
      <div className="column-tight grow">
        <div id={id} className="medium">
          {questionSentence(interaction)}
          {detail === undefined ? null : <code className="inbox-row-detail one-line">{detail}</code>}
        </div>
        <div className="meta">
          {typed ? 'Draft · ' : null}
          <RelativeTime at={interaction.askedAt} />
          {' · '}
          {about.conversationId === undefined ? (
            about.cause
          ) : (
            <a href={routeHash({ section: 'conversations', id: about.conversationId })}>{about.cause}</a>
          )}
        </div>
      </div>
      <Button aria-describedby={id} onClick={() => openQuestion(interaction.id)}>
        Answer
      </Button>
      <Menu
        label={`More about: ${questionSentence(interaction)}`}
        items={[{ label: 'Decline', onSelect: () => void attempt(ask('interaction.answer', refusalAnswer(interaction))) }]}
      />
    </li>
  )
}
