import { SECOND, TIMEOUT_FIELDS, TIMEOUT_RANGE } from '../forms/timeout-fields.ts'
import { useSetting } from '../forms/use-saved-choice.ts'
import { NumberSetting } from './NumberSetting.tsx'

export function ServersSection() {
  const [timeouts, choose] = useSetting('serverTimeouts')
  return (
    <div className="settings-fields column-4">
      {TIMEOUT_FIELDS.map(({ field, label, hint }) => (
        <NumberSetting
          key={field}
          label={label}
          hint={hint}
          value={timeouts[field] / SECOND}
          range={TIMEOUT_RANGE}
          onCommit={(seconds) => choose({ ...timeouts, [field]: seconds * SECOND })}
        />
      ))}
      <p className="meta">Headers are set per server.</p>
    </div>
  )
}
