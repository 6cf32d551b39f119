import type { SamplingRequestQuestion } from '../../../src-shared/contract/sampling.ts'
import { routeHash } from '../../state/route.ts'
import { counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { GrantButton } from '../../ui/GrantButton.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { answeredBy } from '../frame/answer-keys.ts'
import { QuestionFrame } from '../frame/QuestionFrame.tsx'
import { useDraft } from '../frame/use-draft.ts'
import { type QuestionProps, useQuestion } from '../frame/use-question.tsx'
import { EditableText } from './EditableText.tsx'
import { SampledBlocks } from './SampledBlocks.tsx'
import { SamplingContext } from './SamplingContext.tsx'
import { SamplingExtras } from './SamplingExtras.tsx'
import { SamplingModelChoice } from './SamplingModelChoice.tsx'
import { chosenModel, readSamplingDraft, type SamplingDraft, samplingAnswer } from './sampling-draft.ts'
import './sampling.css'

/** A server wants the person's model to answer something: everything that would be sent, to be changed or refused. */
export function SamplingReviewDialog(props: QuestionProps<'sampling-request'>) {
  const { about, question } = props.interaction
  const { frame, held, refusal, grant } = useQuestion(props)
  const { draft, change, problem: unkept } = useDraft(props.interaction, readSamplingDraft)
  const ready = samplingAnswer(question, draft)
  const wrong = typeof ready === 'string' ? ready : undefined
  const { name } = chosenModel(question, draft)
  return (
    <QuestionFrame
      {...frame}
      title="Review sampling request"
      problem={frame.problem ?? wrong ?? unkept}
      sentence={
        <>
          Let <VisibleText as="strong" text={about.serverName} /> send this to <VisibleText as="strong" text={name} />?
        </>
      }
      why={
        <p>
          This is all that would be sent, and you can edit it. The server gets only the reply that you approve. Its limits are
          under <a href={routeHash({ section: 'servers', id: about.serverId })}>Servers, {visibleText(about.serverName)}</a>.
        </p>
      }
      refusals={refusal('Decline', { decision: 'decline' })}
      choices={
        <GrantButton
          variant="allow"
          {...answeredBy('allow')}
          held={held || wrong !== undefined}
          onGrant={(by) => typeof ready !== 'string' && grant(by, ready)}
        >
          Send to model
        </GrantButton>
      }
    >
      <SystemPrompt question={question} draft={draft} onChange={change} />
      <section className="column" aria-label="What is asked">
        <h3 className="question-label">{counted(question.messages.length, 'message')}</h3>
        {question.messages.map((message) => {
          const author = message.role === 'user' ? 'User' : 'Assistant'
          return (
            <div key={message.blocks[0]?.n ?? author} className="column-1">
              <div className="strong meta">{author}</div>
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
  readonly question: SamplingRequestQuestion
  readonly draft: SamplingDraft
  readonly onChange: (draft: SamplingDraft) => void
}

/** The server's, not the app's: it may be changed or left out (SAMP-21). */
function SystemPrompt({ question: { systemPrompt }, draft, onChange }: SystemPromptProps) {
  if (!systemPrompt) return null
  const { system, ...rest } = draft
  return (
    <section className="column" aria-label="Instructions">
      <h3 className="question-label">System prompt (from the server)</h3>
      {system === null ? (
        <div className="sampled-removed meta">
          <span>System prompt removed.</span>
          <Button size="small" variant="quiet" aria-label="Restore the system prompt" onClick={() => onChange(rest)}>
            Restore
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
            aria-label="Remove the system prompt"
            onClick={() => onChange({ ...draft, system: null })}
          >
            Remove
          </Button>
        </div>
      )}
    </section>
  )
}
