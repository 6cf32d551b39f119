import { useState } from 'react'
import type { ProviderConfig } from '../../../src-shared/contract/settings.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { ADD_PROVIDER } from '../../state/route.ts'
import { navigate, useView } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { ModelTasks } from './ModelTasks.tsx'
import { ProviderCard } from './ProviderCard.tsx'
import { ProviderEditor } from './ProviderEditor.tsx'

/** Providers of models, and the default models. */
export function ModelsSection() {
  const providers = useHost((mirror) => mirror.host.providers)
  // New users are sent to this address, which opens the dialog.
  const adding = useView(({ route }) => route.section === ADD_PROVIDER.section && route.tab === ADD_PROVIDER.tab)
  return (
    <>
      <ModelTasks />
      <ul className="ui-rows" aria-label="Providers">
        {providers.map((provider) => (
          <li key={provider.id}>
            <ProviderCard provider={provider} />
          </li>
        ))}
      </ul>
      <div className="actions">
        <Button onClick={() => navigate(ADD_PROVIDER)}>
          <PlusIcon /> Add provider
        </Button>
        <LocalFinder />
      </div>
      {adding ? <ProviderEditor onClose={() => navigate({ section: 'settings', id: 'models' })} /> : null}
    </>
  )
}

type Search =
  | { readonly is: 'idle' | 'looking' }
  | { readonly is: 'done'; readonly found: readonly { readonly name: string; readonly baseUrl: string }[] }

/** Finds and adds local services, which need no key. */
function LocalFinder() {
  const providers = useHost((mirror) => mirror.host.providers)
  const [search, setSearch] = useState<Search>({ is: 'idle' })
  const look = async () => {
    setSearch({ is: 'looking' })
    const [answer] = (await attempt(ask('provider.findLocal', {}))) ?? []
    setSearch(answer ? { is: 'done', found: answer.found } : { is: 'idle' })
  }
  const known = new Set(providers.map((provider) => provider.baseUrl))
  return (
    <>
      <Button disabled={search.is === 'looking'} onClick={() => void look()}>
        Find local models
      </Button>
      <div className="settings-found" role="status">
        {search.is === 'looking' ? <span className="meta">Looking for Ollama and LM Studio …</span> : null}
        {search.is === 'done' && search.found.length === 0 ? (
          <span className="meta">No local models found. Start Ollama or LM Studio and try again.</span>
        ) : null}
        {search.is === 'done'
          ? search.found.map((one) => (
              <div className="settings-row" key={one.baseUrl}>
                <span className="settings-row-text column-0 grow">
                  <VisibleText text={one.name} />
                  <VisibleText as="code" className="soft" text={one.baseUrl} />
                </span>
                {known.has(one.baseUrl) ? (
                  <span className="meta">Added</span>
                ) : (
                  <Button size="small" onClick={() => void attempt(ask('provider.add', { config: local(one) }))}>
                    Add {visibleText(one.name)}
                  </Button>
                )}
              </div>
            ))
          : null}
      </div>
    </>
  )
}

function local({ name, baseUrl }: { readonly name: string; readonly baseUrl: string }): ProviderConfig {
  return { kind: 'openai-compatible', name, baseUrl }
}
