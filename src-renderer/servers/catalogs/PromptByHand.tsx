import { useState } from 'react'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import type { Prompt } from '../../../src-shared/mcp/primitives.ts'
import { PromptMessages } from '../../content/PromptMessages.tsx'
import { PromptForm } from '../../forms/PromptForm.tsx'
import { usePromptPreview } from '../../forms/use-prompt-preview.ts'
import { promptPowers } from '../../state/form-powers.ts'
import { Button } from '../../ui/Button.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'

/** Gets a prompt to look at what it returns; no conversation is touched. */
export function PromptByHand({ server, prompt }: { readonly server: ServerRecord; readonly prompt: Prompt }) {
  const [open, setOpen] = useState(false)
  const powers = promptPowers(server.id, prompt.name)
  const { busy, preview, failed, get } = usePromptPreview(powers)
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
          server={server.name}
          busy={busy}
          complete={powers.complete}
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
