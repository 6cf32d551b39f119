import { useCallback, useState } from 'react'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import type { Prompt } from '../../../src-shared/mcp/primitives.ts'
import { ForeignIcon } from '../../content/ForeignIcon.tsx'
import { readPrompts } from '../../state/actions.ts'
import { TextField } from '../../ui/fields.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { CatalogList } from './CatalogList.tsx'
import { NotConnected } from './NotConnected.tsx'
import { PromptByHand } from './PromptByHand.tsx'
import { usePages } from './use-pages.ts'

/** The server's prompts and the arguments that they take. */
export function PromptsTab({ server }: { readonly server: ServerRecord }) {
  const [search, setSearch] = useState('')
  const { version, prompts } = server.catalog
  const load = useCallback(
    (cursor: string | undefined, signal: AbortSignal) =>
      readPrompts(
        { serverId: server.id, ...(cursor !== undefined && { cursor }), ...(search.trim() && { search: search.trim() }) },
        signal,
      ),
    [server.id, search],
  )
  const pages = usePages<Prompt>(load, version)
  if (prompts === 0 && search === '') return <NotConnected server={server} what="prompts" />
  return (
    <div className="tab">
      <TextField
        type="search"
        label="Search prompts"
        hideLabel
        placeholder="Search prompts"
        value={search}
        onChange={setSearch}
      />
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
      <div className="catalog-row-text">
        <div className="catalog-row-head">
          <ForeignIcon icons={prompt.icons} />
          <strong>
            <VisibleText text={prompt.title ?? prompt.name} />
          </strong>
          {prompt.title === undefined ? null : (
            <code className="soft">
              <VisibleText text={prompt.name} />
            </code>
          )}
        </div>
        {prompt.description ? (
          <div className="catalog-about">
            <VisibleText text={prompt.description} />
          </div>
        ) : null}
        {prompt.arguments?.length ? (
          <dl className="facts">
            {prompt.arguments.map((argument) => (
              <div className="fact" key={argument.name}>
                <dt>
                  <VisibleText text={argument.title ?? argument.name} />
                  {argument.required ? <span className="meta"> required</span> : null}
                </dt>
                <dd>
                  {argument.description ? (
                    <VisibleText text={argument.description} />
                  ) : (
                    <span className="meta">no description</span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        ) : null}
        <PromptByHand server={server} prompt={prompt} />
      </div>
    </div>
  )
}
