import { useEffect, useRef } from 'react'
import type { SamplingResultQuestion } from '../../../src-shared/contract/sampling.ts'
import { useHost } from '../../state/host-store.ts'
import { modelLabel } from '../../state/models.ts'
import { announce } from '../../state/view-store.ts'
import { grouped } from '../../ui/amounts.ts'
import { GrantButton } from '../../ui/GrantButton.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { answeredBy } from '../frame/answer-keys.ts'
import { QuestionFrame } from '../frame/QuestionFrame.tsx'
import { useDraft } from '../frame/use-draft.ts'
import { type QuestionProps, useQuestion } from '../frame/use-question.tsx'
import { editsToSend, readBlockEdits } from './block-edits.ts'
import { SampledBlocks } from './SampledBlocks.tsx'
import './sampling.css'

/** A model's reply for a server: it arrives, may be changed, and goes on only when the person sends it. */
export function SamplingReplyDialog(props: QuestionProps<'sampling-result'>) {
  const { about, question } = props.interaction
  const { frame, held, refusal, grant } = useQuestion(props)
  const { draft, change, problem: unkept } = useDraft(props.interaction, readBlockEdits)
  const blocks = editsToSend(question.blocks, draft)
  const { state } = question
  const empty = state === 'done' && blocks.length === 0
  const model = useHost((mirror) => modelLabel(mirror.host.providers, question.model))
  useSpokenState(question)
  return (
    <QuestionFrame
      {...frame}
      title="Review reply"
      problem={frame.problem ?? (empty ? 'Nothing is left to send. Restore something, or decline.' : unkept)}
      sentence={
        <>
          {state === 'done' ? 'Send this reply of' : 'Reply of'} <VisibleText as="strong" text={model} /> to{' '}
          <VisibleText as="strong" text={about.serverName} />
          {state === 'done' ? '?' : '.'}
        </>
      }
      why={
        <p>
          You sent this request to a model. The server gets this reply and the model’s name once you send it. If you decline, it
          is told so.
        </p>
      }
      refusals={refusal('Decline', { decision: 'decline' })}
      choices={
        <>
          <GrantButton
            held={held || state === 'writing' || question.noAgain !== undefined}
            title={question.noAgain}
            onGrant={(by) => grant(by, { decision: 'again' })}
          >
            Regenerate
          </GrantButton>
          <GrantButton
            variant="allow"
            {...answeredBy('allow')}
            held={held || state !== 'done' || empty}
            onGrant={(by) => grant(by, { decision: 'return', blocks })}
          >
            Send to server
          </GrantButton>
        </>
      }
    >
      <p className="meta" role="status">
        {progress(question, model)}
      </p>
      {question.problem ? <ProblemCard problem={question.problem} /> : null}
      {state === 'done' ? (
        <div className="column-1">
          <SampledBlocks author="Reply" blocks={question.blocks} edits={draft} onChange={change} />
        </div>
      ) : (
        <Arriving blocks={question.blocks} writing={state === 'writing'} />
      )}
      {question.noAgain ? <p className="meta">Cannot regenerate: {question.noAgain}</p> : null}
    </QuestionFrame>
  )
}

const STOPS: Readonly<Record<string, string>> = {
  endTurn: 'Complete',
  maxTokens: 'Cut off at the maximum tokens',
  stopSequence: 'Ended at a stop sequence',
  toolUse: 'Complete with a tool use',
}

function progress({ state, stopReason, usage }: SamplingResultQuestion, model: string): string {
  if (state === 'writing') return `${visibleText(model)} is writing …`
  if (state === 'failed') return 'No reply'
  const end = stopReason === undefined ? 'Complete' : (STOPS[stopReason] ?? `Ended with “${visibleText(stopReason)}”`)
  return usage ? `${end} · ${grouped(usage.input)} in, ${grouped(usage.output)} out` : end
}

/** Tells screen readers once that the reply is there. */
function useSpokenState({ state }: SamplingResultQuestion): void {
  const before = useRef(state)
  useEffect(() => {
    if (before.current === state) return
    before.current = state
    announce(state === 'done' ? 'The reply is complete.' : 'The reply failed.')
  }, [state])
}

/** The text while it comes; the newest line stays in sight. */
function Arriving({ blocks, writing }: { readonly blocks: SamplingResultQuestion['blocks']; readonly writing: boolean }) {
  const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  if (text === '' && !writing) return null
  return (
    <section
      className="server-text from-server sampling-arriving"
      aria-label="The reply so far"
      aria-busy={writing}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling text must be reachable by keyboard
      tabIndex={0}
    >
      <VisibleText as="div" text={text} />
    </section>
  )
}
