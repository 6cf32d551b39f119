import { useHost } from '../../state/host-store.ts'
import { ADD_PROVIDER } from '../../state/route.ts'
import { navigate, useView } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { ModelTasks } from './ModelTasks.tsx'
import { ProviderCard } from './ProviderCard.tsx'
import { ProviderEditor } from './ProviderEditor.tsx'

export function ModelsSection() {
  const providers = useHost((mirror) => mirror.host.providers)
  // New users are sent to this address, which opens the dialog.
  const adding = useView(({ route }) => route.section === ADD_PROVIDER.section && route.tab === ADD_PROVIDER.tab)
  return (
    <>
      <ul className="ui-rows divided" aria-label="Providers">
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
      </div>
      <ModelTasks />
      {adding ? <ProviderEditor onClose={() => navigate({ section: 'settings', id: 'models' })} /> : null}
    </>
  )
}
