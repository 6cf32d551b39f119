import { REQUEST_TIME, type ServerTimeouts } from '../../src-shared/contract/settings.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { NumberSetting } from './NumberSetting.tsx'

const SECOND = 1_000
const TIMES: readonly { readonly field: keyof ServerTimeouts; readonly label: string; readonly hint: string }[] = [
  {
    field: 'requestTimeout',
    label: 'Request timeout (seconds)',
    hint: 'Then you are asked whether to keep waiting. Progress restarts it.',
  },
  {
    field: 'maxRequestTime',
    label: 'Maximum request time (seconds)',
    hint: 'Even with progress. Time you take to answer does not count.',
  },
  {
    field: 'startTimeout',
    label: 'Start timeout (seconds)',
    hint: 'Servers that are downloaded first get five minutes at least.',
  },
]

/** What every server goes by that has none of its own. */
export function ServersSection() {
  const serverTimeouts = useHost((mirror) => mirror.host.settings.serverTimeouts)
  return (
    <div className="settings-fields column-4">
      {TIMES.map(({ field, label, hint }) => (
        <NumberSetting
          key={field}
          label={label}
          hint={hint}
          value={serverTimeouts[field] / SECOND}
          range={{ least: REQUEST_TIME.least / SECOND, most: REQUEST_TIME.most / SECOND }}
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
