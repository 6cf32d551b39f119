import { useSettling } from '../forms/use-settling.ts'
import { attempt, changeSettings } from '../state/actions.ts'
import { useHost } from '../state/host-store.ts'
import { RadioGroup } from '../ui/fields.tsx'

export function AppearanceSection() {
  const saved = useHost((mirror) => mirror.host.settings.theme)
  const [theme, choose] = useSettling(saved, (wanted) => attempt(changeSettings({ theme: wanted })))
  return (
    <RadioGroup
      label="Theme"
      options={[
        { value: 'system', label: 'As the system' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
      value={theme}
      onChange={choose}
    />
  )
}
