import { useState } from 'react'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import type { Prompt } from '../../../src-shared/mcp/primitives.ts'
import { PromptMessages } from '../../content/PromptMessages.tsx'
import { PromptForm } from '../../forms/PromptForm.tsx'
import { usePromptPreview } from '../../forms/use-prompt-preview.ts'
import { isUsable } from '../../state/selectors.ts'
import { Button } from '../../ui/Button.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'

/** Gets a prompt to show its messages, without a conversation. */
export function PromptByHand({ server, prompt }: { readonly server: ServerRecord; readonly prompt: Prompt }) {
  const [open, setOpen] = useState(false)
  const { busy, preview, problem, get } = usePromptPreview(server.id, prompt.name)
  return (
    <>
      <div className="catalog-row-actions actions">
        <Button size="small" aria-expanded={open} disabled={!isUsable(server)} onClick={() => setOpen(!open)}>
          Use prompt
        </Button>
      </div>
      {open ? <PromptForm server={server} prompt={prompt} busy={busy} onSubmit={get} /> : null}
      {open ? <ProblemCard problem={problem} onRetry={busy ? undefined : () => get()} /> : null}
      {open && preview ? <PromptMessages preview={preview} /> : null}
    </>
  )
}
