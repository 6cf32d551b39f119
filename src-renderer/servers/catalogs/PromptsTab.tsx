import { useState } from 'react'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import type { Prompt } from '../../../src-shared/mcp/primitives.ts'
import { ForeignIcon } from '../../content/ForeignIcon.tsx'
import { PromptMessages } from '../../content/PromptMessages.tsx'
import { PromptForm } from '../../forms/PromptForm.tsx'
import { usePromptPreview } from '../../forms/use-prompt-preview.ts'
import { isUsable } from '../../state/selectors.ts'
import { Button } from '../../ui/Button.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { CatalogList } from './CatalogList.tsx'
import { NotConnected } from './NotConnected.tsx'
import { useCatalog } from './use-catalog.ts'

export function PromptsTab({ server }: { readonly server: ServerRecord }) {
  const [search, setSearch] = useState('')
  const pages = useCatalog('catalog.prompts', server, search)
  if (server.catalog.prompts === 0 && search === '') return <NotConnected server={server} what="prompts" />
  return (
    <div className="tab column-3">
      <SearchField label="Search prompts" value={search} onChange={setSearch} />
      <CatalogList
        label="Prompts"
        pages={pages}
        keyOf={(prompt) => prompt.name}
        rowHeight={76}
        empty={`No prompt matches “${search.trim()}”.`}
        render={(prompt) => <PromptRow server={server} prompt={prompt} />}
      />
    </div>
  )
}

function PromptRow({ server, prompt }: { readonly server: ServerRecord; readonly prompt: Prompt }) {
  return (
    <div className="catalog-row">
      <div className="column-tight grow">
        <div className="catalog-row-head actions">
          <ForeignIcon icons={prompt.icons} />
          <VisibleText as="strong" text={prompt.title ?? prompt.name} />
          {prompt.title === undefined ? null : <VisibleText as="code" className="soft" text={prompt.name} />}
        </div>
        {prompt.description ? <VisibleText as="div" className="catalog-about small" text={prompt.description} /> : null}
        {prompt.arguments?.length ? (
          <dl className="column-1">
            {prompt.arguments.map((argument) => (
              <Fact
                key={argument.name}
                name={
                  <>
                    <VisibleText text={argument.title ?? argument.name} />
                    {argument.required ? <span className="meta"> required</span> : null}
                  </>
                }
              >
                {argument.description ? (
                  <VisibleText text={argument.description} />
                ) : (
                  <span className="meta">No description</span>
                )}
              </Fact>
            ))}
          </dl>
        ) : null}
        <PromptByHand server={server} prompt={prompt} />
      </div>
    </div>
  )
}

/** Gets a prompt to show its messages, without a conversation. */
function PromptByHand({ server, prompt }: { readonly server: ServerRecord; readonly prompt: Prompt }) {
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
