import { useEffect, useRef, useState } from 'react'
import type { PromptPreview } from '../../src-shared/contract/attachments.ts'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import type { Prompt } from '../../src-shared/mcp/primitives.ts'
import { PromptMessages } from '../content/PromptMessages.tsx'
import { PromptForm } from '../forms/PromptForm.tsx'
import type { Texts } from '../forms/TextsForm.tsx'
import { failureText } from '../state/actions.ts'
import { complete, getPrompt } from '../state/context-actions.ts'
import { Button } from '../ui/Button.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'

/** Gets a prompt to look at what it returns; no conversation is touched. */
export function PromptByHand({ server, prompt }: { readonly server: ServerRecord; readonly prompt: Prompt }) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [preview, setPreview] = useState<PromptPreview>()
  const [failed, setFailed] = useState<{ readonly why: string; readonly args: Texts }>()
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])
  const get = async (args: Texts) => {
    const controller = new AbortController()
    asking.current = controller
    setBusy(true)
    setFailed(undefined)
    try {
      setPreview(await getPrompt(server.id, prompt.name, args, controller.signal))
    } catch (error) {
      if (!controller.signal.aborted) setFailed({ why: failureText(error), args })
    }
    setBusy(false)
  }
  return (
    <>
      <div className="catalog-row-actions">
        <Button size="small" aria-expanded={open} disabled={server.state.is !== 'ready'} onClick={() => setOpen(!open)}>
          Get it
        </Button>
      </div>
      {open ? (
        <PromptForm
          prompt={prompt}
          busy={busy}
          complete={(name, value, context, signal) =>
            complete(server.id, { type: 'prompt', name: prompt.name }, { name, value }, context, signal)
          }
          onSubmit={(args) => void get(args)}
        />
      ) : null}
      {open && failed ? (
        <ProblemCard
          problem={{ code: 'prompt', what: failed.why }}
          actions={
            <Button size="small" disabled={busy} onClick={() => void get(failed.args)}>
              Try again
            </Button>
          }
        />
      ) : null}
      {open && preview ? <PromptMessages preview={preview} /> : null}
    </>
  )
}
