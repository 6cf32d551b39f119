import { useRef } from 'react'
import type { InteractionOf } from '../../../src-shared/contract/interactions.ts'
import { routeHash } from '../../state/route.ts'
import { Button } from '../../ui/Button.tsx'
import { counted } from '../../ui/sizes.ts'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { QuestionFrame } from '../frame/QuestionFrame.tsx'
import { useAnswer } from '../frame/use-answer.ts'
import { useArmed } from '../frame/use-armed.ts'
import { useDraft } from '../frame/use-draft.ts'
import { EditableText } from './EditableText.tsx'
import { SampledBlocks } from './SampledBlocks.tsx'
import { SamplingContext } from './SamplingContext.tsx'
import { SamplingExtras } from './SamplingExtras.tsx'
import { SamplingModelChoice } from './SamplingModelChoice.tsx'
import { chosenModel, readSamplingDraft, type SamplingDraft, samplingAnswer } from './sampling-draft.ts'
import './sampling.css'

export interface SamplingReviewDialogProps {
  readonly interaction: InteractionOf<'sampling-request'>
  readonly modal: boolean
}

/** A server wants the person's model to answer something: everything that would be sent, to be changed or refused. */
export function SamplingReviewDialog({ interaction, modal }: SamplingReviewDialogProps) {
  const { id, about, question } = interaction
  const safe = useRef<HTMLButtonElement>(null)
  const armed = useArmed()
  const { busy, problem, give } = useAnswer()
  const { draft, change, problem: unkept } = useDraft(interaction, readSamplingDraft)
  const ready = samplingAnswer(question, draft)
  const wrong = typeof ready === 'string' ? ready : undefined
  const { name } = chosenModel(question, draft)
  return (
    <QuestionFrame
      interaction={interaction}
      title="Review sampling request"
      modal={modal}
      safe={safe}
      problem={problem ?? wrong ?? unkept}
      sentence={
        <>
          <VisibleText text={about.serverName} /> wants a reply from a model of yours. This is all that would be sent to{' '}
          <VisibleText text={name} />. You may change it.
        </>
      }
      why={
        <p>
          Nothing has been sent yet. The server is given no more than the reply that you let through, which you see first. How
          often it may ask is set under{' '}
          <a href={routeHash({ section: 'servers', id: about.serverId })}>Servers, {visibleText(about.serverName)}</a>.
        </p>
      }
      choices={
        <>
          <Button
            ref={safe}
            variant="primary"
            disabled={busy}
            onClick={() => give({ id, kind: 'sampling-request', answer: { decision: 'decline' } })}
          >
            Decline
          </Button>
          <span className="question-gap" />
          <Button
            variant="allow"
            disabled={!armed || busy || wrong !== undefined}
            onClick={() => {
              if (typeof ready !== 'string') give({ id, kind: 'sampling-request', answer: ready })
            }}
          >
            Send to model
          </Button>
        </>
      }
    >
      <SystemPrompt interaction={interaction} draft={draft} onChange={change} />
      <section className="sampling-part" aria-label="What is asked">
        <h3 className="question-label">{counted(question.messages.length, 'message')}</h3>
        {question.messages.map((message) => {
          const author = message.role === 'user' ? 'User' : 'Assistant'
          return (
            <div key={message.blocks[0]?.n ?? author} className="sampled-message">
              <div className="sampled-author meta">{author}</div>
              <SampledBlocks author={author} blocks={message.blocks} edits={draft} onChange={change} />
            </div>
          )
        })}
      </section>
      <SamplingContext context={question.context} ticked={draft.context} onChange={(context) => change({ ...draft, context })} />
      <SamplingModelChoice question={question} draft={draft} onChange={change} />
      <SamplingExtras question={question} />
    </QuestionFrame>
  )
}

interface SystemPromptProps {
  readonly interaction: InteractionOf<'sampling-request'>
  readonly draft: SamplingDraft
  readonly onChange: (draft: SamplingDraft) => void
}

/** The server's, not the app's: it may be changed or left out (SAMP-21). */
function SystemPrompt({ interaction, draft, onChange }: SystemPromptProps) {
  const { systemPrompt } = interaction.question
  if (!systemPrompt) return null
  const { system, ...rest } = draft
  return (
    <section className="sampling-part" aria-label="Instructions">
      <h3 className="question-label">System prompt, written by the server</h3>
      {system === null ? (
        <div className="sampled-removed meta">
          <span>The system prompt is taken out.</span>
          <Button size="small" variant="quiet" aria-label="Put back the system prompt" onClick={() => onChange(rest)}>
            Put back
          </Button>
        </div>
      ) : (
        <div className="sampled-block">
          <EditableText
            label="System prompt"
            original={systemPrompt}
            edited={system}
            onChange={(text) => onChange(text === undefined ? rest : { ...draft, system: text })}
          />
          <Button
            size="small"
            variant="quiet"
            aria-label="Take out the system prompt"
            onClick={() => onChange({ ...draft, system: null })}
          >
            Take out
          </Button>
        </div>
      )}
    </section>
  )
}
