import { useSavedChoice } from '../forms/use-saved-choice.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { RadioGroup } from '../ui/fields/RadioGroup.tsx'

export function AppearanceSection() {
  const saved = useHost((mirror) => mirror.host.settings)
  const [theme, chooseTheme] = useSavedChoice(saved.theme, (wanted) =>
    attempt(ask('settings.change', { settings: { theme: wanted } })),
  )
  const [textSize, chooseTextSize] = useSavedChoice(saved.textSize, (wanted) =>
    attempt(ask('settings.change', { settings: { textSize: wanted } })),
  )
  return (
    <div className="settings-fields column-4">
      <RadioGroup
        label="Theme"
        options={[
          { value: 'system', label: 'System' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
        value={theme}
        onChange={chooseTheme}
      />
      <RadioGroup
        label="Text size"
        options={[
          { value: 'small', label: 'Small' },
          { value: 'normal', label: 'Normal' },
          { value: 'large', label: 'Large' },
        ]}
        value={textSize}
        onChange={chooseTextSize}
      />
    </div>
  )
}
