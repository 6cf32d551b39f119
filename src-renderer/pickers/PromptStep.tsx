import { useState } from 'react'
import type { PromptPreview } from '../../src-shared/contract/attachments.ts'
import type { Prompt } from '../../src-shared/mcp/primitives.ts'
import { PromptMessages } from '../content/PromptMessages.tsx'
import { PromptForm } from '../forms/PromptForm.tsx'
import { usePromptPreview } from '../forms/use-prompt-preview.ts'
import { failureText } from '../state/actions.ts'
import { attachPrompt } from '../state/context-actions.ts'
import { promptPowers } from '../state/form-powers.ts'
import type { Picker } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'
import { conversationOf } from './chosen-place.ts'
import { OfferAbout } from './OfferAbout.tsx'
import type { Offer } from './use-offers.ts'

export interface PromptStepProps {
  readonly picker: Picker
  readonly offer: Offer<Prompt>
  readonly onInserted: () => void
}

/** The arguments of one prompt, then what it returned; only a click puts that into the conversation. */
export function PromptStep({ picker, offer, onInserted }: PromptStepProps) {
  const { server, item } = offer
  const powers = promptPowers(server.id, item.name)
  const { busy: getting, preview, failed, get, forget } = usePromptPreview(powers)
  const [inserting, setInserting] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [place, setPlace] = useState(picker)
  const busy = getting || inserting

  const insert = async (from: PromptPreview, run: boolean) => {
    setInserting(true)
    try {
      const id = await conversationOf(place)
      setPlace({ kind: picker.kind, model: picker.model, conversation: id })
      await attachPrompt(id, from.preview, run)
      onInserted()
    } catch (error) {
      setProblem(failureText(error))
      setInserting(false)
    }
  }
  const again = () => {
    setProblem(undefined)
    forget()
  }
  const shown = preview ? problem : failed?.why
  return (
    <div className="picker">
      <OfferAbout title={item.title || item.name} serverName={server.name} description={item.description} />
      <div hidden={preview !== undefined}>
        <PromptForm
          prompt={item}
          server={server.name}
          busy={busy}
          complete={powers.complete}
          onSubmit={(args) => void get(args)}
        />
      </div>
      {preview ? <PromptMessages preview={preview} /> : null}
      {shown === undefined ? null : <ProblemCard problem={{ code: 'prompt', what: shown }} />}
      {preview ? (
        <div className="picker-actions">
          <Button variant="primary" disabled={busy || preview.messages.length === 0} onClick={() => void insert(preview, true)}>
            Use it
          </Button>
          <Button disabled={busy || preview.messages.length === 0} onClick={() => void insert(preview, false)}>
            Insert without asking the model
          </Button>
          <Button disabled={busy} onClick={again}>
            Change the arguments
          </Button>
        </div>
      ) : null}
    </div>
  )
}
