import { attempt, changeSettings } from '../state/actions.ts'
import { useHost } from '../state/host-store.ts'
import { RadioGroup } from '../ui/fields.tsx'

export function AppearanceSection() {
  const theme = useHost((mirror) => mirror.host.settings.theme)
  return (
    <RadioGroup
      label="Theme"
      options={[
        { value: 'system', label: 'As the system' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
      value={theme}
      onChange={(chosen) => void attempt(changeSettings({ theme: chosen }))}
    />
  )
}
