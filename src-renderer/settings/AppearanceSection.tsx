import { useSavedChoice } from '../forms/use-saved-choice.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { RadioGroup } from '../ui/fields/RadioGroup.tsx'

export function AppearanceSection() {
  const saved = useHost((mirror) => mirror.host.settings.theme)
  const [theme, choose] = useSavedChoice(saved, (wanted) => attempt(ask('settings.change', { settings: { theme: wanted } })))
  return (
    <RadioGroup
      label="Theme"
      options={[
        { value: 'system', label: 'System' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
      value={theme}
      onChange={choose}
    />
  )
}
