import type { PromptPreview } from '../../src-shared/contract/attachments.ts'
import type { Prompt } from '../../src-shared/mcp/primitives.ts'
import { PromptMessages } from '../content/PromptMessages.tsx'
import { PromptForm } from '../forms/PromptForm.tsx'
import { usePromptPreview } from '../forms/use-prompt-preview.ts'
import { conversationOf } from '../offers/conversation-of.ts'
import type { ServerOffer } from '../offers/use-offers.ts'
import { ask } from '../state/ask.ts'
import { useAction } from '../state/use-action.ts'
import type { Picker } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'
import { OfferSummary } from './OfferSummary.tsx'

interface PromptStepProps {
  readonly picker: Picker
  readonly offer: ServerOffer<Prompt>
  readonly onInserted: () => void
}

/** The arguments of one prompt, then its messages; only a click puts them into the conversation. */
export function PromptStep({ picker, offer, onInserted }: PromptStepProps) {
  const { server, item } = offer
  const { busy, preview, problem, get, forget } = usePromptPreview(server.id, item.name)
  return (
    <div className="picker column-3">
      <OfferSummary title={item.title || item.name} serverName={server.name} description={item.description} />
      <div hidden={preview !== undefined}>
        <PromptForm server={server} prompt={item} busy={busy} onSubmit={get} />
      </div>
      {preview ? (
        <Previewed picker={picker} preview={preview} onInserted={onInserted} onChange={forget} />
      ) : (
        <ProblemCard problem={problem} />
      )}
    </div>
  )
}

interface PreviewedProps extends Pick<PromptStepProps, 'picker' | 'onInserted'> {
  readonly preview: PromptPreview
  readonly onChange: () => void
}

function Previewed({ picker, preview, onInserted, onChange }: PreviewedProps) {
  const { busy, problem, run } = useAction()
  const insert = (send: boolean) =>
    void run(async () => {
      const id = await conversationOf(picker)
      await ask('conversation.attachPrompt', { id, preview: preview.preview, run: send })
      onInserted()
    })
  const disabled = busy || preview.messages.length === 0
  return (
    <>
      <PromptMessages preview={preview} />
      <ProblemCard problem={problem} />
      <div className="actions">
        <Button variant="primary" disabled={disabled} onClick={() => insert(true)}>
          Use it
        </Button>
        <Button disabled={disabled} onClick={() => insert(false)}>
          Insert without asking the model
        </Button>
        <Button disabled={busy} onClick={onChange}>
          Change the arguments
        </Button>
      </div>
    </>
  )
}
