import type { ContextReport } from '../../src-shared/contract/context.ts'
import { DEMO_PROVIDER_ID, type ModelRef } from '../../src-shared/contract/settings.ts'
import { ModelWindowDialog } from '../forms/models/ModelWindowDialog.tsx'
import { useHost } from '../state/host-store.ts'
import { modelEntry } from '../state/models.ts'
import { grouped } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'

/** The source of the window's size, with a button to set it. */
export function ContextWindow({ report, onSet }: { readonly report: ContextReport; readonly onSet: () => void }) {
  const { model, assumedWindow } = report
  const entry = useHost((mirror) => modelEntry(mirror.host.providers, model))
  return (
    <>
      {assumedWindow === undefined ? null : (
        <p className="context-assumed small">Context window unknown; assuming {grouped(assumedWindow)} tokens.</p>
      )}
      {entry?.ownWindow ? <p className="meta">Context window set by you.</p> : null}
      {entry && model.provider !== DEMO_PROVIDER_ID ? (
        <Button size="small" onClick={onSet}>
          {assumedWindow === undefined ? 'Change context window' : 'Set context window'}
        </Button>
      ) : null}
    </>
  )
}

/** Rendered outside the composer, since forms cannot be nested. */
export function ContextWindowDialog({ model, onClose }: { readonly model: ModelRef; readonly onClose: () => void }) {
  const entry = useHost((mirror) => modelEntry(mirror.host.providers, model))
  if (!entry) return null
  return <ModelWindowDialog provider={model.provider} model={entry} onClose={onClose} />
}
