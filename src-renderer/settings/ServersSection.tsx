import { SECOND, TIMEOUT_FIELDS, TIMEOUT_RANGE } from '../forms/timeout-fields.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { NumberSetting } from './NumberSetting.tsx'

/** Defaults for servers that have no setting of their own. */
export function ServersSection() {
  const serverTimeouts = useHost((mirror) => mirror.host.settings.serverTimeouts)
  return (
    <div className="settings-fields column-4">
      {TIMEOUT_FIELDS.map(({ field, label, hint }) => (
        <NumberSetting
          key={field}
          label={label}
          hint={hint}
          value={serverTimeouts[field] / SECOND}
          range={TIMEOUT_RANGE}
          onCommit={(seconds) =>
            void attempt(
              ask('settings.change', { settings: { serverTimeouts: { ...serverTimeouts, [field]: seconds * SECOND } } }),
            )
          }
        />
      ))}
      <p className="meta">Headers are set for each server alone: a key for all would go to each of them.</p>
    </div>
  )
}
