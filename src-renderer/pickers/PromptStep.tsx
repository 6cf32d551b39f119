import { useEffect, useRef, useState } from 'react'
import type { PromptPreview } from '../../src-shared/contract/attachments.ts'
import type { Prompt } from '../../src-shared/mcp/primitives.ts'
import { PromptMessages } from '../content/PromptMessages.tsx'
import { PromptForm } from '../forms/PromptForm.tsx'
import type { Texts } from '../forms/TextsForm.tsx'
import { failureText } from '../state/actions.ts'
import { attachPrompt, complete, getPrompt } from '../state/context-actions.ts'
import type { Picker } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { conversationOf } from './chosen-place.ts'
import type { Offer } from './use-offers.ts'

export interface PromptStepProps {
  readonly picker: Picker
  readonly offer: Offer<Prompt>
  readonly onInserted: () => void
}

/** The arguments of one prompt, then what it returned; only a click puts that into the conversation. */
export function PromptStep({ picker, offer, onInserted }: PromptStepProps) {
  const { server, item } = offer
  const [busy, setBusy] = useState(false)
  const [preview, setPreview] = useState<PromptPreview>()
  const [problem, setProblem] = useState<string>()
  const [place, setPlace] = useState(picker)
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])

  const get = async (args: Texts) => {
    const controller = new AbortController()
    asking.current = controller
    setBusy(true)
    setProblem(undefined)
    try {
      setPreview(await getPrompt(server.id, item.name, args, controller.signal))
    } catch (error) {
      if (!controller.signal.aborted) setProblem(failureText(error))
    }
    setBusy(false)
  }
  const insert = async (from: PromptPreview, run: boolean) => {
    setBusy(true)
    try {
      const id = await conversationOf(place)
      setPlace({ kind: picker.kind, model: picker.model, conversation: id })
      await attachPrompt(id, from.preview, run)
      onInserted()
    } catch (error) {
      setProblem(failureText(error))
      setBusy(false)
    }
  }
  return (
    <div className="picker">
      <div className="picker-about">
        <strong>
          <VisibleText text={item.title || item.name} />
        </strong>{' '}
        <span className="content-server">
          <VisibleText text={server.name} />
        </span>
        {item.description ? (
          <p className="soft">
            <VisibleText text={item.description} />
          </p>
        ) : null}
      </div>
      <div hidden={preview !== undefined}>
        <PromptForm
          prompt={item}
          busy={busy}
          complete={(name, value, context, signal) =>
            complete(server.id, { type: 'prompt', name: item.name }, { name, value }, context, signal)
          }
          onSubmit={(args) => void get(args)}
        />
      </div>
      {preview ? <PromptMessages preview={preview} /> : null}
      {problem === undefined ? null : <ProblemCard problem={{ code: 'prompt', what: problem }} />}
      {preview ? (
        <div className="picker-actions">
          <Button variant="primary" disabled={busy || preview.messages.length === 0} onClick={() => void insert(preview, true)}>
            Use it
          </Button>
          <Button disabled={busy || preview.messages.length === 0} onClick={() => void insert(preview, false)}>
            Insert without asking the model
          </Button>
          <Button disabled={busy} onClick={() => setPreview(undefined)}>
            Change the arguments
          </Button>
        </div>
      ) : null}
    </div>
  )
}
