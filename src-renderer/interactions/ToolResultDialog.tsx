import { ContentBlockView } from '../content/ContentBlockView.tsx'
import { GrantButton } from '../ui/GrantButton.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { answeredBy } from './frame/answer-keys.ts'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { useDraft } from './frame/use-draft.ts'
import { type QuestionProps, useQuestion } from './frame/use-question.tsx'
import { editedText, editsToSend, readBlockEdits, withText } from './sampling/block-edits.ts'
import { EditableText } from './sampling/EditableText.tsx'
import { RemovableBlock } from './sampling/RemovableBlock.tsx'
import './sampling/sampling.css'

/** The result of a call before the model gets it: whole, as the person leaves it, or not at all. */
export function ToolResultDialog(props: QuestionProps<'tool-result'>) {
  const { about, question } = props.interaction
  const { frame, held, refusal, grant } = useQuestion(props)
  const { draft, change, problem: unkept } = useDraft(props.interaction, readBlockEdits)
  const blocks = editsToSend(question.blocks, draft)
  const empty = blocks.length === 0 && question.blocks.length > 0
  return (
    <QuestionFrame
      {...frame}
      title="Review result"
      problem={frame.problem ?? (empty ? 'Nothing is left to send. Restore something, or withhold it.' : unkept)}
      causeFolded
      sentence={
        <p>
          Give the model this result of <VisibleText as="code" className="strong" text={question.tool} /> on{' '}
          <VisibleText as="strong" text={about.serverName} />?
        </p>
      }
      why={<p>You chose to see its results first. The model is told if you change or withhold this one.</p>}
      refusals={refusal('Withhold', { decision: 'decline' })}
      choices={
        <GrantButton
          variant="allow"
          {...answeredBy('allow')}
          held={held || empty}
          onGrant={(by) => grant(by, { decision: 'send', blocks })}
        >
          Send to model
        </GrantButton>
      }
    >
      {question.isError ? <p className="meta">The tool reports an error.</p> : null}
      {question.blocks.length === 0 ? <p className="meta">The result is empty.</p> : null}
      <div className="column-1">
        {question.blocks.map((block) => {
          const label = `Result part ${block.n + 1}`
          return (
            <RemovableBlock key={block.n} label={label} block={block} edits={draft} onChange={change}>
              {block.type === 'text' ? (
                <EditableText
                  label={label}
                  original={block}
                  edited={editedText(draft, block)}
                  onChange={(text) => change(withText(draft, block.n, text))}
                />
              ) : (
                <ContentBlockView content={block} />
              )}
            </RemovableBlock>
          )
        })}
      </div>
    </QuestionFrame>
  )
}
