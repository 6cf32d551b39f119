import type { ContextReport } from '../../src-shared/contract/context.ts'
import { DEMO_PROVIDER_ID, type ModelRef } from '../../src-shared/contract/settings.ts'
import { ModelWindowDialog } from '../forms/ModelWindowDialog.tsx'
import { useHost } from '../state/host-store.ts'
import { modelEntry } from '../state/models.ts'
import { grouped } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'

/** Whose word the window is, with a way to set it; what is assumed where nobody said. */
export function ContextWindow({ report, onSet }: { readonly report: ContextReport; readonly onSet: () => void }) {
  const { model, assumedWindow } = report
  const entry = useHost((mirror) => modelEntry(mirror.host.providers, model))
  return (
    <>
      {assumedWindow === undefined ? null : (
        <p className="context-assumed">
          Nobody said how much this model takes in. Parley assumes {grouped(assumedWindow)} tokens, for its warning and for how
          many tools are offered at once.
        </p>
      )}
      {entry?.ownWindow ? <p className="meta">The window is the one that you set.</p> : null}
      {entry && model.provider !== DEMO_PROVIDER_ID ? (
        <Button size="small" onClick={onSet}>
          {assumedWindow === undefined ? 'Change the model’s window' : 'Set the model’s window'}
        </Button>
      ) : null}
    </>
  )
}

/** Stands outside the composer: a form holds no other. */
export function ContextWindowDialog({ model, onClose }: { readonly model: ModelRef; readonly onClose: () => void }) {
  const entry = useHost((mirror) => modelEntry(mirror.host.providers, model))
  if (!entry) return null
  return <ModelWindowDialog provider={model.provider} model={entry} onClose={onClose} />
}
